// SPDX-License-Identifier: MIT
#include "hard/impulse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace moraine::hard {

namespace {

constexpr std::size_t kChunkMovers = 2048;
constexpr int kIslandSweeps = 100;
constexpr double kIslandTolerance = 1e-7;  // of that of all others

// One block against all others as they are. Returns what it changes.
template <int D, bool kRound, class B>
inline Parts<D> relax(B& c, Movers<D>& movers) {
  Parts<D> u = c.template slip<kRound>(movers);
  const double l_n = std::max(c.floor, c.l_n - (u.n - c.target) * c.k_n);
  Parts<D> change;
  change.n = l_n - c.l_n;
  c.l_n = l_n;
  if constexpr (!kRound) {
    // A normal impulse changes the slip.
    c.push(movers, c.n * change.n);
    u = c.template slip<kRound>(movers);
  }
  const Across<D> l_t = limited(c.l_t - u.t * c.k_t, c.mu * (l_n - c.floor) + c.shear);
  change.t = l_t - c.l_t;
  c.l_t = l_t;
  if constexpr (kRound) {
    c.template push<kRound>(movers, change);
  } else {
    c.push(movers, along(change.t, c.n));
  }
  return change;
}

inline double limited_spin(double l, double /*n*/, double roll, double /*twist*/) { return std::clamp(l, -roll, roll); }
inline math::Vec3 limited_spin(const math::Vec3& l, const math::Vec3& n, double roll, double twist) {
  const double about = math::dot(l, n);
  return limited(l - n * about, roll) + n * std::clamp(about, -twist, twist);
}

}  // namespace

template <int D>
void ImpulseSolver<D>::warm_start(Movers<D>& movers) {
  const auto start = [&](const Group<D>& g) {
    const auto all = [&](const auto& blocks, auto is_coupled) {
      for (const auto& c : blocks) c.template push<!decltype(is_coupled)::value>(movers, {c.l_n, c.l_t});
    };
    if (coupled) {
      all(g.pairs, std::true_type{});
      all(g.held, std::true_type{});
    } else {
      all(g.pairs, std::false_type{});
      all(g.held, std::false_type{});
    }
    for (const RollBlock<D>& c : g.rolls) {
      movers.all[c.a].w -= movers.turned(movers.all[c.a], c.l);
      if (c.b != kNoMover) movers.all[c.b].w += movers.turned(movers.all[c.b], c.l);
    }
  };
  for_groups(false, start);
  team_.for_chunks(groups.size() - first_island, [&](std::size_t k) { start(groups[first_island + k]); });
}

template <int D>
void ImpulseSolver<D>::solve_island(Movers<D>& movers, Group<D>& group, double tolerance) const {
  for (int k = 0; k < kIslandSweeps; ++k) {
    sweep(movers, group, k % 2 == 1, true, false);
    if (group.residual <= tolerance) return;
  }
}

template <int D>
void ImpulseSolver<D>::sweep(Movers<D>& movers, Group<D>& g, bool backwards, bool measure, bool keep) const {
  double residual2 = 0, size2 = 0;
  if (keep) g.change.resize(g.blocks());
  const auto all = [&](auto& blocks, std::size_t first, auto is_coupled) {
    const std::size_t n = blocks.size();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = backwards ? n - 1 - k : k;
      auto& c = blocks[at];
      const Parts<D> change = relax<D, !decltype(is_coupled)::value>(c, movers);
      if (!measure) continue;
      const double normal = change.n / c.k_n, slip2 = math::norm2(change.t) / c.k_t;
      residual2 = std::max(residual2, std::max(normal * normal, slip2 / c.k_t));
      if (!keep) continue;
      size2 += change.n * normal + slip2;
      g.change[first + at] = change;
    }
  };
  const auto both = [&](auto is_coupled) {
    if (backwards) {
      all(g.held, g.pairs.size(), is_coupled);
      all(g.pairs, 0, is_coupled);
    } else {
      all(g.pairs, 0, is_coupled);
      all(g.held, g.pairs.size(), is_coupled);
    }
  };
  if (coupled) {
    both(std::true_type{});
  } else {
    both(std::false_type{});
  }
  if (keep) g.roll_change.resize(g.rolls.size());
  for (std::size_t k = 0; k < g.rolls.size(); ++k) {
    RollBlock<D>& c = g.rolls[k];
    const Spin<D> other = c.b == kNoMover ? c.drift : movers.all[c.b].w;
    const double normal = std::max(0.0, g.normal(c.block));
    Across<D> n{};
    if constexpr (D == 3) n = c.block < g.pairs.size() ? g.pairs[c.block].n : g.held[c.block - g.pairs.size()].n;
    const Spin<D> l = limited_spin(c.l - (other - movers.all[c.a].w) * c.k, n, c.roll * normal + c.moment,
                                   c.twist * normal + c.moment);
    const Spin<D> change = l - c.l;
    c.l = l;
    movers.all[c.a].w -= movers.turned(movers.all[c.a], change);
    if (c.b != kNoMover) movers.all[c.b].w += movers.turned(movers.all[c.b], change);
    if (keep) {
      g.roll_change[k] = change;
      size2 += math::norm2(change) / c.k;
    }
  }
  g.residual = std::sqrt(residual2);
  g.size2 = size2;
}

template <int D>
double ImpulseSolver<D>::add_up(double& residual) const {
  double size2 = 0;
  residual = 0;
  for (std::size_t k = 0; k < first_island; ++k) {
    const Group<D>& g = groups[k];
    residual = std::max(residual, g.residual);
    size2 += g.size2;
  }
  return size2;
}

// Everything moves on along the direction, which is then bent towards what the last sweep has changed.
template <int D>
void ImpulseSolver<D>::extrapolate(Movers<D>& movers, double beta) {
  team_.for_chunks(first_island, [&](std::size_t which) {
    Group<D>& g = groups[which];
    g.direction.resize(g.blocks());
    g.roll_direction.resize(g.rolls.size());
    const auto all = [&](auto& blocks, std::size_t first) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        Parts<D>& p = g.direction[first + k];
        p.n *= beta;
        p.t = p.t * beta;
        blocks[k].l_n += p.n;
        blocks[k].l_t = blocks[k].l_t + p.t;
        p.n += g.change[first + k].n;
        p.t = p.t + g.change[first + k].t;
      }
    };
    all(g.pairs, 0);
    all(g.held, g.pairs.size());
    for (std::size_t k = 0; k < g.rolls.size(); ++k) {
      Spin<D>& p = g.roll_direction[k];
      p = p * beta;
      g.rolls[k].l += p;
      p = p + g.roll_change[k];
    }
  });
  const std::size_t n = movers.all.size();
  team_.for_chunks((n + kChunkMovers - 1) / kChunkMovers, [&](std::size_t chunk) {
    const std::size_t end = std::min(n, (chunk + 1) * kChunkMovers);
    for (std::size_t i = chunk * kChunkMovers; i < end; ++i) {
      Mover<D>& m = movers.all[i];
      const Vec<D> dv = m.v - before_[i].v;
      const Spin<D> dw = m.w - before_[i].w;
      Motion& p = heading_[i];
      p.v *= beta;
      p.w = p.w * beta;
      m.v += p.v;
      m.w += p.w;
      p.v += dv;
      p.w = p.w + dw;
      before_[i] = {m.v, m.w};
    }
  });
}

// Nothing is known yet of the direction that conjugate gradients follow.
template <int D>
void ImpulseSolver<D>::start_direction(const Movers<D>& movers) {
  before_.resize(movers.all.size());
  heading_.assign(movers.all.size(), {});
  for (std::size_t i = 0; i < movers.all.size(); ++i) before_[i] = {movers.all[i].v, movers.all[i].w};
  for (std::size_t k = 0; k < first_island; ++k) {
    Group<D>& g = groups[k];
    g.direction.assign(g.blocks(), {});
    g.roll_direction.assign(g.rolls.size(), {});
  }
}

// The first sweeps are plain: where impulses hardly change from step to step they are enough.
template <int D>
Solved ImpulseSolver<D>::solve(Movers<D>& movers, const StepSettings& settings, double tolerance) {
  const bool conjugate = settings.contact_solver == ContactSolver::kConjugate && !links;
  team_.for_chunks(groups.size() - first_island, [&](std::size_t k) {
    if (groups[first_island + k].blocks() > 0)
      solve_island(movers, groups[first_island + k], kIslandTolerance * tolerance);
  });
  Solved solved;
  double last = 0;
  while (true) {
    const bool backwards = solved.iterations % 2 == 1,
               keep = conjugate && solved.iterations >= settings.least_iterations;
    ++solved.iterations;
    // What is off is of interest only where sweeps may end.
    const bool measure = keep || solved.iterations >= settings.least_iterations;
    for_groups(backwards, [&](Group<D>& g) { sweep(movers, g, backwards, measure, keep); });
    const double size2 = add_up(solved.residual);
    if (links) solved.residual = std::max(solved.residual, links(movers));
    if (solved.iterations >= settings.most_iterations) break;
    if (solved.residual <= tolerance && solved.iterations >= settings.least_iterations) break;
    if (conjugate && solved.iterations == settings.least_iterations) start_direction(movers);
    if (!keep) continue;
    const double beta = last > 0 ? size2 / last : 0;
    last = size2;
    extrapolate(movers, beta > 1 ? 0 : beta);
  }
  return solved;
}

template <int D>
void ImpulseSolver<D>::push_out(const Movers<D>& movers, Movers<D>& apart, double part, double h, int sweeps) {
  team_.for_chunks(groups.size(), [&](std::size_t which) {
    Group<D>& g = groups[which];
    g.push.assign(g.blocks(), 0.0);
    g.push_target.resize(g.blocks());
    const auto aim = [&](const auto& blocks, std::size_t first) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        const double then = blocks[k].gap / h + math::dot(blocks[k].velocity(movers), blocks[k].n);
        g.push_target[first + k] = then < 0 || blocks[k].bonded() ? -part * then : -then;
      }
    };
    aim(g.pairs, 0);
    aim(g.held, g.pairs.size());
  });
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const bool backwards = sweep % 2 == 1;
    const auto one = [&](Group<D>& g) {
      const auto all = [&](const auto& blocks, std::size_t first) {
        const std::size_t n = blocks.size();
        for (std::size_t k = 0; k < n; ++k) {
          const std::size_t at = backwards ? n - 1 - k : k;
          const auto& c = blocks[at];
          double& l = g.push[first + at];
          const double least = c.bonded() ? -std::numeric_limits<double>::infinity() : 0;
          const double u = math::dot(c.velocity(apart) - c.own(), c.n);
          const double now = std::max(least, l - (u - g.push_target[first + at]) * c.k_n);
          c.push(apart, c.n * (now - l));
          l = now;
        }
      };
      all(g.pairs, 0);
      all(g.held, g.pairs.size());
    };
    for_groups(backwards, one);
    team_.for_chunks(groups.size() - first_island, [&](std::size_t k) { one(groups[first_island + k]); });
  }
}

template class ImpulseSolver<2>;
template class ImpulseSolver<3>;

}  // namespace moraine::hard
