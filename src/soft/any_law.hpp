// SPDX-License-Identifier: MIT
// For contacts that are computed one at a time.
#pragma once

#include "soft/contact_step.hpp"
#include "soft/laws/cohesion.hpp"

namespace moraine::soft {

// The ordinary laws, chosen at run time, in the place of one: a single loop for all of them.
struct AnyNormal {
  static constexpr int kMemory = laws::WaltonBraun::kMemory;
  static_assert(laws::HuntCrossley::kMemory <= kMemory);

  template <int D>
  static laws::NormalForce force(const laws::Approach<D>& a, const world::PairLaw& p, double* memory, double dt) {
    if (p.cohesion.on) return laws::Cohesive::force(a, p, dt);
    switch (p.normal) {
      case world::NormalLaw::kLinear:
        return laws::Linear::force(a, p, memory, dt);
      case world::NormalLaw::kHertz:
        return laws::Hertz::force(a, p, memory, dt);
      case world::NormalLaw::kHuntCrossley:
        return laws::HuntCrossley::force(a, p, memory, dt);
      case world::NormalLaw::kWaltonBraun:
        break;
    }
    return laws::WaltonBraun::force(a, p, memory, dt);
  }
};

struct AnyTangential {
  template <int D>
  static constexpr int kMemory = laws::CundallStrack::kMemory<D>;

  // Cohesion presses the two together: Coulomb's limit is mu (F_n + strength).
  template <int D>
  static laws::TangentialForce<D> force(const laws::Approach<D>& a, const laws::NormalForce& n, const world::PairLaw& p,
                                        double* memory, double dt) {
    const laws::NormalForce pressed{n.total + a.strength, n.spring + a.strength, 0, 0};
    switch (p.tangential) {
      case world::TangentialLaw::kNone:
        return {};
      case world::TangentialLaw::kCundallStrack:
        if (p.normal == world::NormalLaw::kWaltonBraun)
          return laws::CundallStrackLimited::force(a, pressed, p, memory, dt);
        return laws::CundallStrack::force(a, pressed, p, memory, dt);
      case world::TangentialLaw::kViscous:
        return laws::Viscous::force(a, pressed, p, memory, dt);
      case world::TangentialLaw::kMindlin:
        break;
    }
    return laws::Mindlin::force(a, pressed, p, memory, dt);
  }
};

template <int D>
inline constexpr int kAnyMemory = AnyNormal::kMemory + kTangentialMemory<D, AnyNormal, AnyTangential>;

}  // namespace moraine::soft
