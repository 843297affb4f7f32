// SPDX-License-Identifier: MIT
// Files of other versions of the program. Apart from io_samples.hpp, since few tests see HDF5.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>

#include "io/hdf5.hpp"

namespace moraine::io::testing {

// As if another version of the program had written the trajectory.
inline void set_version(const std::filesystem::path& trajectory, std::int64_t version) {
  const Hdf5Session session;
  const Hdf5Id file(H5Fopen(trajectory.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
  const Hdf5Id number(H5Aopen(file.get(), "version", H5P_DEFAULT), H5Aclose, "find the version");
  ASSERT_GE(H5Awrite(number.get(), H5T_NATIVE_INT64, &version), 0);
}

}  // namespace moraine::io::testing
