// SPDX-License-Identifier: MIT
// Small hard systems in memory, for tests of their equations.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "hard/outer.hpp"
#include "hard/system.hpp"
#include "world/world.hpp"

namespace moraine::hard::samples {

using world::Link;
using world::LinkEnd;
using world::LinkKind;

// Numbers that are the same everywhere (the library's distributions are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  template <int D>
  Vec<D> vector(double size) {
    Vec<D> v{};
    for (int c = 0; c < D; ++c) v[c] = between(-size, size);
    return v;
  }
  template <int D>
  Vec<D> direction() {
    for (;;) {
      const Vec<D> v = vector<D>(1);
      const double n = math::norm(v);
      if (n > 0.1 && n < 1) return v * (1 / n);
    }
  }
  template <int D>
  Spin<D> spin(double size) {
    if constexpr (D == 2) {
      return between(-size, size);
    } else {
      return vector<3>(size);
    }
  }
  template <int D>
  Orientation<D> orientation() {
    if constexpr (D == 2) {
      return between(-3, 3);
    } else {
      return math::from_rotation(direction<3>() * between(0, 3));
    }
  }

 private:
  std::mt19937_64 engine_;
};

// Builds a world: bodies and clumps where it is told, links between them as they stand.
template <int D>
struct Builder {
  World<D> world;
  Dice dice;
  std::string name;
  std::vector<std::unique_ptr<world::ClumpShape<D>>> shapes;

  Builder(std::string title, std::uint64_t seed) : dice(seed), name(std::move(title)) {
    world.dt = 1e-3;
    world.gravity[D - 1] = -9.81;
  }

  std::int64_t body(const Vec<D>& x, double radius, world::Held held = world::Held::kFree) {
    world::NewBody<D> b;
    b.x = x;
    b.radius = radius;
    b.mass = dice.between(0.5, 2);
    b.inertia = (D == 2 ? 0.5 : 0.4) * b.mass * radius * radius;
    b.held = held;
    world.bodies.add(b);
    world.bodies.orientation.back() = dice.template orientation<D>();
    return world.bodies.next_id - 1;
  }
  // Of two members with uneven moments; returns the id of the first member.
  std::int64_t clump(const Vec<D>& x) {
    auto shape = std::make_unique<world::ClumpShape<D>>();
    Vec<D> off{};
    off[0] = 0.2;
    shape->members = {{off, 0.15}, {-off, 0.15}};
    shape->radius = 0.35;
    shape->volume = 1;
    if constexpr (D == 2) {
      shape->moment = 0.05;
    } else {
      shape->moment = {0.02, 0.05, 0.06};
    }
    world::NewClump<D> c;
    c.shape = shape.get();
    c.x = x;
    c.density = dice.between(0.5, 2);
    c.orientation = dice.template orientation<D>();
    shapes.push_back(std::move(shape));
    const std::int64_t id = world.bodies.next_id;
    world.clumps.add(c, world.bodies);
    return id;
  }

  std::size_t index(std::int64_t id) const {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      if (world.bodies.id[i] == id) return i;
    }
    return world.bodies.size();
  }
  Vec<D> centre(std::int64_t id) const {
    const std::size_t i = index(id);
    const std::uint32_t c = world.bodies.clump[i];
    return c == world::kNoClump ? world.bodies.place[i].x : world.clumps.x[c];
  }
  Orientation<D> orientation(std::int64_t id) const {
    const std::size_t i = index(id);
    const std::uint32_t c = world.bodies.clump[i];
    return c == world::kNoClump ? world.bodies.orientation[i] : world.clumps.orientation[c];
  }
  // A point in space, in the body's frame.
  Vec<D> inside(std::int64_t id, const Vec<D>& point) const {
    return math::rotated(point - centre(id), math::inverse(orientation(id)));
  }
  Vec<D> outside(const LinkEnd<D>& end) const {
    if (end.at == LinkEnd<D>::At::kGround) return end.point;
    return centre(end.id) + math::rotated(end.point, orientation(end.id));
  }
  LinkEnd<D> at(std::int64_t id, const Vec<D>& anchor = {}) const { return {LinkEnd<D>::At::kBody, id, anchor}; }
  LinkEnd<D> ground(const Vec<D>& x) const { return {LinkEnd<D>::At::kGround, -1, x}; }

  void link(LinkKind kind, const LinkEnd<D>& a, const LinkEnd<D>& b, bool slip = true) {
    Link<D> l;
    l.kind = kind;
    l.slip = slip;
    l.a = a;
    l.b = b;
    if (kind != LinkKind::kJoint) l.length = math::norm(outside(b) - outside(a));
    world.links.push_back(l);
  }
  void rod(const LinkEnd<D>& a, const LinkEnd<D>& b) { link(LinkKind::kRod, a, b); }
  void contact(std::int64_t a, std::int64_t b, bool slip = true) { link(LinkKind::kContact, at(a), at(b), slip); }
  void joint(std::int64_t a, std::int64_t b, const Vec<D>& point) {
    link(LinkKind::kJoint, at(a, inside(a, point)), at(b, inside(b, point)));
  }
  // The wall through `point` whose inward side is that of the body.
  void wall(std::int64_t a, const Vec<D>& normal_to_wall, bool slip = true, const Vec<D>& anchor = {}) {
    world::Wall<D> w;
    const std::size_t i = index(a);
    const double r = world.bodies.place[i].radius;
    const Vec<D> centre_of_touch = outside(at(a, anchor));
    w.start.a = centre_of_touch + normal_to_wall * r;
    world.walls.push_back(w);
    Link<D> l;
    l.kind = LinkKind::kContact;
    l.slip = slip;
    l.length = r;
    l.a = at(a, anchor);
    l.b = {LinkEnd<D>::At::kWall, static_cast<std::int64_t>(world.walls.size() - 1), normal_to_wall};
    world.links.push_back(l);
  }
};

template <int D>
Vec<D> unit(int c) {
  Vec<D> v{};
  v[c] = 1;
  return v;
}
// A point of a plane figure: in 3D in the x-z plane.
template <int D>
Vec<D> flat(double x, double z) {
  Vec<D> v{};
  v[0] = x;
  v[D - 1] = z;
  return v;
}

template <int D>
Builder<D> chain(int links) {
  Builder<D> b("chain", 11);
  Vec<D> x{};
  LinkEnd<D> before = b.ground(x);
  for (int k = 0; k < links; ++k) {
    x += b.dice.template direction<D>() * 0.5;
    const std::int64_t id = b.body(x, 0.1);
    b.rod(b.at(id), before);
    before = b.at(id);
  }
  return b;
}

template <int D>
Builder<D> tree(bool grounded) {
  Builder<D> b(grounded ? "branched tree" : "free tree", 12);
  std::vector<std::int64_t> ids{b.body(flat<D>(0, -1), 0.1)};
  if (grounded) b.rod(b.at(ids[0]), b.ground({}));
  for (int k = 0; k < 7; ++k) {
    const std::int64_t p = ids[b.dice.below(static_cast<std::uint32_t>(ids.size()))];
    ids.push_back(b.body(b.centre(p) + b.dice.template direction<D>() * 0.4, 0.1));
    if (k % 2 == 0) {
      b.rod(b.at(p), b.at(ids.back()));  // directions of links along and against the way from the root
    } else {
      b.contact(ids.back(), p);
    }
  }
  return b;
}

template <int D>
Builder<D> four_bar() {
  Builder<D> b("four bars", 13);
  const std::int64_t p = b.body(flat<D>(0.1, -0.5), 0.1), q = b.body(flat<D>(0.9, -0.7), 0.1);
  const std::int64_t r = b.body(flat<D>(0.5, -1.1), 0.1);
  b.rod(b.at(p), b.ground({}));
  b.rod(b.at(q), b.ground(unit<D>(0)));
  b.rod(b.at(p), b.at(q));
  b.rod(b.at(r), b.at(q));
  return b;
}

template <int D>
Builder<D> on_walls(bool slip) {
  Builder<D> b(slip ? "on walls" : "rolling", 14);
  const double r = 0.3;
  const std::int64_t p = b.body(flat<D>(0, 0), r), q = b.body(flat<D>(0.4, std::sqrt(0.2)), r);
  const std::int64_t s = b.body(flat<D>(0.4 + 0.6 * 0.8, std::sqrt(0.2) + 0.6 * 0.6), r);
  b.wall(p, -unit<D>(D - 1), slip);
  b.contact(p, q, slip);
  b.contact(s, q, true);
  if (D == 3) b.contact(b.body(b.centre(p) + Vec<D>{-0.3} + unit<D>(1) * std::sqrt(0.27), r), p, slip);
  return b;
}

// A loop that rolls: three disks or spheres, two of them on the same floor.
template <int D>
Builder<D> rolling_loop() {
  Builder<D> b("rolling loop", 15);
  const double r = 0.3;
  const std::int64_t p = b.body(flat<D>(0, r), r), q = b.body(flat<D>(1.0, r), r);
  const std::int64_t s = b.body(flat<D>(0.5, r + std::sqrt(0.36 - 0.25)), r);
  b.wall(p, -unit<D>(D - 1), false);
  b.wall(q, -unit<D>(D - 1), true);
  b.contact(p, s, false);
  b.contact(q, s, true);
  return b;
}

template <int D>
Builder<D> rigid_bodies(bool clumps, bool grounded) {
  Builder<D> b(std::string(clumps ? "clumps" : "bodies") + " with anchors" + (grounded ? "" : ", free"), 16);
  const auto one = [&](const Vec<D>& x) { return clumps ? b.clump(x) : b.body(x, 0.3); };
  const std::int64_t p = one(flat<D>(0.2, -0.5)), q = one(flat<D>(0.6, -1.1)), r = one(flat<D>(-0.5, -1.2));
  const std::int64_t s = one(flat<D>(0.1, -1.9)), t = b.body(flat<D>(1.4, -1.3), 0.2);
  if (grounded) b.rod(b.at(p, b.dice.template vector<D>(0.2)), b.ground({}));
  b.joint(p, q, b.centre(p) + b.dice.template vector<D>(0.3));
  b.rod(b.at(r, b.dice.template vector<D>(0.2)), b.at(p, b.dice.template vector<D>(0.2)));
  b.rod(b.at(q, b.dice.template vector<D>(0.2)), b.at(s, b.dice.template vector<D>(0.2)));
  b.rod(b.at(t), b.at(q, b.dice.template vector<D>(0.2)));
  b.rod(b.at(r, b.dice.template vector<D>(0.2)), b.at(s, b.dice.template vector<D>(0.2)));  // closes a loop
  return b;
}

template <int D>
Builder<D> jointed_loop() {
  Builder<D> b("loop of joints", 17);
  std::vector<std::int64_t> ids;
  for (int k = 0; k < 4; ++k) {
    const double angle = 1.6 * k;
    ids.push_back(b.clump(flat<D>(math::cos(angle), math::sin(angle))));
  }
  for (std::size_t k = 0; k + 1 < ids.size(); ++k)
    b.joint(ids[k], ids[k + 1], (b.centre(ids[k]) + b.centre(ids[k + 1])) * 0.5 + b.dice.template vector<D>(0.1));
  b.joint(ids[3], ids[0], (b.centre(ids[3]) + b.centre(ids[0])) * 0.5);
  b.wall(ids[1], unit<D>(D - 1), true, Vec<D>{0.2});  // the first member touches a ceiling
  return b;
}

// Hangs on a body that turns and swings in a prescribed way.
template <int D>
Builder<D> driven() {
  Builder<D> b("driven root", 18);
  world::Motion<D> motion;
  typename world::Motion<D>::Interval interval;
  interval.velocity = b.dice.template vector<D>(0.5);
  interval.spin = b.dice.template spin<D>(2);
  motion.intervals.push_back(interval);
  motion.about = flat<D>(0.1, 0.2);
  motion.amplitude = b.dice.template vector<D>(0.1);
  motion.frequency = 1.3;
  motion.phase = 0.4;
  const std::int64_t root = b.body({}, 0.3, world::Held::kPrescribed);
  b.world.bodies.orientation.back() = {};
  b.world.bodies.motion.back() = 0;
  b.world.guided.push_back({motion, Vec<D>{}, -1});
  const std::int64_t p = b.clump(flat<D>(0.8, -0.4)), q = b.body(flat<D>(1.3, -0.9), 0.1);
  b.rod(b.at(p, b.dice.template vector<D>(0.2)), b.at(root, b.dice.template vector<D>(0.3)));
  b.rod(b.at(q), b.at(p, b.dice.template vector<D>(0.2)));
  return b;
}

}  // namespace moraine::hard::samples
