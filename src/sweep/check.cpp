// SPDX-License-Identifier: MIT
#include "sweep/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/stopwatch.hpp"
#include "scene/build.hpp"
#include "scene/keys.hpp"
#include "scene/load.hpp"
#include "scene/writer.hpp"

namespace moraine::sweep {

namespace {

namespace fs = std::filesystem;

// What is wrong with the scenes of many cells: each mistake once, with the first cell that has it, at the axis it is
// of.
class Mistakes {
 public:
  explicit Mistakes(const Plan& plan) : plan_(plan) {}

  void add(const base::InputError& error, const std::string& cell) {
    for (const base::Problem& p : error.problems()) {
      if (!seen_.insert(p.str()).second) continue;
      const std::string in_cell = cell.empty() ? "" : fmt::format(" (with {})", cell);
      base::Problem own = p;
      if (p.file == "--set") own = at_its_axis(p);
      own.text += in_cell;
      problems_.push_back(std::move(own));
    }
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw base::InputError(problems_);
  }
  std::size_t size() const { return problems_.size(); }

 private:
  base::Problem at_its_axis(const base::Problem& p) const {
    // A path that leads nowhere has no key: it stands in the text, "'body.7.radius=1' has the index 7...".
    const bool quoted = p.key.empty() && p.text.size() > 1 && p.text[0] == '\'';
    const std::string key = quoted ? key_of(p.text.substr(1)) : plain_path(p.key);
    const std::string told = p.key.empty() ? p.text : p.key + ": " + p.text;
    for (const Axis& axis : plan_.axes) {
      for (const Point& point : axis.points) {
        const bool own =
            std::any_of(point.sets.begin(), point.sets.end(), [&](const auto& set) { return key_of(set) == key; });
        if (own) return {plan_.file, axis.line, axis.where, told};
      }
    }
    if (key == plain_path(plan_.seed_key)) return {plan_.file, plan_.seeds_line, "seeds", told};
    return {p.file, p.line, "", told};
  }

  const Plan& plan_;
  std::vector<base::Problem> problems_;
  std::set<std::string> seen_;
};

std::vector<std::string> with_common(const Plan& plan, const std::vector<std::string>& sets) {
  std::vector<std::string> all = plan.common;
  all.insert(all.end(), sets.begin(), sets.end());
  return all;
}

// ---- numbers of a scene, by path ------------------------------------------------------------------------------------

struct Found {
  double number = 0;
  std::string unit;
};

std::optional<std::size_t> index_of(const std::string& part, std::size_t size) {
  std::size_t index = 0;
  const auto [end, bad] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (bad != std::errc{} || end != part.data() + part.size() || index >= size) return {};
  return index;
}

const scene::Node* member(const std::vector<scene::Node>& nodes, const std::string& part) {
  if (const auto index = index_of(part, nodes.size())) return &nodes[*index];
  for (const scene::Node& node : nodes) {
    for (const auto& [key, value] : node.entries()) {
      if (key->name != "name") continue;
      const auto* name = std::get_if<std::string>(&value.data);
      if (name != nullptr && *name == part) return &node;
    }
  }
  return nullptr;
}

std::optional<Found> number_at(const scene::Node& root, const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    parts.push_back(path.substr(at, dot - at));
    at = dot + 1;
  }
  const scene::Node* node = &root;
  for (std::size_t i = 0; i < parts.size() && node != nullptr; ++i) {
    const auto entry = std::find_if(node->entries().begin(), node->entries().end(),
                                    [&](const scene::Entry& e) { return e.key->name == parts[i]; });
    if (entry == node->entries().end()) return {};
    const auto& data = entry->value.data;
    const std::string unit = scene::unit_text(entry->key->unit);
    if (const auto* nodes = std::get_if<std::vector<scene::Node>>(&data)) {
      if (entry->key->type == scene::Type::Tables) {
        node = ++i < parts.size() ? member(*nodes, parts[i]) : nullptr;
      } else {
        node = nodes->empty() ? nullptr : &nodes->front();
      }
      continue;
    }
    if (const auto* v = std::get_if<double>(&data)) return Found{*v, unit};
    if (const auto* v = std::get_if<std::int64_t>(&data)) return Found{static_cast<double>(*v), unit};
    if (const auto* v = std::get_if<std::vector<double>>(&data)) {
      if (v->size() == 1) return Found{v->front(), unit};
      const auto index = i + 1 < parts.size() ? index_of(parts[i + 1], v->size()) : std::nullopt;
      if (index) return Found{(*v)[*index], unit};
    }
    return {};
  }
  return {};
}

// The value of an axis as the scene has read it, in SI units.
std::optional<Found> number_in(const scene::Scene& scene, const Axis& axis) {
  const std::string path = plain_path(axis.key);
  if (scene.original) {
    if (auto found = number_at(*scene.original, path)) return found;
  }
  return number_at(scene.node, path);
}

// What the scene knows of axes: SI values and units of their points, filled while cells are read.
class AxisUnits {
 public:
  explicit AxisUnits(const Plan& plan) {
    for (const Axis& axis : plan.axes) found_.emplace_back(axis.points.size());
  }
  void look(const Plan& plan, const Cell& cell, const scene::Scene& scene) {
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      auto& slot = found_[a][cell.at[a]];
      if (!slot && !plan.axes[a].cases) slot = number_in(scene, plan.axes[a]);
    }
  }
  void fill(Plan& plan) const {
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      Axis& axis = plan.axes[a];
      const auto& found = found_[a];
      const bool all = std::all_of(found.begin(), found.end(), [](const auto& f) { return f.has_value(); });
      if (axis.cases || !axis.numeric() || !all || found.empty()) continue;
      if (axis.one_unit()) {
        if (axis.unit.empty()) axis.unit = found[0]->unit;
        continue;
      }
      for (std::size_t i = 0; i < found.size(); ++i) axis.points[i].number = found[i]->number;
      axis.unit = found[0]->unit;
    }
  }

 private:
  std::vector<std::vector<std::optional<Found>>> found_;
};

}  // namespace

std::vector<std::uint64_t> check_cells(Plan& plan, const fs::path& path) {
  Mistakes mistakes(plan);
  AxisUnits units(plan);
  std::vector<std::uint64_t> fingerprints;
  const std::vector<Cell> cells = plan.cells();
  constexpr std::size_t kEnough = 100;  // mistakes to tell at once
  for (const Cell& cell : cells) {
    if (mistakes.size() > kEnough) break;
    try {
      const scene::Scene scene = scene::load_scene(path, with_common(plan, plan.sets_of(cell)));
      units.look(plan, cell, scene);
      base::Hash hash;
      hash.add(
          std::string_view(scene::write_complete(scene::scene_schema(), scene.node, {"title", "source", "derived"})));
      fingerprints.push_back(hash.value());
    } catch (const base::InputError& error) {
      mistakes.add(error, plan.text_of(cell));
    }
  }
  if (mistakes.size() == 0) {
    for (const std::int64_t seed : plan.seeds) {
      try {
        std::vector<std::string> sets = plan.sets_of(cells[0]);
        sets.push_back(fmt::format("{}={}", plan.seed_key, seed));
        scene::load_scene(path, with_common(plan, sets));
      } catch (const base::InputError& error) {
        mistakes.add(error, fmt::format("{} = {}", plan.seed_key, seed));
        break;  // one seed is like the other
      }
    }
  }
  mistakes.throw_if_any();
  units.fill(plan);
  return fingerprints;
}

std::string fingerprint(std::uint64_t cell, const Plan& plan, const Run& run) {
  base::Hash hash;
  hash.add(cell);
  if (run.seed) {
    hash.add(std::string_view(plain_path(plan.seed_key)));
    hash.add(static_cast<std::uint64_t>(*run.seed));
  }
  return fmt::format("{:016x}", hash.value());
}

std::size_t build_cells(const Plan& plan, const fs::path& path, const std::vector<std::size_t>& cells, double seconds) {
  Mistakes mistakes(plan);
  const std::vector<Cell> all = plan.cells();
  const double begin = base::seconds_now();
  std::size_t built = 0;
  for (const std::size_t c : cells) {
    if (built > 0 && base::seconds_now() - begin > seconds) break;
    try {
      std::vector<std::string> sets = plan.sets_of(all[c]);
      if (!plan.seeds.empty()) sets.push_back(fmt::format("{}={}", plan.seed_key, plan.seeds[0]));
      const scene::Scene scene = scene::load_scene(path, with_common(plan, sets));
      if (scene.dimension() == 2) {
        scene::build<2>(scene);
      } else {
        scene::build<3>(scene);
      }
    } catch (const base::InputError& error) {
      mistakes.add(error, plan.text_of(all[c]));
    }
    ++built;
  }
  mistakes.throw_if_any();
  return built;
}

}  // namespace moraine::sweep
