// SPDX-License-Identifier: MIT
#include "io/table.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/numbers.hpp"

namespace moraine::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int line, const std::string& key, const std::string& text) {
  throw base::InputError(path.string(), line, key, text);
}

// The whole text; zlib sees by the first bytes whether it must unpack, so the name of the file does not matter.
std::string read_unpacked(const std::filesystem::path& path, std::uint64_t max_bytes) {
  Descriptor file = open_for_reading(path);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> packed(::gzdopen(file.get(), "rb"), ::gzclose);
  if (!packed) fail(path, 0, "", "cannot be read: out of memory");
  file.release();  // gzclose closes it
  ::gzbuffer(packed.get(), 256 * 1024);

  std::string text;
  constexpr unsigned kPiece = 1u << 20;
  while (true) {
    const std::size_t used = text.size();
    text.resize(used + kPiece);
    const int count = ::gzread(packed.get(), text.data() + used, kPiece);
    text.resize(used + static_cast<std::size_t>(std::max(count, 0)));
    // A gzip file that ends too early is no error to gzread itself; gzerror knows.
    int code = Z_OK;
    const char* message = ::gzerror(packed.get(), &code);
    if (count < 0 || (code != Z_OK && code != Z_STREAM_END))
      fail(path, 0, "", fmt::format("cannot be unpacked, the file is damaged or cut short: {}", message));
    if (count == 0) return text;
    if (text.size() > max_bytes)
      fail(path, 0, "", fmt::format("is too big: more than {} bytes once unpacked", max_bytes));
  }
}

void read_header(const std::filesystem::path& path, int line, const std::vector<std::string_view>& fields,
                 Table& table) {
  for (const std::string_view field : fields) {
    const std::string name(
        field.size() > 1 && field.front() == '"' && field.back() == '"' ? field.substr(1, field.size() - 2) : field);
    if (name.empty()) fail(path, line, "", "the header line has a column without a name");
    if (to_number(name))
      fail(path, line, "", fmt::format("the first line must name the columns; '{}' is a number", name));
    if (table.has(name)) fail(path, line, "", fmt::format("the header line has the name '{}' twice", name));
    table.names.push_back(name);
  }
  table.columns.resize(table.names.size());
}

void read_row(const std::filesystem::path& path, int line, const std::vector<std::string_view>& fields, Table& table) {
  if (fields.size() != table.names.size())
    fail(path, line, "", fmt::format("has {} values, the header {} names", fields.size(), table.names.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = to_number(fields[i]);
    if (!value) fail(path, line, table.names[i], fmt::format("'{}' is not a number", fields[i]));
    if (!std::isfinite(*value))
      fail(path, line, table.names[i], fmt::format("'{}' is not allowed: a finite number is needed", fields[i]));
    table.columns[i].push_back(*value);
  }
}

}  // namespace

bool Table::has(const std::string& name) const { return std::find(names.begin(), names.end(), name) != names.end(); }

const std::vector<double>& Table::column(const std::string& name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return columns[i];
  throw std::out_of_range("the table has no column '" + name + "'");
}

Table read_table(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const std::string text = read_unpacked(path, max_bytes);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // the mark some editors put before UTF-8

  Table table;
  std::vector<std::string_view> fields;
  bool ended = false;
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view row = trimmed(take_line(rest, ended));
    if (row.empty()) continue;
    if (row.front() == '#') {
      table.comments.emplace_back(row);
      continue;
    }
    split_fields(row, fields);
    if (table.names.empty())
      read_header(path, line, fields, table);
    else
      read_row(path, line, fields, table);
  }
  if (table.names.empty()) fail(path, 0, "", "is empty: a line with the names of the columns is needed");
  if (table.rows() == 0) fail(path, 0, "", "has a header line but no rows");
  return table;
}

}  // namespace moraine::io
