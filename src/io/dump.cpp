// SPDX-License-Identifier: MIT
#include "io/dump.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/frame_fields.hpp"
#include "io/numbers.hpp"

namespace moraine::io {

namespace {

constexpr std::string_view kFirstLine = "ITEM: TIMESTEP";
constexpr std::string_view kCountLine = "ITEM: NUMBER OF ATOMS";
constexpr int kLinesBeforeAtoms = 9;

// A box without height cannot be drawn; in 2D it is as high as the largest disc.
std::array<double, 2> bounds_of(const measure::Frame& frame, std::size_t axis) {
  const double low = frame.domain_min[axis], high = frame.domain_max[axis];
  if (high > low) return {low, high};
  const auto largest = std::max_element(frame.radius.begin(), frame.radius.end());
  const double half = largest != frame.radius.end() && *largest > 0 ? *largest : 0.5;
  return {low - half, high + half};
}

std::string text_of(const measure::Frame& frame) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n{}\n{}\n{}\nITEM: BOX BOUNDS", kFirstLine, frame.step, kCountLine, frame.id.size());
  for (const auto periodic : frame.periodic) fmt::format_to(out, " {}", periodic != 0 ? "pp" : "ff");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] = bounds_of(frame, axis);
    fmt::format_to(out, "\n{} {}", low, high);
  }
  text += "\nITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz\n";
  for (std::size_t i = 0; i < frame.id.size(); ++i)
    fmt::format_to(out, "{} {} {} {} {} {}\n", frame.id[i], frame.material[i] + 1, fmt::join(frame.position[i], " "),
                   frame.radius[i], fmt::join(frame.velocity[i], " "), fmt::join(frame.spin[i], " "));
  return text;
}

// The lines of a file, one by one: a dump can be larger than the memory.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path) : path_(path) {
    Descriptor descriptor = open_for_reading(path);
    file_.reset(::fdopen(descriptor.get(), "r"));
    if (!file_) throw base::InputError(path.string(), 0, "", "cannot be read: " + system_reason(errno));
    descriptor.release();
  }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  ~LineReader() { std::free(line_); }

  // False at the end, and for a last line without an end: it was cut off, and so was its frame.
  bool next() {
    const ssize_t length = ::getline(&line_, &room_, file_.get());
    if (length <= 0 || line_[length - 1] != '\n') {
      if (std::ferror(file_.get())) fail("cannot be read to its end");
      return false;
    }
    text_ = trimmed(std::string_view(line_, static_cast<std::size_t>(length - 1)));
    position_ += static_cast<std::uint64_t>(length);
    ++number_;
    return true;
  }
  std::string_view text() const { return text_; }
  std::uint64_t position() const { return position_; }  // behind the line
  [[noreturn]] void fail(const std::string& what) const { throw base::InputError(path_.string(), number_, "", what); }

 private:
  struct Close {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<FILE, Close> file_;
  char* line_ = nullptr;  // getline's own memory
  std::size_t room_ = 0;
  std::string_view text_;
  std::uint64_t position_ = 0;
  int number_ = 0;
};

void expect_line(const LineReader& lines, std::string_view needed) {
  if (lines.text() != needed) lines.fail(fmt::format("is not a LAMMPS dump: '{}' expected", needed));
}

std::int64_t read_count(const LineReader& lines) {
  std::int64_t count = 0;
  const char* const last = lines.text().data() + lines.text().size();
  const auto [end, error] = std::from_chars(lines.text().data(), last, count);
  if (error != std::errc{} || end != last || count < 0) lines.fail("is not a LAMMPS dump: a number of atoms expected");
  return count;
}

// Where each complete frame ends, up to `limit` of them.
std::vector<std::uint64_t> frame_ends(const std::filesystem::path& path, std::int64_t limit) {
  LineReader lines(path);
  std::vector<std::uint64_t> ends;
  while (static_cast<std::int64_t>(ends.size()) < limit && lines.next()) {
    expect_line(lines, kFirstLine);
    std::int64_t left = kLinesBeforeAtoms - 1;
    for (int line = 2; left > 0 && lines.next(); ++line, --left) {
      if (line == 3) expect_line(lines, kCountLine);
      if (line == 4) left += read_count(lines);
    }
    if (left == 0) ends.push_back(lines.position());
  }
  return ends;
}

}  // namespace

void append_lammps_dump(const std::filesystem::path& path, const measure::Frame& frame) {
  check_frame(path, frame);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file.is_open()) throw_write_error(path, "open", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw_write_error(path, "look at", errno);
  if (const int error = write_all_at(file.get(), text_of(frame), static_cast<std::uint64_t>(status.st_size))) {
    (void)!::ftruncate(file.get(), status.st_size);  // no half frame; the error to tell is the first
    throw_write_error(path, "write", error);
  }
}

std::int64_t count_lammps_frames(const std::filesystem::path& path) {
  return static_cast<std::int64_t>(frame_ends(path, std::numeric_limits<std::int64_t>::max()).size());
}

void keep_lammps_frames(const std::filesystem::path& path, std::int64_t keep_frames) {
  if (keep_frames < 0) throw std::logic_error("a dump cannot keep a negative number of frames");
  std::uint64_t end = 0;
  if (keep_frames > 0) {
    const auto ends = frame_ends(path, keep_frames);
    if (static_cast<std::int64_t>(ends.size()) < keep_frames)
      throw base::InputError(path.string(), 0, "",
                             fmt::format("cannot go on with this dump: it has {} complete frames, {} are needed",
                                         ends.size(), keep_frames));
    end = ends.back();
  }
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file.is_open()) throw_write_error(path, "open", errno);
  if (::ftruncate(file.get(), static_cast<off_t>(end)) != 0) throw_write_error(path, "shorten", errno);
}

}  // namespace moraine::io
