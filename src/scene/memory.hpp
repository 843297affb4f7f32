// SPDX-License-Identifier: MIT
// What is too large for this machine is refused before anything is made of it.
#pragma once

#include "scene/values.hpp"

namespace moraine::scene {

// False, and a problem of the key: this machine has no memory for so many bodies.
bool fits_memory(const Node& node, const char* key, double count, Problems& problems);

}  // namespace moraine::scene
