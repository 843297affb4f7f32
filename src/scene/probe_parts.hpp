// SPDX-License-Identifier: MIT
// What the makers of probes share. Only probes.cpp and its parts use this.
#pragma once

#include "measure/probe.hpp"
#include "scene/values.hpp"
#include "world/world.hpp"

namespace moraine::scene {

// What the makers of probes need to know. Walls by the names in the file, so that one that is wrong itself is not
// called missing too.
template <int D>
struct Known {
  const Node& scene;
  const world::World<D>& world;
  bool bodies;  // all of the start are there; rain may bring more
  std::vector<std::string> walls;
};

// Number of a wall by name, or -1 and a problem.
std::int64_t find_wall(const std::vector<std::string>& names, const Node& node, std::string_view key,
                       const std::string& name, Problems& problems);
// The numbers of all names in the list `key`; of all there are if it is not given.
std::vector<std::size_t> find_all(const std::vector<std::string>& names, const Node& node, const char* key,
                                  const char* what, Problems& problems);

template <int D>
measure::ProbePtr<D> jam_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems);
template <int D>
measure::ProbePtr<D> accumulation_probe(const Known<D>& known, const Node& node, const std::string& name,
                                        Problems& problems);

}  // namespace moraine::scene
