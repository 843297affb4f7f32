// SPDX-License-Identifier: MIT
// Time series as CSV: a header line with units ("time [s],kinetic [J]"), then rows of numbers that read back to the
// same bits. Append only, never NaN. Rows reach the file within about a second, for those who look at a run that goes
// on. Does not know what the columns mean.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace moraine::io {

struct Column {
  std::string name, unit;  // unit empty: a pure number

  bool operator==(const Column&) const = default;
};

class SeriesWriter {
 public:
  // A new file; one that is there is replaced. Throws base::RunError.
  SeriesWriter(std::filesystem::path path, std::vector<Column> columns);
  // Goes on with an existing file: keeps its first `keep_rows` rows. Throws base::InputError if it has fewer rows or
  // other columns.
  SeriesWriter(std::filesystem::path path, std::vector<Column> columns, std::int64_t keep_rows);
  SeriesWriter(SeriesWriter&&) = default;
  SeriesWriter& operator=(SeriesWriter&&) = delete;
  // Flushes, but cannot report that the disk is full: call flush() or close() first.
  ~SeriesWriter();

  // Throws base::RunError for a value that is not finite (file and column named) and when the disk is full.
  void row(std::span<const double> values);
  void flush();
  void close();
  std::int64_t rows() const { return rows_; }  // with those still in the buffer

 private:
  std::filesystem::path path_;
  std::vector<Column> columns_;
  Descriptor file_;
  std::uint64_t written_ = 0;  // bytes of the file that are whole rows
  std::string buffer_;         // whole rows, not yet written
  std::int64_t rows_ = 0;
  std::chrono::steady_clock::time_point write_next_{};  // rows after this instant do not wait in the buffer
};

// A whole file of rows at once: beside, then renamed. Throws base::RunError as SeriesWriter does.
void write_series(const std::filesystem::path& path, const std::vector<Column>& columns,
                  const std::vector<std::vector<double>>& rows);

struct Series {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  // values[column][row]
  bool cut_short = false;                   // the last line had no end (a run killed, or still writing) and is left out

  std::int64_t rows() const { return values.empty() ? 0 : static_cast<std::int64_t>(values.front().size()); }
  const std::vector<double>& column(const std::string& name) const;  // throws std::out_of_range
};

// Throws base::InputError with file and line.
Series read_series(const std::filesystem::path& path);

}  // namespace moraine::io
