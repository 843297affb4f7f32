// SPDX-License-Identifier: MIT
// Top to bottom: what a TOML value looks like in a message, the --set values, the validation, the files.
#include "scene/reader.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "scene/writer.hpp"

namespace moraine::scene {
namespace {

// Nodes that came from the command line: they have no line in the file.
using SetNodes = std::unordered_set<const toml::node*>;

// A user's text as part of a message: one line, not too long.
std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out;
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  if (text.size() <= kLongest) return out;
  // Cut between characters: what we print must stay UTF-8.
  while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();
  if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xc0) out.pop_back();
  return out + "...";
}

std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string found_text(const toml::node& node) {
  if (const auto* v = node.as_string()) return fmt::format("\"{}\"", printable(v->get()));
  if (const auto* v = node.as_integer()) return fmt::format("{}", v->get());
  if (const auto* v = node.as_floating_point()) return number_text(v->get());
  if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
  if (node.is_table()) return "a table";
  if (const auto* v = node.as_array())
    return v->is_array_of_tables() ? "an array of tables" : fmt::format("a list of {}", v->size());
  return "a date or time";
}

Origin origin_of(const toml::node& node, const SetNodes& sets) {
  if (sets.contains(&node)) return {0, true};
  return {static_cast<int>(node.source().begin.line), false};
}

std::vector<std::string> names_of(const std::vector<const Key*>& keys) {
  std::vector<std::string> out;
  out.reserve(keys.size());
  for (const Key* key : keys) out.push_back(key->name);
  return out;
}

// A TOML value, or the text itself as a string where it is none: `30 deg`, `hertz`, a date.
toml::table parse_loose_value(std::string_view text) {
  try {
    toml::table parsed = toml::parse(fmt::format("v = {}\n", text));
    const toml::node* value = parsed.get("v");
    if (parsed.size() == 1 && value && !value->is_date() && !value->is_time() && !value->is_date_time()) return parsed;
  } catch (const toml::parse_error&) {
  }
  return toml::table{{"v", std::string(text)}};
}

// ---- --set ----------------------------------------------------------------------------------------------------------

const Key* find_anywhere(const TableSchema* table, std::string_view name) {
  if (!table) return nullptr;
  if (const Key* key = table->find(name)) return key;
  for (const Variant& variant : table->variants)
    for (const Key& key : variant.keys)
      if (key.name == name) return &key;
  return nullptr;
}

// One "key.path=value", carried into the tree of the file.
class SetValue {
 public:
  SetValue(std::string_view text, toml::table& root, const Schema& schema, SetNodes& marks, Problems& problems)
      : text_(text), at_(&root), table_(&schema.root()), marks_(marks), problems_(problems) {}

  void apply() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string_view::npos) return fail("has no '='; write key.path=value");
    if (!split_path(text_.substr(0, equals))) return;
    for (std::size_t i = 0; i + 1 < segments_.size(); ++i)
      if (!enter(segments_[i])) return;
    assign(segments_.back(), text_.substr(equals + 1));
  }

 private:
  void fail(const std::string& why) { problems_.add("", {0, true}, "", fmt::format("'{}' {}", printable(text_), why)); }

  // "body[0].radius" and "body.0.radius" are the same path; a part in quotes may hold points.
  bool split_path(std::string_view path) {
    std::string part;
    char quote = 0;
    bool closed_index = false;  // after "]" a point is a separator and no empty key
    const auto finish = [&] {
      if (!part.empty())
        segments_.push_back(std::exchange(part, {}));
      else if (!closed_index)
        return false;
      closed_index = false;
      return true;
    };
    while (!path.empty() && path.front() == ' ') path.remove_prefix(1);
    while (!path.empty() && path.back() == ' ') path.remove_suffix(1);
    bool good = true;
    for (const char c : path) {
      if (quote != 0) {
        if (c == quote)
          quote = 0;
        else
          part += c;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '.' || c == '[') {
        good = finish() && good;
      } else if (c == ']') {
        good = finish() && good;
        closed_index = true;
      } else {
        part += c;
      }
    }
    good = finish() && good && quote == 0;
    constexpr std::size_t kDeepest = 32;
    if (!good || segments_.empty())
      fail("has an empty or unfinished key");
    else if (segments_.size() > kDeepest)
      fail("has too many parts in its key");
    else
      return true;
    return false;
  }

  // The place of `part` in an array, by index or by the name of a table; -1 and a problem if there is none.
  std::ptrdiff_t place_in(const toml::array& array, const std::string& part) {
    std::size_t index = 0;
    const auto [end, bad] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (bad == std::errc{} && end == part.data() + part.size()) {
      if (index < array.size()) return static_cast<std::ptrdiff_t>(index);
      const std::string last = array.empty() ? "" : fmt::format(" (0 to {})", array.size() - 1);
      fail(fmt::format("has the index {}, but the array has {}{}", index, count_of(array.size(), "entry", "entries"),
                       last));
      return -1;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const toml::table* table = array[i].as_table();
      const std::optional<std::string> name = table ? (*table)["name"].value<std::string>() : std::nullopt;
      if (name == part) return static_cast<std::ptrdiff_t>(i);
      if (name) names.push_back(*name);
    }
    const std::string known = names.empty() ? "no entry has a name" : "the names are " + list_text(names);
    fail(fmt::format("needs an index or a name for '{}': {}{}", printable(part), known, did_you_mean(part, names)));
    return -1;
  }

  bool enter(const std::string& part) {
    if (toml::array* array = at_->as_array()) {
      const std::ptrdiff_t place = place_in(*array, part);
      if (place >= 0) at_ = array->get(static_cast<std::size_t>(place));
      return place >= 0;
    }
    toml::table* table = at_->as_table();
    if (!table) return not_a_table(part);
    key_ = find_anywhere(table_, part);
    table_ = key_ && key_->table ? key_->table.get() : nullptr;
    if (!table->contains(part)) {
      if (key_ && key_->type == Type::Tables) {
        fail(fmt::format("reaches into [[{}]], but the file has none", part));
        return false;
      }
      mark(table->insert(part, toml::table{}).first->second);
    }
    at_ = table->get(part);
    return true;
  }

  bool not_a_table(const std::string& part) {
    fail(fmt::format("looks for '{}' inside {}, which is not a table", printable(part), found_text(*at_)));
    return false;
  }

  void assign(const std::string& part, std::string_view value_text) {
    while (!value_text.empty() && value_text.front() == ' ') value_text.remove_prefix(1);
    while (!value_text.empty() && value_text.back() == ' ') value_text.remove_suffix(1);
    toml::array* array = at_->as_array();
    toml::table* table = at_->as_table();
    if (table) key_ = find_anywhere(table_, part);
    toml::table parsed = parse_loose_value(value_text);
    // A text may look like a number: --set title=7.
    const bool wants_text =
        key_ && (key_->type == Type::Text || key_->type == Type::Choice || (key_->type == Type::Texts && array));
    if (wants_text && !parsed.get("v")->is_string()) parsed.insert_or_assign("v", std::string(value_text));
    if (array) {
      const std::ptrdiff_t place = place_in(*array, part);
      if (place < 0) return;
      parsed.get("v")->visit([&](auto& value) { array->replace(array->cbegin() + place, std::move(value)); });
      mark(*array->get(static_cast<std::size_t>(place)));
    } else if (table) {
      parsed.get("v")->visit([&](auto& value) { table->insert_or_assign(part, std::move(value)); });
      mark(*table->get(part));
    } else {
      not_a_table(part);
    }
  }

  void mark(const toml::node& node) {
    marks_.insert(&node);
    if (const toml::table* table = node.as_table())
      for (const auto& [unused, child] : *table) mark(child);
    if (const toml::array* array = node.as_array())
      for (const toml::node& child : *array) mark(child);
  }

  std::string_view text_;
  toml::node* at_;
  const TableSchema* table_;  // declares at_; null where the schema ends
  const Key* key_ = nullptr;  // the last declared key on the way
  std::vector<std::string> segments_;
  SetNodes& marks_;
  Problems& problems_;
};

// ---- validation -----------------------------------------------------------------------------------------------------

class Validation {
 public:
  Validation(const Schema& schema, const std::string& file, const SetNodes& sets, Problems& problems)
      : schema_(schema), file_(std::make_shared<const std::string>(file)), sets_(sets), problems_(problems) {}

  Node read(const toml::table& root) {
    dimension_ = 3;  // where a schema does not ask
    if (const Key* key = schema_.root().find(schema_.dimension_key())) {
      const toml::node* node = root.get(key->name);
      const double preset = key->default_text ? std::atof(key->default_text->c_str()) : 0.0;
      const double found = node ? node->value<double>().value_or(0.0) : preset;
      dimension_ = found == 2.0 ? 2 : found == 3.0 ? 3 : 0;
    }
    return read_table(schema_.shared_root(), root, "", {});
  }

  void read_all_defaults(const TableSchema& table, int dimension) {
    dimension_ = dimension;
    const auto visit = [&](const Key& key) {
      if (key.default_text && !key.is_table()) default_data(key);
      if (key.table) read_all_defaults(*key.table, dimension);
    };
    for (const Key& key : table.keys) visit(key);
    for (const Variant& variant : table.variants)
      for (const Key& key : variant.keys) visit(key);
  }

 private:
  void add(const toml::node& at, const std::string& path, std::string text) {
    problems_.add(*file_, origin_of(at, sets_), path, std::move(text));
  }
  void wrong_type(const Key& key, const toml::node& node, const std::string& path) {
    add(node, path, fmt::format("found {}, but {} is needed", found_text(node), key.type_text(dimension_)));
  }

  Node read_table(const std::shared_ptr<const TableSchema>& schema, const toml::table& table, const std::string& path,
                  Origin origin) {
    Node node(schema, file_, path, origin);
    std::vector<const Key*> active;
    std::vector<std::pair<const Key*, std::string>> chosen;
    bool undecided = false;  // a selector is missing or wrong: we cannot know which further keys belong here
    for (const Key& key : schema->keys) {
      active.push_back(&key);
      node.put({&key, read_key(key, table, node)});
      if (!key.is_selector) continue;
      const auto* name = std::get_if<std::string>(&node.entries().back().value.data);
      if (name)
        chosen.emplace_back(&key, *name);
      else
        undecided = true;
    }
    for (const auto& [selector, name] : chosen) {
      for (const Key& key : schema->variant(selector->name, name)->keys) {
        active.push_back(&key);
        node.put({&key, read_key(key, table, node)});
      }
    }
    for (const auto& [name, value] : table) {
      const auto same = [n = name.str()](const Key* key) { return key->name == n; };
      if (std::any_of(active.begin(), active.end(), same)) continue;
      if (undecided && schema->in_any_variant(name.str())) continue;
      const Origin where =
          sets_.contains(&value) ? Origin{0, true} : Origin{static_cast<int>(name.source().begin.line), false};
      const bool is_table = value.is_table() || value.is_array_of_tables();
      problems_.add(*file_, where, node.path(printable(name.str())),
                    unknown_key(*schema, std::string(name.str()), names_of(active), is_table));
    }
    return node;
  }

  std::string unknown_key(const TableSchema& schema, const std::string& name, const std::vector<std::string>& known,
                          bool is_table) const {
    std::string owners;
    for (const Variant& variant : schema.variants)
      for (const Key& key : variant.keys)
        if (key.name == name)
          owners += fmt::format("{}{} = \"{}\"", owners.empty() ? "" : " or ", variant.selector, variant.name);
    if (!owners.empty()) return fmt::format("goes only with {}", owners);
    const std::string what = is_table ? "unknown table" : "unknown key";
    // A classic of TOML: a key of the whole file, written below the first [table], belongs to that table.
    const Key* top = schema_.root().find(name);
    if (top && !top->is_table() && !is_table)
      return what + "; it belongs at the top of the file, above the first [table]";
    const std::string near = did_you_mean(name, known);
    return what + (near.empty() ? "; the keys here are " + list_text(known) : near);
  }

  Value read_key(const Key& key, const toml::table& table, const Node& parent) {
    const auto it = table.find(key.name);
    if (it == table.end()) return absent(key, parent);
    const toml::node& node = it->second;
    const bool set = sets_.contains(&node);
    const Origin where{set ? 0 : static_cast<int>(it->first.source().begin.line), set};
    return {read_value(key, node, parent.path(key.name)), where, true};
  }

  Value absent(const Key& key, const Node& parent) {
    if (key.is_required) {
      const std::string allowed = key.choices.empty() ? key.type_text(dimension_) : "one of " + choices_text(key);
      problems_.add(*file_, parent.origin(), parent.path(key.name), fmt::format("is missing: {} is needed", allowed));
    } else if (key.type == Type::Table && key.default_text) {
      return {
          std::vector<Node>{read_table(key.table, toml::table{}, parent.path(key.name), parent.origin())}, {}, false};
    } else if (key.default_text) {
      return {default_data(key), {}, false};
    }
    if (key.type == Type::Tables) return {std::vector<Node>{}, {}, false};
    return {};
  }

  // Defaults are TOML too; they are read once per file, however many tables take them.
  const Value::Data& default_data(const Key& key) {
    const auto known = defaults_.find(&key);
    if (known != defaults_.end()) return known->second;
    const std::string text = *key.default_for(dimension_);
    const bool literal = key.type == Type::Text || key.type == Type::Choice;
    toml::table parsed = literal ? toml::table{{"v", text}} : parse_loose_value(text);
    if (key.type == Type::Vector && !parsed.get("v")->is_array()) {
      toml::array all;
      for (int i = 0; i < std::max(key.numbers_wanted(dimension_), 1); ++i)
        parsed.get("v")->visit([&](const auto& value) { all.push_back(value); });
      parsed.insert_or_assign("v", std::move(all));
    }
    Problems own;
    Validation reading(schema_, "default", sets_, own);
    reading.dimension_ = dimension_;
    Value::Data data = reading.read_value(key, *parsed.get("v"), key.name);
    if (!own.empty() && dimension_ != 0)
      throw std::logic_error("scene schema: bad default: " + own.sorted().front().str());
    return defaults_.emplace(&key, std::move(data)).first->second;
  }

  // Absent (monostate) if there was a problem.
  Value::Data read_value(const Key& key, const toml::node& node, const std::string& path) {
    switch (key.type) {
      case Type::Boolean:
        if (const auto* v = node.as_boolean()) return v->get();
        break;
      case Type::Integer:
        return read_integer(key, node, path);
      case Type::Number:
        if (const auto v = read_number(key, node, path)) return *v;
        return {};
      case Type::Text:
      case Type::Choice:
        if (const auto v = read_text(key, node, path)) return *v;
        return {};
      case Type::Rotation:
        // In 2D a bare number; the written-out [x] is refused, so that there is one way to say it.
        if (key.numbers_wanted(dimension_) == 1 || (dimension_ == 0 && !node.is_array())) {
          if (const auto v = read_number(key, node, path)) return std::vector<double>{*v};
          return {};
        }
        [[fallthrough]];
      case Type::Vector:
      case Type::Range:
      case Type::Numbers:
        if (const auto v = read_numbers(key, node, path)) return *v;
        return {};
      case Type::Points:
        return read_points(key, node, path);
      case Type::Texts:
        return read_texts(key, node, path);
      case Type::Value:
        return read_any(key, node, path);
      case Type::Settings:
        return read_settings(key, node, path);
      case Type::Table:
        if (const auto* v = node.as_table())
          return std::vector<Node>{read_table(key.table, *v, path, origin_of(node, sets_))};
        if (node.is_array_of_tables()) {
          add(node, path, fmt::format("is written as an array [[{0}]]; write [{0}], once", key.name));
          return {};
        }
        break;
      case Type::Tables:
        return read_tables(key, node, path);
    }
    wrong_type(key, node, path);
    return {};
  }

  Value::Data read_integer(const Key& key, const toml::node& node, const std::string& path) {
    std::int64_t value = 0;
    if (const auto* v = node.as_integer()) {
      value = v->get();
    } else if (const auto* f = node.as_floating_point()) {
      // 1e3 is a whole number, 1.5 and 1e30 are not ones we can count to.
      if (!std::isfinite(f->get()) || f->get() != std::floor(f->get()) || std::abs(f->get()) >= 0x1p63) {
        add(node, path, fmt::format("found {}, but a whole number (of at most 64 bits) is needed", found_text(node)));
        return {};
      }
      value = static_cast<std::int64_t>(f->get());
    } else {
      wrong_type(key, node, path);
      return {};
    }
    if (!in_bounds(key, static_cast<double>(value), node, path)) return {};
    return value;
  }

  std::optional<double> read_number(const Key& key, const toml::node& node, const std::string& path) {
    double value = 0.0;
    if (const auto* i = node.as_integer()) {
      value = static_cast<double>(i->get());
    } else if (const auto* f = node.as_floating_point()) {
      value = f->get();
    } else if (const auto* s = node.as_string()) {
      const Quantity quantity = parse_quantity(s->get(), key.unit);
      if (!quantity.ok()) {
        add(node, path, fmt::format("{} {}", found_text(node), quantity.error));
        return {};
      }
      value = quantity.value;
    } else {
      add(node, path, fmt::format("found {}, but {} is needed", found_text(node), dimension_text(key.unit)));
      return {};
    }
    if (!std::isfinite(value)) {
      add(node, path,
          fmt::format("{} is not a finite number; {} is needed", found_text(node), dimension_text(key.unit)));
      return {};
    }
    if (!in_bounds(key, value, node, path)) return {};
    return value;
  }

  bool in_bounds(const Key& key, double value, const toml::node& node, const std::string& path) {
    const std::string wrong = key.check_bounds(value);
    if (!wrong.empty()) add(node, path, fmt::format("{} is out of range: it {}", found_text(node), wrong));
    return wrong.empty();
  }

  static std::string choices_text(const Key& key) {
    std::vector<std::string> names;
    for (const Choice& choice : key.choices) names.push_back(choice.name);
    return list_text(names);
  }

  std::optional<std::string> read_text(const Key& key, const toml::node& node, const std::string& path) {
    const auto* text = node.as_string();
    if (!text) {
      const std::string wanted = key.choices.empty() ? "a text in quotes" : "one of " + choices_text(key);
      add(node, path, fmt::format("found {}, but {} is needed", found_text(node), wanted));
      return {};
    }
    const std::string& value = text->get();
    const auto same = [&](const Choice& choice) { return choice.name == value; };
    if (!key.choices.empty() && std::none_of(key.choices.begin(), key.choices.end(), same)) {
      std::vector<std::string> names;
      for (const Choice& choice : key.choices) names.push_back(choice.name);
      const std::string near = did_you_mean(value, names);
      add(node, path, fmt::format("{} is not one of {}{}", found_text(node), choices_text(key), near));
      return {};
    }
    if (key.type == Type::Text && !count_fits(key, value.size(), "characters", node, path)) return {};
    return value;
  }

  bool count_fits(const Key& key, std::size_t count, const char* what, const toml::node& node,
                  const std::string& path) {
    const bool fits = count >= static_cast<std::size_t>(key.min_count) &&
                      (!key.max_count || count <= static_cast<std::size_t>(*key.max_count));
    if (fits) return true;
    std::string wanted = fmt::format("at least {}", key.min_count);
    if (key.max_count == key.min_count)
      wanted = fmt::format("exactly {}", key.min_count);
    else if (key.max_count && key.min_count == 0)
      wanted = fmt::format("at most {}", *key.max_count);
    else if (key.max_count)
      wanted = fmt::format("{} to {}", key.min_count, *key.max_count);
    add(node, path, fmt::format("has {} {}, but it needs {}", count, what, wanted));
    return false;
  }

  std::optional<std::vector<double>> read_numbers(const Key& key, const toml::node& node, const std::string& path) {
    const auto* array = node.as_array();
    if (!array) {
      wrong_type(key, node, path);
      return {};
    }
    if (key.type == Type::Numbers) {
      if (!count_fits(key, array->size(), "numbers", node, path)) return {};
    } else {
      const int wanted = key.numbers_wanted(dimension_);
      const bool fits =
          wanted > 0 ? array->size() == static_cast<std::size_t>(wanted) : array->size() == 2 || array->size() == 3;
      if (!fits) {
        add(node, path,
            fmt::format("has {}, but {} is needed", count_of(array->size(), "entry", "entries"),
                        key.type_text(dimension_)));
        return {};
      }
    }
    std::vector<double> out;
    out.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i)
      if (const auto v = read_number(key, (*array)[i], fmt::format("{}[{}]", path, i))) out.push_back(*v);
    if (out.size() != array->size()) return {};
    if (key.is_not_zero && std::all_of(out.begin(), out.end(), [](double v) { return v == 0; })) {
      add(node, path, fmt::format("[{}] has no direction: it must not be zero", fmt::join(out, ", ")));
      return {};
    }
    if (key.type == Type::Range && out[0] > out[1]) {
      add(node, path, fmt::format("[{}, {}] is upside down: the smaller number goes first", out[0], out[1]));
      return {};
    }
    return out;
  }

  Value::Data read_points(const Key& key, const toml::node& node, const std::string& path) {
    const auto* array = node.as_array();
    if (!array) {
      wrong_type(key, node, path);
      return {};
    }
    if (!count_fits(key, array->size(), "points", node, path)) return {};
    Key point = key;
    point.type = Type::Vector;
    std::vector<std::vector<double>> out;
    for (std::size_t i = 0; i < array->size(); ++i)
      if (auto v = read_numbers(point, (*array)[i], fmt::format("{}[{}]", path, i))) out.push_back(std::move(*v));
    if (out.size() != array->size()) return {};
    return out;
  }

  Value::Data read_texts(const Key& key, const toml::node& node, const std::string& path) {
    const auto* array = node.as_array();
    if (!array) {
      wrong_type(key, node, path);
      return {};
    }
    if (!count_fits(key, array->size(), "texts", node, path)) return {};
    std::vector<std::string> out;
    for (std::size_t i = 0; i < array->size(); ++i)
      if (auto v = read_text(key, (*array)[i], fmt::format("{}[{}]", path, i))) out.push_back(std::move(*v));
    if (out.size() != array->size()) return {};
    return out;
  }

  // As TOML again; nothing and a problem for what cannot be set: tables, dates.
  std::optional<std::string> toml_text(const toml::node& node, const std::string& path) {
    if (const auto* v = node.as_string()) return toml_string(v->get());
    if (const auto* v = node.as_integer()) return fmt::format("{}", v->get());
    if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
    if (const auto* v = node.as_floating_point(); v && std::isfinite(v->get())) return toml_number(v->get());
    if (const auto* array = node.as_array(); array && !array->is_array_of_tables()) {
      std::vector<std::string> items;
      for (std::size_t i = 0; i < array->size(); ++i)
        if (auto item = toml_text((*array)[i], fmt::format("{}[{}]", path, i))) items.push_back(std::move(*item));
      if (items.size() != array->size()) return {};
      return fmt::format("[{}]", fmt::join(items, ", "));
    }
    add(node, path,
        fmt::format("found {}, but a number, a text in quotes, true or false, or a list of them is needed",
                    found_text(node)));
    return {};
  }

  Value::Data read_any(const Key& key, const toml::node& node, const std::string& path) {
    const auto* array = node.as_array();
    if (!array || array->is_array_of_tables()) {
      if (auto text = toml_text(node, path)) return *text;
      return {};
    }
    if (!count_fits(key, array->size(), "values", node, path)) return {};
    std::vector<std::string> out;
    for (std::size_t i = 0; i < array->size(); ++i)
      if (auto item = toml_text((*array)[i], fmt::format("{}[{}]", path, i))) out.push_back(std::move(*item));
    if (out.size() != array->size()) return {};
    return out;
  }

  Value::Data read_settings(const Key& key, const toml::node& node, const std::string& path) {
    const auto* table = node.as_table();
    if (!table) {
      wrong_type(key, node, path);
      return {};
    }
    std::vector<std::string> out;
    if (!flatten(*table, path, "", out)) return {};
    if (!count_fits(key, out.size(), "keys", node, path)) return {};
    return out;
  }

  // a.b = 1 and [a] b = 1 and "a.b" = 1 are all "a.b=1".
  bool flatten(const toml::table& table, const std::string& path, const std::string& prefix,
               std::vector<std::string>& out) {
    bool good = true;
    for (const auto& [name, value] : table) {
      const std::string part(name.str()), inner = path + "." + printable(part);
      if (part.empty() || part.find('=') != std::string::npos) {
        add(value, inner, "is not the path of a key");
        good = false;
      } else if (const auto* deeper = value.as_table()) {
        good = flatten(*deeper, inner, prefix + part + ".", out) && good;
      } else if (const auto text = toml_text(value, inner)) {
        out.push_back(prefix + part + "=" + *text);
      } else {
        good = false;
      }
    }
    return good;
  }

  Value::Data read_tables(const Key& key, const toml::node& node, const std::string& path) {
    if (node.is_table()) {
      add(node, path, fmt::format("is written as a single table [{0}]; write [[{0}]]", key.name));
      return {};
    }
    const auto* array = node.as_array();
    if (!array) {
      wrong_type(key, node, path);
      return {};
    }
    if (key.is_required && array->empty()) {
      add(node, path, fmt::format("is empty: at least one [[{}]] is needed", key.name));
      return {};
    }
    if (!count_fits(key, array->size(), "tables", node, path)) return {};
    std::vector<Node> out;
    out.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      const toml::node& item = (*array)[i];
      const std::string item_path = fmt::format("{}[{}]", path, i);
      if (const auto* table = item.as_table())
        out.push_back(read_table(key.table, *table, item_path, origin_of(item, sets_)));
      else
        add(item, item_path, fmt::format("found {}, but a table is needed", found_text(item)));
    }
    return out;
  }

  const Schema& schema_;
  std::shared_ptr<const std::string> file_;
  const SetNodes& sets_;
  Problems& problems_;
  int dimension_ = 0;  // 2 or 3; 0 while not known
  std::unordered_map<const Key*, Value::Data> defaults_;
};

// ---- files ----------------------------------------------------------------------------------------------------------

// toml++ builds a dotted key a level per point, and frees it by recursion: a key with a million points would end the
// program. No list of numbers looks like this, since its commas break the run.
int line_of_endless_key(std::string_view text) {
  constexpr int kMostPoints = 1000;
  int line = 1;
  int points = 0;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '.')
      ++points;
    else if (c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '#')
      points = 0;
    if (points > kMostPoints) return line;
  }
  return 0;
}

std::string load(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  const std::string name = path.string();
  std::error_code bad;
  const fs::file_status status = fs::status(path, bad);
  if (status.type() == fs::file_type::not_found) {
    std::vector<std::string> others;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, bad)) {
      std::error_code unused;
      if (entry.is_regular_file(unused)) others.push_back(entry.path().filename().string());
    }
    std::sort(others.begin(), others.end());
    throw base::InputError(name, 0, "", "no such file" + did_you_mean(path.filename().string(), others));
  }
  if (status.type() == fs::file_type::directory)
    throw base::InputError(name, 0, "", "is a folder; a scene file is needed");
  const std::string too_large = fmt::format("is larger than {} MB; a scene file must not be", kLargestScene >> 20);
  if (fs::is_regular_file(status) && fs::file_size(path, bad) > kLargestScene && !bad)
    throw base::InputError(name, 0, "", too_large);
  // What has no size (a pipe) is read up to the limit and no further.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), &std::fclose);
  if (!file) throw base::InputError(name, 0, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), n);
    if (text.size() > kLargestScene) throw base::InputError(name, 0, "", too_large);
  }
  if (std::ferror(file.get()) != 0)
    throw base::InputError(name, 0, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

toml::table parse(std::string_view text, const std::string& filename) {
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw base::InputError(filename, static_cast<int>(line), "", "holds a zero byte: this is not a text file");
  }
  if (const int line = line_of_endless_key(text))
    throw base::InputError(filename, line, "", "has a key with more than 1000 points in it");
  try {
    toml::table root = toml::parse(text, std::string_view(filename));
    if (root.empty()) throw base::InputError(filename, 0, "", "is empty: it has no keys");
    return root;
  } catch (const toml::parse_error& error) {
    const int line = static_cast<int>(error.source().begin.line);
    const std::string_view why = error.description();
    // `end = 5 s`: the commonest slip in a file of quantities.
    const bool unquoted = why.find("key-value pair: expected a comment or whitespace") != std::string_view::npos;
    const char* hint = unquoted ? " (a number with a unit goes in quotes: \"5 cm\")" : "";
    throw base::InputError(filename, line, "", fmt::format("is not valid TOML: {}{}", why, hint));
  }
}

}  // namespace

Node read_scene_text(const Schema& schema, std::string_view text, const std::string& filename,
                     const std::vector<std::string>& sets, Problems* found) {
  toml::table root = parse(text, filename);
  SetNodes marks;
  Problems problems;
  for (const std::string& set : sets) SetValue(set, root, schema, marks, problems).apply();
  Node node = Validation(schema, filename, marks, problems).read(root);
  if (found != nullptr) {
    found->take(problems);
  } else {
    problems.throw_if_any();
  }
  return node;
}

Node read_scene(const Schema& schema, const std::filesystem::path& path, const std::vector<std::string>& sets,
                Problems* found) {
  return read_scene_text(schema, load(path), path.string(), sets, found);
}

void check_defaults(const Schema& schema) {
  const SetNodes no_sets;
  Problems problems;
  for (const int dimension : {2, 3})
    Validation(schema, "", no_sets, problems).read_all_defaults(schema.root(), dimension);
}

}  // namespace moraine::scene
