// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "plot/scene_figures.hpp"
#include "plot/scene_parts.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kManyArrows = 450;
constexpr double kCell = 17;          // points: one arrow to a cell where there are many bodies
constexpr double kLongest = 100;      // points
constexpr double kUsualShare = 0.95;  // most arrows are shorter than the length between bodies

// Bodies that get an arrow: all, or one in each cell of the page; the nearest to the reader in 3D, the nearest to the
// cell's middle in 2D.
std::vector<std::size_t> chosen_bodies(const Frame& frame, const View& view) {
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    if (finite(frame.position[i]) && finite(frame.velocity[i]) && norm(frame.velocity[i]) > 0 &&
        view.shows(frame.position[i])) {
      moving.push_back(i);
    }
  }
  if (moving.size() <= kManyArrows) return moving;
  std::map<std::pair<long, long>, std::pair<double, std::size_t>> best;
  for (const std::size_t i : moving) {
    const Point p = view.place(frame.position[i]);
    const double u = p.x / kCell, v = p.y / kCell;
    const std::pair cell{std::lround(u), std::lround(v)};
    const double merit = frame.dimension == 2
                             ? -std::hypot(u - static_cast<double>(cell.first), v - static_cast<double>(cell.second))
                             : view.camera.depth(frame.position[i]);
    const auto [place, is_new] = best.try_emplace(cell, merit, i);
    if (!is_new && merit > place->second.first) place->second = {merit, i};
  }
  std::vector<std::size_t> chosen;
  for (const auto& entry : best) chosen.push_back(entry.second.second);
  return chosen;
}

// Points per m/s: the usual arrow reaches from body to body, the longest one stays within bounds.
double arrow_scale(const Frame& frame, const View& view, const std::vector<std::size_t>& chosen) {
  std::vector<double> speeds;
  for (const std::size_t i : chosen) speeds.push_back(norm(frame.velocity[i]));
  if (speeds.empty()) return 0;
  std::sort(speeds.begin(), speeds.end());
  const double usual = speeds[static_cast<std::size_t>(kUsualShare * static_cast<double>(speeds.size() - 1))];
  const double spacing = std::sqrt(view.area.w * view.area.h / static_cast<double>(speeds.size()));
  return std::min(std::clamp(1.4 * spacing, 22.0, 70.0) / usual, kLongest / speeds.back());
}

// The largest of 1, 2, 5 times a power of ten that is not above.
double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

}  // namespace

Picture velocity_figure(const Subject& subject) {
  const Frame& frame = *subject.frame;
  const View view = scene_view(*subject.survey, 0.04);
  const std::vector<std::size_t> chosen = chosen_bodies(frame, view);
  const double scale = arrow_scale(frame, view, chosen);
  SceneSheet sheet;
  sheet.kind = "Velocities";
  if (chosen.empty()) {
    sheet.caption = frame.id.empty() ? "There are no bodies in this frame." : "All bodies are at rest.";
  } else {
    double fastest = 0;
    for (const std::size_t i : chosen) fastest = std::max(fastest, norm(frame.velocity[i]));
    const double shown = round_below(fastest);
    sheet.key.push_back({KeyEntry::Kind::kArrow, quantity_text(shown, "m/s"), kArrowInk, shown * scale, 1.0, {}});
    sheet.caption =
        fmt::format("Arrows: velocity{} of the body where they begin, to the scale above; the fastest goes {}.",
                    frame.dimension == 2 ? "" : ", projected like the picture,", quantity_text(fastest, "m/s"));
    if (chosen.size() < frame.id.size()) {
      sheet.caption += fmt::format(" {} of {} bodies have an arrow", chosen.size(), frame.id.size());
      sheet.caption += chosen.size() > 1 && frame.id.size() > kManyArrows ? ": one in each cell of the page."
                                                                          : "; the others are at rest.";
    }
  }
  sheet.bodies = [subject](Canvas& canvas, const View& v) {
    const Frame& f = *subject.frame;
    BodyColours colours(f.id.size(), kFaintBody);
    for (std::size_t i = 0; i < colours.size(); ++i) {
      if (f.held[i] != 0) colours[i] = mixed(kFaintBody, kHeld, 0.45);
    }
    f.dimension == 2 ? draw_disks(canvas, v, f, colours, true) : draw_balls(canvas, v, f, colours);
  };
  sheet.over = [subject, chosen, scale](Canvas& canvas, const View& v) {
    const Frame& f = *subject.frame;
    for (const std::size_t i : chosen) {
      const Point from = v.place(f.position[i]), way = v.camera.flatten(f.velocity[i]);
      canvas.arrow(from, {from.x + scale * way.x, from.y - scale * way.y}, chosen.size() > 200 ? 0.8 : 1.0, kArrowInk);
    }
  };
  return scene_picture(subject, view, std::move(sheet));
}

}  // namespace moraine::plot
