// SPDX-License-Identifier: MIT
// The scene of an input file of the pipe program: what the file says, and what the program does besides.
#pragma once

#include <string>

#include "foreign/pipe_input.hpp"

namespace moraine::foreign {

// A complete scene file; its comments say which line each number is from. `name`: of the input file, without folders.
// Throws base::InputError if it could not be run: disks that overlap, numbers far beyond any pipe.
std::string pipe_scene(const PipeInput& input, const std::string& name);

}  // namespace moraine::foreign
