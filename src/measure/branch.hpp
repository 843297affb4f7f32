// SPDX-License-Identifier: MIT
// The branch of a contact: from the centre of whatever moves as one (a body or its clump) to that of the other, or to
// the point of a wall. What stress is made of.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
struct Branch {
  math::Vec<D> from, along;  // from A's centre, to the image of B that it touches
};

template <int D>
class Branches {
 public:
  // Of the contacts of one look. Keeps its memory from look to look.
  void look_at(const World<D>& world);
  Branch<D> of(const ContactRecord<D>& contact) const;

 private:
  math::Vec<D> member_arm(std::size_t i) const;
  const World<D>* world_ = nullptr;
  std::vector<std::uint32_t> index_;  // of a body, by id
};

}  // namespace moraine::measure
