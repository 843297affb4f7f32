// SPDX-License-Identifier: MIT
// From who is near to the blocks of the step, in groups.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "hard/time_stepping.hpp"

namespace moraine::hard {

using world::Moving;
using world::PairLaw;
using world::Place;

namespace {

constexpr std::uint32_t kSmallIsland = 50;  // movers
constexpr double kStillClosed = 1e-4;       // smaller radii

// The largest velocity that a unit impulse across n gives at the end of the arm.
double yield_across(const Movers<2>& movers, const Mover<2>& m, const Vec<2>& arm, const Vec<2>& n) {
  const double lever = math::dot(arm, n);
  return m.inverse_mass + movers.turned(m, lever) * lever;
}
double yield_across(const Movers<3>& movers, const Mover<3>& m, const Vec<3>& arm, const Vec<3>& n) {
  if (m.inverse_inertia >= 0) {
    // Round: the arm is along n.
    return m.inverse_mass + m.inverse_inertia * math::norm2(arm);
  }
  const Vec<3> s = world::across(n), t = math::cross(n, s);
  const Vec<3> ls = math::cross(arm, s), lt = math::cross(arm, t);
  const Vec<3> ts = movers.turned(m, ls), tt = movers.turned(m, lt);
  const double ss = math::dot(ls, ts), tt2 = math::dot(lt, tt), st = math::dot(ls, tt);
  return m.inverse_mass + 0.5 * (ss + tt2) + std::sqrt(0.25 * (ss - tt2) * (ss - tt2) + st * st);
}
template <int D>
double yield_along(const Movers<D>& movers, const Mover<D>& m, const Vec<D>& arm, const Vec<D>& n) {
  const Spin<D> lever = math::cross(arm, n);
  return m.inverse_mass + math::dot(lever, movers.turned(m, lever));
}

template <int D>
double sign_of(const Block<D>& /*block*/) {
  return 1;
}
template <int D>
double sign_of(const HeldBlock<D>& block) {
  return block.sign();
}

// The first contact of each body, then the second ones and so on: blocks that follow each other in a sweep have no
// mover in common, and the processor works on several at a time.
template <class B>
void interleave(std::vector<B>& blocks, std::vector<B>& spare) {
  constexpr std::uint32_t kMost = 16;
  std::array<std::uint32_t, kMost + 1> start{};
  const auto each = [&](const auto& work) {
    std::uint32_t turn = 0;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      turn = k > 0 && blocks[k].a == blocks[k - 1].a ? std::min(turn + 1, kMost - 1) : 0;
      work(blocks[k], turn);
    }
  };
  each([&](const B& /*block*/, std::uint32_t turn) { ++start[turn + 1]; });
  for (std::uint32_t k = 0; k < kMost; ++k) start[k + 1] += start[k];
  spare.resize(blocks.size());
  each([&](const B& block, std::uint32_t turn) { spare[start[turn]++] = block; });
  std::swap(blocks, spare);
}

}  // namespace

template <int D>
std::uint32_t TimeStepping<D>::home(std::uint32_t mover) const {
  const std::size_t bodies = movers_.all.size() - clump_home_.size();
  return mover < bodies ? mover / static_cast<std::uint32_t>(base::kChunkBodies) : clump_home_[mover - bodies];
}

template <int D>
std::uint32_t TimeStepping<D>::group_of(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return a;
  const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  const auto at = std::lower_bound(cross_keys_.begin(), cross_keys_.end(), key) - cross_keys_.begin();
  return static_cast<std::uint32_t>(chunks_.size() + static_cast<std::size_t>(at));
}

// Which chunks may touch each other until neighbours are found again, and in which order their groups are swept: the
// chunks themselves first, then colour by colour groups that share no chunk.
template <int D>
void TimeStepping<D>::sort_into_groups(const World<D>& world) {
  const std::size_t n = world.bodies.size(), chunks = base::chunk_count(n);
  chunks_.resize(chunks);
  movers_.all.resize(n + world.clumps.size());
  clump_home_.resize(world.clumps.size());
  for (std::size_t c = 0; c < world.clumps.size(); ++c)
    clump_home_[c] = world.clumps.member[world.clumps.start[c]] / static_cast<std::uint32_t>(base::kChunkBodies);
  const auto mover = [&](std::size_t i) {
    const std::uint32_t c = world.bodies.clump[i];
    return static_cast<std::uint32_t>(c == world::kNoClump ? i : n + c);
  };
  std::vector<std::vector<std::uint64_t>> keys(chunks);
  const world::Slots& pairs = world.contacts.pairs;
  team_.for_chunks(chunks, [&](std::size_t c) {
    const std::size_t end = std::min(n, (c + 1) * base::kChunkBodies);
    for (std::size_t i = c * base::kChunkBodies; i < end; ++i) {
      if (!world::yields(world.bodies.moving[i].held)) continue;
      const std::uint32_t a = home(mover(i));
      for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
        if (!world::yields(world.bodies.moving[pairs.other[p]].held)) continue;
        const std::uint32_t b = home(mover(pairs.other[p]));
        if (a != b) keys[c].push_back((std::uint64_t{std::min(a, b)} << 32) | std::max(a, b));
      }
    }
    std::sort(keys[c].begin(), keys[c].end());
    keys[c].erase(std::unique(keys[c].begin(), keys[c].end()), keys[c].end());
  });
  cross_keys_.clear();
  for (const auto& k : keys) cross_keys_.insert(cross_keys_.end(), k.begin(), k.end());
  std::sort(cross_keys_.begin(), cross_keys_.end());
  cross_keys_.erase(std::unique(cross_keys_.begin(), cross_keys_.end()), cross_keys_.end());

  solver_.groups.resize(chunks + cross_keys_.size());
  solver_.first_island = solver_.groups.size();
  solver_.colours.assign(1, {});
  for (std::uint32_t c = 0; c < chunks; ++c) solver_.colours[0].push_back(c);
  std::vector<std::vector<bool>> taken;  // colour by colour: chunks
  for (std::size_t k = 0; k < cross_keys_.size(); ++k) {
    const auto a = static_cast<std::size_t>(cross_keys_[k] >> 32), b = static_cast<std::size_t>(cross_keys_[k] & ~0U);
    std::size_t colour = 0;
    while (colour < taken.size() && (taken[colour][a] || taken[colour][b])) ++colour;
    if (colour == taken.size()) {
      taken.emplace_back(chunks, false);
      solver_.colours.emplace_back();
    }
    taken[colour][a] = taken[colour][b] = true;
    solver_.colours[colour + 1].push_back(static_cast<std::uint32_t>(chunks + k));
  }
  smallest_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    if (world::yields(world.bodies.moving[i].held)) smallest_ = std::min(smallest_, world.bodies.place[i].radius);
  }
}

template <int D>
typename TimeStepping<D>::Side TimeStepping<D>::side_of(const World<D>& world, std::uint32_t i) const {
  const Moving<D>& m = world.bodies.moving[i];
  if (m.held != Held::kMember) return {i, {}, m.v_now, m.w_now};
  const std::uint32_t c = world.bodies.clump[i];
  const std::size_t k =
      world.clumps.start[c] + static_cast<std::size_t>(world.bodies.id[i] - world.clumps.first_member[c]);
  return {static_cast<std::uint32_t>(world.bodies.size() + c), world.clumps.arm(c, k), m.v_now, m.w_now};
}

// What touched before and has hardly parted since still touches.
template <int D>
template <class B>
void TimeStepping<D>::aim(B& block, double restitution, double approach, bool closed, double h) const {
  block.target = block.gap > (closed ? kStillClosed * block.radius : 0) ? -block.gap / h : 0;
  if (approach < -slow_ && block.gap + h * math::dot(block.n, block.velocity(movers_)) < 0)
    block.target = std::max(block.target, -restitution * approach);
}

// Contacts that have been looked for a short while ago: how wide their gaps are now. Round bodies keep their arms.
template <int D>
void TimeStepping<D>::follow(const World<D>& world, double h) {
  team_.for_chunks(solver_.groups.size(), [&](std::size_t which) {
    Group<D>& g = solver_.groups[which];
    const auto all = [&](auto& blocks) {
      for (auto& c : blocks) {
        const double approach = (solver_.coupled ? c.template slip<false>(before_) : c.template slip<true>(before_)).n;
        c.gap += h * approach;
        if (pushed_) c.gap += h * math::dot(c.n, c.velocity(apart_) - c.own());
        if (solver_.coupled) c.go_along(before_, h);
        if (c.bonded()) continue;
        aim(c, world.laws.all()[c.law].restitution, approach, c.l_n > c.floor, h);
      }
    };
    all(g.pairs);
    all(g.held);
  });
}

// What the law makes of a contact with this gap. `approach`: n . u before the step.
template <int D>
template <class B>
void TimeStepping<D>::fill(const World<D>& world, B& block, const Remembered& remembered, double gap, double approach,
                           double smaller, double h) const {
  const PairLaw& law = world.laws.all()[block.law];
  const double* memory = remembered.memory;
  const bool closed = remembered.closed;
  block.mu = law.mu;
  block.floor = block.shear = 0;
  block.gap = gap;
  aim(block, law.restitution, approach, closed, h);
  if (memory_.extras && closed) {
    const double section = D == 2 ? smaller : smaller * smaller;
    if (memory[memory_.bond] != 0) {
      block.target = 0;
      block.gap = gap - memory[memory_.rest];
      block.floor = -law.bond.tension.of(section) * h;
      block.mu = 0;
      block.shear = law.bond.shear.of(section) * h;
    } else if (law.cohesion.on) {
      block.floor = -law.cohesion.strength(section, memory[memory_.age]) * h;
    }
  }
  block.l_n = closed ? memory[memory_.normal] * h : 0;
  if (closed) {
    block.l_t = ContactMemory<D>::read(memory + memory_.across) * h;
    if constexpr (D == 3) block.l_t = across(block.l_t, block.n) * sign_of(block);
  } else {
    block.l_t = {};
  }
}

template <int D>
void TimeStepping<D>::touch(World<D>& world, double t, double h) {
  drifts_ = world::image_drifts(world.domain);
  wall_motions_.resize(world.walls.size());
  const double middle = t + 0.5 * h;
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    const world::Motion<D>& m = world.walls[w].motion;
    wall_motions_[w] = {m.about + m.shift(middle), m.velocity(middle) + m.slide(middle), m.spin(middle)};
  }
  for (Group<D>& g : solver_.groups) {
    g.pairs.clear();
    g.held.clear();
    g.rolls.clear();
  }
  if (!world.solids.empty()) outline_solids(world);
  team_.for_chunks(chunks_.size(), [&](std::size_t c) { touch_chunk(world, c, h); });
  if (!world.solids.empty()) number_points(world);
  for (Chunk& chunk : chunks_) {
    for (const Sent& s : chunk.sent) solver_.groups[s.group].pairs.push_back(s.block);
    for (const SentHeld& s : chunk.sent_held) solver_.groups[s.group].held.push_back(s.block);
  }
  if (links_.empty()) split_islands();
  team_.for_chunks(solver_.first_island, [&](std::size_t k) {
    thread_local std::vector<Block<D>> spare;
    interleave(solver_.groups[k].pairs, spare);
  });
  if (memory_.extras) roll(world, h);
}

// Movers that hang together by blocks are an island. The blocks of small ones go to groups of their own, some islands
// to each, in the order of their first movers.
template <int D>
void TimeStepping<D>::split_islands() {
  const std::size_t n = movers_.all.size(), shared = solver_.first_island;
  island_.resize(n);
  std::iota(island_.begin(), island_.end(), 0U);
  const auto first = [&](std::uint32_t m) {
    while (island_[m] != m) m = island_[m] = island_[island_[m]];
    return m;
  };
  const auto join = [&](const Group<D>& g) {
    for (const Block<D>& c : g.pairs) {
      const std::uint32_t a = first(c.a), b = first(c.b);
      island_[std::max(a, b)] = std::min(a, b);
    }
  };
  // Groups of chunks share no mover.
  team_.for_chunks(chunks_.size(), [&](std::size_t k) { join(solver_.groups[k]); });
  for (std::size_t k = chunks_.size(); k < shared; ++k) join(solver_.groups[k]);
  island_size_.assign(n, 0);
  for (std::size_t m = 0; m < n; ++m) {
    island_[m] = island_[island_[m]];
    ++island_size_[island_[m]];
  }
  constexpr std::uint32_t kLarge = ~0U;
  std::uint32_t group = 0, filled = 0;
  for (std::size_t m = 0; m < n; ++m) {
    const std::uint32_t movers = island_size_[m];
    if (movers == 0) continue;
    if (movers > kSmallIsland) {
      island_size_[m] = kLarge;
      continue;
    }
    if (filled + movers > kSmallIsland) {
      ++group;
      filled = 0;
    }
    filled += movers;
    island_size_[m] = group;
  }
  std::vector<Group<D>> leaving(shared);
  team_.for_chunks(shared, [&](std::size_t k) {
    const auto take = [&](auto& blocks, auto& out) {
      const auto small = [&](const auto& c) { return island_size_[island_[c.a]] != kLarge; };
      std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(out), small);
      if (!out.empty()) blocks.erase(std::remove_if(blocks.begin(), blocks.end(), small), blocks.end());
    };
    take(solver_.groups[k].pairs, leaving[k].pairs);
    take(solver_.groups[k].held, leaving[k].held);
  });
  if (solver_.groups.size() < shared + group + 1) solver_.groups.resize(shared + group + 1);
  for (const Group<D>& g : leaving) {
    const auto to = [&](const auto& c) -> Group<D>& { return solver_.groups[shared + island_size_[island_[c.a]]]; };
    for (const Block<D>& c : g.pairs) to(c).pairs.push_back(c);
    for (const HeldBlock<D>& c : g.held) to(c).held.push_back(c);
  }
}

// A contact with something that the mover cannot push.
template <int D>
void TimeStepping<D>::meet_held(const World<D>& world, std::size_t chunk, HeldBlock<D>& block, const Side& a,
                                const Vec<D>& arm, double gap, double smaller, const Remembered& memory, double h) {
  block.a = a.mover;
  block.radius = smaller;
  block.arm_a = a.arm + arm;
  block.lever_a = math::dot(block.arm_a, block.n);
  const Mover<D>& m = movers_.all[a.mover];
  block.k_n = 1 / yield_along(movers_, m, block.arm_a, block.n);
  block.k_t = 1 / yield_across(movers_, m, block.arm_a, block.n);
  const double approach = math::dot(block.n, block.drift - a.v_before - math::cross(a.w_before, arm));
  fill(world, block, memory, gap, approach, smaller, h);
  const std::uint32_t group = home(a.mover);
  if (group == chunk) {
    solver_.groups[group].held.push_back(block);
  } else {
    chunks_[chunk].sent_held.push_back({group, block});
  }
}

template <int D>
void TimeStepping<D>::meet(const World<D>& world, std::size_t chunk, const Meeting& m, double h) {
  const Moving<D>&mi = world.bodies.moving[m.i], &mj = world.bodies.moving[m.j];
  const Vec<D>& drift_j = drifts_[m.image];
  if (!world::yields(mi.held) || !world::yields(mj.held)) {
    // The one that yields comes first.
    const bool swap = !world::yields(mi.held);
    const Moving<D>& held = swap ? mi : mj;
    HeldBlock<D> block;
    block.wall = swap ? kHeldFirst : kHeldSecond;
    block.slot = m.slot;
    block.law = m.law;
    block.n = swap ? -m.n : m.n;
    Vec<D> v{};
    Spin<D> w{};
    if (held.held == Held::kPrescribed) {
      const auto& guided = world.guided[world.bodies.motion[swap ? m.i : m.j]];
      const double middle = world.time + 0.5 * h;
      v = guided.motion.velocity_of(guided.start, middle);
      w = guided.motion.spin(middle);
    }
    block.drift = v + math::cross(w, swap ? m.arm_i : m.arm_j) + (swap ? -drift_j : drift_j);
    meet_held(world, chunk, block, side_of(world, swap ? m.j : m.i), swap ? m.arm_j : m.arm_i, m.gap, m.smaller,
              m.memory, h);
    return;
  }
  const Side a = side_of(world, m.i), b = side_of(world, m.j);
  Block<D> block;
  block.a = a.mover;
  block.b = b.mover;
  block.slot = m.slot;
  block.law = m.law;
  block.n = m.n;
  block.radius = m.radius;
  block.arm_a = a.arm + m.arm_i;
  block.arm_b = b.arm + m.arm_j;
  block.lever_a = m.lever_i;
  block.lever_b = m.lever_j;
  const Mover<D>&x = movers_.all[a.mover], &y = movers_.all[b.mover];
  block.k_n = 1 / (yield_along(movers_, x, block.arm_a, m.n) + yield_along(movers_, y, block.arm_b, m.n));
  block.k_t = 1 / (yield_across(movers_, x, block.arm_a, m.n) + yield_across(movers_, y, block.arm_b, m.n));
  const double approach = math::dot(
      m.n, b.v_before + math::cross(b.w_before, m.arm_j) - a.v_before - math::cross(a.w_before, m.arm_i) + drift_j);
  fill(world, block, m.memory, m.gap, approach, m.smaller, h);
  const std::uint32_t group = group_of(home(a.mover), home(b.mover));
  if (group == chunk) {
    solver_.groups[group].pairs.push_back(block);
  } else {
    chunks_[chunk].sent.push_back({group, block});
  }
}

template <int D>
void TimeStepping<D>::meet_wall(const World<D>& world, std::size_t chunk, const WallMeeting& m, double h) {
  HeldBlock<D> block;
  block.wall = m.wall;
  block.slot = m.slot;
  block.law = static_cast<std::uint32_t>(world.bodies.moving[m.i].material * world.laws.materials() +
                                         world.walls[m.wall].material);
  block.n = m.n;
  const WallMotion& wall = wall_motions_[m.wall];
  block.drift = wall.velocity + math::cross(wall.spin, world.bodies.place[m.i].x + m.arm - wall.reference);
  meet_held(world, chunk, block, side_of(world, m.i), m.arm, m.gap, m.smaller, m.memory, h);
}

template <int D>
void TimeStepping<D>::touch_chunk(World<D>& world, std::size_t chunk, double h) {
  Chunk& mine = chunks_[chunk];
  mine.sent.clear();
  mine.sent_held.clear();
  mine.deepest = 0;
  const world::Bodies<D>& bodies = world.bodies;
  const auto shifts = world::image_shifts(world.domain, world.time);
  const std::size_t end = std::min(bodies.size(), (chunk + 1) * base::kChunkBodies), materials = world.laws.materials();
  const bool solids = !world.solids.empty(), links = !links_.empty();
  world::Slots &pairs = world.contacts.pairs, &walls = world.contacts.walls;
  const auto memory_of = [](const world::Slots& slots, std::uint32_t p) {
    return Remembered{slots.memory.data() + p * slots.stride, slots.touching[p] == 1};
  };
  thread_local std::vector<touch::WallTouch<D>> touched;
  for (std::size_t at = chunk * base::kChunkBodies; at < end; ++at) {
    const auto i = static_cast<std::uint32_t>(at);
    const Moving<D>& mi = bodies.moving[i];
    const Place<D>& pi = bodies.place[i];
    if (mi.gone || (solids && world.solid_of(i) != nullptr)) continue;
    for (std::uint32_t p = pairs.start[i]; p < pairs.start[i + 1]; ++p) {
      const std::uint32_t j = pairs.other[p];
      const Place<D>& pj = bodies.place[j];
      const Vec<D> apart = (pj.x + shifts[pairs.image[p]]) - pi.x;
      const double radii = pi.radius + pj.radius, smaller = std::min(pi.radius, pj.radius);
      const double margin = kMargin * smaller + 2 * (reach_[i] + reach_[j]);
      const double distance2 = math::norm2(apart);
      if (distance2 > (radii + margin) * (radii + margin) && pairs.touching[p] == 0) continue;
      const Moving<D>& mj = bodies.moving[j];
      if (mj.gone || (solids && world.solid_of(j) != nullptr)) continue;
      if (links && links_.linked(bodies.id[i], bodies.id[j])) continue;
      const double distance = std::sqrt(distance2), gap = distance - radii, half = 0.5 * gap;
      mine.see(gap, smaller, bodies.id[i], bodies.id[j]);
      const Vec<D> n = distance > 0 ? apart * (1 / distance) : Vec<D>{1};
      const double lever_i = pi.radius + half, lever_j = -(pj.radius + half);
      meet(world, chunk,
           {i, j, p, static_cast<std::uint32_t>(mi.material * materials + mj.material), pairs.image[p], n, n * lever_i,
            n * lever_j, lever_i, lever_j, gap, smaller, pi.radius * pj.radius / radii, memory_of(pairs, p)},
           h);
    }
    if (walls.start[i] == walls.start[i + 1]) continue;
    touch::touch_walls(world, i, kMargin * pi.radius + 2 * reach_[i], touched);
    for (const touch::WallTouch<D>& t : touched) {
      if (t.hidden) {
        walls.forget(t.slot);
        continue;
      }
      mine.see(-t.at.overlap, pi.radius, bodies.id[i], -1 - static_cast<std::int64_t>(t.wall));
      meet_wall(world, chunk,
                {i, t.wall, t.slot, t.at.k, t.at.k * t.at.distance, -t.at.overlap, pi.radius, memory_of(walls, t.slot)},
                h);
    }
  }
  if (solids) touch_solids(world, chunk, h);
}

// Resistance to rolling and twisting, and what keeps bonds from bending. A held body counts as one that does not turn.
template <int D>
void TimeStepping<D>::roll(const World<D>& world, double h) {
  team_.for_chunks(solver_.groups.size(), [&](std::size_t which) {
    Group<D>& g = solver_.groups[which];
    const auto add = [&](const auto& block, std::uint32_t at, std::uint32_t other, const world::Slots& slots) {
      const PairLaw& law = world.laws.all()[block.law];
      if (block.slot >= slots.size()) return;  // of a solid
      const double* memory = slots.memory.data() + block.slot * slots.stride;
      const bool closed = slots.touching[block.slot] == 1;
      const bool bonded = closed && memory[memory_.bond] != 0;
      RollBlock<D> r{};
      if (bonded && law.bond.moment > 0) {
        r.moment = law.bond.moment * h;
      } else if (!bonded && law.rolling.law != world::RollingLaw::kNone) {
        r.roll = law.rolling.friction * block.radius;
        r.twist = law.rolling.twisting * block.radius;
      } else {
        return;
      }
      r.a = block.a;
      r.b = other;
      r.block = at;
      const auto turn = [&](std::uint32_t i) {
        const Mover<D>& m = movers_.all[i];
        if (D == 2 || m.inverse_inertia >= 0) return m.inverse_inertia;
        const Tensor& t = movers_.tensors[static_cast<std::size_t>(-1 - m.inverse_inertia)];
        return t[0] + t[3] + t[5];  // no less than the largest
      };
      r.k = 1 / (turn(r.a) + (other == kNoMover ? 0 : turn(other)));
      if (closed) r.l = ContactMemory<D>::read(memory + memory_.roll) * (h * sign_of(block));
      g.rolls.push_back(r);
    };
    for (std::size_t k = 0; k < g.pairs.size(); ++k)
      add(g.pairs[k], static_cast<std::uint32_t>(k), g.pairs[k].b, world.contacts.pairs);
    for (std::size_t k = 0; k < g.held.size(); ++k) {
      const HeldBlock<D>& c = g.held[k];
      const std::size_t before = g.rolls.size();
      add(c, static_cast<std::uint32_t>(g.pairs.size() + k), kNoMover,
          c.on_wall() ? world.contacts.walls : world.contacts.pairs);
      if (g.rolls.size() > before && c.on_wall()) g.rolls.back().drift = wall_motions_[c.wall].spin;
    }
  });
}

#define MORAINE_INSTANTIATE(D)                                                                        \
  template void TimeStepping<D>::sort_into_groups(const World<D>&);                                   \
  template void TimeStepping<D>::follow(const World<D>&, double);                                     \
  template void TimeStepping<D>::meet(const World<D>&, std::size_t, const Meeting&, double);          \
  template void TimeStepping<D>::meet_wall(const World<D>&, std::size_t, const WallMeeting&, double); \
  template void TimeStepping<D>::touch(World<D>&, double, double);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
