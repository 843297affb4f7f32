// SPDX-License-Identifier: MIT
// A scene with mistakes of form cannot be built, but some mistakes of meaning can be told along with them: names of
// materials that do not exist, walls without length. So that a user sees all at once.
#pragma once

#include "scene/values.hpp"

namespace moraine::scene {

// Of soft contacts.
std::string no_restitution();

// Adds to problems what it finds in a tree some of whose values may be absent because they were wrong.
void check_what_is_there(const Node& scene, Problems& problems);

}  // namespace moraine::scene
