// SPDX-License-Identifier: MIT
// Every key of a sweep file, declared once, with the engine that reads scenes.
#pragma once

#include "scene/schema.hpp"

namespace moraine::sweep {

const scene::Schema& sweep_schema();

}  // namespace moraine::sweep
