// SPDX-License-Identifier: MIT
#include "scene/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace moraine::scene {
namespace {

using Json = nlohmann::ordered_json;

// ---- Markdown -------------------------------------------------------------------------------------------------------

// A cell of a table: no line breaks and no bars.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string count_text(const Key& key) {
  if (key.type == Type::Text && key.min_count == 1 && !key.max_count) return "not empty";
  const char* what = key.type == Type::Text ? "characters" : "entries";
  if (key.max_count && *key.max_count == key.min_count) return fmt::format("{} {}", key.min_count, what);
  if (key.max_count) return fmt::format("{} to {} {}", key.min_count, *key.max_count, what);
  return key.min_count > 0 ? fmt::format("{} {} or more", key.min_count, what) : "";
}

std::string allowed_cell(const Key& key) {
  std::vector<std::string> parts;
  if (!key.choices.empty()) {
    std::vector<std::string> names;
    for (const Choice& choice : key.choices) names.push_back("`" + choice.name + "`");
    parts.push_back(fmt::format("{}", fmt::join(names, ", ")));
  }
  if (const std::string bounds = key.allowed_text(); !bounds.empty())
    parts.push_back(key.type == Type::Number || key.type == Type::Integer ? bounds : "each " + bounds);
  if (key.is_not_zero) parts.emplace_back("not zero");
  if (const std::string count = count_text(key); !count.empty()) parts.push_back(count);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string default_cell(const Key& key) {
  if (key.is_required) return "required";
  if (!key.default_text) return "absent";
  if (key.type == Type::Table) return "the defaults of its keys";
  const bool quoted = key.type == Type::Text || key.type == Type::Choice;
  const std::string first =
      quoted ? fmt::format("`\"{}\"`", *key.default_text) : fmt::format("`{}`", *key.default_text);
  return key.default_3d ? fmt::format("{}, in 3D `{}`", first, *key.default_3d) : first;
}

void key_rows(const std::vector<Key>& keys, std::string& out) {
  const auto is_plain = [](const Key& key) { return !key.is_table(); };
  if (std::none_of(keys.begin(), keys.end(), is_plain)) return;
  out += "| key | type and unit | default | allowed | meaning |\n|---|---|---|---|---|\n";
  for (const Key& key : keys) {
    if (key.is_table()) continue;
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, cell(key.type_text()), cell(default_cell(key)),
                       cell(allowed_cell(key)), cell(key.help_text));
  }
  out += "\n";
  // What the names of a choice mean. Those of a selector have sub-headings of their own.
  for (const Key& key : keys) {
    if (key.choices.empty() || key.is_selector) continue;
    out += fmt::format("{}`{}` is one of:\n\n", key.type == Type::Texts ? "Each of " : "", key.name);
    for (const Choice& choice : key.choices) out += fmt::format("- `{}`: {}\n", choice.name, choice.help);
    out += "\n";
  }
}

void table_section(const Key& key, const std::string& prefix, int level, std::string& out);

void sub_tables(const std::vector<Key>& keys, const std::string& prefix, int level, std::string& out) {
  for (const Key& key : keys)
    if (key.is_table()) table_section(key, prefix, level, out);
}

void table_section(const Key& key, const std::string& prefix, int level, std::string& out) {
  const std::string name = prefix.empty() ? key.name : prefix + "." + key.name;
  const std::string marks(static_cast<std::size_t>(std::min(level, 6)), '#');
  const std::string lower_marks(static_cast<std::size_t>(std::min(level + 1, 6)), '#');
  const std::string header = key.type == Type::Tables ? "[[" + name + "]]" : "[" + name + "]";
  out += fmt::format("{} `{}`\n\n", marks, header);
  const std::string presence = key.is_required            ? (key.type == Type::Tables ? " At least one." : " Required.")
                               : key.type == Type::Tables ? " Any number of times."
                               : key.default_text.has_value() ? " If absent, its keys have their defaults."
                                                              : " Optional.";
  out += key.help_text + (key.help_text.ends_with('.') ? "" : ".") + presence + "\n\n";
  key_rows(key.table->keys, out);
  for (const Variant& variant : key.table->variants) {
    out += fmt::format("{} `{}` with `{} = \"{}\"`\n\n{}\n\n", lower_marks, header, variant.selector, variant.name,
                       variant.help);
    key_rows(variant.keys, out);
    sub_tables(variant.keys, name, level + 2, out);
  }
  sub_tables(key.table->keys, name, level + 1, out);
}

// ---- JSON Schema ----------------------------------------------------------------------------------------------------

Json table_json(const TableSchema& table);

void put_bounds(const Key& key, Json& json) {
  if (key.lower) json[key.lower->open ? "exclusiveMinimum" : "minimum"] = key.lower->value;
  if (key.upper) json[key.upper->open ? "exclusiveMaximum" : "maximum"] = key.upper->value;
}

// A number in SI, or a text such as "5 cm".
Json quantity_json(const Key& key) {
  Json number{{"type", "number"}};
  put_bounds(key, number);
  const Json text{{"type", "string"},
                  {"pattern", R"(^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*[^0-9\s].*$)"}};
  return {{"anyOf", Json::array({number, text})}};
}

Json names_json(const std::vector<Choice>& choices) {
  Json names = Json::array();
  for (const Choice& choice : choices) names.push_back(choice.name);
  return names;
}

Json list_json(Json items, int low, std::optional<int> high) {
  Json json{{"type", "array"}, {"items", std::move(items)}};
  if (low > 0) json["minItems"] = low;
  if (high) json["maxItems"] = *high;
  return json;
}

// A vector whose length depends on the scene has 2 or 3 numbers as far as an editor can know.
Json vector_json(const Key& key) {
  Json json = list_json(quantity_json(key), key.length > 0 ? key.length : 2, key.length > 0 ? key.length : 3);
  if (key.is_not_zero) json["contains"] = {{"not", {{"const", 0}}}};
  return json;
}

Json type_json(const Key& key) {
  switch (key.type) {
    case Type::Boolean:
      return {{"type", "boolean"}};
    case Type::Integer: {
      Json json{{"type", "integer"}};
      put_bounds(key, json);
      return json;
    }
    case Type::Number:
      return quantity_json(key);
    case Type::Text: {
      Json json{{"type", "string"}};
      if (key.min_count > 0) json["minLength"] = key.min_count;
      if (key.max_count) json["maxLength"] = *key.max_count;
      return json;
    }
    case Type::Choice:
      return {{"type", "string"}, {"enum", names_json(key.choices)}};
    case Type::Vector:
      return vector_json(key);
    case Type::Rotation: {
      Json json = quantity_json(key);
      json["anyOf"].push_back(list_json(quantity_json(key), 3, 3));
      return json;
    }
    case Type::Numbers:
      return list_json(quantity_json(key), key.min_count, key.max_count);
    case Type::Points:
      return list_json(vector_json(key), key.min_count, key.max_count);
    case Type::Texts: {
      Json text{{"type", "string"}};
      if (!key.choices.empty()) text["enum"] = names_json(key.choices);
      return list_json(text, key.min_count, key.max_count);
    }
    case Type::Range:
      return list_json(quantity_json(key), 2, 2);
    case Type::Value:
      return {{"type", Json::array({"string", "number", "boolean", "array"})}};
    case Type::Settings:
      return {{"type", "object"}};
    case Type::Table:
      return table_json(*key.table);
    case Type::Tables:
      return list_json(table_json(*key.table), std::max(key.min_count, key.is_required ? 1 : 0), key.max_count);
  }
  throw std::logic_error("type_json: unknown type");
}

Json default_json(const Key& key) {
  if (key.type == Type::Text || key.type == Type::Choice) return *key.default_text;
  // Our defaults are TOML values that are JSON values too, or quantities in words.
  Json value = Json::parse(*key.default_text, nullptr, false);
  return value.is_discarded() ? Json(*key.default_text) : value;
}

Json key_json(const Key& key) {
  const std::string unit = unit_text(key.unit);
  Json json{{"description", key.help_text + (unit.empty() ? "" : " [" + unit + "]")}};
  json.update(type_json(key));
  if (key.default_text) json["default"] = default_json(key);
  return json;
}

void put_keys(const std::vector<Key>& keys, Json& properties, Json& required) {
  for (const Key& key : keys) {
    properties[key.name] = key_json(key);
    if (key.is_required) required.push_back(key.name);
  }
}

// "If kind is this, then these keys exist and those of the other kinds do not."
Json variant_json(const TableSchema& table, const Variant& variant) {
  Json condition{{"properties", {{variant.selector, {{"const", variant.name}}}}}};
  // Without "required" the condition also holds where the selector is absent, which is right for its default.
  const Key& selector = *table.find(variant.selector);
  if (selector.default_text != variant.name && selector.default_3d != variant.name)
    condition["required"] = Json::array({variant.selector});
  Json properties = Json::object();
  Json required = Json::array();
  put_keys(variant.keys, properties, required);
  for (const Variant& other : table.variants) {
    if (other.selector != variant.selector) continue;
    for (const Key& key : other.keys)
      if (!properties.contains(key.name)) properties[key.name] = false;
  }
  Json then{{"properties", properties}};
  if (!required.empty()) then["required"] = required;
  return {{"if", condition}, {"then", then}};
}

Json table_json(const TableSchema& table) {
  Json properties = Json::object();
  Json required = Json::array();
  put_keys(table.keys, properties, required);
  Json conditions = Json::array();
  for (const Variant& variant : table.variants) {
    for (const Key& key : variant.keys)
      if (!properties.contains(key.name)) properties[key.name] = Json{{"description", key.help_text}};
    conditions.push_back(variant_json(table, variant));
  }
  Json json{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) json["required"] = required;
  if (!conditions.empty()) json["allOf"] = conditions;
  return json;
}

}  // namespace

std::string reference_markdown(const Schema& schema) {
  std::string out = fmt::format("# {}\n\n", schema.title());
  out +=
      "This page is made from the declarations that the program itself reads. A quantity is a plain number in SI units "
      "or a\ntext with its unit, such as `\"5 cm\"`, `\"30 deg\"`, `\"2 rpm\"` or `\"2500 kg/m^3\"`; the unit must "
      "fit the key.\n\n";
  std::vector<std::string> symbols;
  for (const std::string& symbol : unit_symbols()) symbols.push_back("`" + symbol + "`");
  out += fmt::format(
      "Units: {}, \nwith SI prefixes where they are usual, and their products (`*`, `.`, a space), quotients (`/`) "
      "and\n"
      "powers (`^2`).\n\n",
      fmt::join(symbols, ", "));
  out += "## Top level\n\n";
  key_rows(schema.root().keys, out);
  sub_tables(schema.root().keys, "", 2, out);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

nlohmann::ordered_json json_schema(const Schema& schema) {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", schema.title()}};
  json.update(table_json(schema.root()));
  return json;
}

}  // namespace moraine::scene
