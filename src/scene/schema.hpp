// SPDX-License-Identifier: MIT
// How the keys of a scene file are declared: each once, with its type, unit, range, default and a line of help.
// The parser, the error messages, the reference page, the JSON schema and the complete scene file all read these
// declarations; nothing here knows which keys Moraine has, nor what they do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/units.hpp"

namespace moraine::scene {

enum class Type {
  Boolean,
  Integer,
  Number,
  Text,
  Choice,    // one of a list of names
  Vector,    // numbers, one per dimension of the scene or a fixed count
  Rotation,  // one number in 2D, three numbers in 3D
  Numbers,   // list of any length
  Points,    // list of vectors
  Texts,     // list of strings
  Range,     // two numbers, the smaller first
  Value,     // a value of any kind, or a list of such: kept as TOML, for whoever knows what it is for
  Settings,  // a table of any keys: a list of "key.path=value", as --set takes them
  Table,
  Tables,  // array of tables
};

struct Bound {
  double value = 0.0;
  bool open = false;  // the value itself is not allowed
};

struct Choice {
  std::string name;
  std::string help;
};

struct TableSchema;

// One key. Made with the functions of namespace keys and refined by chaining: number("radius", kLength).positive().
struct Key {
  std::string name;
  Type type = Type::Number;
  Dimension unit;
  std::optional<Bound> lower, upper;        // of the number, or of each element
  std::vector<Choice> choices;              // Choice; Texts: if not empty, each text must be one of these
  int length = 0;                           // Vector, Points: fixed count of numbers; 0: the dimension of the scene
  int min_count = 0;                        // Text: characters; lists and Tables: elements
  std::optional<int> max_count;             // the same
  bool is_not_zero = false;                 // Vector: at least one of its numbers must not be 0
  bool is_required = false;                 // neither required nor a default: may be absent
  bool is_selector = false;                 // its value decides which variant's keys exist beside it
  std::optional<std::string> default_text;  // TOML; a plain string where that does not parse, as with --set
  std::optional<std::string> default_3d;    // in 3D, where it differs
  std::string help_text;
  std::shared_ptr<const TableSchema> table;  // Table, Tables

  Key help(std::string text) &&;
  Key required() &&;
  // Text and Choice: the text itself. All others: a TOML value ("0.1", "[0, 1]") or a quantity ("5 cm"). A Vector may
  // have a single number as its default, which is then every component.
  Key def(std::string value) &&;
  Key def(std::string in_2d, std::string in_3d) &&;
  // A table that is not written counts as written and empty: its keys take their defaults.
  Key defaulted() &&;
  Key positive() &&;
  Key above(double value) &&;     // >
  Key at_least(double value) &&;  // >=
  Key below(double value) &&;     // <
  Key at_most(double value) &&;   // <=
  Key between(double low, double high) &&;
  Key not_zero() &&;  // for Vectors that are directions
  Key count(int low, std::optional<int> high = {}) &&;
  Key one_of(std::vector<Choice> names) &&;  // for Texts

  bool is_table() const { return type == Type::Table || type == Type::Tables; }
  // What stands in for an absent key, or nothing.
  std::optional<std::string> default_for(int scene_dimension) const;
  // Empty if the value lies within the bounds; otherwise what is allowed, such as "must be > 0 m".
  std::string check_bounds(double value) const;
  // "> 0 m", "0 to 1", "< 90 deg"; empty if there are no bounds.
  std::string allowed_text() const;
  // "a length (m)", "a list of texts", "a vector of 3 numbers": what a mistyped value should have been.
  std::string type_text(int scene_dimension = 0) const;
  // How many numbers a Vector, a Rotation or one of the Points has; 0 if the dimension of the scene is not known.
  int numbers_wanted(int scene_dimension) const;
};

// The keys that exist beside the common ones when the key `selector` has the value `name`.
struct Variant {
  std::string selector;
  std::string name;
  std::string help;
  std::vector<Key> keys;
};

struct TableSchema {
  std::vector<Key> keys;
  std::vector<Variant> variants;

  const Key* find(std::string_view name) const;  // among the common keys
  const Variant* variant(std::string_view selector, std::string_view name) const;
  bool in_any_variant(std::string_view name) const;
};

// A whole scene file: top-level keys and tables in the order a reader wants them. The declaration is checked here, and
// a mistake in it (a name twice, a selector without variants) is our own bug: std::logic_error.
class Schema {
 public:
  // `dimension_key`: the top-level integer that gives the length of vectors.
  Schema(std::string title, std::vector<Key> keys, std::string dimension_key = "dimension");

  const std::string& title() const { return title_; }
  const std::string& dimension_key() const { return dimension_key_; }
  const TableSchema& root() const { return *root_; }
  const std::shared_ptr<const TableSchema>& shared_root() const { return root_; }

 private:
  std::string title_;
  std::string dimension_key_;
  std::shared_ptr<const TableSchema> root_;
};

// A number as we print it: the shortest text that reads back to the same bits. A bound of an angle is shown in degrees.
std::string number_text(double value);
std::string bound_text(double value, Dimension unit);

namespace keys {

Key boolean(std::string name);
Key integer(std::string name);
Key number(std::string name, Dimension unit = kNone);
Key text(std::string name);
Key choice(std::string name, std::vector<Choice> choices);
Key vector(std::string name, Dimension unit = kNone, int length = 0);
Key rotation(std::string name, Dimension unit = kAngle);
Key numbers(std::string name, Dimension unit = kNone);
Key points(std::string name, Dimension unit = kLength, int length = 0);
Key texts(std::string name);
Key range(std::string name, Dimension unit = kNone);
Key value(std::string name);
Key settings(std::string name);
// A choice whose names are those of the variants of its table.
Key selector(std::string name);
Variant variant(std::string selector, std::string name, std::string help, std::vector<Key> keys);
Key table(std::string name, std::vector<Key> keys, std::vector<Variant> variants = {});
Key tables(std::string name, std::vector<Key> keys, std::vector<Variant> variants = {});

}  // namespace keys
}  // namespace moraine::scene
