// SPDX-License-Identifier: MIT
// A pendulum of N point masses by Bullet's articulated bodies (Featherstone) with its Runge-Kutta integrator, in double
// precision: prints seconds for the steps, and where the tip is. Arguments: links, total length (m), angle (deg), step
// (s), steps.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static_assert(sizeof(btScalar) == 8, "Bullet in double precision is needed (bullet-float64)");

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[5]);
  const double length = std::atof(argv[2]) / n, angle = std::atof(argv[3]) * M_PI / 180, h = std::atof(argv[4]);

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, -9.81, 0));

  // Point masses: next to no moment about their centre.
  const btVector3 moment(1e-12, 1e-12, 1e-12), arm(0, -length, 0);
  btMultiBody body(n, 1, btVector3(1, 1, 1), true, false);
  for (int k = 0; k < n; ++k) {
    // The joint is at the mass before; the mass hangs one length below it.
    body.setupRevolute(k, 1.0, moment, k - 1, btQuaternion(0, 0, 0, 1), btVector3(0, 0, 1), btVector3(0, 0, 0), arm,
                       true);
  }
  body.finalizeMultiDof();
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  body.setMaxCoordinateVelocity(1e30);
  body.setMaxAppliedImpulse(1e30);
  body.setUseGyroTerm(true);
  body.setCanSleep(false);
  body.useRK4Integration(true);
  body.setJointPos(0, angle);
  world.addMultiBody(&body);

  const auto start = std::chrono::steady_clock::now();
  for (int s = 0; s < steps; ++s) world.stepSimulation(h, 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  double sum = 0, x = 0, y = 0;
  for (int k = 0; k < n; ++k) {
    sum += body.getJointPos(k);
    x += length * std::sin(sum);
    y -= length * std::cos(sum);
  }
  std::printf("{\"seconds\": %.9g, \"x\": %.17g, \"y\": %.17g}\n", seconds, x, y);
  world.removeMultiBody(&body);
  return 0;
}
