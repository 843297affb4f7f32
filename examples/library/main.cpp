// SPDX-License-Identifier: MIT
// A table-tennis ball falls on a table and bounces in a wind: a scene from a text, a force of our own, a loop.
#include <cstdio>
#include <moraine/moraine.hpp>

int main() try {
  const moraine::Scene scene = moraine::Scene::from_text(R"(
    dimension = 3
    time = {end = "1 s"}
    gravity = {}
    material = [{name = "celluloid", density = "84 kg/m^3", stiffness = "1e4 N/m"}]
    contact = [{restitution = 0.9, friction = 0.3}]
    wall = [{name = "table", material = "celluloid", point = [0, 0, 0], normal = [0, 0, 1]}]
    body = [{material = "celluloid", radius = "2 cm", position = [0, 0, "30 cm"]}])");
  moraine::Simulation simulation(scene);
  simulation.add_load([](const moraine::BodyState& ball, double) {
    const double wind = 3, drag = 2e-3;  // m/s along x, N s/m
    const moraine::Vector& v = ball.velocity;
    return moraine::Wrench{{drag * (wind - v[0]), -drag * v[1], -drag * v[2]}, {}};
  });
  while (!simulation.finished()) {
    simulation.run_until(simulation.time() + 0.1);
    const moraine::Body ball = simulation.body(0);
    std::printf("%.1f s: %.3f m downwind, %.3f m up\n", simulation.time(), ball.position[0], ball.position[2]);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
