// SPDX-License-Identifier: MIT
// A scene with mistakes of form cannot be built, but most mistakes of meaning can be told along with them: names that
// do not exist, bodies that overlap, a step that is too long. So that a user sees all at once.
#pragma once

#include "scene/load.hpp"

namespace moraine::scene {

// Adds to problems, those of form, what building the scene in spite of them finds that does not follow from them.
void check_in_spite(Scene scene, Problems& problems);

}  // namespace moraine::scene
