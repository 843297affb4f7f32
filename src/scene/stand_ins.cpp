// SPDX-License-Identifier: MIT
// Values that stand in for those that are missing or wrong.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "scene/values.hpp"

namespace moraine::scene {

namespace {

double number_for(const Key& key) {
  for (const double plain : {1.0, 0.5, 2.0, 3.0, 10.0, 0.0}) {
    if (key.check_bounds(plain).empty()) return plain;
  }
  const double low = key.lower ? key.lower->value : key.upper->value - 2;
  const double high = key.upper ? key.upper->value : low + 2;
  return 0.5 * (low + high);
}

std::size_t count_for(const Key& key) { return static_cast<std::size_t>(std::max(key.min_count, 1)); }

// Of a list: numbers that differ, where the bounds allow it.
std::vector<double> numbers_for(const Key& key, std::size_t count) {
  std::vector<double> out(count, number_for(key));
  for (std::size_t k = 1; k < count; ++k) {
    if (const double next = out[k - 1] + 1; key.check_bounds(next).empty()) out[k] = next;
  }
  return out;
}

std::string text_for(const Key& key) {
  return key.choices.empty() ? std::string(count_for(key), '?') : key.choices.front().name;
}

}  // namespace

// A table gets stand-ins for everything that has a default, too.
Value Node::stand_in_for(const Key& key, int dimension) const {
  Value out{{}, origin_, false, true};
  const auto wide = static_cast<std::size_t>(std::max(key.numbers_wanted(dimension), 1));
  switch (key.type) {
    case Type::Boolean:
      out.data = false;
      break;
    case Type::Integer:
      out.data = static_cast<std::int64_t>(std::ceil(number_for(key)));
      break;
    case Type::Number:
      out.data = number_for(key);
      break;
    case Type::Text:
    case Type::Choice:
    case Type::Value:
      out.data = text_for(key);
      break;
    case Type::Vector:
    case Type::Rotation:
    case Type::Range:
      out.data = numbers_for(key, wide);
      break;
    case Type::Numbers:
      out.data = numbers_for(key, count_for(key));
      break;
    case Type::Points:
      out.data = std::vector<std::vector<double>>(count_for(key), numbers_for(key, wide));
      break;
    case Type::Texts:
      out.data = std::vector<std::string>(count_for(key), text_for(key));
      break;
    case Type::Settings:
      out.data = std::vector<std::string>{};
      break;
    case Type::Table: {
      Node inner(key.table, file_, path(key.name), origin_);
      for (const Key& of_it : key.table->keys) {
        inner.put({&of_it, {{}, origin_, of_it.is_required || of_it.default_text, false}});
      }
      inner.take_stand_ins(dimension);
      out.data = std::vector<Node>{std::move(inner)};
      break;
    }
    case Type::Tables:
      out.data = std::vector<Node>{};
      break;
  }
  return out;
}

void Node::take_stand_ins(int dimension) {
  std::vector<Entry> of_variants;
  for (Entry& entry : entries_) {
    Value& value = entry.value;
    if (auto* nodes = std::get_if<std::vector<Node>>(&value.data)) {
      for (Node& node : *nodes) node.take_stand_ins(dimension);
    }
    if (!std::holds_alternative<std::monostate>(value.data)) continue;
    if (!value.given && !entry.key->is_required) continue;
    const Origin origin = value.given ? value.origin : origin_;
    const bool given = value.given;
    value = stand_in_for(*entry.key, dimension);
    value.origin = origin;
    value.given = given;
    if (!entry.key->is_selector) continue;
    for (const Key& key : schema_->variant(entry.key->name, std::get<std::string>(value.data))->keys) {
      const bool wanted = key.is_required || key.default_text;
      of_variants.push_back({&key, wanted ? stand_in_for(key, dimension) : Value{}});
    }
  }
  std::move(of_variants.begin(), of_variants.end(), std::back_inserter(entries_));
}

bool Node::stands_in(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr && entry->value.stand_in;
}

bool Node::damaged() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    if (entry.value.stand_in) return true;
    const auto* nodes = std::get_if<std::vector<Node>>(&entry.value.data);
    return nodes != nullptr && std::any_of(nodes->begin(), nodes->end(), [](const Node& n) { return n.damaged(); });
  });
}

}  // namespace moraine::scene
