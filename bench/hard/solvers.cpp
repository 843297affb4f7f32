// SPDX-License-Identifier: MIT
// How fast solvers find the impulses of a pile from nothing: one frozen step of a scene that has settled, solved with
// more and more iterations by those of the program (Gauss-Seidel, nonsmooth conjugate gradients) and by accelerated
// projected gradients (Mazhar et al. 2015) for comparison. One thread.
//   bench_solvers SCENE STEP MOST [KEY=VALUE...]
// Prints a line of CSV per solver and number of iterations; velocities over what gravity gives in the step.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unordered_map>

#include "base/error.hpp"
#include "hard/impulse_solver.hpp"
#include "scene/build.hpp"
#include "sim/probe_watch.hpp"

namespace {

using namespace moraine;
using hard::Group;
using hard::Movers;

template <int D>
struct Problem {
  Movers<D> movers;
  Group<D> group;
  double fall = 0;  // m/s: of gravity in the step
};

template <int D>
Problem<D> frozen(const measure::Sight<D>& sight, double h) {
  const auto& bodies = sight.world.bodies;
  Problem<D> p;
  p.fall = math::norm(sight.world.gravity) * h;
  std::unordered_map<std::int64_t, std::uint32_t> at;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    at[bodies.id[i]] = static_cast<std::uint32_t>(i);
    p.movers.all.push_back({sight.world.gravity * h, 1 / bodies.mass[i], 1 / bodies.inertia[i], {}});
  }
  const auto fill = [&](auto& c, const auto& record, std::uint32_t material) {
    c.n = record.normal;
    c.mu = sight.world.laws(bodies.moving[c.a].material, material).mu;
    c.target = c.floor = c.shear = c.l_n = c.gap = 0;
    c.l_t = {};
    c.arm_a = c.n * bodies.place[c.a].radius;
  };
  const auto yield = [&](std::uint32_t i) {
    const double r = bodies.place[i].radius;
    return p.movers.all[i].inverse_mass + p.movers.all[i].inverse_inertia * r * r;
  };
  for (const auto& record : sight.contacts) {
    if (record.b < 0) {
      hard::HeldBlock<D> c{};
      c.a = at.at(record.a);
      fill(c, record, sight.world.walls[static_cast<std::size_t>(-1 - record.b)].material);
      c.k_n = 1 / p.movers.all[c.a].inverse_mass;
      c.k_t = 1 / yield(c.a);
      p.group.held.push_back(c);
    } else {
      hard::Block<D> c{};
      c.a = at.at(record.a);
      c.b = at.at(record.b);
      fill(c, record, bodies.moving[c.b].material);
      c.arm_b = c.n * -bodies.place[c.b].radius;
      c.k_n = 1 / (p.movers.all[c.a].inverse_mass + p.movers.all[c.b].inverse_mass);
      c.k_t = 1 / (yield(c.a) + yield(c.b));
      p.group.pairs.push_back(c);
    }
  }
  return p;
}

// What a block would change by itself, in steps of its own stiffness.
template <int D, class B>
hard::Parts<D> wanted(const B& c, const Movers<D>& movers, double step) {
  const auto u = c.velocity(movers);
  const double l_n = std::max(0.0, c.l_n - step * (math::dot(u, c.n) - c.target) * c.k_n);
  const auto l_t = hard::limited(c.l_t - hard::across(u, c.n) * (step * c.k_t), c.mu * l_n);
  return {l_n - c.l_n, l_t - c.l_t};
}

template <int D, class Each>
void for_blocks(Group<D>& g, const Each& each) {
  for (std::size_t k = 0; k < g.pairs.size(); ++k) each(g.pairs[k], k);
  for (std::size_t k = 0; k < g.held.size(); ++k) each(g.held[k], g.pairs.size() + k);
}

// Nesterov's method with the step found by halving and restarts where it goes uphill (O'Donoghue & Candes 2015).
template <int D>
void gradients(Problem<D>& p, int iterations) {
  Group<D>& g = p.group;
  g.change.assign(g.blocks(), {});
  g.direction.assign(g.blocks(), {});  // from the last impulses to where the gradient is taken
  std::vector<hard::Mover<D>> heading(p.movers.all.size()), before;
  double step = 1, theta = 1;
  for (int k = 0; k < iterations; ++k) {
    before = p.movers.all;
    for (;;) {
      double size2 = 0, slope = 0, after = 0;
      for_blocks(g, [&](auto& c, std::size_t b) {
        g.change[b] = wanted(c, p.movers, step);
        const auto u = c.velocity(p.movers);
        slope += g.change[b].n * math::dot(u, c.n) + math::dot(hard::along(g.change[b].t, c.n), u);
        size2 += g.change[b].n * g.change[b].n / c.k_n + math::dot(g.change[b].t, g.change[b].t) / c.k_t;
      });
      for_blocks(
          g, [&](auto& c, std::size_t b) { c.push(p.movers, c.n * g.change[b].n + hard::along(g.change[b].t, c.n)); });
      for_blocks(g, [&](auto& c, std::size_t b) {
        const auto u = c.velocity(p.movers);
        after += g.change[b].n * math::dot(u, c.n) + math::dot(hard::along(g.change[b].t, c.n), u);
      });
      if (after - slope <= size2 / step || step < 1e-6) break;
      p.movers.all = before;
      step *= 0.7;
    }
    double ahead = 0;
    for_blocks(g, [&](auto& c, std::size_t b) {
      const auto& change = g.change[b];
      auto& d = g.direction[b];
      ahead += change.n * (d.n + change.n) / c.k_n + math::dot(change.t, d.t + change.t) / c.k_t;
    });
    if (ahead < 0) theta = 1;
    const double next = 0.5 * (std::sqrt(theta * theta * theta * theta + 4 * theta * theta) - theta * theta);
    const double beta = ahead < 0 || k + 1 == iterations ? 0 : theta * (1 - theta) / (theta * theta + next);
    theta = next;
    for_blocks(g, [&](auto& c, std::size_t b) {
      const auto& change = g.change[b];
      auto& d = g.direction[b];
      d.n = (d.n + change.n) * beta;
      d.t = (d.t + change.t) * beta;
      c.l_n += change.n + d.n;
      c.l_t = c.l_t + change.t + d.t;
    });
    for (std::size_t i = 0; i < heading.size(); ++i) {
      auto& m = p.movers.all[i];
      heading[i].v = (heading[i].v + m.v - before[i].v) * beta;
      heading[i].w = (heading[i].w + m.w - before[i].w) * beta;
      m.v += heading[i].v;
      m.w += heading[i].w;
    }
    step /= 0.95;
  }
}

template <int D>
void print(const char* solver, int iterations, double seconds, Problem<D>& p) {
  double normal = 0, slip = 0, approach = 0, cone = 0, largest = 0;
  for_blocks(p.group, [&](auto& c, std::size_t) {
    const auto change = wanted(c, p.movers, 1);
    normal = std::max(normal, std::fabs(change.n) / c.k_n);
    slip = std::max(slip, math::norm(change.t) / c.k_t);
    approach = std::max(approach, -math::dot(c.velocity(p.movers), c.n));
    cone = std::max(cone, math::norm(c.l_t) - c.mu * c.l_n);
    largest = std::max(largest, c.l_n);
  });
  std::printf("%s,%d,%.6g,%.6g,%.6g,%.6g,%.6g\n", solver, iterations, seconds, normal / p.fall, slip / p.fall,
              approach / p.fall, largest > 0 ? cone / largest : 0);
}

template <int D>
class Freeze : public measure::Probe<D> {
 public:
  Freeze(double h, Problem<D>& problem) : measure::Probe<D>("freeze"), h_(h), problem_(problem) {
    this->every = 1 << 30;
  }
  std::vector<measure::Quantity> columns() const override { return {}; }
  bool wants_contacts() const override { return true; }
  bool sample(const measure::Sight<D>& sight, std::vector<double>& /*row*/) override {
    problem_ = frozen(sight, h_);
    return false;
  }

 private:
  double h_;
  Problem<D>& problem_;
};

template <int D>
void compare(const scene::Scene& scene, double h, int most) {
  Problem<D> start;
  {
    auto built = scene::build<D>(scene);
    sim::Simulation<D> run(std::move(built.world), built.ending, 1);
    scene::hook_up(built, run);
    run.add(std::make_unique<sim::ProbeWatch<D>>(std::make_unique<Freeze<D>>(h, start)));
    run.begin(nullptr);
    while (!run.finished()) run.step();
    run.finish();
  }
  std::fprintf(stderr, "bench: %zu bodies, %zu contacts\n", start.movers.all.size(), start.group.blocks());
  std::puts("solver,iterations,seconds,normal,slip,approach,cone");
  base::Team alone(1);
  for (const char* solver : {"gauss-seidel", "conjugate", "projected-gradient"}) {
    for (int n = 2; n <= most; n *= 2) {
      Problem<D> p = start;
      hard::ImpulseSolver<D> ours(alone);
      ours.groups = {p.group};
      ours.colours = {{0}};
      ours.first_island = 1;
      hard::StepSettings settings;
      const bool conjugate = solver[0] == 'c';
      settings.contact_solver = conjugate ? hard::ContactSolver::kConjugate : hard::ContactSolver::kGaussSeidel;
      settings.least_iterations = conjugate ? std::min(2, n) : n;
      settings.most_iterations = n;
      const std::clock_t begin = std::clock();  // of this process alone: others may be busy
      if (solver[0] == 'p') {
        gradients(p, n);
      } else {
        ours.solve(p.movers, settings, 0);
      }
      const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (solver[0] != 'p') p.group = ours.groups[0];
      print(solver, n, spent, p);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: bench_solvers SCENE STEP MOST [KEY=VALUE...]\n", stderr);
    return 2;
  }
  try {
    const auto scene = moraine::scene::load_scene(argv[1], {argv + 4, argv + argc});
    const double h = std::atof(argv[2]);
    const int most = std::atoi(argv[3]);
    if (scene.dimension() == 2) {
      compare<2>(scene, h, most);
    } else {
      compare<3>(scene, h, most);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
}
