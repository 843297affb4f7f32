// SPDX-License-Identifier: MIT
#include "io/mesh_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "io/mesh_ply.hpp"
#include "io/numbers.hpp"

namespace moraine::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& text, int line = 0) {
  throw base::InputError(path.string(), line, "", text);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Goes through the lines of a text, without their comments.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  // False at the end.
  bool next() {
    if (rest_.empty()) return false;
    bool ended = false;
    line = take_line(rest_, ended);
    line = trimmed(line.substr(0, line.find('#')));
    ++number;
    return true;
  }
  bool next_filled() {
    while (next()) {
      if (!line.empty()) return true;
    }
    line = {};
    return false;
  }
  std::size_t left() const { return rest_.size(); }

  std::string_view line;
  int number = 0;

 private:
  std::string_view rest_;
};

std::array<double, 3> vertex_of(const std::filesystem::path& path, int line, std::string_view words) {
  std::array<double, 3> vertex{};
  for (double& coordinate : vertex) {
    const std::string_view word = take_word(words);
    const auto value = to_number(word);
    if (!value || !std::isfinite(*value))
      fail(path, fmt::format("a vertex needs three finite numbers, and '{}' is none", word), line);
    coordinate = *value;
  }
  return vertex;
}

// ---- STL ----

constexpr std::size_t kStlHead = 84, kStlFacet = 50;

std::uint64_t binary_facets(std::string_view bytes) {
  std::uint32_t count = 0;  // little-endian, as we are
  std::memcpy(&count, bytes.data() + kStlHead - sizeof count, sizeof count);
  return count;
}

// Facets are counted, and each must have three corners and its end. Normals are left to the corners.
Screened screen_text_stl(const std::filesystem::path& path, std::string_view text) {
  Screened out{0, "solid plain\n"};
  std::uint64_t ends = 0, corners = 0, solid_ends = 0;
  bool ended = false;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text, ended);
    const std::string word = lower(take_word(line));
    if (word == "facet") {
      ++out.faces;
      out.plain += "facet normal 0 0 0\nouter loop\n";
    } else if (word == "vertex") {
      const auto v = vertex_of(path, number, line);
      fmt::format_to(std::back_inserter(out.plain), "vertex {} {} {}\n", v[0], v[1], v[2]);
      ++corners;
    } else if (word == "endfacet") {
      ++ends;
      out.plain += "endloop\nendfacet\n";
      if (out.faces != ends || corners != 3 * ends)
        fail(path, fmt::format("facet {} does not have three corners", out.faces), number);
    } else if (word == "endsolid") {
      ++solid_ends;
    }
  }
  if (out.faces != ends || solid_ends == 0)
    fail(path, fmt::format("is cut short: it has no 'endsolid' after its {} facets", ends));
  out.plain += "endsolid plain\n";
  return out;
}

Screened screen_stl(const std::filesystem::path& path, std::string_view bytes) {
  const std::uint64_t count = bytes.size() >= kStlHead ? binary_facets(bytes) : 0;
  // Binary first: some such files begin with "solid" too.
  if (bytes.size() >= kStlHead && bytes.size() == kStlHead + kStlFacet * count) return {count, {}};
  std::string_view rest = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  if (lower(take_word(rest).substr(0, 5)) == "solid" && bytes.find('\0') == std::string_view::npos)
    return screen_text_stl(path, bytes);
  if (bytes.size() < kStlHead)
    fail(path, "is no STL file: it is neither text that begins with 'solid' nor long enough");
  fail(path, fmt::format("is no STL file, or is cut short: as a binary one it would hold {} triangles in {} bytes, but "
                         "it has {} bytes",
                         count, kStlHead + kStlFacet * count, bytes.size()));
}

// ---- OBJ ----

class ObjScreen {
 public:
  ObjScreen(const std::filesystem::path& path, std::string_view text) : path_(path), lines_(text) {}

  Screened result() {
    while (lines_.next()) {
      std::string_view words = lines_.line;
      const std::string_view word = goes_on_ ? "f" : take_word(words);
      if (word == "v") add_vertex(words);
      if (word == "f") add_face(words);
    }
    if (greatest_ > vertices_)
      fail(path_, fmt::format("has a face with the corner {}, but only {} vertices", greatest_, vertices_));
    return {faces_, std::move(plain_)};
  }

 private:
  void add_vertex(std::string_view words) {
    const auto v = vertex_of(path_, lines_.number, words);
    fmt::format_to(std::back_inserter(plain_), "v {} {} {}\n", v[0], v[1], v[2]);
    ++vertices_;
  }
  // A face that ends in a backslash goes on in the next line.
  void add_face(std::string_view words) {
    if (!goes_on_) plain_ += 'f';
    if (!goes_on_) ++faces_;
    goes_on_ = false;
    for (std::string_view word = take_word(words); !word.empty() && !goes_on_; word = take_word(words)) {
      goes_on_ = word == "\\";
      if (!goes_on_) fmt::format_to(std::back_inserter(plain_), " {}", corner_of(word));
    }
    if (!goes_on_) plain_ += '\n';
  }
  // "7", "7/1", "7//2" or "7/1/2"; a negative number counts back from the last vertex.
  std::int64_t corner_of(std::string_view word) {
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    const std::string_view others = word.substr(static_cast<std::size_t>(end - word.data()));
    if (error != std::errc() || index == 0 || index < -vertices_ || (!others.empty() && others[0] != '/'))
      fail(path_, fmt::format("'{}' is no corner of a face", word), lines_.number);
    if (index < 0) index += vertices_ + 1;
    greatest_ = std::max(greatest_, index);
    return index;
  }

  const std::filesystem::path& path_;
  Lines lines_;
  std::uint64_t faces_ = 0;
  std::int64_t vertices_ = 0, greatest_ = 0;
  bool goes_on_ = false;
  std::string plain_;
};

// ---- OFF ----

std::uint64_t off_count(const std::filesystem::path& path, int line, std::string_view& words) {
  const std::string_view word = take_word(words);
  const auto count = to_count(word);
  if (!count) fail(path, fmt::format("'{}' stands where the number of vertices or faces should", word), line);
  return *count;
}

Screened screen_off(const std::filesystem::path& path, std::string_view text) {
  Lines lines(text);
  lines.next_filled();
  const std::string_view keyword = take_word(lines.line);
  if (keyword != "OFF" && keyword != "COFF" && keyword != "NOFF" && keyword != "CNOFF")
    fail(path, "is no OFF file of points in space: it does not begin with 'OFF' (or COFF, NOFF, CNOFF)");
  if (trimmed(lines.line).empty()) lines.next_filled();
  const std::uint64_t vertices = off_count(path, lines.number, lines.line);
  const std::uint64_t faces = off_count(path, lines.number, lines.line);
  // Each takes at least two bytes: whoever believes a greater number runs out of memory.
  if (std::max(vertices, faces) > lines.left())
    fail(path, fmt::format("is cut short: it announces {} vertices and {} faces, but {} bytes follow", vertices, faces,
                           lines.left()));

  Screened out{faces, fmt::format("OFF\n{} {} 0\n", vertices, faces)};
  const auto next = [&](const char* what, std::uint64_t i, std::uint64_t count) {
    if (!lines.next_filled()) fail(path, fmt::format("is cut short: it announces {} {}, and holds {}", count, what, i));
  };
  for (std::uint64_t i = 0; i < vertices; ++i) {
    next("vertices", i, vertices);
    const auto v = vertex_of(path, lines.number, lines.line);
    fmt::format_to(std::back_inserter(out.plain), "{} {} {}\n", v[0], v[1], v[2]);
  }
  for (std::uint64_t i = 0; i < faces; ++i) {
    next("faces", i, faces);
    const auto bad = [&](std::string_view word, const std::string& what) {
      fail(path, fmt::format("'{}' stands where {} should", word, what), lines.number);
    };
    const std::string_view number = take_word(lines.line);
    const auto corners = to_count(number);
    if (!corners) bad(number, "the number of corners of a face");
    fmt::format_to(std::back_inserter(out.plain), "{}", *corners);
    for (std::uint64_t k = 0; k < *corners; ++k) {
      const std::string_view word = take_word(lines.line);
      const auto corner = to_count(word);
      if (!corner || *corner >= vertices) bad(word, fmt::format("a vertex from 0 to {}", vertices - 1));
      fmt::format_to(std::back_inserter(out.plain), " {}", *corner);
    }
    out.plain += '\n';
  }
  return out;
}

}  // namespace

MeshFormat mesh_format(const std::filesystem::path& path) {
  const std::string ending = lower(path.extension().string());
  for (const MeshFormat format : {MeshFormat::kStl, MeshFormat::kObj, MeshFormat::kPly, MeshFormat::kOff}) {
    if (ending == std::string(".") + name_of(format)) return format;
  }
  fail(path, fmt::format("has the ending '{}'; a mesh is read from a file ending in .stl, .obj, .ply or .off", ending));
}

const char* name_of(MeshFormat format) {
  switch (format) {
    case MeshFormat::kStl:
      return "stl";
    case MeshFormat::kObj:
      return "obj";
    case MeshFormat::kPly:
      return "ply";
    case MeshFormat::kOff:
      break;
  }
  return "off";
}

Screened screen_mesh(const std::filesystem::path& path, MeshFormat format, std::string_view bytes) {
  switch (format) {
    case MeshFormat::kStl:
      return screen_stl(path, bytes);
    case MeshFormat::kObj:
      if (bytes.find('\0') != std::string_view::npos) fail(path, "is no OBJ file: it is not text");
      return ObjScreen(path, bytes).result();
    case MeshFormat::kPly:
      return {check_ply(path, bytes), {}};
    case MeshFormat::kOff:
      break;
  }
  return screen_off(path, bytes);
}

}  // namespace moraine::io
