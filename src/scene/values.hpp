// SPDX-License-Identifier: MIT
// A scene file after validation: a tree of typed values in SI units with every default filled in, each still knowing
// the line it came from, so that later checks (an unknown material, overlapping bodies) report in the same form.
// This room knows neither TOML nor what the keys mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/names.hpp"
#include "scene/schema.hpp"

namespace moraine::scene {

struct Entry;
struct Value;

// Where a value was written: a line of the file, or a --set on the command line.
struct Origin {
  int line = 0;
  bool from_set = false;
};

// One table. Asking for a key that is not declared here, for the wrong type or for the value of an absent key is our
// own bug and throws std::logic_error. has() and given() also take keys of variants that were not chosen: false.
class Node {
 public:
  Node(std::shared_ptr<const TableSchema> schema, std::shared_ptr<const std::string> file, std::string path,
       Origin origin);
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  bool has(std::string_view key) const;      // given or defaulted; Tables: at least one
  bool given(std::string_view key) const;    // written by the user
  bool is_list(std::string_view key) const;  // Value: a list, to be asked for with texts(); otherwise text()

  bool boolean(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  double number(std::string_view key, double if_absent) const;
  const std::string& text(std::string_view key) const;             // Text, Choice; Value: as TOML
  const std::vector<double>& numbers(std::string_view key) const;  // Vector, Rotation, Numbers, Range
  const std::vector<std::vector<double>>& points(std::string_view key) const;
  const std::vector<std::string>& texts(std::string_view key) const;  // Texts, Settings; Value: as TOML
  const Node& table(std::string_view key) const;
  const std::vector<Node>& tables(std::string_view key) const;  // empty if absent

  int line(std::string_view key) const;  // of the key if it was written in the file, otherwise of this table
  int line() const { return origin_.line; }
  Origin origin() const { return origin_; }
  Origin origin(std::string_view key) const;
  const std::string& path() const { return path_; }  // "body[2]"; empty for the whole file
  std::string path(std::string_view key) const;      // "body[2].radius"
  const std::string& file() const { return *file_; }
  const TableSchema& schema() const { return *schema_; }

  // The declared keys that exist in this table, in order, with their values; for the writer and the reader.
  const std::vector<Entry>& entries() const { return entries_; }
  void put(Entry entry);
  // Makes a key of a table in this one absent, as if it had not been written.
  void take_out(std::string_view table, std::string_view key);

  // For a look at the rest of a scene in spite of its mistakes of form: what is needed and missing, or was wrong, gets
  // a value that its key allows. Nothing that follows from such a value is worth telling.
  void take_stand_ins(int dimension);
  bool stands_in(std::string_view key) const;
  bool damaged() const;  // has a stand-in, or a table in it has one

  // Same values, wherever they were written and whether given or defaulted.
  friend bool operator==(const Node& a, const Node& b);

 private:
  const Entry* find(std::string_view key) const;  // null if only declared in a variant not chosen
  Value stand_in_for(const Key& key, int dimension) const;
  template <class T>
  const T& get(std::string_view key, const char* type) const;

  std::shared_ptr<const TableSchema> schema_;  // keeps the keys in entries_ alive
  std::shared_ptr<const std::string> file_;
  std::string path_;
  Origin origin_;
  std::vector<Entry> entries_;
};

// What a key of a table holds. A table holds these and is one of them, hence the order of the definitions.
struct Value {
  using Data = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>,
                            std::vector<std::vector<double>>, std::vector<std::string>, std::vector<Node>>;
  Data data;              // monostate: absent; a Table is a list of one Node
  Origin origin;          // of the key; meaningful if given
  bool given = false;     // written by the user, in the file or with --set
  bool stand_in = false;  // see Node::take_stand_ins
};

struct Entry {
  const Key* key = nullptr;
  Value value;
};

// Collects what is wrong with a scene, so that the user sees all of it at once.
class Problems {
 public:
  // `key` may carry an index: "materials[1]".
  void add(const Node& node, std::string_view key, std::string text);
  void add(const Node& node, std::string text);  // the table as a whole
  void add(const std::string& file, Origin origin, std::string path, std::string text);

  void add(base::Problem problem) { problems_.push_back(std::move(problem)); }

  void take(const Problems& other);  // those that are not here yet

  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  // In the order of the file; those of the command line at the end.
  std::vector<base::Problem> sorted() const;
  void throw_if_any() const;  // base::InputError

 private:
  std::vector<base::Problem> problems_;
};

// What to say of a name that none of these is: 'there is no wall "flor"; there is "floor"; did you mean ...'.
std::string no_such(const std::string& what, const std::string& name, const std::vector<std::string>& names);

using base::did_you_mean;
using base::list_text;
using base::nearest;

}  // namespace moraine::scene
