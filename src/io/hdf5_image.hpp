// SPDX-License-Identifier: MIT
// The bytes of an HDF5 file as HDF5 would have them: a file on the disk, read only, and over it in memory what HDF5 has
// changed and added. HDF5 itself never writes to a disk, so a full one cannot catch it half way (it does not survive
// that well); what becomes of the changes is decided after it has closed the file. Inside io only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace moraine::io {

class Hdf5Image {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  // An empty one, in memory.
  Hdf5Image() = default;
  // Over the first `size` bytes of an open file, which must stay open and is never written through this.
  Hdf5Image(int descriptor, std::uint64_t size) : descriptor_(descriptor), base_size_(size), size_(size) {}

  std::uint64_t base_size() const { return base_size_; }
  std::uint64_t size() const { return size_; }
  // What was changed below base_size(), by offset: whole pages (the last one may be shorter).
  const std::map<std::uint64_t, std::string>& pages() const { return pages_; }
  // What was added from base_size() on.
  std::string_view tail() const { return tail_; }
  std::string take_tail() { return std::move(tail_); }

  // Both return 0 or an errno value. Beyond the end there are zeros.
  int read(std::uint64_t offset, std::size_t count, char* out) const;
  int write(std::uint64_t offset, std::string_view bytes);
  void reserve(std::uint64_t bytes) { tail_.reserve(bytes); }  // room for new bytes, so that they need not move
  void resize(std::uint64_t size);

 private:
  int read_base(std::uint64_t offset, std::size_t count, char* out) const;

  int descriptor_ = -1;
  std::uint64_t base_size_ = 0;
  std::uint64_t size_ = 0;
  std::map<std::uint64_t, std::string> pages_;
  std::string tail_;
};

}  // namespace moraine::io
