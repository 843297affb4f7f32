// SPDX-License-Identifier: MIT
// trajectory.h5: every frame of a run in one HDF5 file (frames/000000 and so on, one dataset per field of
// measure::Frame). Appending is all or nothing: after a kill at any moment, or a full disk, the file holds the frames
// appended before (see journal.hpp). Can be read while it is written. Does not know what made the frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "measure/frame.hpp"

namespace moraine::io {

class TrajectoryWriter {
 public:
  // A new, empty trajectory; one that is there is replaced.
  static TrajectoryWriter create(const std::filesystem::path& path);
  // Goes on with an existing one: keeps its first `keep_frames` and drops the later ones. Throws base::InputError if it
  // has fewer, or cannot be read.
  static TrajectoryWriter resume(const std::filesystem::path& path, std::int64_t keep_frames);

  // When this returns, the frame is on the disk. Throws base::RunError (the file is then as it was before).
  void append(const measure::Frame& frame);
  std::int64_t count() const { return count_; }
  // No more frames after this. Nothing is pending: leaving it out loses nothing.
  void close() { closed_ = true; }

 private:
  TrajectoryWriter(std::filesystem::path path, std::int64_t count) : path_(std::move(path)), count_(count) {}

  std::filesystem::path path_;
  std::int64_t count_ = 0;
  bool closed_ = false;
};

class TrajectoryReader {
 public:
  // Throws base::InputError for a missing, foreign or damaged file.
  explicit TrajectoryReader(std::filesystem::path path);

  std::int64_t count() const { return static_cast<std::int64_t>(times_.size()); }
  const std::vector<double>& times() const { return times_; }
  // Throws base::InputError if the frame is damaged, std::out_of_range if there is none.
  measure::Frame read(std::int64_t index) const;
  // Looks again for frames written since; returns count().
  std::int64_t refresh();

 private:
  std::filesystem::path path_;
  std::vector<double> times_;
};

}  // namespace moraine::io
