// SPDX-License-Identifier: MIT
#include "scene/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace moraine::scene {
namespace {

constexpr std::size_t kLineLength = 110;

// [a, b, c], broken into lines where it would be too long for one.
std::string list(const std::vector<std::string>& items, std::size_t used) {
  std::size_t length = used + 2;
  for (const std::string& item : items) length += item.size() + 2;
  if (length <= kLineLength) return fmt::format("[{}]", fmt::join(items, ", "));
  std::string out = "[";
  std::size_t column = kLineLength;
  for (const std::string& item : items) {
    if (column + item.size() + 2 > kLineLength) {
      out += "\n ";
      column = 1;
    }
    out += " " + item + ",";
    column += item.size() + 2;
  }
  return out + "\n]";
}

std::vector<std::string> number_items(const std::vector<double>& numbers) {
  std::vector<std::string> out;
  out.reserve(numbers.size());
  for (const double number : numbers) out.push_back(toml_number(number));
  return out;
}

std::string value_text(const Key& key, const Value::Data& data) {
  const std::size_t used = key.name.size() + 3;
  if (key.type == Type::Value) {  // TOML already
    const auto* one = std::get_if<std::string>(&data);
    return one ? *one : list(std::get<std::vector<std::string>>(data), used);
  }
  if (key.type == Type::Settings) {
    std::vector<std::string> pairs;
    for (const std::string& set : std::get<std::vector<std::string>>(data)) {
      const std::size_t equals = set.find('=');
      pairs.push_back(toml_string(set.substr(0, equals)) + " = " + set.substr(equals + 1));
    }
    return fmt::format("{{{}}}", fmt::join(pairs, ", "));
  }
  if (const auto* v = std::get_if<bool>(&data)) return *v ? "true" : "false";
  if (const auto* v = std::get_if<std::int64_t>(&data)) return fmt::format("{}", *v);
  if (const auto* v = std::get_if<double>(&data)) return toml_number(*v);
  if (const auto* v = std::get_if<std::string>(&data)) return toml_string(*v);
  if (const auto* v = std::get_if<std::vector<double>>(&data)) {
    if (key.type == Type::Rotation && v->size() == 1) return toml_number(v->front());
    return list(number_items(*v), used);
  }
  std::vector<std::string> items;
  if (const auto* v = std::get_if<std::vector<std::vector<double>>>(&data)) {
    for (const auto& point : *v) items.push_back(list(number_items(point), 0));
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&data)) {
    for (const std::string& text : *texts) items.push_back(toml_string(text));
  } else {
    throw std::logic_error("write_complete: a value of no known type");
  }
  return list(items, used);
}

void write_table(const Node& node, const std::string& header, const std::vector<std::string>& leave_out,
                 std::string& out) {
  const auto is_left_out = [&](const Key& key, const Value& value) {
    return std::holds_alternative<std::monostate>(value.data) ||
           std::find(leave_out.begin(), leave_out.end(), key.name) != leave_out.end();
  };
  // TOML wants the plain keys of a table before its sub-tables.
  for (const auto& [key, value] : node.entries()) {
    if (key->is_table() || is_left_out(*key, value)) continue;
    const std::string unit = unit_text(key->unit);
    out += fmt::format("{} = {}{}\n", key->name, value_text(*key, value.data), unit.empty() ? "" : "  # " + unit);
  }
  for (const auto& [key, value] : node.entries()) {
    if (!key->is_table() || is_left_out(*key, value)) continue;
    const std::string name = header.empty() ? key->name : header + "." + key->name;
    for (const Node& child : std::get<std::vector<Node>>(value.data)) {
      out += key->type == Type::Tables ? fmt::format("\n[[{}]]\n", name) : fmt::format("\n[{}]\n", name);
      write_table(child, name, {}, out);
    }
  }
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_number(double value) {
  std::string out = number_text(value);
  // Without a point TOML sees an integer, and the sign of -0.0 would be lost.
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

std::string write_complete(const Schema& schema, const Node& node, const std::vector<std::string>& leave_out) {
  if (&node.schema() != &schema.root()) throw std::logic_error("write_complete: the node was read with another schema");
  std::string out =
      fmt::format("# {}, complete: all defaults written out, all numbers in SI units\n\n", schema.title());
  write_table(node, "", leave_out, out);
  return out;
}

}  // namespace moraine::scene
