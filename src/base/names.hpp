// SPDX-License-Identifier: MIT
// Names in messages to the user: which one was meant, and which there are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moraine::base {

// The candidate most like `name`, if one is near enough to be what was meant.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean 'radius'?", or nothing: to be put at the end of a message about an unknown name.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

// "'a', 'b', 'c'", for messages that list what is allowed.
std::string list_text(const std::vector<std::string>& names);

}  // namespace moraine::base
