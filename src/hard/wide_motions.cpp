// SPDX-License-Identifier: MIT
#include "hard/wide_motions.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::hard {

namespace {

constexpr double kCellLayers = 16;  // between two nodes
constexpr double kFewLayers = 110;  // that sweeps stop by themselves
constexpr double kFastest = 30;     // g h: where bodies are faster nothing is near rest, and scaled impulses harm
// Where they are faster than this, in g h, |s| stays small: else more is put in than stopped, and wide piles boil.
constexpr double kSlow = 5, kMostWhereFast = 0.1;
constexpr std::size_t kShares = 16;  // of movers, each with nodes of its own
constexpr int kMostRounds = 100;
constexpr double kEnough = 1e-3;  // of the first residual

double square(double x) { return x * x; }

template <class Each>
void for_shares(base::Team& team, std::size_t n, const Each& each) {
  team.for_chunks(kShares, [&](std::size_t k) { each(k, k * n / kShares, (k + 1) * n / kShares); });
}

// A block sticks if friction is well below its limit.
template <class B, class T>
bool sticks(const B& c, const T& l_t) {
  const double most = c.mu * (c.l_n - c.floor) + c.shear;
  return math::norm2(l_t) < 0.99 * most * most;
}

}  // namespace

template <int D>
Vec<D> WideMotions<D>::centre(const world::World<D>& world, std::size_t mover) const {
  const std::size_t n = world.bodies.size();
  return mover < n ? world.bodies.place[mover].x : world.clumps.x[mover - n];
}

template <int D>
void WideMotions<D>::stop(const world::World<D>& world, ImpulseSolver<D>& solver, Movers<D>& movers, double h) {
  nodes_.clear();
  loads_.clear();
  // Bodies in flight make it look deeper than it is, never less deep.
  if (layers_of(world, extent_of(world, movers)) < kFewLayers || world.domain.shear.rate != 0) return;
  add_loads(solver, movers);
  const Extent touched = extent_of(world, movers);
  layers_ = layers_of(world, touched);
  if (layers_ < kFewLayers) return;
  lay_grid(world, touched);
  assemble(world, movers);
  solve(math::norm(world.gravity) * h);
  find_fields(world);
  scale(solver, movers);
}

template <int D>
void WideMotions<D>::add_loads(ImpulseSolver<D>& solver, const Movers<D>& movers) {
  loads_.assign(movers.all.size(), {});
  solver.for_groups(false, [&](const Group<D>& g) {
    const auto add = [&](std::uint32_t mover, const Vec<D>& arm, const Vec<D>& impulse, double work) {
      Load& load = loads_[mover];
      const Spin<D> torque = math::cross(arm, impulse);
      load.impulse += impulse;
      load.torque += torque;
      for (int k = 0; k < D; ++k) {
        load.impulse_at[static_cast<std::size_t>(k)] += impulse * arm[k];
        load.torque_at[static_cast<std::size_t>(k)] += torque * arm[k];
      }
      load.work += work;
      load.touched = true;
    };
    const auto work_of = [&](const auto& c) {
      const Parts<D> u = solver.coupled ? c.template slip<false>(movers) : c.template slip<true>(movers);
      return c.l_n * (u.n - c.target) + (sticks(c, c.l_t) ? math::dot(c.l_t, u.t) : 0);
    };
    for (const Block<D>& c : g.pairs) {
      const Vec<D> impulse = c.n * c.l_n + along(c.l_t, c.n);
      const double work = 0.5 * work_of(c);
      add(c.a, c.arm_a, -impulse, work);
      add(c.b, c.arm_b, impulse, work);
    }
    for (const HeldBlock<D>& c : g.held) add(c.a, c.arm_a, -(c.n * c.l_n + along(c.l_t, c.n)), work_of(c));
  });
}

// Of all movers that touch something; before that is known, of all that move.
template <int D>
typename WideMotions<D>::Extent WideMotions<D>::extent_of(const world::World<D>& world, const Movers<D>& movers) const {
  std::array<Extent, kShares> extents;
  for_shares(team_, movers.all.size(), [&](std::size_t share, std::size_t begin, std::size_t end) {
    Extent& e = extents[share];
    const std::size_t n = world.bodies.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (loads_.empty() ? movers.all[i].inverse_mass == 0 : !loads_[i].touched) continue;
      const Vec<D> x = centre(world, i);
      for (int k = 0; k < D; ++k) {
        e.min[k] = std::min(e.min[k], x[k]);
        e.max[k] = std::max(e.max[k], x[k]);
      }
      e.radii += i < n ? world.bodies.place[i].radius : world.clumps.radius[i - n];
      ++e.bodies;
    }
  });
  Extent all;
  for (const Extent& e : extents) {
    for (int k = 0; k < D; ++k) {
      all.min[k] = std::min(all.min[k], e.min[k]);
      all.max[k] = std::max(all.max[k], e.max[k]);
    }
    all.radii += e.radii;
    all.bodies += e.bodies;
  }
  return all;
}

template <int D>
double WideMotions<D>::layers_of(const world::World<D>& world, const Extent& e) const {
  const double g = math::norm(world.gravity);
  if (e.bodies == 0 || g == 0) return 0;
  double layers = 1;
  for (int k = 0; k < D; ++k) layers += std::fabs(world.gravity[k]) / g * (e.max[k] - e.min[k]) / e.diameter();
  return layers;
}

template <int D>
void WideMotions<D>::lay_grid(const world::World<D>& world, const Extent& e) {
  std::size_t nodes = 1;
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    round_[axis] = world.domain.periodic[axis];
    origin_[k] = round_[axis] ? world.domain.min[k] : e.min[k];
    const double length = round_[axis] ? world.domain.length(k) : std::max(e.max[k] - e.min[k], e.diameter());
    const double cells = std::max(1.0, std::round(length / (kCellLayers * e.diameter())));
    cell_[k] = length / cells;
    count_[axis] = static_cast<std::uint32_t>(cells) + (round_[axis] ? 0 : 1);
    nodes *= count_[axis];
  }
  nodes_.assign(nodes, {});
}

template <int D>
typename WideMotions<D>::At WideMotions<D>::at(const Vec<D>& x, std::array<Vec<D>, kCorners>& slopes) const {
  std::array<std::uint32_t, D> first, second;
  Vec<D> part;
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double p = (x[k] - origin_[k]) / cell_[k], cells = count_[axis] - (round_[axis] ? 0 : 1);
    double cell = std::floor(p);
    part[k] = p - cell;
    if (round_[axis]) {
      cell -= cells * std::floor(cell / cells);
    } else {
      cell = std::clamp(cell, 0.0, cells - 1);
      part[k] = std::clamp(p - cell, 0.0, 1.0);
    }
    first[axis] = static_cast<std::uint32_t>(cell);
    second[axis] = (first[axis] + 1) % count_[axis];
  }
  At found;
  for (std::size_t corner = 0; corner < kCorners; ++corner) {
    std::uint32_t node = 0;
    double hat = 1;
    Vec<D> slope;
    for (int k = 0; k < D; ++k) slope[k] = 1;
    for (int k = D - 1; k >= 0; --k) {
      const bool far = (corner >> k & 1) != 0;
      const auto axis = static_cast<std::size_t>(k);
      node = node * count_[axis] + (far ? second[axis] : first[axis]);
      const double factor = far ? part[k] : 1 - part[k];
      hat *= factor;
      for (int j = 0; j < D; ++j) slope[j] *= j == k ? (far ? 1 : -1) / cell_[k] : factor;
    }
    found.node[corner] = node;
    found.hat[corner] = hat;
    slopes[corner] = slope;
  }
  return found;
}

template <int D>
void WideMotions<D>::assemble(const world::World<D>& world, const Movers<D>& movers) {
  parts_.resize(kShares);
  for_shares(team_, loads_.size(), [&](std::size_t share, std::size_t begin, std::size_t end) {
    parts_[share].assign(nodes_.size(), {});
    for (std::size_t i = begin; i < end; ++i) {
      if (loads_[i].touched) add_mover(centre(world, i), movers.all[i], movers, loads_[i], parts_[share]);
    }
  });
  for (const std::vector<Node>& part : parts_) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      nodes_[k].work += part[k].work;
      nodes_[k].mass += part[k].mass;
      nodes_[k].energy += part[k].energy;
      for (std::size_t c = 0; c < kStencil; ++c) nodes_[k].row[c] += part[k].row[c];
    }
  }
}

// All blocks of a mover are near it: there hats are as good as linear.
template <int D>
void WideMotions<D>::add_mover(const Vec<D>& x, const Mover<D>& m, const Movers<D>& movers, const Load& load,
                               std::vector<Node>& nodes) const {
  std::array<Vec<D>, kCorners> slopes;
  const At here = at(x, slopes);
  std::array<Vec<D>, kCorners> impulse, speed;
  std::array<Spin<D>, kCorners> torque, spin;
  for (std::size_t c = 0; c < kCorners; ++c) {
    impulse[c] = load.impulse * here.hat[c];
    torque[c] = load.torque * here.hat[c];
    for (int k = 0; k < D; ++k) {
      impulse[c] += load.impulse_at[static_cast<std::size_t>(k)] * slopes[c][k];
      torque[c] += load.torque_at[static_cast<std::size_t>(k)] * slopes[c][k];
    }
    speed[c] = impulse[c] * m.inverse_mass;
    spin[c] = movers.turned(m, torque[c]);
    Node& node = nodes[here.node[c]];
    const double mass = here.hat[c] / m.inverse_mass;
    node.work += here.hat[c] * load.work;
    node.mass += mass;
    node.energy += mass * math::norm2(m.v);
  }
  for (std::size_t a = 0; a < kCorners; ++a) {
    for (std::size_t b = 0; b < kCorners; ++b) {
      std::size_t offset = 0;
      for (int k = D - 1; k >= 0; --k) offset = offset * 3 + 1 + (b >> k & 1) - (a >> k & 1);
      nodes[here.node[a]].row[offset] += math::dot(impulse[a], speed[b]) + math::dot(torque[a], spin[b]);
    }
  }
}

// The field of least motion, by conjugate gradients; 0 where bodies are fast.
template <int D>
void WideMotions<D>::solve(double unit) {
  const std::size_t n = nodes_.size();
  std::vector<double> rest(n), direction(n), product(n);
  constexpr std::size_t kOwn = kStencil / 2;
  const auto open = [&](const Node& node) {
    return node.row[kOwn] > 0 && node.energy <= square(kFastest * unit) * node.mass;
  };
  const auto multiply = [&] {
    for (std::size_t at = 0; at < n; ++at) {
      double sum = 0;
      if (open(nodes_[at])) {
        std::array<std::uint32_t, D> place;
        std::size_t left = at;
        for (std::size_t k = 0; k < D; ++k) {
          place[k] = static_cast<std::uint32_t>(left % count_[k]);
          left /= count_[k];
        }
        for (std::size_t c = 0; c < kStencil; ++c) {
          if (nodes_[at].row[c] == 0) continue;
          std::size_t other = 0, code = c, scale = 1;
          for (std::size_t k = 0; k < D; ++k) {
            other += scale * ((place[k] + count_[k] + code % 3 - 1) % count_[k]);
            scale *= count_[k];
            code /= 3;
          }
          sum += nodes_[at].row[c] * direction[other];
        }
      }
      product[at] = sum;
    }
  };
  double size = 0;
  for (std::size_t k = 0; k < n; ++k) {
    rest[k] = open(nodes_[k]) ? -nodes_[k].work : 0;
    direction[k] = open(nodes_[k]) ? rest[k] / nodes_[k].row[kOwn] : 0;
    size += rest[k] * direction[k];
  }
  const double enough = kEnough * kEnough * size;
  for (int round = 0; round < kMostRounds && size > enough; ++round) {
    multiply();
    double curvature = 0;
    for (std::size_t k = 0; k < n; ++k) curvature += direction[k] * product[k];
    if (!(curvature > 0)) break;
    const double step = size / curvature;
    double next = 0;
    for (std::size_t k = 0; k < n; ++k) {
      nodes_[k].s += step * direction[k];
      rest[k] -= step * product[k];
      if (open(nodes_[k])) next += rest[k] * rest[k] / nodes_[k].row[kOwn];
    }
    const double bend = next / size;
    size = next;
    for (std::size_t k = 0; k < n; ++k)
      direction[k] = (open(nodes_[k]) ? rest[k] / nodes_[k].row[kOwn] : 0) + bend * direction[k];
  }
  for (Node& node : nodes_) {
    const double most = node.energy <= square(kSlow * unit) * node.mass ? 1 : kMostWhereFast;
    node.s = std::clamp(node.s, -most, most);
  }
}

template <int D>
void WideMotions<D>::find_fields(const world::World<D>& world) {
  fields_.resize(loads_.size());
  for_shares(team_, loads_.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!loads_[i].touched) continue;
      std::array<Vec<D>, kCorners> slopes;
      const At here = at(centre(world, i), slopes);
      Field field;
      for (std::size_t c = 0; c < kCorners; ++c) {
        field.s += here.hat[c] * nodes_[here.node[c]].s;
        field.slope += slopes[c] * nodes_[here.node[c]].s;
      }
      fields_[i] = field;
    }
  });
}

template <int D>
void WideMotions<D>::scale(ImpulseSolver<D>& solver, Movers<D>& movers) const {
  solver.for_groups(false, [&](Group<D>& g) {
    g.once.resize(g.blocks());
    const auto all = [&](auto& blocks, std::size_t first) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        auto& c = blocks[k];
        const double factor = 1 + fields_[c.a].s + math::dot(fields_[c.a].slope, c.arm_a);
        const double l_n = std::max(c.floor, c.l_n * factor);
        const Across<D> l_t = limited(c.l_t * factor, c.mu * (l_n - c.floor) + c.shear);
        const Parts<D> change{l_n - c.l_n, l_t - c.l_t};
        c.l_n = l_n;
        c.l_t = l_t;
        g.once[first + k] = change;
        if (solver.coupled) {
          c.template push<false>(movers, change);
        } else {
          c.template push<true>(movers, change);
        }
      }
    };
    all(g.pairs, 0);
    all(g.held, g.pairs.size());
  });
}

template <int D>
void WideMotions<D>::forget(ImpulseSolver<D>& solver, double kept, Movers<D>& without) const {
  if (nodes_.empty()) return;
  solver.for_groups(false, [&](Group<D>& g) {
    const auto all = [&](auto& blocks, std::size_t first) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        auto& c = blocks[k];
        const Parts<D>& once = g.once[first + k];
        const double l_n = std::max(c.floor, c.l_n - (1 - kept) * once.n);
        const Across<D> l_t = limited(c.l_t - once.t * (1 - kept), c.mu * (l_n - c.floor) + c.shear);
        const Parts<D> back{c.l_n - l_n, c.l_t - l_t};
        c.l_n = l_n;
        c.l_t = l_t;
        if (!solver.coupled) c.template push<true>(without, back);
      }
    };
    all(g.pairs, 0);
    all(g.held, g.pairs.size());
  });
}

template class WideMotions<2>;
template class WideMotions<3>;

}  // namespace moraine::hard
