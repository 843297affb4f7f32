// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "plot/scene_figures.hpp"
#include "plot/scene_parts.hpp"

namespace moraine::plot {

namespace {

bool by_speed(const Subject& subject) {
  // The colour is for what differs: kinds if there are several, otherwise speeds.
  if (subject.colour == ColourBy::kAuto) return subject.survey->materials().size() < 2;
  return subject.colour == ColourBy::kSpeed;
}

BodyColours body_colours(const Subject& subject, bool speed) {
  const Frame& frame = *subject.frame;
  const double top = subject.survey->top_speed();
  BodyColours colours(frame.id.size(), kHeld);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (frame.held[i] != 0) continue;
    if (!speed) {
      colours[i] = kind_colour(static_cast<std::size_t>(std::max(frame.material[i], 0)));
    } else {
      const double v = norm(frame.velocity[i]);
      colours[i] = top > 0 ? viridis(v / top) : kind_colour(0);
    }
  }
  return colours;
}

std::vector<KeyEntry> material_key(const Survey& survey) {
  std::vector<KeyEntry> key;
  for (const std::int32_t m : survey.materials()) {
    const auto number = static_cast<std::size_t>(std::max(m, 0));
    key.push_back({.words = number < survey.material_names().size() ? survey.material_names()[number]
                                                                    : fmt::format("material {}", m),
                   .colour = kind_colour(number)});
  }
  return key;
}

// Says the same for every frame of a film, or its pictures would differ in height.
std::string caption_of(const Subject& subject, const View& view, bool speed) {
  const Survey& survey = *subject.survey;
  const bool flat = survey.dimension() == 2;
  if (!(survey.largest_radius() > 0)) return "There are no bodies.";
  const char* what = !subject.frame->form_radius.empty() ? "Bodies" : flat ? "Disks" : "Spheres";
  std::string out = fmt::format("{} to scale{}", what, flat ? "" : ", " + subject.from.caption);
  out += flat && has_spoke(survey.largest_radius() * view.scale) ? "; the spoke turns with its disk." : ".";
  if (!speed) {
    out += " Colour: material.";
  } else if (survey.top_speed() > 0) {
    out += survey.speeds_cut() ? " Colour: speed (the few above the bar have its topmost colour)." : " Colour: speed.";
  } else {
    out += " All bodies are at rest.";
  }
  if (survey.any_held()) out += " Grey: held bodies.";
  if (survey.any_walls()) out += flat ? " Thick lines: walls." : " Faint grids: walls.";
  if (survey.any_links()) out += flat ? " Thin lines: links." : " Dark lines: links.";
  if (survey.any_periodic()) out += " Dashed: periodic boundaries.";
  return out;
}

SceneSheet sheet_of(const Subject& subject, const View& view) {
  const bool speed = by_speed(subject);
  SceneSheet sheet;
  sheet.kind = "Configuration";
  sheet.caption = caption_of(subject, view, speed);
  if (!speed) {
    sheet.key = material_key(*subject.survey);
    if (subject.survey->any_held()) sheet.key.push_back({.words = "held", .colour = kHeld});
  } else if (subject.survey->top_speed() > 0) {
    Axis range;
    range.hi = subject.survey->top_speed();
    sheet.bar = ColourBar{with_ticks(range, 8, "speed", "m/s"), subject.survey->speeds_cut()};
  }
  sheet.bodies = [subject, colours = body_colours(subject, speed)](Canvas& canvas, const View& v) {
    draw_bodies(canvas, v, *subject.frame, colours, Look::kFull);
  };
  return sheet;
}

}  // namespace

Picture configuration_figure(const Subject& subject) {
  const View view = scene_view(subject, 0);
  return scene_picture(subject, view, sheet_of(subject, view));
}

Picture configuration_frames(const std::vector<Subject>& subjects) { return frames_picture(subjects, 0, sheet_of); }

}  // namespace moraine::plot
