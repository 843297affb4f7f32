// SPDX-License-Identifier: MIT
#include "scene/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

namespace moraine::scene {

// ---- refining a key -------------------------------------------------------------------------------------------------

Key Key::help(std::string text) && {
  help_text = std::move(text);
  return std::move(*this);
}
Key Key::required() && {
  is_required = true;
  return std::move(*this);
}
Key Key::def(std::string value) && {
  default_text = std::move(value);
  return std::move(*this);
}
Key Key::def(std::string in_2d, std::string in_3d) && {
  default_text = std::move(in_2d);
  default_3d = std::move(in_3d);
  return std::move(*this);
}
Key Key::defaulted() && {
  default_text = "{}";
  return std::move(*this);
}
Key Key::positive() && { return std::move(*this).above(0.0); }
Key Key::above(double value) && {
  lower = Bound{value, true};
  return std::move(*this);
}
Key Key::at_least(double value) && {
  lower = Bound{value, false};
  return std::move(*this);
}
Key Key::below(double value) && {
  upper = Bound{value, true};
  return std::move(*this);
}
Key Key::at_most(double value) && {
  upper = Bound{value, false};
  return std::move(*this);
}
Key Key::between(double low, double high) && { return std::move(*this).at_least(low).at_most(high); }
Key Key::not_zero() && {
  is_not_zero = true;
  return std::move(*this);
}
Key Key::count(int low, std::optional<int> high) && {
  min_count = low;
  max_count = high;
  return std::move(*this);
}
Key Key::one_of(std::vector<Choice> names) && {
  choices = std::move(names);
  return std::move(*this);
}

// ---- asking a key ---------------------------------------------------------------------------------------------------

std::optional<std::string> Key::default_for(int scene_dimension) const {
  return scene_dimension == 3 && default_3d ? default_3d : default_text;
}

std::string Key::check_bounds(double value) const {
  const bool low_ok = !lower || (lower->open ? value > lower->value : value >= lower->value);
  const bool high_ok = !upper || (upper->open ? value < upper->value : value <= upper->value);
  return low_ok && high_ok ? "" : "must be " + allowed_text();
}

std::string Key::allowed_text() const {
  std::string out;
  if (lower) out += (lower->open ? "> " : ">= ") + bound_text(lower->value, unit);
  if (lower && upper) out += " and ";
  if (upper) out += (upper->open ? "< " : "<= ") + bound_text(upper->value, unit);
  return out;
}

int Key::numbers_wanted(int scene_dimension) const {
  if (type == Type::Range) return 2;
  if (type == Type::Rotation) return scene_dimension == 3 ? 3 : scene_dimension == 2 ? 1 : 0;
  return length > 0 ? length : scene_dimension;
}

std::string Key::type_text(int scene_dimension) const {
  const std::string in_unit = unit == kNone ? "" : " in " + unit_text(unit);
  const int wanted = numbers_wanted(scene_dimension);
  const std::string some = wanted > 0 ? fmt::format("{} numbers", wanted) : "2 (in 3D: 3) numbers";
  switch (type) {
    case Type::Boolean:
      return "true or false";
    case Type::Integer:
      return "a whole number";
    case Type::Number:
      return dimension_text(unit);
    case Type::Text:
      return "a text in quotes";
    case Type::Choice:
      return "a name in quotes";
    case Type::Vector:
      return fmt::format("a vector of {}{}", some, in_unit);
    case Type::Rotation:
      if (wanted == 0) return fmt::format("a number{0} (in 3D: a vector of 3 numbers{0})", in_unit);
      return wanted == 1 ? dimension_text(unit) : fmt::format("a vector of 3 numbers{}", in_unit);
    case Type::Numbers:
      return fmt::format("a list of numbers{}", in_unit);
    case Type::Points:
      return fmt::format("a list of vectors of {}{}", some, in_unit);
    case Type::Texts:
      return "a list of texts";
    case Type::Range:
      return fmt::format("a range [smallest, largest]{}", in_unit);
    case Type::Value:
      return "a value, or a list of values";
    case Type::Settings:
      return "a table of keys and values";
    case Type::Table:
      return fmt::format("a table [{}]", name);
    case Type::Tables:
      return fmt::format("an array of tables [[{}]]", name);
  }
  throw std::logic_error("Key::type_text: unknown type");
}

// ---- tables ---------------------------------------------------------------------------------------------------------

namespace {

const Key* find_in(const std::vector<Key>& keys, std::string_view name) {
  const auto it = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
  return it == keys.end() ? nullptr : &*it;
}

bool is_bare(const std::string& name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                              std::string::npos;
}

[[noreturn]] void bad_declaration(const std::string& path, const std::string& why) {
  throw std::logic_error(fmt::format("scene schema: '{}' {}", path, why));
}

void check_key(const Key& key, const std::string& path) {
  if (!is_bare(key.name)) bad_declaration(path, "is not a bare TOML key");
  if (key.help_text.empty()) bad_declaration(path, "has no help");
  if (key.is_required && key.default_text) bad_declaration(path, "is required and has a default");
  if (key.type == Type::Choice && key.choices.empty()) bad_declaration(path, "has no choices");
  if (key.lower && key.upper && key.lower->value > key.upper->value) bad_declaration(path, "has an empty range");
  if (key.is_table() && !key.table) bad_declaration(path, "has no keys");
  if (key.type == Type::Table && key.default_text && *key.default_text != "{}")
    bad_declaration(path, "can only have the empty table as its default");
  if (key.type == Type::Tables && key.default_text) bad_declaration(path, "is an array of tables: no default");
}

void check_table(const TableSchema& table, const std::string& path) {
  std::set<std::string> common;
  for (const Key& key : table.keys) {
    const std::string key_path = path.empty() ? key.name : path + "." + key.name;
    check_key(key, key_path);
    if (!common.insert(key.name).second) bad_declaration(key_path, "is declared twice");
    if (key.table) check_table(*key.table, key_path);
  }
  // Variants of one selector may share names; variants of two selectors can be active together and may not.
  std::set<std::pair<std::string, std::string>> owners;
  for (const Variant& variant : table.variants) {
    const std::string variant_path = fmt::format("{}({}={})", path, variant.selector, variant.name);
    const Key* selector = table.find(variant.selector);
    if (!selector || !selector->is_selector) bad_declaration(variant_path, "has no selector key");
    std::set<std::string> own;
    for (const Key& key : variant.keys) {
      const std::string key_path = variant_path + "." + key.name;
      check_key(key, key_path);
      if (key.is_selector) bad_declaration(key_path, "is a selector inside a variant");
      if (common.contains(key.name) || !own.insert(key.name).second) bad_declaration(key_path, "is declared twice");
      if (key.table) check_table(*key.table, key_path);
      owners.insert({key.name, variant.selector});
    }
  }
  for (auto it = owners.begin(); it != owners.end(); ++it)
    if (std::next(it) != owners.end() && std::next(it)->first == it->first)
      bad_declaration(path + "." + it->first, "belongs to variants of two selectors");
}

Key plain(std::string name, Type type, Dimension unit = kNone, int length = 0) {
  Key key;
  key.name = std::move(name);
  key.type = type;
  key.unit = unit;
  key.length = length;
  return key;
}

std::shared_ptr<const TableSchema> make_table(std::vector<Key> keys, std::vector<Variant> variants) {
  auto table = std::make_shared<TableSchema>(TableSchema{std::move(keys), std::move(variants)});
  for (Key& key : table->keys) {
    if (!key.is_selector) continue;
    for (const Variant& variant : table->variants)
      if (variant.selector == key.name) key.choices.push_back({variant.name, variant.help});
  }
  return table;
}

}  // namespace

const Key* TableSchema::find(std::string_view name) const { return find_in(keys, name); }

const Variant* TableSchema::variant(std::string_view selector, std::string_view name) const {
  for (const Variant& v : variants)
    if (v.selector == selector && v.name == name) return &v;
  return nullptr;
}

bool TableSchema::in_any_variant(std::string_view name) const {
  return std::any_of(variants.begin(), variants.end(),
                     [&](const Variant& v) { return find_in(v.keys, name) != nullptr; });
}

Schema::Schema(std::string title, std::vector<Key> keys, std::string dimension_key)
    : title_(std::move(title)), dimension_key_(std::move(dimension_key)), root_(make_table(std::move(keys), {})) {
  check_table(*root_, "");
}

// ---- numbers as text ------------------------------------------------------------------------------------------------

std::string number_text(double value) { return fmt::format("{}", value); }

std::string bound_text(double value, Dimension unit) {
  if (unit == kAngle) {
    const double degrees = value * 180.0 / std::numbers::pi;
    if (std::abs(degrees - std::round(degrees)) < 1e-9) return fmt::format("{} deg", std::round(degrees));
  }
  const std::string symbol = unit_text(unit);
  return number_text(value) + (symbol.empty() ? "" : " " + symbol);
}

// ---- making keys ----------------------------------------------------------------------------------------------------

namespace keys {

Key boolean(std::string name) { return plain(std::move(name), Type::Boolean); }
Key integer(std::string name) { return plain(std::move(name), Type::Integer); }
Key number(std::string name, Dimension unit) { return plain(std::move(name), Type::Number, unit); }
Key text(std::string name) { return plain(std::move(name), Type::Text); }
Key choice(std::string name, std::vector<Choice> choices) {
  Key key = plain(std::move(name), Type::Choice);
  key.choices = std::move(choices);
  return key;
}
Key vector(std::string name, Dimension unit, int length) { return plain(std::move(name), Type::Vector, unit, length); }
Key rotation(std::string name, Dimension unit) { return plain(std::move(name), Type::Rotation, unit); }
Key numbers(std::string name, Dimension unit) { return plain(std::move(name), Type::Numbers, unit); }
Key points(std::string name, Dimension unit, int length) { return plain(std::move(name), Type::Points, unit, length); }
Key texts(std::string name) { return plain(std::move(name), Type::Texts); }
Key range(std::string name, Dimension unit) { return plain(std::move(name), Type::Range, unit); }
Key value(std::string name) { return plain(std::move(name), Type::Value); }
Key settings(std::string name) { return plain(std::move(name), Type::Settings); }
Key selector(std::string name) {
  Key key = plain(std::move(name), Type::Choice);
  key.is_selector = true;
  return key;
}
Variant variant(std::string selector, std::string name, std::string help, std::vector<Key> keys) {
  return {std::move(selector), std::move(name), std::move(help), std::move(keys)};
}
Key table(std::string name, std::vector<Key> keys, std::vector<Variant> variants) {
  Key key = plain(std::move(name), Type::Table);
  key.table = make_table(std::move(keys), std::move(variants));
  return key;
}
Key tables(std::string name, std::vector<Key> keys, std::vector<Variant> variants) {
  Key key = table(std::move(name), std::move(keys), std::move(variants));
  key.type = Type::Tables;
  return key;
}

}  // namespace keys
}  // namespace moraine::scene
