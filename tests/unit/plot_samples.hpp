// SPDX-License-Identifier: MIT
// Frames made by hand for the tests of plot: a pile of disks, a box of spheres, and odd ones. The same every time.
#pragma once

#include <cmath>
#include <cstdint>

#include "measure/frame.hpp"

namespace moraine::plot::testing {

using measure::Frame;
using measure::Triple;

// A number in [0, 1) that looks like chance.
inline double chance(std::uint64_t n) {
  n = (n + 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull;
  n = (n ^ (n >> 29)) * 0x94D049BB133111EBull;
  return static_cast<double>((n ^ (n >> 32)) >> 12) / 4503599627370496.0;
}

inline void add_body(Frame& f, Triple x, Triple v, double radius, int material = 0, int held = 0) {
  const double half = 3.0 * chance(f.id.size() + 77);
  f.id.push_back(static_cast<std::int64_t>(f.id.size()));
  f.position.push_back(x);
  f.velocity.push_back(v);
  f.spin.push_back({});
  f.orientation.push_back({std::cos(half), 0, 0, std::sin(half)});
  f.radius.push_back(radius);
  f.mass.push_back(1);
  f.material.push_back(material);
  f.held.push_back(held);
  f.clump.push_back(-1);
  f.form.push_back(-1);
}

inline void add_wall(Frame& f, const char* kind, Triple from, Triple to) {
  f.wall_name.emplace_back("wall " + std::to_string(f.wall_name.size()));
  f.wall_kind.emplace_back(kind);
  f.wall_from.push_back(from);
  f.wall_to.push_back(to);
  f.wall_force.push_back({});
}

// The contact of a with b (or with a wall, b < 0) along the unit normal, pressed with `force`.
inline void add_contact(Frame& f, std::int64_t a, std::int64_t b, Triple n, double force) {
  const auto i = static_cast<std::size_t>(a);
  const double r = f.radius[i];
  f.contact_a.push_back(a);
  f.contact_b.push_back(b);
  f.contact_normal.push_back(n);
  f.contact_force.push_back({-force * n[0] - 0.2 * force * n[1], -force * n[1] + 0.2 * force * n[0], -force * n[2]});
  f.contact_point.push_back({f.position[i][0] + r * n[0], f.position[i][1] + r * n[1], f.position[i][2] + r * n[2]});
  f.contact_overlap.push_back(0);
}

// Contacts between all bodies that nearly touch; the deeper the body, the larger the force.
inline void add_contacts(Frame& f, double reach, double top) {
  for (std::size_t i = 0; i < f.id.size(); ++i) {
    for (std::size_t j = i + 1; j < f.id.size(); ++j) {
      Triple d{};
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        d[k] = f.position[j][k] - f.position[i][k];
        square += d[k] * d[k];
      }
      const double length = std::sqrt(square);
      if (length > reach * (f.radius[i] + f.radius[j])) continue;
      const double depth = top - f.position[i][f.dimension == 2 ? 1 : 2];
      const double luck = chance(1000 * i + j);
      add_contact(f, f.id[i], f.id[j], {d[0] / length, d[1] / length, d[2] / length}, 50 * depth * luck * luck * luck);
    }
  }
}

inline Frame pile_2d(int rows = 17) {
  Frame f;
  f.dimension = 2;
  f.time = 1.2345;
  f.material_names = {"glass", "steel", "ice"};
  const double r = 0.01;
  for (int row = 0; row < rows; ++row) {
    const int columns = 2 * (rows - row);
    for (int c = 0; c < columns; ++c) {
      const std::uint64_t n = f.id.size();
      const double x = (c - 0.5 * (columns - 1)) * 2 * r, y = r + row * 1.74 * r;
      const double slide = static_cast<double>(row) / rows;
      add_body(f, {x, y, 0}, {2 * slide * x, -slide * std::fabs(x), 0}, r * (0.9 + 0.1 * chance(n)),
               static_cast<int>(3 * chance(n + 500)), row == 0 ? 1 : 0);
    }
  }
  add_contacts(f, 1.04, rows * 1.8 * r);
  for (int c = 0; c < 2 * rows; ++c) add_contact(f, c, -1, {0, -1, 0}, 20 * chance(static_cast<std::uint64_t>(c)));
  add_wall(f, "segment", {-0.4, 0, 0}, {0.4, 0, 0});
  add_wall(f, "segment", {0.4, 0, 0}, {0.45, 0.2, 0});
  f.domain_min = {-0.4, 0, 0};
  f.domain_max = {0.4, 0.4, 0};
  return f;
}

// A cube of n x n x n spheres between a floor, two side walls and a slope.
inline Frame box_3d(int n, bool contacts) {
  Frame f;
  f.dimension = 3;
  f.time = 2e-4;
  f.material_names = {"glass"};
  const double r = 0.005, step = 2.02 * r;
  for (int i = 0; i < n * n * n; ++i) {
    const int ix = i % n, iy = i / n % n, iz = i / n / n;
    const auto s = static_cast<std::uint64_t>(i);
    const Triple x{(ix + 0.5 + 0.1 * chance(s)) * step, (iy + 0.5 + 0.1 * chance(s + 1)) * step, (iz + 0.5) * step};
    add_body(f, x, {0.3 * x[2] / (n * step), 0.05 * chance(s + 2), -0.02}, r * (0.9 + 0.1 * chance(s + 3)), 0,
             iz == 0 ? 1 : 0);
  }
  if (contacts) add_contacts(f, 1.06, n * step);
  add_wall(f, "plane", {0, 0, 0}, {0, 0, 1});
  add_wall(f, "plane", {0, 0, 0}, {1, 0, 0});
  add_wall(f, "plane", {0, 1.1 * n * step, 0}, {0, -1, 0});
  add_wall(f, "plane", {1.1 * n * step, 0, 0}, {-0.8, 0, 0.6});
  f.domain_min = {0, 0, 0};
  f.domain_max = {n * step, n * step, n * step};
  return f;
}

}  // namespace moraine::plot::testing
