// SPDX-License-Identifier: MIT
#include "sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/numbers.hpp"
#include "plot/ticks.hpp"
#include "scene/reader.hpp"
#include "scene/writer.hpp"
#include "sweep/keys.hpp"

namespace moraine::sweep {

namespace {

using scene::Node;
using scene::Problems;

// The text of a TOML string, nothing for any other value.
std::optional<std::string> unquoted(const std::string& toml) {
  if (toml.size() < 2 || toml.front() != '"') return {};
  std::string out;
  for (std::size_t i = 1; i + 1 < toml.size(); ++i) {
    if (toml[i] == '\\' && i + 2 < toml.size()) ++i;
    out += toml[i];
  }
  return out;
}

// "2.5 cm/s" -> 2.5 and "cm/s"; nothing if it does not begin with a number.
std::optional<std::pair<double, std::string>> quantity_of(const std::string& toml) {
  if (toml.empty()) return {};
  const auto inside = unquoted(toml);
  if (!inside) {
    const auto number = io::to_number(toml);
    return number ? std::optional(std::pair(*number, std::string())) : std::nullopt;
  }
  const std::size_t end = std::min(inside->find_first_not_of("+-.0123456789eE_"), inside->size());
  // "3 e": the e belongs to no number. Try shorter beginnings.
  for (std::size_t n = end; n > 0; --n) {
    const auto number = io::to_number(inside->substr(0, n));
    if (!number || !std::isfinite(*number)) continue;
    return std::pair(*number, std::string(io::trimmed(std::string_view(*inside).substr(n))));
  }
  return {};
}

Point point_of(const std::string& key, const std::string& toml) {
  Point point;
  point.sets = {key + "=" + toml};
  point.text = unquoted(toml).value_or(toml);
  if (const auto quantity = quantity_of(toml)) {
    point.number = quantity->first;
    point.unit = quantity->second;
  }
  return point;
}

// ---- axes -----------------------------------------------------------------------------------------------------------

// Evenly spaced values, written with twelve digits: as good as any a user would type.
std::vector<std::string> spaced(const Node& node, Problems& problems) {
  std::optional<std::pair<double, std::string>> ends[2];
  bool good = true;
  const auto missing = [&](const char* key) {
    if (node.has(key)) return false;
    good = false;
    if (!node.given(key))  // otherwise the reader has told what is wrong with it
      problems.add(node, fmt::format("has neither `values` nor all of `from`, `to` and `count`: `{}` is missing", key));
    return true;
  };
  for (const int k : {0, 1}) {
    const char* key = k == 0 ? "from" : "to";
    if (missing(key)) continue;
    if (!node.is_list(key)) ends[k] = quantity_of(node.text(key));
    if (ends[k]) continue;
    problems.add(node, key, "is not a number or a quantity such as \"5 cm/s\"");
    good = false;
  }
  missing("count");
  if (!good) return {};
  const auto& [from, unit] = *ends[0];
  const auto& [to, other] = *ends[1];
  if (unit != other) {
    problems.add(node, "to", fmt::format("is in '{}', but `from` is in '{}': give both in one unit", other, unit));
    return {};
  }
  const bool log = node.has("spacing") && node.text("spacing") == "log";
  if (log && !(from > 0 && to > 0)) {
    problems.add(node, "spacing", "is log, which needs `from` and `to` above zero");
    return {};
  }
  std::vector<std::string> out;
  const std::int64_t count = node.integer("count");
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = log ? from * std::pow(to / from, share) : from + (to - from) * share;
    const std::string number = fmt::format("{:.12g}", value);
    out.push_back(unit.empty() ? number : scene::toml_string(fmt::format("{} {}", number, unit)));
  }
  return out;
}

std::vector<std::string> values_of(const Node& node, Problems& problems) {
  if (!node.given("values")) return spaced(node, problems);
  for (const char* other : {"from", "to", "count", "spacing"}) {
    if (node.given(other)) problems.add(node, other, "does not go with `values`: give one or the other");
  }
  if (!node.has("values")) return {};  // told by the reader
  if (!node.is_list("values")) {
    problems.add(node, "values",
                 fmt::format("found {}, but a list is needed: [{}]", node.text("values"), node.text("values")));
    return {};
  }
  if (node.texts("values").empty()) problems.add(node, "values", "is empty: an axis needs at least one value");
  return node.texts("values");
}

void refuse_twins(const Node& node, const Axis& axis, Problems& problems) {
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Point &a = axis.points[i], &b = axis.points[j];
      const bool same = a.number && b.number ? *a.number == *b.number && a.unit == b.unit : a.text == b.text;
      if (!same) continue;
      problems.add(node,
                   axis.cases             ? "name"
                   : node.given("values") ? "values"
                                          : "from",
                   fmt::format("has '{}' twice: each value makes a cell of its own", a.text));
      return;
    }
  }
}

Axis read_axis(const Node& node, Problems& problems) {
  Axis axis;
  axis.key = node.has("key") ? node.text("key") : "";
  if (axis.key.find('=') != std::string::npos)
    problems.add(node, "key", "is a key without a value; those go into `values`");
  axis.label = node.has("label") ? node.text("label") : plot::pretty_name(last_part(axis.key));
  axis.log = node.has("spacing") && node.text("spacing") == "log";
  axis.line = node.line("key");
  axis.where = node.path();
  for (const std::string& value : values_of(node, problems)) axis.points.push_back(point_of(axis.key, value));
  if (axis.numeric() && axis.one_unit() && !axis.points.empty()) axis.unit = axis.points[0].unit;
  refuse_twins(node, axis, problems);
  return axis;
}

Axis read_cases(const std::vector<Node>& nodes, Problems& problems) {
  Axis axis;
  axis.key = axis.label = axis.where = "case";
  axis.cases = true;
  axis.line = nodes[0].line();
  for (const Node& node : nodes) {
    if (!node.has("name") || !node.has("set")) continue;  // told by the reader
    axis.points.push_back({node.texts("set"), node.text("name"), {}, ""});
  }
  refuse_twins(nodes.back(), axis, problems);
  return axis;
}

// No key of the scene may be set from two places: one of them would have no effect.
class Owners {
 public:
  explicit Owners(Problems& problems) : problems_(problems) {}
  void take(const std::string& key, const std::string& owner, const Node& node, std::string_view at) {
    if (const std::string other = note(key, owner); !other.empty())
      problems_.add(node, at, fmt::format("'{}' is set by {} as well", key, other));
  }
  void take_set(const std::string& set) {
    const std::string key = key_of(set);
    if (const std::string other = note(key, "--set"); !other.empty() && other != "--set" && other != "[set]")
      problems_.add("", {0, true}, "", fmt::format("'{}' sets a key that {} of the sweep sets", set, other));
  }

 private:
  // Who has it already, or nothing.
  std::string note(const std::string& key, const std::string& owner) {
    const auto [it, is_new] = owners_.emplace(plain_path(key), owner);
    return is_new ? "" : it->second;
  }
  std::map<std::string, std::string> owners_;
  Problems& problems_;
};

// ---- seeds ----------------------------------------------------------------------------------------------------------

std::vector<std::int64_t> read_seeds(const Node& node, Problems& problems) {
  std::vector<std::int64_t> seeds;
  if (!node.has("seeds")) return seeds;
  const auto whole = [&](const std::string& text) -> std::optional<std::int64_t> {
    const auto number = io::to_number(text);
    if (!number || *number != std::floor(*number) || *number < 0 || *number > 9e15) {
      problems.add(node, "seeds", fmt::format("found {}, but a whole number of at least 0 is needed", text));
      return {};
    }
    return static_cast<std::int64_t>(*number);
  };
  if (!node.is_list("seeds")) {
    const auto count = whole(node.text("seeds"));
    if (!count) return seeds;
    if (*count < 1 || static_cast<double>(*count) > kMostRuns) {
      problems.add(node, "seeds", fmt::format("is {}: a number of seeds is 1 to {}", *count, kMostRuns));
      return seeds;
    }
    for (std::int64_t s = 1; s <= *count; ++s) seeds.push_back(s);
    return seeds;
  }
  for (const std::string& text : node.texts("seeds")) {
    const auto seed = whole(text);
    if (!seed) continue;
    if (std::find(seeds.begin(), seeds.end(), *seed) != seeds.end())
      problems.add(node, "seeds", fmt::format("has {} twice", *seed));
    seeds.push_back(*seed);
  }
  return seeds;
}

// ---- the picture ----------------------------------------------------------------------------------------------------

std::optional<std::size_t> find_axis(const Node& map, const char* key, const std::vector<Axis>& axes,
                                     Problems& problems) {
  const std::string& name = map.text(key);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (plain_path(name) == plain_path(axes[i].key) || name == axes[i].label) return i;
    names.push_back(axes[i].key);
  }
  problems.add(
      map, key,
      fmt::format("'{}' is not an axis of this sweep{}{}", name,
                  names.empty() ? "" : "; there is " + scene::list_text(names), scene::did_you_mean(name, names)));
  return {};
}

MapRequest read_map(const Node& node, const Plan& plan, Problems& problems) {
  MapRequest map;
  map.title = plan.title;
  const bool given = node.has("map");
  if (given) {
    const Node& table = node.table("map");
    if (table.has("title")) map.title = table.text("title");
    if (table.has("label")) map.label = table.text("label");
    if (table.has("x")) map.x = find_axis(table, "x", plan.axes, problems);
    if (table.has("y")) map.y = find_axis(table, "y", plan.axes, problems);
    if (map.x && map.x == map.y) problems.add(table, "y", "is the axis of `x` again");
    if (table.has("result")) {
      const std::string& name = table.text("result");
      const auto at = std::find(plan.results.begin(), plan.results.end(), name);
      if (at == plan.results.end()) {
        problems.add(
            table, "result",
            fmt::format("'{}' is not in `result` of this sweep{}", name, scene::did_you_mean(name, plan.results)));
      } else {
        map.result = static_cast<std::size_t>(at - plan.results.begin());
      }
    }
  }
  const bool names_axes = given && (node.table("map").has("x") || node.table("map").has("y"));
  if (!names_axes) {
    if (!plan.axes.empty()) map.x = 0;
    if (plan.axes.size() > 1) map.y = 1;
  } else if (!map.x && map.y && plan.axes.size() > 1) {
    map.x = *map.y == 0 ? 1 : 0;
  } else if (!map.x && map.y) {
    std::swap(map.x, map.y);
  }
  if (map.label.empty() && map.result < plan.results.size())
    map.label = plot::pretty_name(last_part(plan.results[map.result]));
  return map;
}

}  // namespace

Plan read_plan(const std::filesystem::path& path, const std::vector<std::string>& common,
               const std::vector<std::string>& own) {
  Problems problems;
  const Node node = scene::read_scene(sweep_schema(), path, own, &problems);
  Plan plan;
  plan.file = path.string();
  plan.title = node.has("title") ? node.text("title") : "";
  plan.source = node.has("source") ? node.text("source") : "";
  plan.scene = node.has("scene") ? node.text("scene") : "";
  plan.scene_line = node.line("scene");
  if (node.has("out")) plan.out = node.text("out");
  if (node.has("result")) plan.results = node.texts("result");
  plan.seed_key = node.has("seed_key") ? node.text("seed_key") : "seed";
  plan.seeds_line = node.line("seeds");
  plan.seeds = read_seeds(node, problems);

  Owners owners(problems);
  if (!plan.seeds.empty()) owners.take(plan.seed_key, "`seeds`", node, "seeds");
  if (!node.tables("case").empty()) {
    plan.axes.push_back(read_cases(node.tables("case"), problems));
    std::vector<std::string> seen;  // several cases set the same keys
    for (const Node& one : node.tables("case")) {
      if (!one.has("set")) continue;
      for (const std::string& set : one.texts("set")) {
        if (std::find(seen.begin(), seen.end(), key_of(set)) != seen.end()) continue;
        seen.push_back(key_of(set));
        owners.take(key_of(set), "a [[case]]", one, "set");
      }
    }
  }
  for (const Node& one : node.tables("axis")) {
    plan.axes.push_back(read_axis(one, problems));
    if (one.has("key")) owners.take(one.text("key"), "an [[axis]]", one, "key");
  }
  if (node.has("set")) {
    plan.common = node.texts("set");
    for (const std::string& set : plan.common) owners.take(key_of(set), "[set]", node, "set");
  }
  for (const std::string& set : common) {
    owners.take_set(set);
    plan.common.push_back(set);
  }
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    if (std::find(plan.results.begin(), plan.results.begin() + static_cast<std::ptrdiff_t>(i), plan.results[i]) !=
        plan.results.begin() + static_cast<std::ptrdiff_t>(i))
      problems.add(node, "result", fmt::format("has '{}' twice", plan.results[i]));
  }
  if (plan.axes.empty() && !node.given("seeds") && !node.given("axis") && !node.given("case"))
    problems.add(node, "nothing varies: at least one [[axis]], [[case]] or `seeds` is needed");
  plan.map = read_map(node, plan, problems);
  double count = static_cast<double>(std::max<std::size_t>(plan.seeds.size(), 1));
  for (const Axis& axis : plan.axes) count *= static_cast<double>(axis.points.size());
  if (count > kMostRuns)
    problems.add(node, fmt::format("would be {:.3g} runs; at most {:.3g} are taken", count, kMostRuns));
  problems.throw_if_any();
  return plan;
}

}  // namespace moraine::sweep
