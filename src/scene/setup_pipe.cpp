// SPDX-License-Identifier: MIT
// Grains that a stream carries into a rough pipe, batch after batch, until it jams or not (Sun 6.5 and appendix E).
// All lengths of the pipe go with its width D: batches come over 1.25 D, a buffer of D/2, then 3.75 D of rough wall.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"
#include "math/vec.hpp"
#include "scene/setup_parts.hpp"

namespace moraine::scene {

namespace {

using math::Vec2;

// Where a batch begins, and how far the next one is behind, in D.
constexpr double kFront = -0.525, kBatch = 1.25;

// n points in rows across the pipe, alternately shifted, so that those of the next batch go on with the pattern.
struct Rows {
  std::vector<Vec2> points;
  double apart = 0;  // the nearest two, also of two batches
};
Rows rows_of(int n, int rows, double part, double width, double length) {
  Rows out;
  std::vector<int> in_row(static_cast<std::size_t>(rows), n / rows);
  for (int k = 0; k < n % rows; ++k) ++in_row[static_cast<std::size_t>((2 * k + 1) * rows / (2 * (n % rows)))];
  for (int i = 0; i < rows; ++i) {
    const int count = in_row[static_cast<std::size_t>(i)];
    // Of two rows alike the second is shifted by a part of the pitch one way, the first the other.
    const bool alike = in_row[static_cast<std::size_t>((i + 1) % rows)] == count ||
                       in_row[static_cast<std::size_t>((i + rows - 1) % rows)] == count;
    const double pitch = width / count, shift = alike ? (i % 2 == 0 ? part : -part) * pitch : 0;
    for (int j = 0; j < count; ++j) out.points.push_back({-length * i / rows, (j + 0.5) * pitch - 0.5 * width + shift});
  }
  // Half the distance to the side, too. Rows are sorted across the pipe, and no row farther behind than the nearest two
  // found so far can hold a nearer one.
  out.apart = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> begin(1, 0);
  for (const int count : in_row) begin.push_back(begin.back() + static_cast<std::size_t>(count));
  for (const Vec2& p : out.points) out.apart = std::min(out.apart, 2 * (0.5 * width - std::fabs(p[1])));
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    for (std::size_t k = begin[i]; k + 1 < begin[i + 1]; ++k)
      out.apart = std::min(out.apart, out.points[k + 1][1] - out.points[k][1]);
    for (std::size_t step = 1; step < begin.size(); ++step) {
      const bool next_batch = i + step + 1 >= begin.size();
      const std::size_t j = next_batch ? i + step + 1 - begin.size() : i + step;
      const double shift = next_batch ? length : 0;
      if (begin[i] == begin[i + 1] || begin[j] == begin[j + 1]) continue;
      if (std::fabs(out.points[begin[i]][0] - out.points[begin[j]][0] + shift) >= out.apart) break;
      std::size_t b = begin[j];
      for (std::size_t a = begin[i]; a < begin[i + 1]; ++a) {
        while (b + 1 < begin[j + 1] && out.points[b + 1][1] <= out.points[a][1]) ++b;
        for (std::size_t c = b; c < std::min(b + 2, begin[j + 1]); ++c)
          out.apart = std::min(out.apart, math::norm(out.points[a] - out.points[c] + Vec2{shift, 0}));
      }
    }
  }
  return out;
}

std::string circle_text(double radius, double x, double y) {
  return fmt::format("[[body]]\nmaterial = \"wall\"\nradius = {}\nposition = {}\nfixed = true\n", toml_number(radius),
                     vec_text(2, x, y));
}

// How many grains a batch has, for the density asked, and the density they make.
struct Batch {
  double disk = 0, space = 0, wanted = 0;
  int grains() const { return std::max(1, static_cast<int>(std::lround(wanted))); }
  double density() const { return grains() * disk / space; }
};
Batch batch_of(const Node& s) {
  const double d = s.number("diameter"), width = s.number("width");
  Batch out;
  out.space = kBatch * width * width;
  out.disk = 0.25 * math::kPi * d * d * (1 + s.number("spread") * s.number("spread") / 3);
  out.wanted = s.number("density") * out.space / out.disk;
  return out;
}

// Where whole grains miss the density that was asked for.
void warn_of_density(const Node& s, const Batch& batch, Expanded& out) {
  const double asked = s.number("density");
  if (std::fabs(batch.density() - asked) <= 0.05 * asked) return;
  out.warnings.push_back(
      fmt::format("setup.density = {} is not met by whole grains of {:.4g} m: {} in a batch make {:.4g}", asked,
                  s.number("diameter"), batch.grains(), batch.density()));
}

}  // namespace

Expanded expand_pipe(const Node& scene, const Node& s, Problems& problems) {
  if (scene.integer("dimension") != 2) problems.add(scene, "dimension", "the pipe is for 2D");
  const double width = s.number("width"), d = s.number("diameter"), v = s.number("mean_speed");
  const double largest = d * (1 + std::max(1e-9, s.number("spread"))), jitter = s.number("jitter");
  if (largest + jitter > width) {
    problems.add(
        s, "diameter",
        fmt::format("{} m: grains of up to {:.4g} m, and their jitter of {} m, do not fit into a pipe {:.4g} m "
                    "wide",
                    d, largest, jitter, width));
    return {};
  }
  const Batch batch = batch_of(s);
  constexpr double kMostGrains = 20000;  // of a batch: each is written into the expanded scene
  if (!(batch.wanted <= kMostGrains)) {
    problems.add(s, "diameter",
                 fmt::format("gives {:.3g} grains in a batch (density {} of a pipe {:.4g} m wide); at most {} are done",
                             batch.wanted, s.number("density"), width, kMostGrains));
    return {};
  }
  const int n = batch.grains();
  Rows best;
  for (int rows = 1; rows <= std::min(n, 2000); ++rows) {
    for (const double part : {0.25, 0.15, 0.08, 0.0}) {
      Rows tried = rows_of(n, rows, part, width, kBatch * width);
      if (tried.apart > best.apart) best = std::move(tried);
    }
    if (kBatch * width / rows < 0.5 * d) break;
  }
  if (best.apart < largest + jitter)
    problems.add(s, "density",
                 fmt::format("{} needs {} grains of {:.4g} m in a batch, more than rows of them have room for",
                             s.number("density"), n, d));
  Expanded out;
  warn_of_density(s, batch, out);
  out.derived = {fmt::format("batch = {}", n), fmt::format("density = {:.6g}", batch.density()),
                 fmt::format("Froude = {:.6g}", v / std::sqrt(9.81 * width)),
                 fmt::format("period = {:.9g}", kBatch * width / v)};
  const double front = kFront * width;
  out.text = fmt::format("[domain]\nmin = {}\nmax = {}\n", vec_text(2, -4 * width, -6 * width),
                         vec_text(2, 6 * width, 6 * width));
  out.text += fmt::format(
      "[[material]]\nname = \"grain\"\ndensity = {0}\nstiffness = {1}\n[[material]]\nname = \"wall\"\ndensity = {0}\n"
      "stiffness = {1}\n[[contact]]\nrestitution = {2}\nfriction = {3}\n[[contact]]\nbetween = [\"grain\", \"wall\"]\n"
      "restitution = {2}\nfriction = {4}\n",
      toml_number(s.number("grain_density")), toml_number(s.number("stiffness")), toml_number(s.number("restitution")),
      toml_number(s.number("friction")), toml_number(s.number("wall_friction", s.number("friction"))));
  // Large circles lead in; then small and large ones in turn, in D: the first pairs are a little smoother.
  const double rough = s.number("roughness");
  for (const double side : {-1.0, 1.0}) {
    out.text += circle_text(4.5 * width, -0.5 * width, side * 5 * width);
    for (int k = 0; k < 35; ++k) {
      const bool small = k % 2 == 0;
      const double ease = k < 2 ? 0.5 : k < 4 ? 0.2 : 0;
      const double surface = small ? 0.5 - 0.5 * rough * (1 - ease) : 0.5 + 0.5 * rough * (1 - ease);
      const double centre = small ? 0.575 : 0.875;
      out.text += circle_text((centre - surface) * width, 0.125 * (k + 1) * width, side * centre * width);
    }
  }
  std::string points;
  for (const Vec2& p : best.points)
    points += fmt::format("{}{}", points.empty() ? "" : ", ", vec_text(2, front + p[0], p[1]));
  out.text += fmt::format(
      "[[inlet]]\nname = \"batch\"\nkind = \"batch\"\nmaterial = \"grain\"\nmass = \"sphere\"\npoints = [{}]\nvelocity "
      "= {}\n"
      "every = {}\njitter = {}\nclear_min = {}\nclear_max = {}\nsize = {{ kind = \"uniform\", min = {}, max = {} }}\n",
      points, vec_text(2, v, 0), toml_number(kBatch * width / v), vec_text(2, jitter, jitter),
      vec_text(2, -4 * width, -2 * width), vec_text(2, front, 2 * width), toml_number(0.5 * (2 * d - largest)),
      toml_number(0.5 * largest));
  out.text +=
      fmt::format("[[outlet]]\nname = \"end\"\nat = {}\ndirection = [1.0, 0.0]\n", vec_text(2, 3.75 * width, 0));
  out.text += fmt::format(
      "[flow]\nkind = \"parabolic\"\nspeed = {}\nhalf_width = {}\nfrom = "
      "{}\n",
      toml_number(v), toml_number(0.5 * width), toml_number(-0.25 * width));
  out.text += fmt::format(
      "[[load]]\nkind = \"stream\"\narea = \"face\"\ndensity = {}\ndrag_coefficient = {}\nshadow = true\nshadow_least "
      "= 0.1\n",
      toml_number(s.number("fluid_density")), toml_number(s.number("drag_coefficient")));
  out.text += "[[probe]]\nkind = \"jam\"\nname = \"jam\"\n";
  out.text += fmt::format("window = {}\n", toml_number(2 * kBatch * width / v));
  out.text +=
      "[[probe]]\nkind = \"traffic\"\nname = \"traffic\"\n[[probe]]\nkind = \"overlaps\"\nname = \"overlaps\"\n";
  out.defaults.emplace_back("end", toml_number(static_cast<double>(s.integer("batches")) * kBatch * width / v));
  return out;
}

}  // namespace moraine::scene
