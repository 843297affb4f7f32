// SPDX-License-Identifier: MIT
// A packing as it stands as a truss: nodes are free bodies and clumps, struts are closed contacts; walls and held
// bodies are the ground.
#pragma once

#include <vector>

#include "measure/branch.hpp"
#include "measure/probe.hpp"
#include "measure/truss.hpp"

namespace moraine::measure {

// Contacts of these materials have one stiffness along the normal, law.K.
inline bool constant_stiffness(const world::PairLaw& law) {
  using world::NormalLaw;
  return law.K > 0 && (law.normal == NormalLaw::kLinear || law.normal == NormalLaw::kWaltonBraun);
}

enum class TrussLoads : std::uint8_t {
  kWeight,  // mass times gravity
  kMotion,  // all forces from outside less mass times acceleration: what the contacts of the run balance (Wierzba 7.34)
};

struct PackingPlan {
  bool friction = true;        // as the materials have it
  bool law_stiffness = false;  // of each pair of materials; otherwise the same for all (Wierzba 7.37)
  double shear_ratio = -1;     // stiffness along the surface over that along the normal; negative: as the laws have it
  TrussLoads loads = TrussLoads::kWeight;
};

template <int D>
struct Packing {
  Truss<D> truss;
  std::vector<std::uint32_t> record;  // of a strut: the contact it stands for
  std::vector<std::uint8_t> swapped;  // the strut's a is the contact's b
  std::vector<std::uint8_t> single;   // of a node: a single body, no clump
};

template <int D>
Packing<D> packing_of(const Sight<D>& sight, const PackingPlan& plan);

}  // namespace moraine::measure
