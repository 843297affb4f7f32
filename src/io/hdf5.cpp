// SPDX-License-Identifier: MIT
#include "io/hdf5.hpp"

#include <algorithm>

#include "io/hdf5_driver.hpp"

namespace moraine::io {

namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

// The innermost entry of HDF5's error stack says the most.
herr_t keep_first(unsigned n, const H5E_error2_t* entry, void* out) {
  if (n == 0 && entry->desc != nullptr) *static_cast<std::string*>(out) = entry->desc;
  return 0;
}

[[noreturn]] void fail(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  throw Hdf5Error("cannot " + what + (reason.empty() ? "" : " (" + reason + ")"));
}

hid_t memory_type(NumberType type) {
  if (type == NumberType::kReal64) return H5T_NATIVE_DOUBLE;
  return type == NumberType::kInt64 ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32;
}

hid_t disk_type(NumberType type) {
  if (type == NumberType::kReal64) return H5T_IEEE_F64LE;
  return type == NumberType::kInt64 ? H5T_STD_I64LE : H5T_STD_I32LE;
}

Hdf5Id new_string_type(std::size_t size) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check_hdf5(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "make a text type");
  check_hdf5(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a text type");
  check_hdf5(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a text type");
  return type;
}

Hdf5Id new_space(std::size_t rows, std::size_t width) {
  const hsize_t dims[2] = {rows, width};
  return {H5Screate_simple(width == 1 ? 1 : 2, dims, nullptr), H5Sclose, "make a data space"};
}

// Small arrays live in the header of their dataset, which saves a block each; times are not kept, so that the same
// content gives the same bytes.
Hdf5Id new_dataset(hid_t group, const std::string& name, hid_t type, const Hdf5Id& space, std::size_t bytes) {
  constexpr std::size_t kSmall = 4096;
  const Hdf5Id settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make settings");
  check_hdf5(H5Pset_obj_track_times(settings.get(), false), "make settings");
  if (bytes > 0 && bytes <= kSmall) check_hdf5(H5Pset_layout(settings.get(), H5D_COMPACT), "make settings");
  return {H5Dcreate2(group, name.c_str(), type, space.get(), H5P_DEFAULT, settings.get(), H5P_DEFAULT), H5Dclose,
          "make dataset '" + name + "'"};
}

Hdf5Id open_dataset(hid_t group, const std::string& name) {
  return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open dataset '" + name + "'"};
}

template <class Value>
void write_plain_attribute(hid_t object, const std::string& name, hid_t disk, hid_t memory, const Value& value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a data space");
  const Hdf5Id attribute(H5Acreate2(object, name.c_str(), disk, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make attribute '" + name + "'");
  check_hdf5(H5Awrite(attribute.get(), memory, &value), "write attribute '" + name + "'");
}

void read_plain_attribute(hid_t object, const std::string& name, H5T_class_t kind, hid_t memory, void* value) {
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "find attribute '" + name + "'");
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose, "see attribute '" + name + "'");
  const Hdf5Id space(H5Aget_space(attribute.get()), H5Sclose, "see attribute '" + name + "'");
  if (H5Tget_class(type.get()) != kind || H5Tget_size(type.get()) != 8 ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Hdf5Error("attribute '" + name + "' is not of the expected type");
  check_hdf5(H5Aread(attribute.get(), memory, value), "read attribute '" + name + "'");
}

// Our data is never packed, so a dataset that claims more bytes than its file has is a lie, and not worth the memory.
void check_believable(hid_t dataset, const std::string& name, std::uint64_t bytes) {
  const Hdf5Id file(H5Iget_file_id(dataset), H5Fclose, "see the file");
  hsize_t file_bytes = 0;
  check_hdf5(H5Fget_filesize(file.get(), &file_bytes), "see the file's size");
  if (bytes > file_bytes) throw Hdf5Error("dataset '" + name + "' claims to be larger than the file");
}

// The size of the fixed-length text in a dataset and the number of such texts.
std::pair<std::size_t, std::size_t> text_shape(const Hdf5Id& dataset, const std::string& name) {
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose, "see dataset '" + name + "'");
  const Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose, "see dataset '" + name + "'");
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || count < 0)
    throw Hdf5Error("dataset '" + name + "' is not text");
  const std::size_t size = H5Tget_size(type.get());
  if (count > 0) {
    check_believable(dataset.get(), name, size);
    check_believable(dataset.get(), name, static_cast<std::uint64_t>(count));
    check_believable(dataset.get(), name, size * static_cast<std::size_t>(count));
  }
  return {size, static_cast<std::size_t>(count)};
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* out) {
  try {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  } catch (...) {
    return -1;
  }
  return 0;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(library_mutex()) {
  check_hdf5(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "start");
}

Hdf5Id::Hdf5Id(hid_t id, Closer closer, const std::string& what) : id_(id), closer_(closer) {
  if (id < 0) fail(what);
}

Hdf5Id::~Hdf5Id() {
  if (id_ >= 0) closer_(id_);
}

void Hdf5Id::close(const std::string& what) { check_hdf5(closer_(std::exchange(id_, -1)), what); }

void check_hdf5(herr_t result, const std::string& what) {
  if (result < 0) fail(what);
}

Hdf5Id create_hdf5(Hdf5Image& image, std::uint64_t user_block_bytes) {
  const Hdf5Id access = new_image_access(image);
  const Hdf5Id settings(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make settings");
  check_hdf5(H5Pset_userblock(settings.get(), user_block_bytes), "make settings");
  return {H5Fcreate("image", H5F_ACC_TRUNC, settings.get(), access.get()), H5Fclose, "make an HDF5 file"};
}

Hdf5Id open_hdf5(Hdf5Image& image, bool to_write) {
  const Hdf5Id access = new_image_access(image);
  return {H5Fopen("image", to_write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get()), H5Fclose, "open as HDF5"};
}

Hdf5Id create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          "make group '" + name + "'"};
}

Hdf5Id open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "find group '" + name + "'"};
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  hsize_t index = 0;
  check_hdf5(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &index, add_name, &names), "list a group");
  std::sort(names.begin(), names.end());
  return names;
}

void write_attribute(hid_t object, const std::string& name, double value) {
  write_plain_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, value);
}
void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  write_plain_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, value);
}
void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  write_plain_attribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, value);
}
void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Hdf5Id type = new_string_type(value.size());
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a data space");
  const Hdf5Id attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make attribute '" + name + "'");
  // An empty text has one byte on the disk: the zero that ends it.
  check_hdf5(H5Awrite(attribute.get(), type.get(), value.c_str()), "write attribute '" + name + "'");
}

void read_attribute(hid_t object, const std::string& name, double& value) {
  read_plain_attribute(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
}
void read_attribute(hid_t object, const std::string& name, std::int64_t& value) {
  read_plain_attribute(object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
}
void read_attribute(hid_t object, const std::string& name, std::uint64_t& value) {
  read_plain_attribute(object, name, H5T_INTEGER, H5T_NATIVE_UINT64, &value);
}
void read_attribute(hid_t object, const std::string& name, std::string& value) {
  const Hdf5Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "find attribute '" + name + "'");
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose, "see attribute '" + name + "'");
  const Hdf5Id space(H5Aget_space(attribute.get()), H5Sclose, "see attribute '" + name + "'");
  const std::size_t size = H5Tget_size(type.get());
  constexpr std::size_t kMaxAttributeBytes = 64 * 1024;
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || size > kMaxAttributeBytes ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Hdf5Error("attribute '" + name + "' is not of the expected type");
  value.assign(size, '\0');
  check_hdf5(H5Aread(attribute.get(), type.get(), value.data()), "read attribute '" + name + "'");
  value.resize(std::min(value.find('\0'), value.size()));
}

void write_numbers(hid_t group, const std::string& name, NumberType type, const void* data, std::size_t rows,
                   std::size_t width) {
  const Hdf5Id space = new_space(rows, width);
  const std::size_t bytes = rows * width * H5Tget_size(memory_type(type));
  const Hdf5Id dataset = new_dataset(group, name, disk_type(type), space, bytes);
  if (rows == 0) return;
  check_hdf5(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
             "write dataset '" + name + "'");
}

std::size_t rows_of(hid_t group, const std::string& name, NumberType type, std::size_t width) {
  const Hdf5Id dataset = open_dataset(group, name);
  const Hdf5Id found(H5Dget_type(dataset.get()), H5Tclose, "see dataset '" + name + "'");
  const Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose, "see dataset '" + name + "'");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  hsize_t dims[2] = {0, 1};
  if (rank != (width == 1 ? 1 : 2) || H5Sget_simple_extent_dims(space.get(), dims, nullptr) < 0 || dims[1] != width ||
      H5Tequal(found.get(), disk_type(type)) <= 0)
    throw Hdf5Error("dataset '" + name + "' is not of the expected type or shape");
  check_believable(dataset.get(), name, dims[0]);
  check_believable(dataset.get(), name, dims[0] * width * H5Tget_size(found.get()));
  return dims[0];
}

void read_numbers(hid_t group, const std::string& name, NumberType type, void* data) {
  const Hdf5Id dataset = open_dataset(group, name);
  check_hdf5(H5Dread(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
             "read dataset '" + name + "'");
}

void write_text(hid_t group, const std::string& name, const std::string& text) {
  const Hdf5Id type = new_string_type(text.size());
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a data space");
  const Hdf5Id dataset = new_dataset(group, name, type.get(), space, std::max<std::size_t>(text.size(), 1));
  check_hdf5(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
             "write dataset '" + name + "'");
  // HDF5 has no empty texts and drops zeros at the end: the length is kept beside.
  write_attribute(dataset.get(), "length", static_cast<std::int64_t>(text.size()));
}

std::string read_text(hid_t group, const std::string& name) {
  const Hdf5Id dataset = open_dataset(group, name);
  const auto [size, count] = text_shape(dataset, name);
  std::int64_t length = 0;
  read_attribute(dataset.get(), "length", length);
  if (count != 1 || length < 0 || static_cast<std::uint64_t>(length) > size)
    throw Hdf5Error("dataset '" + name + "' is not one text");
  std::string text(size, '\0');
  const Hdf5Id type = new_string_type(size);
  check_hdf5(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
             "read dataset '" + name + "'");
  text.resize(static_cast<std::size_t>(length));
  return text;
}

void write_names(hid_t group, const std::string& name, const std::vector<std::string>& names) {
  std::size_t size = 1;
  for (const std::string& entry : names) size = std::max(size, entry.size());
  std::string bytes(size * names.size(), '\0');
  for (std::size_t i = 0; i < names.size(); ++i) names[i].copy(bytes.data() + i * size, size);
  const Hdf5Id type = new_string_type(size);
  const Hdf5Id space = new_space(names.size(), 1);
  const Hdf5Id dataset = new_dataset(group, name, type.get(), space, bytes.size());
  if (names.empty()) return;
  check_hdf5(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
             "write dataset '" + name + "'");
}

std::vector<std::string> read_names(hid_t group, const std::string& name) {
  const Hdf5Id dataset = open_dataset(group, name);
  const auto [size, count] = text_shape(dataset, name);
  std::vector<std::string> names(count);
  if (count == 0) return names;
  std::string bytes(size * count, '\0');
  const Hdf5Id type = new_string_type(size);
  check_hdf5(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
             "read dataset '" + name + "'");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry(bytes.data() + i * size, size);
    names[i] = entry.substr(0, entry.find('\0'));
  }
  return names;
}

}  // namespace moraine::io
