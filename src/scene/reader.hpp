// SPDX-License-Identifier: MIT
// Reads a scene file (TOML) against a schema and reports every mistake in it together: base::InputError.
// It knows the form of a scene and not its meaning; whether a material exists is for whoever uses the values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/schema.hpp"
#include "scene/values.hpp"

namespace moraine::scene {

// Files above this size are refused unread: a scene is text written by people or small scripts.
inline constexpr std::uintmax_t kLargestScene = 64u << 20;

// `sets`: texts "key.path=value" from --set, applied in turn before validation. The value is TOML, or a plain string
// where it does not parse. A path may go through arrays by index ("body.0.radius", "body[0].radius") and through
// arrays of named tables by name ("material.steel.density").
Node read_scene(const Schema& schema, const std::filesystem::path& path, const std::vector<std::string>& sets = {},
                Problems* found = nullptr);

// With `found`, mistakes of form go there instead of being thrown, and what was wrong is absent from the result (a text
// that is no TOML, or a file that cannot be read, is still thrown).
// The same for a text in memory; `filename` is what the messages call it.
Node read_scene_text(const Schema& schema, std::string_view text, const std::string& filename,
                     const std::vector<std::string>& sets = {}, Problems* found = nullptr);

// Reads every default of the schema, in 2D and in 3D; one that its own key would refuse is our bug: std::logic_error.
void check_defaults(const Schema& schema);

}  // namespace moraine::scene
