// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "plot/scene_figures.hpp"
#include "plot/scene_parts.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kMostArrows = 450;
constexpr double kSmallestCell = 9;   // points: at most one arrow to a cell of the page
constexpr double kLongest = 80;       // points
constexpr double kUsualShare = 0.95;  // so many arrows are no longer than about two bodies lie apart

std::vector<std::size_t> moving_bodies(const Frame& frame, const View& view, double rest_speed) {
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    if (finite(frame.position[i]) && finite(frame.velocity[i]) && norm(frame.velocity[i]) > rest_speed &&
        view.shows(frame.position[i])) {
      moving.push_back(i);
    }
  }
  return moving;
}

// One body in each cell of the page: in 3D the nearest to the reader, in 2D the nearest to the middle of the cell.
std::vector<std::size_t> one_per_cell(const Frame& frame, const View& view, const std::vector<std::size_t>& bodies,
                                      double size) {
  std::map<std::pair<long, long>, std::pair<double, std::size_t>> best;
  for (const std::size_t i : bodies) {
    const Point p = view.place(frame.position[i]);
    const double u = p.x / size, v = p.y / size;
    const std::pair cell{std::lround(u), std::lround(v)};
    const double merit = frame.dimension == 2
                             ? -std::hypot(u - static_cast<double>(cell.first), v - static_cast<double>(cell.second))
                             : view.camera.depth(frame.position[i]);
    const auto [place, is_new] = best.try_emplace(cell, merit, i);
    if (!is_new && merit > place->second.first) place->second = {merit, i};
  }
  std::vector<std::size_t> chosen;
  chosen.reserve(best.size());
  for (const auto& entry : best) chosen.push_back(entry.second.second);
  return chosen;
}

struct Arrows {
  std::vector<std::size_t> bodies;
  std::size_t moving = 0;
  double fastest = 0;
  double scale = 0;  // points per m/s
};

// As many arrows as can be told apart; the usual one is about twice as long as bodies with arrows lie apart.
Arrows choose_arrows(const Frame& frame, const View& view, double rest_speed) {
  const std::vector<std::size_t> moving = moving_bodies(frame, view, rest_speed);
  double cell = kSmallestCell;
  Arrows arrows{one_per_cell(frame, view, moving, cell), moving.size()};
  while (arrows.bodies.size() > kMostArrows) {
    cell *= 1.15;
    arrows.bodies = one_per_cell(frame, view, moving, cell);
  }
  if (arrows.bodies.empty()) return arrows;
  std::vector<double> speeds;
  double diameters = 0;
  Box filled;
  for (const std::size_t i : arrows.bodies) {
    speeds.push_back(norm(frame.velocity[i]));
    diameters += 2 * frame.radius[i] * view.scale;
    const Point p = view.place(frame.position[i]);
    filled.add(Triple{p.x, p.y, 0});
  }
  std::sort(speeds.begin(), speeds.end());
  const double usual = speeds[static_cast<std::size_t>(kUsualShare * static_cast<double>(speeds.size() - 1))];
  const auto count = static_cast<double>(speeds.size());
  const double apart = std::max({std::sqrt(filled.size(0) * filled.size(1) / count), diameters / count, cell});
  arrows.fastest = speeds.back();
  arrows.scale = std::min(std::clamp(1.9 * apart, 16.0, 60.0) / usual, kLongest / arrows.fastest);
  return arrows;
}

// The largest of 1, 2, 5 times a power of ten that is not above.
double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

std::string caption_of(const Frame& frame, const Arrows& arrows) {
  if (frame.id.empty()) return "There are no bodies in this frame.";
  if (arrows.bodies.empty()) return "All bodies are at rest.";
  std::string out = fmt::format("Arrows: velocity of the body at their foot{}, to the scale above; the fastest: {}.",
                                frame.dimension == 2 ? "" : ", in the projection of the picture",
                                quantity_text(arrows.fastest, "m/s"));
  if (arrows.bodies.size() < arrows.moving) {
    out += fmt::format(" For clarity only {} of the {} moving bodies have one.", arrows.bodies.size(), arrows.moving);
  }
  return out;
}

}  // namespace

Picture velocity_figure(const Subject& subject) {
  const Frame& frame = *subject.frame;
  const View view = scene_view(subject, 0.04);
  const Arrows arrows = choose_arrows(frame, view, subject.survey->rest_speed());
  SceneSheet sheet;
  sheet.kind = "Velocities";
  sheet.caption = caption_of(frame, arrows);
  if (!arrows.bodies.empty()) {
    const double shown = round_below(arrows.fastest);
    sheet.key.push_back(
        {KeyEntry::Kind::kArrow, quantity_text(shown, "m/s"), kArrowInk, shown * arrows.scale, 1.0, {}});
  }
  sheet.bodies = [subject](Canvas& canvas, const View& v) { draw_pale_bodies(canvas, v, *subject.frame, Look::kPale); };
  sheet.over = [subject, arrows](Canvas& canvas, const View& v) {
    const Frame& f = *subject.frame;
    const double width = arrows.bodies.size() > 100 ? 0.8 : 1.0;
    for (const std::size_t i : arrows.bodies) {
      const Point from = v.place(f.position[i]), way = v.camera.flatten(f.velocity[i]);
      canvas.arrow(from, {from.x + arrows.scale * way.x, from.y - arrows.scale * way.y}, width, kArrowInk);
    }
  };
  return scene_picture(subject, view, std::move(sheet));
}

}  // namespace moraine::plot
