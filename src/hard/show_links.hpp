// SPDX-License-Identifier: MIT
// Forces of the links of a scene, for whoever looks.
#pragma once

#include <vector>

#include "hard/rows.hpp"
#include "world/contacts.hpp"

namespace moraine::hard {

// Into the links of the world, and as records in the order of the links.
template <int D>
void show_links(const System<D>& system, const Kinematics<D>& k, const std::vector<double>& gamma, World<D>& world,
                std::vector<world::ContactRecord<D>>& records);

template <int D>
void sort_records(std::vector<world::ContactRecord<D>>& records);

}  // namespace moraine::hard
