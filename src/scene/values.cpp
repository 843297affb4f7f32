// SPDX-License-Identifier: MIT
#include "scene/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace moraine::scene {

Node::Node(std::shared_ptr<const TableSchema> schema, std::shared_ptr<const std::string> file, std::string path,
           Origin origin)
    : schema_(std::move(schema)), file_(std::move(file)), path_(std::move(path)), origin_(origin) {}
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

void Node::put(Entry entry) { entries_.push_back(std::move(entry)); }

void Node::take_out(std::string_view table, std::string_view key) {
  for (Entry& entry : entries_) {
    if (entry.key->name != table) continue;
    for (Entry& inner : std::get<std::vector<Node>>(entry.value.data).front().entries_) {
      if (inner.key->name == key) inner.value = {};
    }
  }
}

const Entry* Node::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key->name == key) return &entry;
  if (schema_->in_any_variant(key)) return nullptr;
  throw std::logic_error(fmt::format("scene key '{}' is not declared in the schema", path(key)));
}

template <class T>
const T& Node::get(std::string_view key, const char* type) const {
  const Entry* entry = find(key);
  if (!entry || std::holds_alternative<std::monostate>(entry->value.data))
    throw std::logic_error(fmt::format("scene key '{}' has no value; ask has() first", path(key)));
  if (const T* data = std::get_if<T>(&entry->value.data)) return *data;
  throw std::logic_error(fmt::format("scene key '{}' is not declared as {}", path(key), type));
}

bool Node::has(std::string_view key) const {
  const Entry* entry = find(key);
  if (!entry) return false;
  if (const auto* nodes = std::get_if<std::vector<Node>>(&entry->value.data)) return !nodes->empty();
  return !std::holds_alternative<std::monostate>(entry->value.data);
}

bool Node::given(std::string_view key) const {
  const Entry* entry = find(key);
  return entry && entry->value.given;
}

bool Node::is_list(std::string_view key) const {
  const Entry* entry = find(key);
  return entry && std::holds_alternative<std::vector<std::string>>(entry->value.data);
}

bool Node::boolean(std::string_view key) const { return get<bool>(key, "a boolean"); }
std::int64_t Node::integer(std::string_view key) const { return get<std::int64_t>(key, "an integer"); }
double Node::number(std::string_view key) const { return get<double>(key, "a number"); }
double Node::number(std::string_view key, double if_absent) const { return has(key) ? number(key) : if_absent; }
const std::string& Node::text(std::string_view key) const { return get<std::string>(key, "a text or a choice"); }
const std::vector<double>& Node::numbers(std::string_view key) const {
  return get<std::vector<double>>(key, "a vector or a list of numbers");
}
const std::vector<std::vector<double>>& Node::points(std::string_view key) const {
  return get<std::vector<std::vector<double>>>(key, "a list of points");
}
const std::vector<std::string>& Node::texts(std::string_view key) const {
  return get<std::vector<std::string>>(key, "a list of texts");
}

const Node& Node::table(std::string_view key) const {
  const auto& nodes = get<std::vector<Node>>(key, "a table");
  if (nodes.size() != 1) throw std::logic_error(fmt::format("scene key '{}' is not a single table", path(key)));
  return nodes.front();
}

const std::vector<Node>& Node::tables(std::string_view key) const {
  static const std::vector<Node> none;
  const Entry* entry = find(key);
  if (!entry || std::holds_alternative<std::monostate>(entry->value.data)) return none;
  return get<std::vector<Node>>(key, "an array of tables");
}

Origin Node::origin(std::string_view key) const {
  const Entry* entry = find(key);
  return entry && entry->value.given ? entry->value.origin : origin_;
}

int Node::line(std::string_view key) const { return origin(key).line; }

std::string Node::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

bool operator==(const Node& a, const Node& b) {
  const auto same = [](const Entry& x, const Entry& y) {
    return x.key->name == y.key->name && x.value.data == y.value.data;
  };
  return std::equal(a.entries_.begin(), a.entries_.end(), b.entries_.begin(), b.entries_.end(), same);
}

void Problems::add(const Node& node, std::string_view key, std::string text) {
  add(node.file(), node.origin(key.substr(0, key.find('['))), node.path(key), std::move(text));
}

void Problems::add(const Node& node, std::string text) {
  add(node.file(), node.origin(), node.path(), std::move(text));
}

void Problems::add(const std::string& file, Origin origin, std::string path, std::string text) {
  if (origin.from_set)
    problems_.push_back({"--set", 0, std::move(path), std::move(text)});
  else
    problems_.push_back({file, origin.line, std::move(path), std::move(text)});
}

void Problems::take(const Problems& other) {
  for (const base::Problem& p : other.problems_) {
    const auto same = [&](const base::Problem& q) {
      return q.file == p.file && q.line == p.line && q.key == p.key && q.text == p.text;
    };
    if (std::none_of(problems_.begin(), problems_.end(), same)) problems_.push_back(p);
  }
}

std::vector<base::Problem> Problems::sorted() const {
  std::vector<base::Problem> out = problems_;
  std::stable_sort(out.begin(), out.end(), [](const base::Problem& a, const base::Problem& b) {
    return std::tuple(a.file == "--set", a.line) < std::tuple(b.file == "--set", b.line);
  });
  return out;
}

void Problems::throw_if_any() const {
  if (!problems_.empty()) throw base::InputError(sorted());
}

std::string no_such(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("there is no {} \"{}\"; the scene has none", what, name);
  std::vector<std::string> each;  // a name that two share is told elsewhere
  for (const std::string& known : names) {
    if (std::find(each.begin(), each.end(), known) == each.end()) each.push_back(known);
  }
  return fmt::format("there is no {} \"{}\"; there is {}{}", what, name, list_text(each), did_you_mean(name, each));
}

}  // namespace moraine::scene
