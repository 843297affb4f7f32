// SPDX-License-Identifier: MIT
#include "io/series.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "io/numbers.hpp"

namespace moraine::io {

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr auto kLongestWait = std::chrono::seconds(1);

std::string header_of(const std::filesystem::path& path, const std::vector<Column>& columns) {
  if (columns.empty()) throw std::logic_error("a series needs a column: " + path.string());
  std::string line;
  for (const Column& column : columns) {
    // These characters are the grammar of the header; a name with them could not be read back.
    if (column.name.empty() || (column.name + column.unit).find_first_of(",[]\"\r\n") != std::string::npos ||
        trimmed(column.name) != column.name)
      throw base::InputError(path.string(), 0, "",
                             fmt::format("'{}' [{}] cannot be the name and unit of a column (no , [ ] \" or line end, "
                                         "no blanks around it, not empty)",
                                         column.name, column.unit));
    if (!line.empty()) line += ',';
    line += column.name;
    if (!column.unit.empty()) line += " [" + column.unit + "]";
  }
  return line + "\n";
}

Column to_column(const std::filesystem::path& path, std::string_view field) {
  const auto open = field.find('[');
  if (open == std::string_view::npos && !field.empty()) return {std::string(field), ""};
  if (field.empty() || open == 0 || field.back() != ']')
    throw base::InputError(path.string(), 1, "", fmt::format("'{}' is not a column such as 'time [s]'", field));
  return {std::string(trimmed(field.substr(0, open))), std::string(field.substr(open + 1, field.size() - open - 2))};
}

void append_row(const std::filesystem::path& path, const std::vector<Column>& columns, std::span<const double> values,
                std::int64_t row, std::string& text) {
  if (values.size() != columns.size())
    throw std::logic_error(
        fmt::format("{}: a row of {} values for {} columns", path.string(), values.size(), columns.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw base::RunError(
          fmt::format("'{}': the value of column '{}' in row {} is {}", path.string(), columns[i].name, row, values[i]),
          "the run has gone astray: try a shorter step, and look at the last rows of this file");
  }
  fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(values, ","));
}

std::uint64_t max_bytes() { return std::numeric_limits<std::uint64_t>::max(); }

// Where the first `keep_rows` rows end.
std::size_t end_of_rows(const std::filesystem::path& path, const std::string& text, const std::string& header,
                        std::int64_t keep_rows) {
  if (!text.starts_with(header))
    throw base::InputError(path.string(), 1, "",
                           fmt::format("cannot go on with this series: it has other columns than '{}'",
                                       header.substr(0, header.size() - 1)));
  std::size_t end = header.size();
  for (std::int64_t row = 0; row < keep_rows; ++row) {
    const std::size_t line_end = text.find('\n', end);
    if (line_end == std::string::npos)
      throw base::InputError(
          path.string(), 0, "",
          fmt::format("cannot go on with this series: it has {} complete rows, {} are needed", row, keep_rows));
    end = line_end + 1;
  }
  return end;
}

}  // namespace

SeriesWriter::SeriesWriter(std::filesystem::path path, std::vector<Column> columns)
    : path_(std::move(path)), columns_(std::move(columns)), buffer_(header_of(path_, columns_)) {
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file_.is_open()) throw_write_error(path_, "create", errno);
  // The header at once: who looks at a run from its start should find it.
  flush();
}

SeriesWriter::SeriesWriter(std::filesystem::path path, std::vector<Column> columns, std::int64_t keep_rows)
    : path_(std::move(path)), columns_(std::move(columns)), rows_(keep_rows) {
  if (keep_rows < 0) throw std::logic_error("a series cannot keep a negative number of rows");
  written_ = end_of_rows(path_, read_text_file(path_, max_bytes()), header_of(path_, columns_), keep_rows);
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file_.is_open()) throw_write_error(path_, "open", errno);
  if (::ftruncate(file_.get(), static_cast<off_t>(written_)) != 0) throw_write_error(path_, "shorten", errno);
}

SeriesWriter::~SeriesWriter() {
  try {
    close();
  } catch (const base::RunError&) {  // a destructor cannot say it; flush() and close() can
  }
}

void SeriesWriter::row(std::span<const double> values) {
  if (!file_.is_open()) throw std::logic_error("a row for a series that is closed: " + path_.string());
  append_row(path_, columns_, values, rows_ + 1, buffer_);
  ++rows_;
  // The clock decides when bytes are written, never which.
  const auto now = std::chrono::steady_clock::now();
  if (buffer_.size() < kBufferBytes && now < write_next_) return;
  flush();
  write_next_ = now + kLongestWait;
}

void SeriesWriter::flush() {
  if (!file_.is_open() || buffer_.empty()) return;
  // At a fixed place, so that a second try after a failure writes the same rows again and none twice.
  if (const int error = write_all_at(file_.get(), buffer_, written_)) {
    (void)!::ftruncate(file_.get(), static_cast<off_t>(written_));  // no half row; the error to tell is the first
    throw_write_error(path_, "write", error);
  }
  written_ += buffer_.size();
  buffer_.clear();
}

void SeriesWriter::close() {
  if (!file_.is_open()) return;
  // Closed also where the last flush fails, or the destructor would try again.
  const Descriptor closing(file_.get());
  try {
    flush();
  } catch (...) {
    file_.release();
    throw;
  }
  file_.release();
}

void write_series(const std::filesystem::path& path, const std::vector<Column>& columns,
                  const std::vector<std::vector<double>>& rows) {
  std::string text = header_of(path, columns);
  for (std::size_t k = 0; k < rows.size(); ++k)
    append_row(path, columns, rows[k], static_cast<std::int64_t>(k) + 1, text);
  write_file_atomically(path, text);
}

const std::vector<double>& Series::column(const std::string& name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return values[i];
  throw std::out_of_range("the series has no column '" + name + "'");
}

Series read_series(const std::filesystem::path& path) {
  const std::string text = read_text_file(path, max_bytes());
  std::string_view rest = text;
  bool ended = false;
  const std::string_view header = take_line(rest, ended);
  if (!ended) throw base::InputError(path.string(), 1, "", "is not a series: it has no complete header line");

  Series series;
  std::vector<std::string_view> fields;
  split_fields(header, fields);
  for (const std::string_view field : fields) series.columns.push_back(to_column(path, field));
  series.values.resize(fields.size());

  for (int line = 2; !rest.empty(); ++line) {
    const std::string_view row = take_line(rest, ended);
    if (!ended) {
      series.cut_short = true;
      break;
    }
    split_fields(row, fields);
    if (fields.size() != series.columns.size())
      throw base::InputError(path.string(), line, "",
                             fmt::format("has {} values, the header {} columns", fields.size(), series.columns.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto value = to_number(fields[i]);
      if (!value || !std::isfinite(*value))
        throw base::InputError(path.string(), line, series.columns[i].name,
                               fmt::format("'{}' is not a finite number", fields[i]));
      series.values[i].push_back(*value);
    }
  }
  return series;
}

}  // namespace moraine::io
