// SPDX-License-Identifier: MIT
#include "soft/forces.hpp"

#include <algorithm>
#include <numeric>

#include "soft/kernels.hpp"
#include "soft/solid_contacts.hpp"
#include "touch/walls.hpp"

namespace moraine::soft {

namespace {

using world::Held;
using world::Moving;
using world::PairLaw;

// The laws in use; with a single one for all pairs of bodies the loops need no choice per contact.
template <int D>
struct Kernels {
  std::vector<Kernel<D>> of_pair;  // per ordered pair of materials
  bool uniform = true;
  Kernels(const World<D>& world, const std::vector<std::uint32_t>& in_use, bool energy) {
    for (const PairLaw& law : world.laws.all()) of_pair.push_back(kernel_of<D>(law, energy));
    for (const std::uint32_t a : in_use) {
      for (const std::uint32_t b : in_use) uniform = uniform && world.laws(a, b) == world.laws(in_use[0], in_use[0]);
    }
  }
};

template <int D>
void push_walls(const ChunkView<D>& view, const Kernels<D>& kernels) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.walls;
  thread_local std::vector<touch::WallTouch<D>> touched;
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    if (slots.start[i] == slots.start[i + 1] || world.solid_of(i) != nullptr) continue;
    touch::touch_walls(world, i, 0, touched);
    for (const touch::WallTouch<D>& t : touched) {
      view.work.tally.contacts += static_cast<std::int64_t>(t.at.overlap > 0);
      if (t.hidden) {
        slots.forget(t.slot);
        continue;
      }
      const std::size_t pair = world.bodies.moving[i].material * world.laws.materials() + world.walls[t.wall].material;
      kernels.of_pair[pair].wall(view, i, t.slot, t.wall, t.at);
    }
  }
}

template <int D>
void put_sums(const ChunkView<D>& view) {
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    view.world.bodies.force[i] = view.sums[i - view.begin].force();
    view.world.bodies.torque[i] = view.sums[i - view.begin].torque();
  }
}

template <int D>
void push_pairs(const ChunkView<D>& view, const Kernels<D>& kernels) {
  const World<D>& world = view.world;
  if (kernels.uniform) {
    const std::uint32_t material = world.bodies.moving[view.begin].material;
    return kernels.of_pair[material * world.laws.materials() + material].pairs(view);
  }
  for (std::size_t k = 0; k < view.closed.count; ++k) {
    const std::uint32_t p = view.closed.slot[k], i = view.closed.body[k];
    const std::uint32_t other = world.bodies.moving[world.contacts.pairs.other[p]].material;
    kernels.of_pair[world.bodies.moving[i].material * world.laws.materials() + other].pair(view, i, p);
  }
}

}  // namespace

template <int D>
void Outbox<D>::address(const world::Slots& pairs, base::Team& team) {
  const std::size_t n = pairs.start.empty() ? 0 : pairs.start.size() - 1, chunks = base::chunk_count(n);
  const auto chunk_of = [](std::size_t body) { return body / base::kChunkBodies; };
  slot.assign(pairs.size(), kHere);
  // Each chunk looks up which of its slots go to others, receiver by receiver.
  std::vector<std::vector<std::uint32_t>> leaving(chunks);
  team.for_chunks(chunks, [&](std::size_t c) {
    const std::size_t end = std::min(n, (c + 1) * base::kChunkBodies);
    for (std::uint32_t p = pairs.start[c * base::kChunkBodies]; p < pairs.start[end]; ++p) {
      if (chunk_of(pairs.other[p]) != c) leaving[c].push_back(p);
    }
    std::stable_sort(leaving[c].begin(), leaving[c].end(), [&](std::uint32_t p, std::uint32_t q) {
      return chunk_of(pairs.other[p]) < chunk_of(pairs.other[q]);
    });
  });
  using Letters = std::pair<const std::uint32_t*, const std::uint32_t*>;
  std::vector<std::vector<Letters>> arriving(chunks);
  for (const std::vector<std::uint32_t>& all : leaving) {
    for (const std::uint32_t *p = all.data(), *end = p + all.size(); p != end;) {
      const std::size_t receiver = chunk_of(pairs.other[*p]);
      const std::uint32_t* next =
          std::find_if(p, end, [&](std::uint32_t q) { return chunk_of(pairs.other[q]) != receiver; });
      arriving[receiver].emplace_back(p, next);
      p = next;
    }
  }
  // Each receiver counts what arrives for its bodies, and then says where it goes, in the order of the slots.
  const auto for_arriving = [&](const auto& work) {
    team.for_chunks(chunks, [&](std::size_t c) {
      for (const auto& [begin, end] : arriving[c]) std::for_each(begin, end, work);
    });
  };
  start.assign(n + 1, 0);
  for_arriving([&](std::uint32_t p) { ++start[pairs.other[p] + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  for_arriving([&](std::uint32_t p) { slot[p] = next[pairs.other[p]]++; });
  pushes.assign(start.back(), {});
}

template <int D>
void Forces<D>::neighbours_changed(const World<D>& world, base::Team& team) {
  outbox_.address(world.contacts.pairs, team);
  const std::size_t n = world.bodies.size(), chunks = base::chunk_count(n);
  std::vector<std::vector<bool>> used(chunks, std::vector<bool>(world.laws.materials(), false));
  team.for_chunks(chunks, [&](std::size_t c) {
    const std::size_t end = std::min(n, (c + 1) * base::kChunkBodies);
    for (std::size_t i = c * base::kChunkBodies; i < end; ++i) used[c][world.bodies.moving[i].material] = true;
  });
  materials_.clear();
  for (std::uint32_t k = 0; k < world.laws.materials(); ++k) {
    if (std::any_of(used.begin(), used.end(), [k](const auto& chunk) { return chunk[k]; })) materials_.push_back(k);
  }
}

template <int D>
void Forces<D>::lay_out(World<D>& world) {
  int memory = 0;
  for (const PairLaw& law : world.laws.all()) {
    memory = std::max(memory, kernel_of<D>(law, false).memory);
  }
  world.contacts.pairs.stride = world.contacts.walls.stride = static_cast<std::size_t>(memory);
  // In 2D slip is measured along t, which turns with k: swapping A and B changes nothing.
  world.contacts.pairs.directed = D == 3 ? 3 : 0;
  world.contacts.point_stride = world.solids.empty() ? 0 : point_stride<D>();
  world.contacts.point_directed = world.contacts.pairs.directed;
}

template <int D>
void Forces<D>::compute(World<D>& world, base::Team& team, bool keep_energy, bool keep_records) {
  const std::size_t n = world.bodies.size(), chunks = base::chunk_count(n);
  const Kernels<D> kernels(world, materials_, keep_energy);
  const auto shifts = world::image_shifts(world.domain, world.time);
  const auto drifts = world::image_drifts(world.domain);
  ShiftRows<D> shift_rows{};
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    for (int c = 0; c < D; ++c) shift_rows[k][c] = shifts[k][c];
  }
  const bool sheared = world.domain.shear.rate != 0;
  work_.resize(chunks);
  team.for_chunks(chunks, [&](std::size_t c) {
    const auto begin = static_cast<std::uint32_t>(c * base::kChunkBodies);
    const auto end = static_cast<std::uint32_t>(std::min(n, (c + 1) * base::kChunkBodies));
    ChunkWork<D>& work = work_[c];
    work.tally = {};
    work.records.clear();
    work.wall_force.assign(world.walls.size(), {});
    work.wall_torque.assign(world.walls.size(), {});
    // Needed for one chunk at a time.
    thread_local ClosedPairs closed;
    thread_local std::vector<Sum<D>> sums;
    sums.assign(base::kChunkBodies, {});
    const ChunkView<D> view{world,  outbox_,    work,   closed,  sums.data(),  begin,          end,
                            shifts, shift_rows, drifts, sheared, keep_records, world.step == 0};
    if (view.at_start) make_bonds(view);
    touch_pairs(view);
    if (!world.solids.empty()) {
      leave_out_solids(view);
      push_solids(view, world.contacts.pair_points[c], world.contacts.wall_points[c]);
    }
    push_pairs(view, kernels);
    push_walls(view, kernels);
    put_sums(view);
  });
  add_up(world, keep_energy);
}

template <int D>
void Forces<D>::add_up(World<D>& world, bool keep_energy) {
  total_ = {};
  for (world::Wall<D>& wall : world.walls) {
    wall.force = {};
    wall.torque = {};
  }
  for (const ChunkWork<D>& work : work_) {
    const Tally& t = work.tally;
    total_.elastic += t.elastic;
    total_.normal_dashpot += t.normal_dashpot;
    total_.shear_dashpot += t.shear_dashpot;
    total_.friction += t.friction;
    total_.boundary += t.boundary * world.dt;
    total_.contacts += t.contacts;
    total_.bonds += t.bonds;
    total_.broken += t.broken;
    total_.parted += t.parted;
    if (t.deepest > total_.deepest) {
      total_.deepest = t.deepest;
      total_.deepest_a = t.deepest_a;
      total_.deepest_b = t.deepest_b;
    }
    for (std::size_t w = 0; w < world.walls.size(); ++w) {
      world.walls[w].force += work.wall_force[w];
      world.walls[w].torque += work.wall_torque[w];
    }
  }
  world.bonds.intact = total_.bonds;
  if (total_.broken > 0 && world.bonds.broken == 0) world.bonds.first_break = world.time;
  world.bonds.broken += total_.broken;
  world.collisions += total_.parted;
  if (!keep_energy) return;
  world.ledger.elastic = total_.elastic;
  book_half(world.ledger);
}

template <int D>
void Forces<D>::book_half(world::Ledger& ledger) const {
  ledger.normal_dashpot += 0.5 * total_.normal_dashpot;
  ledger.shear_dashpot += 0.5 * total_.shear_dashpot;
  ledger.friction += 0.5 * total_.friction;
  ledger.shear += 0.5 * total_.boundary;
}

template <int D>
void Forces<D>::collect(World<D>& world, std::size_t chunk) const {
  const std::size_t end = std::min(world.bodies.size(), (chunk + 1) * base::kChunkBodies);
  for (std::size_t j = chunk * base::kChunkBodies; j < end; ++j) {
    for (std::uint32_t s = outbox_.start[j]; s < outbox_.start[j + 1]; ++s) {
      world.bodies.force[j] += outbox_.pushes[s].force;
      world.bodies.torque[j] += outbox_.pushes[s].torque;
    }
  }
}

template struct Outbox<2>;
template struct Outbox<3>;
template class Forces<2>;
template class Forces<3>;

}  // namespace moraine::soft
