// SPDX-License-Identifier: MIT
// Tables of numbers made by others: CSV with a header line of names, plain or gzipped; lines that begin with # are kept
// as text. Strict: a missing, extra or mistyped value is an error with its line. Does not know what the columns mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace moraine::io {

struct Table {
  std::vector<std::string> comments;  // the lines that begin with #, as they stand
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // columns[column][row]

  std::int64_t rows() const { return columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().size()); }
  bool has(const std::string& name) const;
  const std::vector<double>& column(const std::string& name) const;  // throws std::out_of_range
};

inline constexpr std::uint64_t kMaxTableBytes = 4ull << 30;

// Throws base::InputError: missing, empty, damaged gzip, wrong number of columns, not a number, NaN, no rows, or more
// than `max_bytes` once unpacked.
Table read_table(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxTableBytes);

}  // namespace moraine::io
