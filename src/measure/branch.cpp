// SPDX-License-Identifier: MIT
#include "measure/branch.hpp"

namespace moraine::measure {

template <int D>
void Branches<D>::look_at(const World<D>& world) {
  world_ = &world;
  index_.resize(static_cast<std::size_t>(world.bodies.next_id));
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    index_[static_cast<std::size_t>(world.bodies.id[i])] = static_cast<std::uint32_t>(i);
}

// From the centre of whatever moves as one to the centre of the member.
template <int D>
math::Vec<D> Branches<D>::member_arm(std::size_t i) const {
  const std::uint32_t c = world_->bodies.clump[i];
  if (c == world::kNoClump) return {};
  const world::Clumps<D>& clumps = world_->clumps;
  return clumps.arm(c, clumps.start[c] + static_cast<std::size_t>(world_->bodies.id[i] - clumps.first_member[c]));
}

template <int D>
Branch<D> Branches<D>::of(const ContactRecord<D>& contact) const {
  const std::size_t a = index_[static_cast<std::size_t>(contact.a)];
  const math::Vec<D> arm = member_arm(a);
  Branch<D> branch{world_->bodies.place[a].x - arm, contact.normal * contact.distance + arm};
  if (contact.b >= 0) branch.along -= member_arm(index_[static_cast<std::size_t>(contact.b)]);
  return branch;
}

template class Branches<2>;
template class Branches<3>;

}  // namespace moraine::measure
