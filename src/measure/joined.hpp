// SPDX-License-Identifier: MIT
// Bodies that contacts join, a clump as one body. Held bodies and walls join nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/graph.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
class Joined {
 public:
  explicit Joined(const Sight<D>& sight)
      : world_(sight.world), node_(world_.bodies.size(), kHeld), clusters_(graph(sight)) {}

  static constexpr std::uint32_t kHeld = ~0U;
  std::size_t units() const { return units_.size(); }
  std::size_t clusters() const { return clusters_.count(); }
  // The unit that a body is, or is a member of; kHeld.
  std::uint32_t unit(std::int64_t id) const { return node_[at_[static_cast<std::size_t>(id)]]; }
  std::uint32_t cluster(std::uint32_t unit) const { return clusters_.of[unit]; }
  double speed(std::uint32_t unit) const {
    const Unit& u = units_[unit];
    return math::norm(u.clump ? world_.clump_velocity(u.index) : world_.velocity(u.index));
  }
  void count(std::uint32_t unit, world::Tally& tally) const {
    const Unit& u = units_[unit];
    if (u.clump) {
      world_.count_clump(u.index, tally);
    } else {
      world_.count_body(u.index, tally);
    }
  }

 private:
  struct Unit {
    std::size_t index;
    bool clump;
  };
  math::Graph graph(const Sight<D>& sight) {
    const auto& bodies = world_.bodies;
    at_.assign(static_cast<std::size_t>(bodies.next_id), 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      at_[static_cast<std::size_t>(bodies.id[i])] = static_cast<std::uint32_t>(i);
      if (bodies.moving[i].held != world::Held::kFree) continue;
      node_[i] = static_cast<std::uint32_t>(units_.size());
      units_.push_back({i, false});
    }
    for (std::size_t c = 0; c < world_.clumps.size(); ++c) {
      for (std::uint32_t m = world_.clumps.start[c]; m < world_.clumps.start[c + 1]; ++m)
        node_[world_.clumps.member[m]] = static_cast<std::uint32_t>(units_.size());
      units_.push_back({c, true});
    }
    math::Graph out;
    out.movable = out.nodes = static_cast<std::uint32_t>(units_.size());
    for (const auto& c : sight.contacts) {
      if (c.b < 0 || unit(c.a) == kHeld || unit(c.b) == kHeld || unit(c.a) == unit(c.b)) continue;
      out.arcs.push_back({unit(c.a), unit(c.b)});
    }
    return out;
  }

  const World<D>& world_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> at_, node_;  // by id: the body; of the body: its unit
  math::Clusters clusters_;
};

}  // namespace moraine::measure
