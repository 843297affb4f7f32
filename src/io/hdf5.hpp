// SPDX-License-Identifier: MIT
// The little of HDF5's C interface that we use, with ids that close themselves, errors that are exceptions and never
// text on stderr, and arrays of plain numbers. Files are always an Hdf5Image, never opened by HDF5. Inside io only.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5_image.hpp"

namespace moraine::io {

// What HDF5 could not do. Caught where the path is known and told as base::InputError or base::RunError.
struct Hdf5Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// To be held around any use of HDF5: the library is built without threads in mind, and prints its errors unless told.
class Hdf5Session {
 public:
  Hdf5Session();

 private:
  std::lock_guard<std::mutex> lock_;
};

class Hdf5Id {
 public:
  using Closer = herr_t (*)(hid_t);
  // Throws Hdf5Error "cannot <what>" if the id is none.
  Hdf5Id(hid_t id, Closer closer, const std::string& what);
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  ~Hdf5Id();
  hid_t get() const { return id_; }
  // For a file: closing is when HDF5 writes, and may fail.
  void close(const std::string& what);

 private:
  hid_t id_;
  Closer closer_;
};

// Throws Hdf5Error "cannot <what>: <HDF5's own words>" for a negative result.
void check_hdf5(herr_t result, const std::string& what);

Hdf5Id create_hdf5(Hdf5Image& image, std::uint64_t user_block_bytes = 0);
Hdf5Id open_hdf5(Hdf5Image& image, bool to_write);

Hdf5Id create_group(hid_t parent, const std::string& name);
Hdf5Id open_group(hid_t parent, const std::string& name);
std::vector<std::string> names_in(hid_t group);  // sorted

void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
void write_attribute(hid_t object, const std::string& name, const std::string& value);
void read_attribute(hid_t object, const std::string& name, double& value);
void read_attribute(hid_t object, const std::string& name, std::int64_t& value);
void read_attribute(hid_t object, const std::string& name, std::uint64_t& value);
void read_attribute(hid_t object, const std::string& name, std::string& value);

// Numbers in rows of `width` (1: a plain list).
enum class NumberType { kReal64, kInt64, kInt32 };
void write_numbers(hid_t group, const std::string& name, NumberType type, const void* data, std::size_t rows,
                   std::size_t width);
// The number of rows; throws unless type and width are those.
std::size_t rows_of(hid_t group, const std::string& name, NumberType type, std::size_t width);
void read_numbers(hid_t group, const std::string& name, NumberType type, void* data);

// One text of any bytes, and a list of names (which hold no zero byte).
void write_text(hid_t group, const std::string& name, const std::string& text);
std::string read_text(hid_t group, const std::string& name);
void write_names(hid_t group, const std::string& name, const std::vector<std::string>& names);
std::vector<std::string> read_names(hid_t group, const std::string& name);

}  // namespace moraine::io
