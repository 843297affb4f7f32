// SPDX-License-Identifier: MIT
#include "soft/forces.hpp"

#include <algorithm>
#include <numeric>

#include "soft/kernels.hpp"

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

// Which pairs of the chunk touch now, or have just opened. Free of branches, since about half the candidates touch. The
// outbox of pairs that opened a step ago is emptied.
template <int D>
void touch_pairs(const ChunkView<D>& view) {
  world::Slots& slots = view.world.contacts.pairs;
  const std::uint32_t first = slots.start[view.begin];
  view.closed.resize(slots.start[view.end] - first);
  // Plain pointers: what is written here is not what is read, which the compiler cannot know.
  const world::Place<D>* __restrict place = view.world.bodies.place.data();
  const std::uint32_t* __restrict start = slots.start.data();
  const std::uint32_t* __restrict other = slots.other.data();
  const std::uint8_t* __restrict image = slots.image.data();
  const Vec<D>* __restrict shifts = view.shifts.data();
  std::uint8_t* __restrict state = slots.touching.data();
  std::uint32_t* __restrict closed = view.closed.data();
  std::size_t count = 0;
  std::int64_t contacts = 0;
  constexpr std::uint32_t kAhead = 32;  // asks for what is tested a little later
  const std::uint32_t last = slots.start[view.end] == 0 ? 0 : slots.start[view.end] - 1;
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    const world::Place<D> a = place[i];
    for (std::uint32_t p = start[i]; p < start[i + 1]; ++p) {
      const world::Place<D>& b = place[other[p]];
      __builtin_prefetch(&place[other[std::min(p + kAhead, last)]]);
      const double reach = a.radius + b.radius;
      const bool touching = math::norm2((b.x + shifts[image[p]]) - a.x) < reach * reach;
      closed[count] = p;
      count += static_cast<std::size_t>(touching | (state[p] == 1));
      contacts += static_cast<std::int64_t>(touching);
      if (state[p] == world::kJustOpened) [[unlikely]] {
        state[p] = 0;
        if (view.outbox.slot[p] != Outbox<D>::kHere) view.outbox.pushes[view.outbox.slot[p]] = {};
      }
    }
  }
  view.closed.resize(count);
  view.work.tally.contacts += contacts;
}

// A wall that a body touches, or has just left.
template <int D>
struct WallTouch {
  std::uint32_t slot, wall;
  touch::Touch<D> at;
  bool at_end;
};

// Distance of a point from what is touched there: the wall, or of a mesh that triangle.
template <int D>
double distance_to_touched(const World<D>& world, const WallTouch<D>& t, const Vec<D>& x) {
  const world::Surface<D>& s = world.walls[t.wall].now;
  if constexpr (D == 3) {
    if (s.form == world::Form::kMesh) {
      const std::uint32_t triangle = world.contacts.walls.other[t.slot] - world.walls[t.wall].first_element;
      return shape::nearest_on_triangle(s.mesh->mesh, triangle, s.to_mesh(x)).distance;
    }
  }
  return std::fabs(world::distance_to(s, x));
}

// An end or rim that lies on another wall which the body touches with its side is no edge: the two walls together are
// one smooth or inner edge, and the end must not push a second time.
template <int D>
bool hidden_end(const World<D>& world, const world::Place<D>& a, const std::vector<WallTouch<D>>& touched,
                std::size_t which) {
  if (!touched[which].at_end) return false;
  const Vec<D> end = a.x + touched[which].at.k * touched[which].at.distance;
  const double tolerance = 1e-9 * a.radius;
  for (std::size_t other = 0; other < touched.size(); ++other) {
    if (touched[other].wall == touched[which].wall) continue;
    if (distance_to_touched(world, touched[other], end) > tolerance) continue;
    if (!touched[other].at_end) return true;
    // Both walls end here: only the first of them is the edge.
    const Vec<D> point = a.x + touched[other].at.k * touched[other].at.distance;
    if (other < which && math::norm(point - end) <= tolerance) return true;
  }
  return false;
}

// The triangles of one mesh that a body may touch: slots first .. end-1.
template <int D>
void touch_mesh(const ChunkView<D>&, const world::Place<D>&, std::uint32_t, std::uint32_t, std::uint32_t,
                std::vector<WallTouch<D>>&) {}

// A contact that rolls on from one triangle to the next takes its memory along: to a triangle of the same patch that is
// newly touched, or across a sharp edge to one that is touched about where the old one was left.
void hand_over(world::Slots& slots, const shape::Mesh& mesh, std::uint32_t first_element, const Vec<3>& here,
               double radius, const std::vector<std::uint32_t>& left, const std::vector<shape::MeshTouch>& touches,
               const std::vector<WallTouch<3>>& touched, std::size_t from) {
  const auto patch = [&](std::uint32_t slot) { return mesh.patch[slots.other[slot] - first_element]; };
  for (const bool same_patch : {true, false}) {
    for (const std::uint32_t old : left) {
      if (slots.touching[old] != 1) continue;
      for (std::size_t t = from; t < touched.size(); ++t) {
        const std::uint32_t now = touched[t].slot;
        if (slots.touching[now] == 1) continue;
        if (same_patch) {
          if (patch(old) != patch(now)) continue;
        } else {
          const shape::MeshTouch& touch = touches[t - from];
          const std::uint32_t triangle = slots.other[old] - first_element;
          const Vec<3> was = shape::nearest_on_triangle(mesh, triangle, here).point;
          if (math::norm(here + touch.k * touch.distance - was) > 0.1 * radius) continue;
        }
        slots.touching[now] = 1;
        slots.touching[old] = 0;
        const auto memory = slots.memory.begin() + static_cast<std::ptrdiff_t>(old * slots.stride);
        std::copy_n(memory, slots.stride, slots.memory.begin() + static_cast<std::ptrdiff_t>(now * slots.stride));
        std::fill_n(memory, slots.stride, 0.0);
        break;
      }
    }
  }
}

void touch_mesh(const ChunkView<3>& view, const world::Place<3>& a, std::uint32_t w, std::uint32_t first,
                std::uint32_t end, std::vector<WallTouch<3>>& touched) {
  const world::Wall<3>& wall = view.world.walls[w];
  world::Slots& slots = view.world.contacts.walls;
  thread_local std::vector<std::uint32_t> triangles, left;
  thread_local std::vector<shape::MeshTouch> touches;
  triangles.clear();
  for (std::uint32_t p = first; p < end; ++p) triangles.push_back(slots.other[p] - wall.first_element);
  const Vec<3> here = wall.now.to_mesh(a.x);
  shape::touching(wall.now.mesh->mesh, triangles, here, a.radius, touches);
  const std::size_t from = touched.size();
  for (const shape::MeshTouch& t : touches) {
    const auto at = std::lower_bound(triangles.begin(), triangles.end(), t.triangle) - triangles.begin();
    touched.push_back({first + static_cast<std::uint32_t>(at),
                       w,
                       {math::rotated(t.k, wall.now.turned), t.distance, a.radius - t.distance},
                       t.at_edge});
    ++view.work.tally.contacts;
  }
  left.clear();
  for (std::uint32_t p = first; p < end; ++p) {
    if (slots.touching[p] == world::kJustOpened) slots.touching[p] = 0;
    const bool still = std::any_of(touched.begin() + static_cast<std::ptrdiff_t>(from), touched.end(),
                                   [p](const WallTouch<3>& t) { return t.slot == p; });
    if (slots.touching[p] == 1 && !still) left.push_back(p);
  }
  if (left.empty()) return;
  hand_over(slots, wall.now.mesh->mesh, wall.first_element, here, a.radius, left, touches, touched, from);
  for (const std::uint32_t p : left) {
    if (slots.touching[p] != 1) continue;
    // It has opened, perhaps beside a triangle that it has just left, or another contact of its surface is nearer now.
    const shape::Mesh& mesh = wall.now.mesh->mesh;
    const std::uint32_t triangle = slots.other[p] - wall.first_element;
    shape::NearestPoint n = shape::nearest_on_triangle(mesh, triangle, here);
    for (const std::uint32_t other : triangles) {
      if (other == triangle || mesh.patch[other] != mesh.patch[triangle]) continue;
      const shape::NearestPoint nearer = shape::nearest_on_triangle(mesh, other, here);
      if (nearer.distance < n.distance) n = nearer;
    }
    if (n.distance < a.radius || !(n.distance > 0)) {
      slots.forget(p);
      continue;
    }
    const Vec<3> k = math::rotated((n.point - here) * (1 / n.distance), wall.now.turned);
    touched.push_back({p, w, {k, n.distance, a.radius - n.distance}, false});
  }
}

template <int D>
void push_walls(const ChunkView<D>& view, const Kernels<D>& kernels) {
  World<D>& world = view.world;
  world::Slots& slots = world.contacts.walls;
  thread_local std::vector<WallTouch<D>> touched;
  for (std::uint32_t i = view.begin; i < view.end; ++i) {
    if (slots.start[i] == slots.start[i + 1]) continue;
    const world::Place<D>& a = world.bodies.place[i];
    touched.clear();
    for (std::uint32_t p = slots.start[i]; p < slots.start[i + 1]; ++p) {
      WallTouch<D> t{p, world.wall_of(slots.other[p]), {}, false};
      if (world.walls[t.wall].start.form == world::Form::kMesh) {
        const std::uint32_t after = t.wall + 1 < world.walls.size() ? world.walls[t.wall + 1].first_element : ~0U;
        std::uint32_t end = p;
        while (end < slots.start[i + 1] && slots.other[end] < after) ++end;
        touch_mesh(view, a, t.wall, p, end, touched);
        p = end - 1;
        continue;
      }
      t.at = touch::touch_wall(a.x, a.radius, world.walls[t.wall].now, t.at_end);
      const bool touching = t.at.overlap > 0;
      if (slots.touching[p] == world::kJustOpened) slots.touching[p] = 0;
      if (!touching && slots.touching[p] == 0) continue;
      touched.push_back(t);
      view.work.tally.contacts += static_cast<std::int64_t>(touching);
    }
    for (std::size_t t = 0; t < touched.size(); ++t) {
      if (touched.size() > 1 && hidden_end(world, a, touched, t)) {
        slots.forget(touched[t].slot);
        continue;
      }
      const std::size_t pair =
          world.bodies.moving[i].material * world.laws.materials() + world.walls[touched[t].wall].material;
      kernels.of_pair[pair].wall(view, i, touched[t].slot, touched[t].wall, touched[t].at);
    }
  }
}

template <int D>
void push_pairs(const ChunkView<D>& view, const Kernels<D>& kernels) {
  const World<D>& world = view.world;
  if (kernels.uniform) {
    const std::uint32_t material = world.bodies.moving[view.begin].material;
    return kernels.of_pair[material * world.laws.materials() + material].pairs(view);
  }
  std::uint32_t i = view.begin;
  for (const std::uint32_t p : view.closed) {
    i = world.contacts.pairs.body_of(p, i);
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
}

template <int D>
void Forces<D>::compute(World<D>& world, base::Team& team, bool keep_energy, bool keep_records) {
  const std::size_t n = world.bodies.size(), chunks = base::chunk_count(n);
  const Kernels<D> kernels(world, materials_, keep_energy);
  const auto shifts = world::image_shifts(world.domain, world.time);
  const auto drifts = world::image_drifts(world.domain);
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
    std::fill(world.bodies.force.begin() + begin, world.bodies.force.begin() + end, Vec<D>{});
    std::fill(world.bodies.torque.begin() + begin, world.bodies.torque.begin() + end, Spin<D>{});
    thread_local std::vector<std::uint32_t> closed;  // needed for one chunk at a time
    const ChunkView<D> view{world,  outbox_, work,    closed,       begin,          end,
                            shifts, drifts,  sheared, keep_records, world.step == 0};
    if (view.at_start) make_bonds(view);
    touch_pairs(view);
    push_pairs(view, kernels);
    push_walls(view, kernels);
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
