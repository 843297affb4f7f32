// SPDX-License-Identifier: MIT
// Writes a validated scene as a complete scene file: every default spelled out, every number in SI units with as many
// digits as it needs to be read back to the same bits. Running that file repeats the run, whatever the defaults become.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/schema.hpp"
#include "scene/values.hpp"

namespace moraine::scene {

// Reading the result with the same schema gives a Node equal to `node`. The top-level keys in `leave_out` are not
// written: a set-up that expands into ordinary tables replaces itself this way.
std::string write_complete(const Schema& schema, const Node& node, const std::vector<std::string>& leave_out = {});

// A TOML string literal, quotes included; for code that composes scene texts, such as the ready-made set-ups.
std::string toml_string(std::string_view text);

// A TOML float: always with a point or an exponent.
std::string toml_number(double value);

}  // namespace moraine::scene
