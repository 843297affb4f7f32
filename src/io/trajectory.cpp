// SPDX-License-Identifier: MIT
#include "io/trajectory.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "io/checksum.hpp"
#include "io/file.hpp"
#include "io/frame_fields.hpp"
#include "io/hdf5.hpp"
#include "io/journal.hpp"

namespace moraine::io {

namespace {

const std::string kFormat = "moraine trajectory";
constexpr std::int64_t kVersion = 1;

std::string frame_name(std::int64_t index) { return fmt::format("{:06d}", index); }

// How the entries of a field lie on the disk.
template <class T>
struct Layout;
template <>
struct Layout<double> {
  static constexpr NumberType kType = NumberType::kReal64;
  static constexpr std::size_t kWidth = 1;
};
template <>
struct Layout<std::int64_t> {
  static constexpr NumberType kType = NumberType::kInt64;
  static constexpr std::size_t kWidth = 1;
};
template <>
struct Layout<std::int32_t> {
  static constexpr NumberType kType = NumberType::kInt32;
  static constexpr std::size_t kWidth = 1;
};
template <class T, std::size_t N>
struct Layout<std::array<T, N>> {
  static constexpr NumberType kType = Layout<T>::kType;
  static constexpr std::size_t kWidth = N;
};

template <class T>
void write_field(hid_t group, const char* name, const std::vector<T>& field) {
  write_numbers(group, name, Layout<T>::kType, field.data(), field.size(), Layout<T>::kWidth);
}
template <class T, std::size_t N>
void write_field(hid_t group, const char* name, const std::array<T, N>& field) {
  write_numbers(group, name, Layout<T>::kType, field.data(), N, 1);
}
void write_field(hid_t group, const char* name, const std::vector<std::string>& field) {
  write_names(group, name, field);
}

template <class T>
void read_field(hid_t group, const char* name, std::vector<T>& field) {
  field.resize(rows_of(group, name, Layout<T>::kType, Layout<T>::kWidth));
  if (!field.empty()) read_numbers(group, name, Layout<T>::kType, field.data());
}
template <class T, std::size_t N>
void read_field(hid_t group, const char* name, std::array<T, N>& field) {
  if (rows_of(group, name, Layout<T>::kType, 1) != N)
    throw Hdf5Error(fmt::format("dataset '{}' has another size", name));
  read_numbers(group, name, Layout<T>::kType, field.data());
}
void read_field(hid_t group, const char* name, std::vector<std::string>& field) { field = read_names(group, name); }

template <class Field>
void add_to(Checksum& sum, const Field& field) {
  const std::uint64_t count = field.size();
  sum.add(&count, sizeof count);
  if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
    for (const std::string& text : field) sum.add(text.c_str(), text.size() + 1);
  } else if (count > 0) {
    sum.add(field.data(), count * sizeof field[0]);
  }
}

std::uint64_t checksum_of(const measure::Frame& frame) {
  Checksum sum;
  sum.add(&frame.dimension, sizeof frame.dimension);
  sum.add(&frame.time, sizeof frame.time);
  sum.add(&frame.step, sizeof frame.step);
  visit_fields(frame, [&](const char*, const auto& field, Per) { add_to(sum, field); });
  return sum.value();
}

void write_frame(hid_t frames, std::int64_t index, const measure::Frame& frame) {
  const Hdf5Id group = create_group(frames, frame_name(index));
  write_attribute(group.get(), "time", frame.time);
  write_attribute(group.get(), "step", frame.step);
  write_attribute(group.get(), "dimension", std::int64_t{frame.dimension});
  write_attribute(group.get(), "checksum", checksum_of(frame));
  visit_fields(frame, [&](const char* name, const auto& field, Per) { write_field(group.get(), name, field); });
}

measure::Frame read_frame(hid_t frames, std::int64_t index) {
  const Hdf5Id group = open_group(frames, frame_name(index));
  measure::Frame frame;
  std::int64_t dimension = 0;
  std::uint64_t checksum = 0;
  read_attribute(group.get(), "time", frame.time);
  read_attribute(group.get(), "step", frame.step);
  read_attribute(group.get(), "dimension", dimension);
  read_attribute(group.get(), "checksum", checksum);
  frame.dimension = static_cast<int>(dimension);
  visit_fields(frame, [&](const char* name, auto& field, Per) { read_field(group.get(), name, field); });
  if (checksum != checksum_of(frame)) throw Hdf5Error("the checksum is not the one it was written with");
  if (!is_consistent(frame)) throw Hdf5Error("its fields differ in length");
  return frame;
}

// A sound file, but not one for this program.
struct OtherVersion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The number of frames; throws Hdf5Error if the file is not a trajectory.
std::int64_t count_frames(hid_t file) {
  std::string format;
  std::int64_t version = 0;
  read_attribute(file, "format", format);
  read_attribute(file, "version", version);
  if (format != kFormat) throw Hdf5Error("its format is '" + format + "', not '" + kFormat + "'");
  if (version != kVersion) throw OtherVersion(other_version(version, kVersion));
  H5G_info_t info{};
  check_hdf5(H5Gget_info_by_name(file, "frames", &info, H5P_DEFAULT), "find group 'frames'");
  return static_cast<std::int64_t>(info.nlinks);
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& path, const std::string& where,
                                   const std::string& why) {
  throw base::InputError(path.string(), 0, where, fmt::format("is not a Moraine trajectory, or is damaged: {}", why));
}

// Calls use(file) with the trajectory open to read, as of its last complete frame.
template <class Use>
void read_with(const std::filesystem::path& path, const std::string& where, Use&& use) {
  constexpr int kTries = 3;
  for (int attempt = 1;; ++attempt) {
    const Descriptor descriptor = open_for_reading(path);
    const ReadLock lock(descriptor.get());
    Hdf5Image image = image_with_journal(path, descriptor.get());
    const Hdf5Session session;
    try {
      const Hdf5Id file = open_hdf5(image, false);
      use(file.get());
      return;
    } catch (const OtherVersion& error) {
      throw base::InputError(path.string(), 0, where, error.what());
    } catch (const Hdf5Error& error) {
      // Where locks do not hold, a frame may have been added under our hands.
      if (attempt == kTries || size_of(descriptor.get(), path) == image.base_size())
        throw_unreadable(path, where, error.what());
    }
  }
}

// Calls change(frames) with the group of frames open to write, then brings the changes to the disk together.
template <class Change>
void change_with(const std::filesystem::path& path, Change&& change) {
  const Descriptor descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!descriptor.is_open()) throw_write_error(path, "open", errno);
  finish_commit(path, descriptor.get());
  Hdf5Image image(descriptor.get(), size_of(descriptor.get(), path));
  {
    const Hdf5Session session;
    Hdf5Id file = open_hdf5(image, true);
    {
      const Hdf5Id frames = open_group(file.get(), "frames");
      change(frames.get());
    }
    file.close("finish the frame");
  }
  commit(path, descriptor.get(), image);
}

}  // namespace

TrajectoryWriter TrajectoryWriter::create(const std::filesystem::path& path) {
  Hdf5Image image;
  {
    const Hdf5Session session;
    Hdf5Id file = create_hdf5(image);
    write_attribute(file.get(), "format", kFormat);
    write_attribute(file.get(), "version", kVersion);
    create_group(file.get(), "frames");
    file.close("finish the file");
  }
  // A note for the old file must not be carried out on the new one.
  forget_journal(path);
  write_file_atomically(path, image.tail());
  return {path, 0};
}

TrajectoryWriter TrajectoryWriter::resume(const std::filesystem::path& path, std::int64_t keep_frames) {
  if (keep_frames < 0) throw std::logic_error("a trajectory cannot keep a negative number of frames");
  std::int64_t count = 0;
  read_with(path, "", [&](hid_t file) { count = count_frames(file); });
  if (count < keep_frames)
    throw base::InputError(
        path.string(), 0, "",
        fmt::format("cannot go on with this trajectory: it has {} frames, {} are needed", count, keep_frames));
  if (count == keep_frames) return {path, keep_frames};
  try {
    change_with(path, [&](hid_t frames) {
      for (std::int64_t index = keep_frames; index < count; ++index)
        check_hdf5(H5Ldelete(frames, frame_name(index).c_str(), H5P_DEFAULT), "drop frame " + frame_name(index));
    });
  } catch (const Hdf5Error& error) {
    throw_unreadable(path, "", error.what());
  }
  return {path, keep_frames};
}

void TrajectoryWriter::append(const measure::Frame& frame) {
  if (closed_) throw std::logic_error("a frame for a trajectory that is closed: " + path_.string());
  check_frame(path_, frame);
  try {
    change_with(path_, [&](hid_t frames) { write_frame(frames, count_, frame); });
  } catch (const Hdf5Error& error) {
    throw base::RunError(fmt::format("cannot add a frame to '{}': {}", path_.string(), error.what()),
                         "another program may have changed or replaced the file; choose another output folder (--out)");
  }
  ++count_;
}

TrajectoryReader::TrajectoryReader(std::filesystem::path path) : path_(std::move(path)) { refresh(); }

std::int64_t TrajectoryReader::refresh() {
  read_with(path_, "", [&](hid_t file) {
    const std::int64_t found = count_frames(file);
    // Fewer than before: the run was resumed from further back. Otherwise only the new ones need a look.
    if (found < count()) times_.clear();
    times_.reserve(static_cast<std::size_t>(found));
    while (count() < found) {
      const Hdf5Id group = open_group(file, "frames/" + frame_name(count()));
      double time = 0;
      read_attribute(group.get(), "time", time);
      times_.push_back(time);
    }
  });
  return count();
}

measure::Frame TrajectoryReader::read(std::int64_t index) const {
  if (index < 0 || index >= count())
    throw std::out_of_range(fmt::format("{}: no frame {} among {}", path_.string(), index, count()));
  measure::Frame frame;
  read_with(path_, "frames/" + frame_name(index), [&](hid_t file) {
    const Hdf5Id frames = open_group(file, "frames");
    frame = read_frame(frames.get(), index);
  });
  return frame;
}

}  // namespace moraine::io
