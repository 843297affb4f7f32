// SPDX-License-Identifier: MIT
// Maps of what is smooth in a granular body: concentration, pressure and shear stress from the contacts, spread by a
// kernel about as wide as three bodies. In 3D, from views along an axis, means over the depth of the scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "plot/frame_bodies.hpp"
#include "plot/scene_figures.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kFewest = 100;  // free bodies; fewer are no continuum

// Numbers at the points of a grid over the plane of view.
class Grid {
 public:
  Grid(const View& view, double reach) : reach_(reach), step_(reach / 4), left_(view.left), bottom_(view.bottom) {
    nx_ = static_cast<std::size_t>(std::ceil((view.right - view.left) / step_));
    ny_ = static_cast<std::size_t>(std::ceil((view.top - view.bottom) / step_));
    value_.assign(nx_ * ny_, 0);
  }

  // Spreads an amount by a kernel whose integral is 1.
  void add(Point at, double amount) {
    const double weight = 2 / (math::kPi * reach_ * reach_);
    const auto range = [&](double middle, double low, std::size_t count) {
      const double first = (middle - reach_ - low) / step_ - 0.5, last = (middle + reach_ - low) / step_ - 0.5;
      const double most = static_cast<double>(count) - 1;
      return std::pair{std::max(0.0, std::ceil(first)), std::min(most, std::floor(last))};
    };
    const auto [i0, i1] = range(at.x, left_, nx_);
    const auto [j0, j1] = range(at.y, bottom_, ny_);
    for (double j = j0; j <= j1; ++j) {
      const double dy = bottom_ + (j + 0.5) * step_ - at.y;
      for (double i = i0; i <= i1; ++i) {
        const double dx = left_ + (i + 0.5) * step_ - at.x, r2 = (dx * dx + dy * dy) / (reach_ * reach_);
        if (r2 < 1)
          value_[static_cast<std::size_t>(j) * nx_ + static_cast<std::size_t>(i)] += amount * weight * (1 - r2);
      }
    }
  }

  std::size_t size() const { return value_.size(); }
  double operator[](std::size_t k) const { return value_[k]; }
  double& operator[](std::size_t k) { return value_[k]; }
  double step() const { return step_; }
  Point corner(std::size_t k) const {  // upper left
    return {left_ + static_cast<double>(k % nx_) * step_, bottom_ + static_cast<double>(k / nx_ + 1) * step_};
  }

 private:
  double reach_, step_, left_, bottom_;
  std::size_t nx_ = 0, ny_ = 0;
  std::vector<double> value_;
};

// What all maps of a frame need.
class Coarse {
 public:
  Coarse(const Subject& subject, const View& view)
      : frame_(*subject.frame), view_(view), box_(subject.survey->box()), reach_(reach_of(frame_, view)) {
    const Triple& toward = view.camera.toward;
    for (std::size_t k = 0; k < 3; ++k) {
      if (toward[k] != 0 && frame_.dimension == 3) depth_ = box_.size(k);
    }
  }

  double reach() const { return reach_; }

  Grid concentration() const {
    Grid grid(view_, reach_);
    for (std::size_t i = 0; i < frame_.id.size(); ++i) {
      if (frame_.held[i] == 0 && finite(frame_.position[i]))
        spread(grid, frame_.position[i], body_volume(frame_, i) / depth_);
    }
    return grid;
  }

  // The contact stress in the plane of view, compression positive, and a third of its trace in 3D (half in 2D).
  struct Stress {
    Grid right, up, shear, pressure;
  };
  Stress stress() const {
    const Grid none(view_, reach_);
    Stress s{none, none, none, none};
    for (std::size_t c = 0; c < frame_.contact_a.size(); ++c) {
      add_half(s, frame_.contact_a[c], c, -1);
      if (frame_.contact_b[c] >= 0) add_half(s, frame_.contact_b[c], c, 1);
    }
    return s;
  }

 private:
  static double reach_of(const Frame& frame, const View& view) {
    double sum = 0;
    for (const double r : frame.radius) sum += r;
    const double mean = sum / static_cast<double>(std::max<std::size_t>(frame.radius.size(), 1));
    return std::max(3 * mean, (view.right - view.left + view.top - view.bottom) / 120);
  }

  // Also where the images in the neighbouring periods are, if they reach into the picture.
  void spread(Grid& grid, const Triple& x, double amount) const {
    std::array<int, 3> most{};
    for (std::size_t k = 0; k < 3; ++k) most[k] = frame_.periodic[k] != 0 && view_.camera.toward[k] == 0 ? 1 : 0;
    for (int i = -most[0]; i <= most[0]; ++i) {
      for (int j = -most[1]; j <= most[1]; ++j) {
        for (int k = -most[2]; k <= most[2]; ++k) {
          const Triple image = x + Triple{i * period(0), j * period(1), k * period(2)};
          grid.add(view_.camera.flatten(image), amount);
        }
      }
    }
  }
  double period(std::size_t k) const { return frame_.domain_max[k] - frame_.domain_min[k]; }

  // The part of a contact between the centre of one body and the contact. `sign`: of the force on the body in that on
  // the first of the two, turned over as compression counts positive.
  void add_half(Stress& s, std::int64_t id, std::size_t c, double sign) const {
    const auto i = index_of(frame_, id);
    const Triple& force = frame_.contact_force[c];
    if (!i || !finite(frame_.position[*i]) || !finite(force) || !finite(frame_.contact_point[c])) return;
    Triple branch = frame_.contact_point[c] - frame_.position[*i];
    for (std::size_t k = 0; k < 3; ++k) {
      if (frame_.periodic[k] != 0) branch[k] -= period(k) * std::round(branch[k] / period(k));
    }
    const Triple pull = sign * force;
    const Camera& camera = view_.camera;
    const Point f = camera.flatten(pull), l = camera.flatten(branch);
    constexpr int kPieces = 3;
    for (int piece = 0; piece < kPieces; ++piece) {
      const Triple at = frame_.position[*i] + ((piece + 0.5) / kPieces) * branch;
      const double share = 1 / (kPieces * depth_);
      spread(s.right, at, share * f.x * l.x);
      spread(s.up, at, share * f.y * l.y);
      spread(s.shear, at, share * 0.5 * (f.x * l.y + f.y * l.x));
      spread(s.pressure, at, share * dot(pull, branch) / frame_.dimension);
    }
  }

  const Frame& frame_;
  const View& view_;
  Box box_;
  double reach_, depth_ = 1;
};

bool is_continuum(const Subject& subject) {
  const Frame& frame = *subject.frame;
  const auto free = static_cast<std::size_t>(std::count(frame.held.begin(), frame.held.end(), 0));
  const bool plane = frame.dimension == 2 || subject.from.camera.level();
  return plane && free >= kFewest;
}

// The value below which nearly all of a grid is: a few peaks would turn all else to one colour.
double top_of(const Grid& grid) {
  std::vector<double> values;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    if (grid[k] > 0) values.push_back(grid[k]);
  }
  if (values.empty()) return 0;
  const std::size_t at = values.size() - 1 - values.size() / 200;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  const double step = nice_step(values[at], 8);
  return std::ceil(values[at] / step) * step;
}

std::string depth_text(const Frame& frame) { return frame.dimension == 2 ? "" : ", means over the depth of the scene"; }

// `present`: how much there is at each point; nothing is drawn where there is next to nothing.
Picture map_of(const Subject& subject, const View& view, SceneSheet sheet, const Grid& grid, const Grid& present,
               double top) {
  constexpr double kNothing = 0.02;
  sheet.bodies = [grid, present, top](Canvas& canvas, const View& v) {
    const double size = grid.step() * v.scale;
    for (std::size_t k = 0; k < grid.size(); ++k) {
      if (present[k] < kNothing) continue;
      const Point p = v.place(grid.corner(k));
      canvas.box({p.x - 0.15, p.y - 0.15, size + 0.3, size + 0.3}, viridis(grid[k] / top));  // no seams
    }
  };
  return scene_picture(subject, view, std::move(sheet));
}

}  // namespace

std::vector<NamedPicture> field_figures(const Subject& subject) {
  std::vector<NamedPicture> out;
  if (!is_continuum(subject)) return out;
  const Frame& frame = *subject.frame;
  const View view = scene_view(subject, 0);
  const Coarse coarse(subject, view);
  const Grid present = coarse.concentration();
  const bool flat = frame.dimension == 2;
  const std::string spread = fmt::format(
      " Spread by a kernel of radius {}{}: it fades within that distance of walls and "
      "free surfaces.",
      quantity_text(coarse.reach(), "m"), depth_text(frame));
  const auto bar = [](double top, const std::string& name, const char* unit, bool open) {
    Axis range;
    range.hi = top;
    return ColourBar{with_ticks(range, 8, name, unit), open};
  };
  SceneSheet sheet;
  sheet.kind = "Concentration";
  sheet.caption = fmt::format("Share of the {} that free bodies fill.{}", flat ? "area" : "volume", spread);
  for (std::size_t i = 0; i < frame.clump.size(); ++i) {
    if (frame.clump[i] < 0 || frame.form[i] >= 0) continue;
    sheet.caption += " Members of clumps count in full, also where they overlap.";
    break;
  }
  sheet.bar = bar(1, "concentration", "", false);
  out.push_back({"concentration", sheet.kind, map_of(subject, view, sheet, present, present, 1)});

  const Coarse::Stress s = coarse.stress();
  Grid shear = s.shear;
  for (std::size_t k = 0; k < shear.size(); ++k) shear[k] = std::hypot(0.5 * (s.right[k] - s.up[k]), s.shear[k]);
  const char* unit = flat ? "N/m" : "Pa";
  const auto add = [&](const char* name, const char* kind, const char* words, const Grid& grid) {
    const double top = top_of(grid);
    if (!(top > 0)) return;  // no contact carries a force
    sheet.kind = kind;
    sheet.caption = std::string(words) + spread;
    sheet.bar = bar(top, pretty_name(name), unit, true);
    out.push_back({name, kind, map_of(subject, view, sheet, grid, present, top)});
  };
  add("pressure", "Pressure", "Mean of the normal stresses that contacts carry; compression is positive.", s.pressure);
  add("shear_stress", "Shear stress", "The largest shear stress in the plane of the picture that contacts carry.",
      shear);
  return out;
}

}  // namespace moraine::plot
