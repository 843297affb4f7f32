// SPDX-License-Identifier: MIT
#include "io/mesh_ply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/numbers.hpp"

namespace moraine::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int line, const std::string& text) {
  throw base::InputError(path.string(), line, "", text);
}

struct Type {
  std::string_view name, other_name;
  std::size_t size;
  bool is_signed, is_real;
};
constexpr Type kTypes[] = {{"char", "int8", 1, true, false},    {"uchar", "uint8", 1, false, false},
                           {"short", "int16", 2, true, false},  {"ushort", "uint16", 2, false, false},
                           {"int", "int32", 4, true, false},    {"uint", "uint32", 4, false, false},
                           {"float", "float32", 4, true, true}, {"double", "float64", 8, true, true}};

struct Property {
  std::string name;
  const Type* count = nullptr;  // of a list
  const Type* type = nullptr;
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Coding : std::uint8_t { kText, kLittle, kBig };

struct Header {
  Coding coding = Coding::kText;
  std::vector<Element> elements;
  int lines = 0;

  std::uint64_t count_of(std::string_view name) const {
    for (const Element& e : elements) {
      if (e.name == name) return e.count;
    }
    return 0;
  }
};

bool is_corners(const Element& element, const Property& property) {
  return element.name == "face" && property.count != nullptr && property.name.starts_with("vertex_ind");
}

const Type* type_of(const std::filesystem::path& path, int line, std::string_view word) {
  const auto* const at = std::find_if(std::begin(kTypes), std::end(kTypes),
                                      [&](const Type& t) { return t.name == word || t.other_name == word; });
  if (at == std::end(kTypes)) fail(path, line, fmt::format("'{}' is no type of a property", word));
  return at;
}

void read_property(const std::filesystem::path& path, std::string_view line, Header& header) {
  if (header.elements.empty()) fail(path, header.lines, "a property comes before any element");
  Property property;
  std::string_view word = take_word(line);
  if (word == "list") {
    property.count = type_of(path, header.lines, take_word(line));
    if (property.count->is_real) fail(path, header.lines, "a list cannot be counted by real numbers");
    word = take_word(line);
  }
  property.type = type_of(path, header.lines, word);
  property.name = take_word(line);
  header.elements.back().properties.push_back(property);
}

// Takes the header off the front.
Header take_header(const std::filesystem::path& path, std::string_view& bytes) {
  bool ended = false;
  if (trimmed(take_line(bytes, ended)) != "ply") fail(path, 0, "is no PLY file: its first line is not 'ply'");
  Header header;
  header.lines = 1;
  while (!bytes.empty()) {
    std::string_view line = take_line(bytes, ended);
    ++header.lines;
    const std::string_view word = take_word(line);
    if (word == "end_header") return header;
    if (word == "format") {
      const std::string_view coding = take_word(line);
      if (coding != "ascii" && coding != "binary_little_endian" && coding != "binary_big_endian")
        fail(path, header.lines, fmt::format("'{}' is no format of PLY", coding));
      header.coding = coding == "ascii"               ? Coding::kText
                      : coding == "binary_big_endian" ? Coding::kBig
                                                      : Coding::kLittle;
    } else if (word == "element") {
      const std::string_view name = take_word(line), number = take_word(line);
      const auto count = to_count(number);
      if (!count) fail(path, header.lines, fmt::format("'{}' stands where the number of '{}' should", number, name));
      if (header.count_of(name) > 0) fail(path, header.lines, fmt::format("'{}' is announced twice", name));
      header.elements.push_back({std::string(name), *count, {}});
    } else if (word == "property") {
      read_property(path, line, header);
    } else if (word != "comment" && word != "obj_info") {
      fail(path, header.lines, fmt::format("'{}' is no word of a PLY header", word));
    }
  }
  fail(path, 0, "is no PLY file, or is cut short: its header has no end");
}

void check_line(const std::filesystem::path& path, int number, const Element& element, std::string_view line,
                std::uint64_t vertices) {
  for (const Property& property : element.properties) {
    std::uint64_t values = 1;
    if (property.count != nullptr) {
      const std::string_view word = take_word(line);
      const auto count = to_count(word);
      if (!count) fail(path, number, fmt::format("'{}' stands where the length of '{}' should", word, property.name));
      values = *count;
    }
    for (std::uint64_t k = 0; k < values; ++k) {
      const std::string_view word = take_word(line);
      const auto value = to_number(word);
      if (!value || !std::isfinite(*value))
        fail(path, number, fmt::format("'{}' stands where a finite number for '{}' should", word, property.name));
      if (!is_corners(element, property)) continue;
      const auto corner = to_count(word);
      if (!corner || *corner >= vertices)
        fail(path, number, fmt::format("the corner '{}' is none of the {} vertices", word, vertices));
    }
  }
  if (!take_word(line).empty())
    fail(path, number, fmt::format("has more values than the header names for '{}'", element.name));
}

void check_text(const std::filesystem::path& path, const Header& header, std::string_view text) {
  bool ended = false;
  int number = header.lines;
  for (const Element& element : header.elements) {
    for (std::uint64_t i = 0; i < element.count; ++i) {
      std::string_view line;
      while (line.empty()) {
        if (text.empty())
          fail(path, 0,
               fmt::format("is cut short: it should hold {} of '{}', and holds {}", element.count, element.name, i));
        line = trimmed(take_line(text, ended));
        ++number;
      }
      check_line(path, number, element, line, header.count_of("vertex"));
    }
  }
}

// A whole number of one of the types; negative ones come out huge.
std::uint64_t whole_number(std::string_view bytes, const Type& type, Coding coding) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < type.size; ++i) {
    const std::size_t at = coding == Coding::kBig ? i : type.size - 1 - i;
    value = value << 8 | static_cast<std::uint8_t>(bytes[at]);
  }
  const std::uint64_t sign = 1ull << (8 * type.size - 1);
  return type.is_signed && (value & sign) != 0 ? value - 2 * sign : value;
}

void check_bytes(const std::filesystem::path& path, const Header& header, std::string_view bytes) {
  const std::uint64_t vertices = header.count_of("vertex");
  for (const Element& element : header.elements) {
    for (std::uint64_t i = 0; i < element.count; ++i) {
      const auto take = [&](const Type& type, std::uint64_t count) {
        if (count > bytes.size() / type.size)
          fail(path, 0,
               fmt::format("is cut short or damaged: the data of '{}' end in its number {} of {}", element.name, i + 1,
                           element.count));
        const std::string_view taken = bytes.substr(0, count * type.size);
        bytes.remove_prefix(taken.size());
        return taken;
      };
      for (const Property& property : element.properties) {
        std::uint64_t values = 1;
        if (property.count != nullptr) values = whole_number(take(*property.count, 1), *property.count, header.coding);
        std::string_view taken = take(*property.type, values);
        if (!is_corners(element, property)) continue;
        for (; !taken.empty(); taken.remove_prefix(property.type->size)) {
          if (whole_number(taken, *property.type, header.coding) >= vertices)
            fail(path, 0, fmt::format("face {} has a corner that is none of the {} vertices", i + 1, vertices));
        }
      }
    }
  }
}

}  // namespace

std::uint64_t check_ply(const std::filesystem::path& path, std::string_view bytes) {
  const Header header = take_header(path, bytes);
  for (const Element& element : header.elements) {
    // Each takes at least a byte: whoever believes a greater number runs out of memory.
    if (element.count > bytes.size())
      fail(path, 0,
           fmt::format("is cut short: its header announces {} of '{}', but {} bytes follow", element.count,
                       element.name, bytes.size()));
    for (const Property& property : element.properties) {
      if (is_corners(element, property) && property.type->is_real)
        fail(path, 0, "its header announces corners of faces that are real numbers");
    }
  }
  if (header.coding == Coding::kText)
    check_text(path, header, bytes);
  else
    check_bytes(path, header, bytes);
  return header.count_of("face");
}

}  // namespace moraine::io
