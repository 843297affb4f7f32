// SPDX-License-Identifier: MIT
// Small systems with links, in memory, for the tests of hard contacts.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "hard/formulation.hpp"
#include "hard/integrators.hpp"
#include "math/elementary.hpp"

namespace moraine::hard::samples {

// A world with its equations, ready to be integrated.
template <int D>
struct Setting {
  Settings settings;
  World<D> world;
  base::Team team{1};
  std::unique_ptr<System<D>> system;
  std::unique_ptr<Outer<D>> outer;
  std::unique_ptr<Formulation<D>> form;
  Kinematics<D> k;
  std::vector<double> y;

  // Once bodies and links are there.
  void assemble() {
    system = std::make_unique<System<D>>(world, world.global_damping > 0);
    outer = std::make_unique<Outer<D>>(world, *system, team, nullptr);
    form = make_newton_euler(world, *system, *outer, settings);
    system->read(world, k);
    form->pack(k, y);
  }
  std::unique_ptr<Integrator> integrator() { return make_integrator(*form, *system, *outer, settings); }
  double energy(double t, const std::vector<double>& state) {
    form->unpack(t, state.data(), k);
    double sum = system->kinetic(k);
    for (std::size_t i = 0; i < system->movable(); ++i) sum -= system->mass[i] * math::dot(world.gravity, k.x[i]);
    return sum;
  }
};

inline Settings no_corrections() {
  Settings settings;
  settings.correct = {When::kNever, When::kNever, When::kNever};
  return settings;
}

template <int D>
Vec<D> down(double g) {
  Vec<D> v{};
  v[D - 1] = -g;
  return v;
}

// Sun's pendulum (5.2): points of 1 kg on rods, together 3 m long, 30 degrees from the vertical, at rest.
template <int D>
std::unique_ptr<Setting<D>> pendulum(int links, const Settings& settings) {
  auto s = std::make_unique<Setting<D>>();
  s->settings = settings;
  s->world.gravity = down<D>(9.81);
  const double length = 3.0 / links, tilt = math::kPi / 6;
  for (int i = 0; i < links; ++i) {
    world::NewBody<D> body;
    body.x[0] = (i + 1) * length * math::sin(tilt);
    body.x[D - 1] = -(i + 1) * length * math::cos(tilt);
    body.radius = 0.1 * length;
    body.mass = 1;
    body.inertia = 0.01;
    s->world.bodies.add(body);
    world::Link<D> link;
    link.length = length;
    link.a.id = i;
    if (i == 0) {
      link.b.at = world::LinkEnd<D>::At::kGround;
    } else {
      link.b.id = i - 1;
    }
    s->world.links.push_back(link);
  }
  s->assemble();
  return s;
}

}  // namespace moraine::hard::samples
