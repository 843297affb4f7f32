// SPDX-License-Identifier: MIT
// Ready-made set-ups: a short [setup] table becomes ordinary tables, as the text of a scene that runs by itself.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/values.hpp"

namespace moraine::scene {

// The tables that a set-up makes; a scene with [setup] may not have its own.
const std::vector<std::string>& tables_made_by_setups();

struct Expanded {
  std::string text;                                           // the complete scene
  std::vector<std::pair<std::string, std::string>> defaults;  // keys of [time] that the scene may leave open
  std::vector<std::string> derived;                           // numbers that were worked out: "name = value"
  std::vector<std::string> warnings{};                        // what is right but not quite what was asked for
};

// Problems of the set-up's own values go to `problems`.
Expanded expand_setup(const Node& scene, Problems& problems);

}  // namespace moraine::scene
