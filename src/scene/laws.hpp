// SPDX-License-Identifier: MIT
// From [[material]] and [[contact]] to the numbers of the contact law of every pair of materials.
#pragma once

#include "scene/values.hpp"
#include "world/material.hpp"

namespace moraine::scene {

struct Laws {
  std::vector<world::Material> materials;  // those of the scene, then one more per rigid wall material in use
  std::vector<std::string> names;          // of the scene's materials
  world::PairLaws pairs;

  // Index of a material by name; -1 and a problem if there is none. `rigid`: as a wall that does not yield.
  int find(const Node& node, std::string_view key, bool rigid, Problems& problems) const;
};

Laws read_laws(const Node& scene, Problems& problems);

}  // namespace moraine::scene
