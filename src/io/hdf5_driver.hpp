// SPDX-License-Identifier: MIT
// Lets HDF5 work on an Hdf5Image as if it were a file (a "virtual file driver" in HDF5's words). No locks, no disk.
// Inside io only.
#pragma once

#include "io/hdf5.hpp"

namespace moraine::io {

// A file access list that leads to the image, whatever file name is given. The image must outlive the file.
Hdf5Id new_image_access(Hdf5Image& image);

}  // namespace moraine::io
