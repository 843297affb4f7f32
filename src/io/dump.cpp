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

// Where each complete frame ends, up to `limit` of them, read line by line: a dump can be larger than the memory.
std::vector<std::uint64_t> frame_ends(const std::filesystem::path& path, std::int64_t limit) {
  Descriptor descriptor = open_for_reading(path);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(::fdopen(descriptor.get(), "r"), std::fclose);
  if (!file) throw base::InputError(path.string(), 0, "", "cannot be read: " + system_reason(errno));
  descriptor.release();
  const std::unique_ptr<char*, void (*)(char**)> owner(new char*(nullptr), [](char** p) {
    ::free(*p);
    delete p;
  });

  std::size_t room = 0;
  std::uint64_t position = 0;
  int line_number = 0;
  bool ended = true;
  const auto next = [&](std::string_view& line) {
    const ssize_t length = ::getline(owner.get(), &room, file.get());
    if (length <= 0) return false;
    position += static_cast<std::uint64_t>(length);
    ++line_number;
    line = std::string_view(*owner, static_cast<std::size_t>(length));
    ended = line.back() == '\n';
    line = trimmed(ended ? line.substr(0, line.size() - 1) : line);
    return ended;  // a line without an end was cut off: the frame is not complete
  };
  const auto foreign = [&](std::string_view needed) {
    throw base::InputError(path.string(), line_number, "", fmt::format("is not a LAMMPS dump: '{}' expected", needed));
  };

  std::vector<std::uint64_t> ends;
  std::string_view line;
  while (static_cast<std::int64_t>(ends.size()) < limit && next(line)) {
    if (line != kFirstLine) foreign(kFirstLine);
    std::int64_t left = kLinesBeforeAtoms - 1;
    for (int i = 1; left > 0 && next(line); ++i, --left) {
      if (i == 2 && line != kCountLine) foreign(kCountLine);
      if (i != 3) continue;
      std::int64_t atoms = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), atoms);
      if (error != std::errc{} || end != line.data() + line.size() || atoms < 0) foreign("a number of atoms");
      left += atoms;
    }
    if (left == 0) ends.push_back(position);
  }
  if (std::ferror(file.get())) throw base::InputError(path.string(), 0, "", "cannot be read to its end");
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
