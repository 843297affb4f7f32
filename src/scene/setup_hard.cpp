// SPDX-License-Identifier: MIT
// Set-ups of hard systems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

namespace {

constexpr double kShortest = 1e-60;  // m; of a set-up: squares of lengths must be numbers

int dimension_of(const Node& scene) { return static_cast<int>(scene.integer("dimension")); }

std::string body_material() { return "[[material]]\nname = \"body\"\ndensity = 1000.0\n"; }
std::string gravity_text(const Node& s) {
  return s.number("gravity") > 0 ? fmt::format("[gravity]\nacceleration = {}\n", toml_number(s.number("gravity"))) : "";
}
// A point of the plane of motion: x across, h up.
std::string plane_point(int dimension, double x, double h) {
  return dimension == 2 ? vec_text(2, x, h) : vec_text(3, x, 0, h);
}

}  // namespace

Expanded expand_pendulum(const Node& scene, const Node& s, Problems& problems) {
  if (s.number("length") < kShortest)
    problems.add(s, "length", fmt::format("is {} m: must be at least {} m", s.number("length"), kShortest));
  const int d = dimension_of(scene);
  const double length = s.number("length"), angle = s.number("angle"), spin = s.number("spin");
  const std::int64_t links = s.integer("links");
  // Turning towards +x from straight down: about +z in the plane, about -y in space.
  const std::string turning = d == 2 ? toml_number(spin) : vec_text(3, 0, -spin, 0);
  std::string out = body_material() + gravity_text(s);
  out += fmt::format(
      "[[chain]]\npath = [{}, {}]\nlinks = [{}]\nmodel = \"{}\"\nmass = {}\nmaterial = \"body\"\nspin = {}\n",
      plane_point(d, 0, 0), plane_point(d, length * math::sin(angle), -length * math::cos(angle)), links,
      s.text("model"), toml_number(s.number("mass")), turning);
  return {out, {{"end", "1.0"}}, {fmt::format("link_length = {}", toml_number(length / static_cast<double>(links)))}};
}

Expanded expand_falling_chain(const Node& scene, const Node& s) {
  const int d = dimension_of(scene);
  const std::int64_t down = s.integer("down"), across = s.integer("across");
  const double l = s.number("link"), depth = l * static_cast<double>(down), width = l * static_cast<double>(across);
  std::string out = body_material() + gravity_text(s);
  out += fmt::format(
      "[[chain]]\npath = [{}, {}, {}, {}]\nlinks = [{}, {}, {}]\nmodel = \"{}\"\nmass = {}\nmaterial = \"body\"\n"
      "ground_end = true\n",
      plane_point(d, 0, 0), plane_point(d, 0, -depth), plane_point(d, width, -depth), plane_point(d, width, 0), down,
      across, down, s.text("model"), toml_number(s.number("mass")));
  return {out, {{"end", "1.0"}}, {fmt::format("span = {}", toml_number(width))}};
}

Expanded expand_stack(const Node& scene, const Node& s) {
  const int d = dimension_of(scene);
  const double length = s.number("length"), lean = s.number("lean");
  const std::int64_t disks = s.integer("disks");
  std::string out = body_material() + gravity_text(s);
  out += fmt::format(
      "[[chain]]\npath = [{}, {}]\nlinks = [{}]\nmass = {}\nradius = {}\nmaterial = \"body\"\n", plane_point(d, 0, 0),
      plane_point(d, lean == 0 ? 0 : length * math::sin(lean), lean == 0 ? length : length * math::cos(lean)), disks,
      toml_number(s.number("mass")), toml_number(0.5 * length / static_cast<double>(disks)));
  return {out, {{"end", "20.0"}, {"step", "0.001"}}, {}};
}

Expanded expand_three_spheres(const Node& scene, const Node& s, Problems& problems) {
  if (dimension_of(scene) != 3) problems.add(scene, "dimension", "the set-up \"three-spheres\" needs dimension = 3");
  const auto &m = s.numbers("masses"), &c = s.numbers("lengths");
  for (const char* key : {"masses", "lengths"}) {
    for (std::size_t k = 0; k < 3; ++k)
      if (!(s.numbers(key)[k] > 0))
        problems.add(s, fmt::format("{}[{}]", key, k),
                     fmt::format("is {}: must be greater than 0", toml_number(s.numbers(key)[k])));
  }
  math::Vec3 e[3], u[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = s.numbers("alphas")[k], b = s.numbers("betas")[k], ad = s.numbers("alpha_rates")[k],
                 bd = s.numbers("beta_rates")[k];
    const double sa = math::sin(a), ca = math::cos(a), sb = math::sin(b), cb = math::cos(b);
    e[k] = math::Vec3{sb * ca, sb * sa, cb} * c[k];
    u[k] = (math::Vec3{-sb * sa, sb * ca, 0} * ad + math::Vec3{cb * ca, cb * sa, -sb} * bd) * c[k];
  }
  std::string out = body_material() + gravity_text(s);
  const double r = 0.45 * *std::min_element(c.begin(), c.end());
  out += fmt::format("[[body]]\nposition = [0.0, 0.0, 0.0]\nradius = {}\nmaterial = \"body\"\nfixed = true\n",
                     toml_number(r));
  for (std::size_t k = 0; k < 3; ++k) {
    const math::Vec3 x = k == 0 ? e[0] : e[0] + e[k], v = k == 0 ? u[0] : u[0] + u[k];
    out += fmt::format("[[body]]\nposition = {}\nvelocity = {}\nradius = {}\nmass = {}\nmaterial = \"body\"\n",
                       vec_text(3, x[0], x[1], x[2]), vec_text(3, v[0], v[1], v[2]), toml_number(r), toml_number(m[k]));
  }
  for (std::size_t k = 0; k < 3; ++k)
    out += fmt::format("[[link]]\nbody = {}\nto = {}\nlength = {}\n", k + 1, k == 0 ? 0 : 1, toml_number(c[k]));
  return {out, {{"end", "1.0"}}, {}};
}

Expanded expand_wheel(const Node& scene, const Node& s, Problems& problems) {
  if (dimension_of(scene) != 2) problems.add(scene, "dimension", "the set-up \"wheel\" needs dimension = 2");
  const std::int64_t n = s.integer("spokes");
  const double radius = s.number("radius"), spin = s.number("spin");
  const auto& v = s.numbers("velocity");
  const double size = 0.3 * radius * math::sin(math::kPi / static_cast<double>(n));
  std::string out = body_material() + gravity_text(s);
  const auto body = [&](double x, double y) {
    out += fmt::format("[[body]]\nposition = {}\nvelocity = {}\nradius = {}\nmass = {}\nmaterial = \"body\"\n",
                       vec_text(2, x, y), vec_text(2, v[0] - spin * y, v[1] + spin * x), toml_number(size),
                       toml_number(s.number("mass")));
  };
  body(0, 0);
  for (std::int64_t k = 0; k < n; ++k) {
    const double angle = 2 * math::kPi * static_cast<double>(k) / static_cast<double>(n);
    body(radius * math::cos(angle), radius * math::sin(angle));
  }
  for (std::int64_t k = 1; k <= n; ++k)  // a spoke, then the piece of rim behind it
    out += fmt::format("[[link]]\nbody = {}\nto = 0\n[[link]]\nbody = {}\nto = {}\n", k, k, k % n + 1);
  return {out, {{"end", "0.8"}}, {}};
}

Expanded expand_pyramid(const Node& scene, const Node& s, Problems& problems) {
  if (dimension_of(scene) != 2) problems.add(scene, "dimension", "the set-up \"pyramid\" needs dimension = 2");
  const std::int64_t rows = s.integer("rows");
  const double r = s.number("radius"), up = std::sqrt(3.0) * r, half = static_cast<double>(rows + 2) * r;
  std::string out = fmt::format(
      "[[material]]\nname = \"body\"\ndensity = 1000.0\nstiffness = {}\n[[contact]]\nrestitution = 0.2\nfriction = {}\n"
      "[[wall]]\nname = \"floor\"\nmaterial = \"body\"\nfrom = {}\nto = {}\n",
      toml_number(s.number("stiffness")), toml_number(s.number("friction")), vec_text(2, -half, 0),
      vec_text(2, half, 0));
  out += gravity_text(s);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t disks = rows - row;
    for (std::int64_t k = 0; k < disks; ++k) {
      out += fmt::format("[[body]]\nposition = {}\nradius = {}\nmaterial = \"body\"\nfixed = {}\n",
                         vec_text(2, (2 * static_cast<double>(k) - static_cast<double>(disks - 1)) * r,
                                  r + static_cast<double>(row) * up),
                         toml_number(r), row == 0 && s.boolean("held"));
    }
  }
  return {out, {{"end", "10.0"}}, {}};
}

}  // namespace moraine::scene
