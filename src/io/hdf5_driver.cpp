// SPDX-License-Identifier: MIT
#include "io/hdf5_driver.hpp"

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // where HDF5 1.14 keeps what 1.10 has in hdf5.h
#endif

#include <exception>
#include <new>

namespace moraine::io {

namespace {

// What HDF5 holds for an open file. It must begin with HDF5's own part.
struct OpenImage {
  H5FD_t base;
  Hdf5Image* image;
  haddr_t allocated;
};

struct ImageChoice {
  Hdf5Image* image;
};

constexpr haddr_t kMaxAddress = (haddr_t{1} << 62) - 1;

OpenImage* to_open(H5FD_t* file) { return reinterpret_cast<OpenImage*>(file); }
const OpenImage* to_open(const H5FD_t* file) { return reinterpret_cast<const OpenImage*>(file); }

H5FD_t* open_image(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* choice = static_cast<const ImageChoice*>(H5Pget_driver_info(access));
  if (choice == nullptr) return nullptr;
  auto* file = new (std::nothrow) OpenImage{};
  if (file == nullptr) return nullptr;
  file->image = choice->image;
  if ((flags & H5F_ACC_TRUNC) != 0) file->image->resize(0);
  return &file->base;
}

herr_t close_image(H5FD_t* file) {
  delete to_open(file);
  return 0;
}

int compare_images(const H5FD_t* a, const H5FD_t* b) {
  const auto left = reinterpret_cast<std::uintptr_t>(to_open(a)->image);
  const auto right = reinterpret_cast<std::uintptr_t>(to_open(b)->image);
  return left < right ? -1 : (left > right ? 1 : 0);
}

herr_t query_image(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return to_open(file)->allocated; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  to_open(file)->allocated = address;
  return 0;
}

haddr_t end_of_image(const H5FD_t* file, H5FD_mem_t) { return to_open(file)->image->size(); }

herr_t read_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* out) {
  return to_open(file)->image->read(address, size, static_cast<char*>(out)) == 0 ? 0 : -1;
}

herr_t write_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* data) {
  try {  // no exception may pass through HDF5; out of memory is an error to it
    return to_open(file)->image->write(address, {static_cast<const char*>(data), size}) == 0 ? 0 : -1;
  } catch (const std::exception&) {
    return -1;
  }
}

herr_t truncate_image(H5FD_t* file, hid_t, hbool_t) {
  try {
    if (to_open(file)->image->size() != to_open(file)->allocated)
      to_open(file)->image->resize(to_open(file)->allocated);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

hid_t register_driver() {
  static H5FD_class_t driver{};  // HDF5 copies it, but with 1.14 it must stay
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // 512 and above are free for own drivers
#endif
  driver.name = "moraine_image";
  driver.maxaddr = kMaxAddress;
  driver.fc_degree = H5F_CLOSE_STRONG;  // an error half way must not keep the image open
  driver.fapl_size = sizeof(ImageChoice);
  driver.open = open_image;
  driver.close = close_image;
  driver.cmp = compare_images;
  driver.query = query_image;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = end_of_image;
  driver.read = read_image;
  driver.write = write_image;
  driver.truncate = truncate_image;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) driver.fl_map[i] = map[i];
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Id new_image_access(Hdf5Image& image) {
  // Once; HDF5 forgets it at exit. Called within a session only, so never by two threads at once.
  static const hid_t driver = register_driver();
  const ImageChoice choice{&image};
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make settings");
  check_hdf5(static_cast<herr_t>(driver < 0 ? -1 : 0), "register the file driver");
  check_hdf5(H5Pset_driver(access.get(), driver, &choice), "set the file driver");
  check_hdf5(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "make settings");
  // The format of HDF5 1.8: all bookkeeping has checksums, and every HDF5 of the last fifteen years can read it.
  check_hdf5(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V110), "make settings");
  return access;
}

}  // namespace moraine::io
