// SPDX-License-Identifier: MIT
// What is kept of a step: forces for the next one and for whoever looks, and the books of energy.
#include <algorithm>
#include <cmath>

#include "hard/time_stepping.hpp"

namespace moraine::hard {

using world::PairLaw;

namespace {

// Of one group in one step.
struct alignas(64) Tally {
  std::int64_t contacts = 0, bonds = 0, broken = 0, parted = 0;
};

struct alignas(64) Loss {
  double normal = 0, friction = 0, walls = 0;  // J: in impacts, to friction, and the work of what is held
};

}  // namespace

// At the start of a run: of bodies that touch, or nearly so.
template <int D>
void TimeStepping<D>::make_bonds(World<D>& world) {
  world::Slots& pairs = world.contacts.pairs;
  const auto shifts = world::image_shifts(world.domain, world.time);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const world::Place<D>& a = world.bodies.place[i];
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      const std::uint32_t j = pairs.other[p];
      const world::Place<D>& b = world.bodies.place[j];
      const world::Bond& bond = world.laws(world.bodies.moving[i].material, world.bodies.moving[j].material).bond;
      const double gap = math::norm((b.x + shifts[pairs.image[p]]) - a.x) - a.radius - b.radius;
      if (!bond.on || gap > bond.gap * std::min(a.radius, b.radius)) continue;
      pairs.touching[p] = 1;
      pairs.memory[p * pairs.stride + memory_.bond] = 1;
      pairs.memory[p * pairs.stride + memory_.rest] = gap;
    }
  }
}

template <int D>
void TimeStepping<D>::keep(World<D>& world, double h, double time) {
  since_touch_ = 0;
  std::vector<Tally> tallies(solver_.groups.size());
  team_.for_chunks(solver_.groups.size(), [&](std::size_t which) {
    Group<D>& g = solver_.groups[which];
    Tally& tally = tallies[which];
    const auto one = [&](const auto& c, world::Slots& slots, double sign, int yielding) {
      double* memory = slots.memory.data() + c.slot * slots.stride;
      const bool was_closed = slots.touching[c.slot] == 1;
      bool closed = c.l_n > c.floor;
      const PairLaw& law = world.laws.all()[c.law];
      if (memory_.extras) {
        const bool bonded = was_closed && memory[memory_.bond] != 0;
        if (bonded) {
          const bool broken = !closed || math::norm(c.l_t) >= c.shear;
          tally.broken += static_cast<std::int64_t>(broken);
          memory[memory_.bond] = broken ? 0 : 1;
          closed = broken ? c.l_n > 0 : true;
          tally.bonds += static_cast<std::int64_t>(!broken);
        } else if (closed && law.bond.on && law.bond.on_touch) {
          memory[memory_.bond] = 1;
          memory[memory_.rest] = 0;
          ++tally.bonds;
        }
        memory[memory_.age] = closed ? memory[memory_.age] + time : 0;
      }
      if (closed) {
        memory[memory_.normal] = c.l_n / h;
        ContactMemory<D>::write(memory + memory_.across, c.l_t * (D == 3 ? sign / h : 1 / h));
        ++tally.contacts;
        slots.touching[c.slot] = 1;
      } else if (was_closed) {
        slots.forget(c.slot);
        slots.touching[c.slot] = 0;
        if (c.slot < slots.size()) tally.parted += yielding;
      }
    };
    for (const Block<D>& c : g.pairs) one(c, world.contacts.pairs, 1, 2);
    for (const HeldBlock<D>& c : g.held) one(c, c.on_wall() ? world.contacts.walls : world.contacts.pairs, c.sign(), 1);
    for (const RollBlock<D>& r : g.rolls) {
      const bool pair = r.block < g.pairs.size();
      const HeldBlock<D>* held = pair ? nullptr : &g.held[r.block - g.pairs.size()];
      world::Slots& slots = pair || !held->on_wall() ? world.contacts.pairs : world.contacts.walls;
      const std::uint32_t slot = pair ? g.pairs[r.block].slot : held->slot;
      if (slots.touching[slot] == 1) {
        double* memory = slots.memory.data() + slot * slots.stride;
        ContactMemory<D>::write(memory + memory_.roll, r.l * ((pair ? 1 : held->sign()) / h));
        if (r.moment > 0 && math::norm(r.l) >= r.moment && memory[memory_.bond] != 0) {
          memory[memory_.bond] = 0;
          --tally.bonds;
          ++tally.broken;
        }
      }
    }
  });
  if (!world.solids.empty()) keep_points(world);
  contacts_ = 0;
  world.bonds.intact = 0;
  std::int64_t broken = 0;
  for (const Tally& t : tallies) {
    contacts_ += t.contacts;
    world.bonds.intact += t.bonds;
    broken += t.broken;
    world.collisions += t.parted;
  }
  if (broken > 0 && world.bonds.broken == 0) world.bonds.first_break = world.time + h;
  world.bonds.broken += broken;
}

// An impulse changes the kinetic energy by itself times the mean of the velocities before and after.
template <int D>
void TimeStepping<D>::book(World<D>& world) {
  std::vector<Loss> losses(solver_.groups.size());
  team_.for_chunks(solver_.groups.size(), [&](std::size_t which) {
    const Group<D>& g = solver_.groups[which];
    Loss& loss = losses[which];
    const auto one = [&](const auto& c) {
      const auto slip = [&](const Movers<D>& movers) {
        return solver_.coupled ? c.template slip<false>(movers) : c.template slip<true>(movers);
      };
      const Parts<D> start = slip(before_), end = slip(movers_);
      loss.normal -= 0.5 * c.l_n * (start.n + end.n);
      loss.friction -= 0.5 * math::dot(c.l_t, start.t + end.t);
    };
    for (const Block<D>& c : g.pairs) one(c);
    for (const HeldBlock<D>& c : g.held) {
      one(c);
      loss.walls -= math::dot(c.n * c.l_n + along(c.l_t, c.n), c.drift);
    }
    for (const RollBlock<D>& r : g.rolls) {
      const auto spin = [&](const std::vector<Mover<D>>& all) {
        return (r.b == kNoMover ? r.drift : all[r.b].w) - all[r.a].w;
      };
      loss.friction -= 0.5 * math::dot(r.l, spin(before_.all) + spin(movers_.all));
      if (r.b == kNoMover) loss.walls -= math::dot(r.l, r.drift);
    }
  });
  if (!links_.empty()) links_.book(before_, movers_, world.ledger);
  for (const Loss& l : losses) {
    world.ledger.normal_dashpot += l.normal;
    world.ledger.friction += l.friction;
    world.ledger.walls += l.walls;
  }
}

// One after the other, whatever the number of threads: few contacts are with walls.
template <int D>
void TimeStepping<D>::add_pushes(const World<D>& world) {
  const std::size_t n = world.bodies.size();
  for (const Group<D>& g : solver_.groups) {
    for (const HeldBlock<D>& c : g.held) {
      if (!c.on_wall()) continue;
      const Vec<D> impulse = c.n * c.l_n + along(c.l_t, c.n);
      const Vec<D> centre = c.a < n ? world.bodies.place[c.a].x : world.clumps.x[c.a - n];
      Push& push = pushes_[c.wall];
      push.impulse += impulse;
      push.turn += math::cross(centre + c.arm_a - world.walls[c.wall].reference, impulse);
    }
  }
}

// Forces on walls are means over the last step, with all of its impacts; those of single contacts are of its last part,
// at the places of now.
template <int D>
void TimeStepping<D>::show(World<D>& world, bool keep_records) {
  records_.clear();
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    world.walls[w].force = pushes_[w].impulse * (1 / world.dt);
    world.walls[w].torque = pushes_[w].turn * (1 / world.dt);
  }
  const world::Bodies<D>& bodies = world.bodies;
  const auto shifts = world::image_shifts(world.domain, world.time);
  double worst = 0;
  const auto record = [&](std::size_t i, std::int64_t other, const world::Slots& slots, std::uint32_t p,
                          const Vec<D>& n, double distance, double gap, const Vec<D>& v) {
    const double* memory = slots.memory.data() + p * slots.stride;
    const double normal = memory[memory_.normal];
    const Vec<D> force = -(n * normal + along(ContactMemory<D>::read(memory + memory_.across), n));
    worst = std::max(worst, -gap);
    if (keep_records) {
      records_.push_back({bodies.id[i], other, bodies.place[i].x + n * (bodies.place[i].radius + 0.5 * gap), n, force,
                          -gap, distance, math::dot(v, n), normal});
    }
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const world::Place<D>& a = bodies.place[i];
    const world::Slots& pairs = world.contacts.pairs;
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      if (pairs.touching[p] != 1) continue;
      const std::uint32_t j = pairs.other[p];
      const Vec<D> apart = (bodies.place[j].x + shifts[pairs.image[p]]) - a.x;
      const double distance = math::norm(apart);
      record(i, bodies.id[j], pairs, p, apart * (1 / distance), distance, distance - a.radius - bodies.place[j].radius,
             world.velocity(i) - world.velocity(j));
    }
    const world::Slots& walls = world.contacts.walls;
    for (std::uint32_t p = walls.start[i]; p < walls.start[i + 1]; ++p) {
      if (walls.touching[p] != 1) continue;
      const std::uint32_t w = world.wall_of(walls.other[p]);
      const world::Wall<D>& wall = world.walls[w];
      bool at_end = false;
      touch::Touch<D> at{};
      if constexpr (D == 3) {
        if (wall.now.form == world::Form::kMesh) {
          const Vec<3> here = wall.now.to_mesh(a.x);
          const auto nearest =
              shape::nearest_on_triangle(wall.now.mesh->mesh, walls.other[p] - wall.first_element, here);
          const Vec<3> k = (nearest.point - here) * (1 / nearest.distance);
          at = {math::rotated(k, wall.now.turned), nearest.distance, a.radius - nearest.distance};
        } else {
          at = touch::touch_wall(a.x, a.radius, wall.now, at_end);
        }
      } else {
        at = touch::touch_wall(a.x, a.radius, wall.now, at_end);
      }
      const Vec<D> arm = a.x + at.k * at.distance - wall.reference;
      record(i, -1 - static_cast<std::int64_t>(w), walls, p, at.k, at.distance, -at.overlap,
             world.velocity(i) - wall.velocity - math::cross(wall.spin, arm));
    }
  }
  if (!world.solids.empty()) show_points(world, keep_records, worst);
  if (!links_.empty()) worst = std::max(worst, links_.show(world, records_));
  world.report.position = worst;
}

#define MORAINE_INSTANTIATE(D)                                    \
  template void TimeStepping<D>::keep(World<D>&, double, double); \
  template void TimeStepping<D>::book(World<D>&);                 \
  template void TimeStepping<D>::add_pushes(const World<D>&);     \
  template void TimeStepping<D>::make_bonds(World<D>&);           \
  template void TimeStepping<D>::show(World<D>&, bool);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
