// SPDX-License-Identifier: MIT
// Spheres in a bin by Bullet, for bench/hard/piles.py: settles them, then measures.
//   bullet_pile COUNT WIDTH SETTLE MEASURE ITERATIONS   -> JSON
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int count = std::atoi(argv[1]), iterations = std::atoi(argv[5]);
  const double width = std::atof(argv[2]), settle = std::atof(argv[3]), measure = std::atof(argv[4]);
  const double h = 1.0 / 240, spacing = 1.22;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.81));
  world.getSolverInfo().m_numIterations = iterations;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto plane = [&](const btVector3& normal, double offset) {
    shapes.push_back(std::make_unique<btStaticPlaneShape>(normal, offset));
    bodies.push_back(std::make_unique<btRigidBody>(0, nullptr, shapes.back().get()));
    bodies.back()->setFriction(1);  // Bullet multiplies the two: 0.5 below
    world.addRigidBody(bodies.back().get());
  };
  plane({0, 0, 1}, 0);
  plane({1, 0, 0}, 0);
  plane({-1, 0, 0}, -width);
  plane({0, 1, 0}, 0);
  plane({0, -1, 0}, -width);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const int across = static_cast<int>(width / spacing);
  std::vector<double> radius;
  for (int k = 0; k < count; ++k) {
    const double r = 0.5 * (0.8 + 0.4 * unit(random)), free = 0.5 * spacing - r;
    const auto at = [&](int n) { return (n + 0.5) * spacing + free * (2 * unit(random) - 1); };
    shapes.push_back(std::make_unique<btSphereShape>(r));
    const double mass = 2600 * 4.0 / 3 * M_PI * r * r * r;
    btVector3 inertia;
    shapes.back()->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes.back().get(), inertia);
    info.m_friction = std::sqrt(0.5);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({at(k % across), at(k / across % across), at(k / (across * across))});
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
    radius.push_back(r);
  }
  for (int k = 0; k < static_cast<int>(settle / h); ++k) world.stepSimulation(h, 0);
  const auto began = std::chrono::steady_clock::now();
  const int steps = static_cast<int>(measure / h);
  for (int k = 0; k < steps; ++k) world.stepSimulation(h, 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  double deepest = 0, sum = 0, kinetic = 0, unit_energy = 0;
  int contacts = 0;
  for (int k = 0; k < dispatcher.getNumManifolds(); ++k) {
    const btPersistentManifold* m = dispatcher.getManifoldByIndexInternal(k);
    for (int c = 0; c < m->getNumContacts(); ++c) {
      const double overlap = std::fmax(0.0, -m->getContactPoint(c).getDistance()) / 0.5;
      deepest = std::fmax(deepest, overlap);
      sum += overlap;
      ++contacts;
    }
  }
  for (std::size_t k = 5; k < bodies.size(); ++k) {
    const double mass = 1 / bodies[k]->getInvMass(), r = radius[k - 5];
    kinetic += 0.5 * mass * bodies[k]->getLinearVelocity().length2() +
               0.2 * mass * r * r * bodies[k]->getAngularVelocity().length2();
    unit_energy += mass * 9.81 * r;
  }
  std::printf("{\"ms\": %.6g, \"mean\": %.4g, \"max\": %.4g, \"kinetic\": %.4g}\n", seconds / steps * 1e3,
              contacts > 0 ? sum / contacts : 0, deepest, kinetic / unit_energy);
  for (auto& body : bodies) world.removeRigidBody(body.get());
}
