// SPDX-License-Identifier: MIT
// The two kinds of trouble a user can meet, under the names that the rooms use. They are those of the library.
#pragma once

#include "moraine/error.hpp"

namespace moraine::base {

using moraine::InputError;
using moraine::Problem;
using moraine::RunError;

}  // namespace moraine::base
