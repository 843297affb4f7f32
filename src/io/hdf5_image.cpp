// SPDX-License-Identifier: MIT
#include "io/hdf5_image.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace moraine::io {

int Hdf5Image::read_base(std::uint64_t offset, std::size_t count, char* out) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, out, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return EIO;  // the file has become shorter under our hands
    offset += static_cast<std::uint64_t>(got);
    out += got;
    count -= static_cast<std::size_t>(got);
  }
  return 0;
}

int Hdf5Image::read(std::uint64_t offset, std::size_t count, char* out) const {
  // From the file below, then what was changed there.
  if (offset < base_size_) {
    const std::size_t below = std::min<std::uint64_t>(count, base_size_ - offset);
    if (const int error = read_base(offset, below, out)) return error;
    for (auto it = pages_.lower_bound(offset - offset % kPageBytes); it != pages_.end(); ++it) {
      const auto& [start, page] = *it;
      if (start >= offset + below) break;
      const std::uint64_t from = std::max(start, offset), to = std::min(start + page.size(), offset + below);
      if (from < to) std::memcpy(out + (from - offset), page.data() + (from - start), to - from);
    }
    offset += below;
    out += below;
    count -= below;
  }
  // From the tail, then zeros.
  const std::uint64_t in_tail = offset - base_size_;
  if (count > 0 && in_tail < tail_.size()) {
    const std::size_t piece = std::min<std::uint64_t>(count, tail_.size() - in_tail);
    std::memcpy(out, tail_.data() + in_tail, piece);
    out += piece;
    count -= piece;
  }
  if (count > 0) std::memset(out, 0, count);
  return 0;
}

int Hdf5Image::write(std::uint64_t offset, std::string_view bytes) {
  size_ = std::max(size_, offset + bytes.size());
  while (!bytes.empty() && offset < base_size_) {
    const std::uint64_t start = offset - offset % kPageBytes;
    auto it = pages_.find(start);
    if (it == pages_.end()) {
      std::string page(std::min(kPageBytes, base_size_ - start), '\0');
      if (const int error = read_base(start, page.size(), page.data())) return error;
      it = pages_.emplace(start, std::move(page)).first;
    }
    const std::size_t within = offset - start;
    const std::size_t piece = std::min(bytes.size(), it->second.size() - within);
    std::memcpy(it->second.data() + within, bytes.data(), piece);
    bytes.remove_prefix(piece);
    offset += piece;
  }
  if (bytes.empty()) return 0;
  const std::uint64_t in_tail = offset - base_size_;
  if (tail_.size() < in_tail + bytes.size()) {
    if (tail_.capacity() < in_tail + bytes.size()) tail_.reserve(std::max(2 * tail_.size(), in_tail + bytes.size()));
    tail_.resize(in_tail + bytes.size());
  }
  std::memcpy(tail_.data() + in_tail, bytes.data(), bytes.size());
  return 0;
}

void Hdf5Image::resize(std::uint64_t size) {
  size_ = size;
  tail_.resize(size > base_size_ ? size - base_size_ : 0);
}

}  // namespace moraine::io
