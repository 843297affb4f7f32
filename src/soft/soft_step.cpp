// SPDX-License-Identifier: MIT
#include "soft/soft_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "soft/leapfrog.hpp"
#include "soft/wall_drive.hpp"

namespace moraine::soft {

using world::Held;
using world::Moving;

namespace {
template <int D>
[[noreturn]] void throw_lost(const World<D>& world, const char* what, std::int64_t id) {
  throw base::RunError(fmt::format("{} {} has a position that is no longer a number at time {:.6g} s (step {})", what,
                                   id, world.time, world.step),
                       "make the step shorter (time.fraction or time.step)");
}
}  // namespace

template <int D>
void SoftStep<D>::begin(World<D>& world, const base::Record* resumed) {
  for (world::Wall<D>& wall : world.walls) world::place_wall(wall, world.time, world.dt);
  Forces<D>::lay_out(world);
  moves_.resize(base::chunk_count(world.bodies.size()));
  list_bumps(world);
  lists_old_ = true;
  farthest2_ = 0;
  times_found_ = 0;
  if (resumed == nullptr || resumed->count("soft.times_found") == 0) return;  // nobody has looked for neighbours yet
  search_.list_slots(world);
  world.load_contacts(*resumed);
  contacts_.neighbours_changed(world, team_);
  farthest2_ = resumed->number("soft.farthest2");
  lists_old_ = resumed->count("soft.lists_old") != 0;
  times_found_ = resumed->count("soft.times_found");
}

template <int D>
void SoftStep<D>::save(base::Record& record) const {
  record.set("soft.farthest2", farthest2_);
  record.set("soft.lists_old", std::int64_t{lists_old_ ? 1 : 0});
  record.set("soft.times_found", times_found_);
}

template <int D>
void SoftStep<D>::forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) {
  move_walls(world);
  take_walls_away(world, keep_energy);
  if (lists_old_ || find::lists_are_old(world, farthest2_)) find_neighbours(world);
  {
    const auto lap = stopwatch_.lap("contact forces");
    contacts_.compute(world, team_, keep_energy, keep_records);
  }
  world.ledger.added -= taken_;
  taken_ = 0;
  check_depth(world);
  moves_.resize(base::chunk_count(world.bodies.size()));
  collected_ = looked_at || keep_energy || world.clumps.size() > 0 || !bumps_.empty();
  if (!collected_) return;
  const auto lap = stopwatch_.lap("collect pushes");
  team_.for_chunks(moves_.size(), [&](std::size_t c) { collect(world, c, keep_energy); });
  clumps_.gather(world, team_);
  push_bumpy_walls(world);
  if (keep_energy) book_half(world);
}

template <int D>
void SoftStep<D>::find_neighbours(World<D>& world) {
  const auto lap = stopwatch_.lap("find neighbours");
  contacts_.forget_neighbours();
  search_.find_neighbours(world);
  ClumpStep<D>::bodies_reordered(world);
  list_bumps(world);
  contacts_.neighbours_changed(world, team_);
  lists_old_ = false;
  ++times_found_;
}

template <int D>
void SoftStep<D>::list_anew(World<D>& world) {
  move_walls(world);
  find_neighbours(world);
  farthest2_ = 0;
}

template <int D>
void SoftStep<D>::advance(World<D>& world, bool keep_energy) {
  const auto lap = stopwatch_.lap("leapfrog");
  if (keep_energy) {
    contacts_.book_half(world.ledger);
    book_half(world);
  }
  team_.for_chunks(moves_.size(), [&](std::size_t c) {
    if (!collected_) collect(world, c, false);  // nobody looked: in one go, while the forces are in the cache
    leapfrog(world, c);
  });
  clumps_.advance(world, team_);
  advance_drives(world);
  look_back(world);
  ++world.step;
  world.time = static_cast<double>(world.step) * world.dt;
  guide_driven_bumps(world);
}

template <int D>
void SoftStep<D>::move_walls(World<D>& world) const {
  for (world::Wall<D>& wall : world.walls) {
    if (wall.moves() && !wall.gone) world::place_wall(wall, world.time, world.dt);
  }
}

// What was stored in the contacts of a wall leaves with it: forces are computed once with the wall and once without.
template <int D>
void SoftStep<D>::take_walls_away(World<D>& world, bool keep_energy) {
  const auto due = [&](const world::Wall<D>& wall) { return !wall.gone && world.time >= wall.until; };
  if (std::none_of(world.walls.begin(), world.walls.end(), due)) return;
  double with = 0;
  const auto elastic = [&] {
    const world::Contacts contacts = world.contacts;
    const world::Ledger ledger = world.ledger;
    const world::BondCount bonds = world.bonds;
    const std::int64_t collisions = world.collisions;
    contacts_.compute(world, team_, true, false);
    world.contacts = contacts;
    world.ledger = ledger;
    world.bonds = bonds;
    world.collisions = collisions;
    return contacts_.total().elastic;
  };
  find_neighbours(world);  // whether energy is kept or not: the bits must not depend on it
  if (keep_energy) with = elastic();
  for (world::Wall<D>& wall : world.walls) {
    if (!due(wall)) continue;
    wall.gone = true;
    wall.force = {};
    wall.torque = {};
    wall.drive.on = false;
    const auto w = static_cast<int>(&wall - world.walls.data());
    for (const std::uint32_t i : bumps_) {
      if (world.guided[world.bodies.motion[i]].wall == w) world.bodies.moving[i].gone = true;
    }
  }
  find_neighbours(world);
  if (keep_energy) taken_ = with - elastic();
}

template <int D>
void SoftStep<D>::list_bumps(const World<D>& world) {
  bumps_.clear();
  for (std::size_t i = 0; i < world.bodies.size() && !world.guided.empty(); ++i) {
    const std::uint32_t motion = world.bodies.motion[i];
    if (motion != world::kNoMotion && world.guided[motion].wall >= 0) bumps_.push_back(static_cast<std::uint32_t>(i));
  }
}

// What pushes the bumps of a wall pushes the wall.
template <int D>
void SoftStep<D>::push_bumpy_walls(World<D>& world) const {
  for (const std::uint32_t i : bumps_) {
    world::Wall<D>& wall = world.walls[static_cast<std::size_t>(world.guided[world.bodies.motion[i]].wall)];
    const Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
    wall.force += world.bodies.force[i];
    wall.torque += world.bodies.torque[i] + math::cross(x - wall.reference, world.bodies.force[i]);
  }
}

// A wall that is driven moves after the bodies, and its bumps with it.
template <int D>
void SoftStep<D>::guide_driven_bumps(World<D>& world) {
  for (const std::uint32_t i : bumps_) {
    if (!world.walls[static_cast<std::size_t>(world.guided[world.bodies.motion[i]].wall)].drive.on) continue;
    guide(world, i, world.time);
    math::turn(world.bodies.orientation[i], world.bodies.moving[i].w, world.dt);
    farthest2_ = std::max(farthest2_, math::norm2(world.bodies.place[i].x - world.bodies.x_found[i]));
  }
}

template <int D>
void SoftStep<D>::check_depth(const World<D>& world) const {
  const Tally& t = contacts_.total();
  if (!(t.deepest > limits.deepest)) return;
  const std::string other =
      t.deepest_b >= 0 ? fmt::format("body {}", t.deepest_b)
                       : fmt::format("wall '{}'", world.walls[static_cast<std::size_t>(-1 - t.deepest_b)].name);
  throw base::RunError(
      fmt::format(
          "body {} and {} overlap by {:.3g} of the smaller radius{} at time {:.6g} s (step {}); the limit is {:.3g}",
          t.deepest_a, other, t.deepest, world.solids.empty() ? "" : " (or of how thick the solid is there)",
          world.time, world.step, limits.deepest),
      "make the contacts stiffer (material.stiffness), the step shorter (time.fraction), or the motion slower; "
      "time.max_overlap sets the limit");
}

// Pushes from other chunks, and global damping, after which the force on each body is complete.
template <int D>
void SoftStep<D>::collect(World<D>& world, std::size_t chunk, bool keep_energy) {
  contacts_.collect(world, chunk);
  ChunkMove& move = moves_[chunk];
  move.damping = move.work = 0;
  const double c = world.global_damping;
  if (c == 0 && !keep_energy) return;
  const std::size_t end = std::min(world.bodies.size(), (chunk + 1) * base::kChunkBodies);
  for (std::size_t i = chunk * base::kChunkBodies; i < end; ++i) {
    const Moving<D>& m = world.bodies.moving[i];
    if (m.held == Held::kPrescribed) {
      if (world.guided[world.bodies.motion[i]].wall >= 0) continue;  // the wall does the work
      move.work -= math::dot(world.bodies.force[i], m.v_now) + math::dot(world.bodies.torque[i], m.w_now);
    } else if (m.held == Held::kFree && c > 0) {
      const double mass = world.bodies.mass[i], inertia = world.bodies.inertia[i];
      world.bodies.force[i] -= m.v_now * (c * mass);
      world.bodies.torque[i] -= m.w_now * (c * inertia);
      move.damping += c * (mass * math::norm2(m.v_now) + inertia * math::norm2(m.w_now));
    }
  }
}

// Time-centred leapfrog (Babic 2.36-2.39), and the velocity foreseen for the next whole step.
template <int D>
void SoftStep<D>::leapfrog(World<D>& world, std::size_t chunk) {
  ChunkMove& move = moves_[chunk];
  move.outside.clear();
  move.lost = -1;
  move.farthest2 = 0;
  const std::size_t begin = chunk * base::kChunkBodies, end = std::min(world.bodies.size(), begin + base::kChunkBodies);
  std::size_t next = begin;
  if constexpr (D == 3) {
    thread_local std::vector<OddFour> odd;
    odd.clear();
    next = begin + (end - begin) / 4 * 4;
    move.farthest2 = leap_by_fours(world, begin, next, odd);
    for (const OddFour& four : odd) {
      for (std::size_t i = four.first; i < four.first + 4; ++i) {
        if (!four.moved && !leap_alone(world, i)) continue;
        look_at(world, i, move);
      }
    }
  }
  for (std::size_t i = next; i < end; ++i) {
    if (leap_alone(world, i)) look_at(world, i, move);
  }
}

// False: it does not move by itself.
template <int D>
bool SoftStep<D>::leap_alone(World<D>& world, std::size_t i) const {
  world::Bodies<D>& bodies = world.bodies;
  Moving<D>& m = bodies.moving[i];
  if (m.held == Held::kFixed || m.held == Held::kMember) return false;
  if (m.held == Held::kPrescribed) {
    const int wall = world.guided[bodies.motion[i]].wall;
    if (wall >= 0 && world.walls[static_cast<std::size_t>(wall)].drive.on) return false;  // not moved yet
    guide(world, i, static_cast<double>(world.step + 1) * world.dt);
    if (world.guided[bodies.motion[i]].solid != world::kNoSolid) return true;
  } else {
    leap(m, bodies.place[i].x, bodies.force[i] * m.inverse_mass + world.gravity,
         bodies.torque[i] * (1 / bodies.inertia[i]), world.dt);
  }
  math::turn(bodies.orientation[i], m.w, world.dt);
  return true;
}

// How far a body has come, whether it has left the domain, and whether its place is still a number.
template <int D>
void SoftStep<D>::look_at(const World<D>& world, std::size_t i, ChunkMove& move) {
  const Vec<D>& x = world.bodies.place[i].x;
  const double moved2 = math::norm2(x - world.bodies.x_found[i]);
  if (!(moved2 < std::numeric_limits<double>::infinity())) [[unlikely]]
    move.lost = world.bodies.id[i];
  move.farthest2 = std::max(move.farthest2, moved2);
  if (!world.domain.contains(x)) [[unlikely]]
    move.outside.push_back(static_cast<std::uint32_t>(i));
}

template <int D>
void SoftStep<D>::guide(World<D>& world, std::size_t i, double t) const {
  Moving<D>& m = world.bodies.moving[i];
  const auto& guided = world.guided[world.bodies.motion[i]];
  const world::Motion<D>& motion = guided.motion;
  m.fresh = false;
  Vec<D>& x = world.bodies.place[i].x;
  x = motion.place(guided.start, t);
  x -= world.domain.unwrapped(Vec<D>{}, world.bodies.image[i], t);
  m.v = motion.velocity_of(guided.start, t - 0.5 * world.dt);
  m.v_now = motion.velocity_of(guided.start, t);
  if (world.domain.shear.rate != 0) {
    const double drift =
        world.bodies.image[i][static_cast<std::size_t>(world.domain.shear.gradient)] * world.domain.slide_speed();
    m.v[world.domain.shear.flow] -= drift;
    m.v_now[world.domain.shear.flow] -= drift;
  }
  if (guided.wall >= 0 && world.walls[static_cast<std::size_t>(guided.wall)].drive.on) {
    const world::Drive<D>& drive = world.walls[static_cast<std::size_t>(guided.wall)].drive;
    x += drive.direction * drive.moved;
    m.v += drive.direction * drive.v;
    m.v_now += drive.direction * drive.v_now;
  }
  m.w = motion.spin(t - 0.5 * world.dt);
  m.w_now = motion.spin(t);
  if (guided.solid != world::kNoSolid) world.bodies.orientation[i] = guided.orientation(t);
}

// Work of walls and prescribed bodies, and losses to global damping, over half a step.
template <int D>
void SoftStep<D>::book_half(World<D>& world) const {
  double damping = 0, work = 0;
  for (const ChunkMove& move : moves_) {
    damping += move.damping;
    work += move.work;
  }
  for (const auto& seen : clumps_.seen()) damping += seen.damping;
  for (const world::Wall<D>& wall : world.walls) {
    work -= math::dot(wall.force, wall.velocity) + math::dot(wall.torque, wall.spin);
  }
  world.ledger.global_damping += 0.5 * damping * world.dt;
  world.ledger.walls += 0.5 * work * world.dt;
}

// How far bodies have come, who left the domain, and whether all is still a number.
template <int D>
void SoftStep<D>::look_back(World<D>& world) {
  farthest2_ = 0;
  left_domain.clear();
  for (const ChunkMove& move : moves_) {
    if (move.lost >= 0) throw_lost(world, "body", move.lost);
    farthest2_ = std::max(farthest2_, move.farthest2);
    for (const std::uint32_t i : move.outside) {
      world.bodies.moving[i].gone = true;
      left_domain.push_back(world.bodies.id[i]);
    }
  }
  for (const auto& seen : clumps_.seen()) {
    if (seen.lost >= 0) throw_lost(world, "clump", seen.lost);
    farthest2_ = std::max(farthest2_, seen.farthest2);
    for (const std::uint32_t c : seen.outside) {
      world.clumps.gone[c] = 1;
      left_domain.push_back(world.clumps.first_member[c]);
      for (std::uint32_t m = world.clumps.start[c]; m < world.clumps.start[c + 1]; ++m) {
        world.bodies.moving[world.clumps.member[m]].gone = true;
      }
    }
  }
  if (!left_domain.empty()) lists_old_ = true;
}

template <int D>
void SoftStep<D>::gather_records(std::vector<ContactRecord<D>>& records) const {
  records.clear();
  for (const ChunkWork<D>& work : contacts_.chunks()) {
    records.insert(records.end(), work.records.begin(), work.records.end());
  }
}

template class SoftStep<2>;
template class SoftStep<3>;

}  // namespace moraine::soft
