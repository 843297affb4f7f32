// SPDX-License-Identifier: MIT
#include "plot/scene_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/numbers.hpp"
#include "math/elementary.hpp"
#include "plot/scene_parts.hpp"

namespace moraine::plot {

namespace {

constexpr std::size_t kVectorBodies = 5000;  // with more, a vector output holds them as an image
constexpr double kMostHeight = 500, kBarRoom = 76, kBarGap = 14, kBoxBarGap = 34, kAxisRoom = 48, kBoxRoom = 30,
                 kBoxBottom = 22, kRulerRoom = 40, kPanelLabel = 16;

// At the left of a 3D scene's box and below it. A ruler along the edge of the picture needs more room than one that
// runs to a corner of it.
double box_room(const Camera& camera) { return camera.level() ? kAxisRoom : kBoxRoom; }
double box_bottom(const Camera& camera) { return camera.level() || camera.toward[2] > 0.6 ? kRulerRoom : kBoxBottom; }

std::string bodies_text(const Frame& frame, const View& view) {
  const std::size_t n = frame.id.size();
  const bool flat = frame.dimension == 2;
  const char* kind = !frame.form_radius.empty() ? (n == 1 ? "body" : "bodies")
                     : flat                     ? (n == 1 ? "disk" : "disks")
                                                : (n == 1 ? "sphere" : "spheres");
  std::size_t outside = 0;
  for (const Triple& x : frame.position) outside += view.shows(x) ? 0 : 1;
  return fmt::format("{} {}{}", n == 0 ? "no" : std::to_string(n), kind,
                     outside > 0 ? fmt::format(" ({} outside the picture)", outside) : "");
}

std::array<bool, 3> periodic_axes(const Frame& frame) {
  return {frame.periodic[0] != 0, frame.periodic[1] != 0, frame.periodic[2] != 0};
}

AxisPair space_axes(const View& view) {
  AxisPair axes;
  axes.x.lo = view.left;
  axes.x.hi = view.right;
  axes.y.lo = view.bottom;
  axes.y.hi = view.top;
  const int most_x = std::clamp(static_cast<int>(view.area.w / 42), 2, 14);
  const int most_y = std::clamp(static_cast<int>(view.area.h / 20), 3, 14);
  // Equal lengths deserve equal ticks: the largest step that both sides have room for, unless the longer one would be
  // crowded.
  const double wide = view.right - view.left, high = view.top - view.bottom;
  double step = std::max(nice_step(wide, most_x - 1), nice_step(high, most_y - 1));
  while (std::min(wide, high) < 2.5 * step) step = nice_step(0.4 * step, 1);
  if (wide > most_x * step || high > most_y * step) step = 0;
  axes.x = with_ticks(axes.x, most_x, "x", "m", step);
  axes.y = with_ticks(axes.y, most_y, "y", "m", step);
  return axes;
}

// A round length to measure with, ending at `end`.
void draw_scale_bar(Canvas& canvas, const View& view, Point end, double most) {
  const double metres = nice_length(most / view.scale), points = metres * view.scale;
  if (!(points > 4)) return;
  const Pen pen{kInk, 0.9};
  const Point from{end.x - points, end.y};
  canvas.line(from, end, pen);
  for (const Point& p : {from, end}) canvas.line({p.x, p.y - 2.5}, {p.x, p.y + 2.5}, pen);
  canvas.text(quantity_text(metres, "m"), {from.x - 5, end.y},
              {.size = kTickSize, .align = Align::kRight, .level = Level::kMiddle});
}

// All that a page needs to be drawn once it is known where each part stands.
struct Layout {
  Heading heading;
  Key key;
  double key_top = 0;
  Paragraph caption;
  double caption_top = 0;
  View view;
  Rect bar;
  Point scale_end;  // of the bar that tells lengths
  double scale_room = 0;
  double height = 0;
};

Layout lay_out(const Subject& subject, const View& view, const SceneSheet& sheet) {
  const Frame& frame = *subject.frame;
  const bool flat = frame.dimension == 2;
  const std::string frames =
      subject.count == 1 ? "the only frame" : fmt::format("frame {} of 0 to {}", subject.index, subject.count - 1);
  Layout out{Heading(subject.title, "t = " + quantity_text(frame.time, "s", 4),
                     fmt::format("{}: {}, {}", sheet.kind, frames, bodies_text(frame, view))),
             Key(sheet.key, kTextWidth),
             0,
             paragraph(sheet.caption),
             0,
             view,
             {},
             {},
             0,
             0};
  double y = out.heading.height() + 4;
  out.key_top = y;
  y += out.key.height() + (out.key.height() > 0 ? 6 : 0) + (flat ? 6 : 2);
  const AxisPair axes = space_axes(view);
  const double left = flat ? axes.left_room() : box_room(view.camera);
  const double bar_gap = flat ? kBarGap : kBoxBarGap;  // in 3D the labels of y stand between
  const double bar_room = sheet.bar ? bar_gap + sheet.bar->room() : 0;
  const double right = flat ? bar_room : std::max(bar_room, kBoxRoom);
  const double spare = kTextWidth - left - view.area.w - right;
  out.view.area.x = kMargin + left + std::max(0.0, spare / 2);
  out.view.area.y = y;
  const double bar_height = std::min(view.area.h - (sheet.bar && sheet.bar->open ? 10 : 0), 260.0);
  out.bar = {out.view.area.right() + bar_gap, out.view.area.bottom() - (view.area.h + bar_height) / 2, 9, bar_height};
  if (flat && view.area.h < 300) out.bar.y = out.view.area.bottom() - bar_height;
  const double below = flat ? axes.bottom_room() : box_bottom(view.camera);
  out.caption_top = out.view.area.bottom() + below + 10;
  // In 2D beside the title of the axis, in 3D in the corner of the page, where the box leaves room.
  out.scale_end = flat ? Point{out.view.area.right(), out.view.area.bottom() + below - 4}
                       : Point{kPageWidth - kMargin, out.caption_top - 8};
  out.scale_room = flat ? std::min(0.2 * view.area.w, 0.5 * view.area.w - 50) : 90;
  out.height = out.caption_top + out.caption.height() + kMargin - 4;
  return out;
}

void draw_space(Canvas& canvas, const Subject& subject, const View& view, const SceneSheet& sheet) {
  const Frame& frame = *subject.frame;
  const bool flat = frame.dimension == 2, as_image = frame.id.size() > kVectorBodies;
  const Box box = subject.survey->box();
  if (flat) {
    canvas.inside(view.area, false, [&](Canvas& c) { draw_links(c, view, frame); });
    canvas.inside(view.area, as_image, [&](Canvas& c) { sheet.bodies(c, view); });
    canvas.inside(view.area, false, [&](Canvas& c) {
      draw_segments(c, view, frame, box);
      draw_periods(c, view, frame);
      if (sheet.over) sheet.over(c, view);
    });
    space_axes(view).draw(canvas, view.area);
    return;
  }
  const BoxAxes axes(box, view, periodic_axes(frame), subject.survey->overhang());
  axes.draw_behind(canvas, view);
  draw_planes(canvas, view, frame, box, Side::kBehind);
  draw_links(canvas, view, frame);
  canvas.inside(view.area, as_image, [&](Canvas& c) { sheet.bodies(c, view); });
  draw_segments(canvas, view, frame, box);
  draw_planes(canvas, view, frame, box, Side::kBefore);
  canvas.inside(view.area, false, [&](Canvas& c) {
    if (sheet.over) sheet.over(c, view);
  });
  axes.draw_before(canvas, view);
  axes.draw_ticks(canvas, view);
}

Camera camera_of(const Subject& subject) {
  return subject.survey->dimension() == 2 ? Camera::flat() : subject.from.camera;
}

View view_within(const Subject& subject, double room, double width, double height) {
  const Survey& survey = *subject.survey;
  const Box box = survey.box();
  const double border = survey.overhang() + ((survey.dimension() == 2 ? 0.025 : 0) + room) * box.largest_size();
  return fit_view(box, camera_of(subject), border, width, height);
}

// A whole text as a number.
bool read_number(std::string_view text, double& value) {
  const auto number = io::to_number(text);
  value = number.value_or(0);
  return number && std::isfinite(value);
}

}  // namespace

std::vector<ViewFrom> choose_views(const std::string& text) {
  const double degree = math::kPi / 180;
  const std::vector<ViewFrom> known = {{kUsualView, "seen in parallel projection, z upwards", Camera::corner()},
                                       {"front", "seen from the front (along y)", Camera::from(-90 * degree, 0)},
                                       {"side", "seen from the side (against x)", Camera::from(0, 0)},
                                       {"top", "seen from above (against z)", Camera::from(-90 * degree, 90 * degree)}};
  std::vector<ViewFrom> views;
  std::vector<std::string_view> words;
  io::split_fields(text, words);
  for (const std::string_view word : words) {
    const auto same = [&](const ViewFrom& view) { return view.name == word; };
    if (std::any_of(views.begin(), views.end(), same)) continue;
    if (const auto it = std::find_if(known.begin(), known.end(), same); it != known.end()) {
      views.push_back(*it);
      continue;
    }
    const std::size_t slash = std::min(word.find('/'), word.size());
    double azimuth = 0, height = 0;
    if (slash == word.size() || !read_number(word.substr(0, slash), azimuth) ||
        !read_number(word.substr(slash + 1), height) || std::fabs(azimuth) > 360 || std::fabs(height) > 90) {
      throw base::InputError("--view", 0, text,
                             fmt::format("'{}' is not a view; there are corner, front, side, top, and two angles in "
                                         "degrees such as 30/20 (about z from +x, -360 to 360; above the level, -90 to "
                                         "90)",
                                         word));
    }
    views.push_back({std::string(word),
                     fmt::format("seen from {} degrees about z, {} above the level", azimuth, height),
                     Camera::from(azimuth * degree, height * degree)});
  }
  if (views.empty()) throw base::InputError("--view", 0, text, "names no view; there are corner, front, side and top");
  return views;
}

View scene_view(const Subject& subject, double room) {
  const bool flat = subject.survey->dimension() == 2;
  const double sides = flat ? kAxisRoom + kBarRoom : box_room(camera_of(subject)) + kBarRoom + kBoxBarGap - kBarGap;
  return view_within(subject, room, kTextWidth - sides, kMostHeight);
}

Picture scene_picture(const Subject& subject, View view, SceneSheet sheet) {
  auto layout = std::make_shared<const Layout>(lay_out(subject, view, sheet));
  Picture picture{kPageWidth, layout->height, {}};
  picture.draw = [subject, layout, sheet = std::move(sheet)](Canvas& canvas) {
    layout->heading.draw(canvas);
    layout->key.draw(canvas, {kMargin, layout->key_top});
    draw_space(canvas, subject, layout->view, sheet);
    if (sheet.bar) sheet.bar->draw(canvas, layout->bar);
    draw_scale_bar(canvas, layout->view, layout->scale_end, layout->scale_room);
    layout->caption.draw(canvas, {kMargin, layout->caption_top});
  };
  return picture;
}

namespace {

// Frames in rows and columns, each with its time above it; from the place of the first one on the page.
struct Grid {
  std::size_t columns = 1, rows = 1;
  double left = 0, right = 0, below = 0;  // room of each frame for its axes
  View view;
  double width() const { return left + view.area.w + right; }
  double height() const { return kPanelLabel + view.area.h + below; }
};

constexpr double kSheetHeight = 640, kPanelGap = 8;

Grid best_grid(const Subject& first, std::size_t count, double room, double width) {
  const bool flat = first.survey->dimension() == 2;
  const Camera camera = camera_of(first);
  Grid best;
  for (std::size_t columns = 1; columns <= std::min<std::size_t>(count, 6); ++columns) {
    Grid grid;
    grid.columns = columns;
    grid.rows = (count + columns - 1) / columns;
    grid.left = flat ? kAxisRoom : box_room(camera);
    grid.right = flat ? kPanelGap : kBoxBarGap;
    grid.below = (flat ? kRulerRoom : box_bottom(camera)) + kPanelGap;
    const double wide = width / static_cast<double>(columns) - grid.left - grid.right;
    const double high = std::max(kSheetHeight / static_cast<double>(grid.rows), 120.0) - grid.below - kPanelLabel;
    if (wide < 60) break;
    grid.view = view_within(first, room, wide, high);
    if (columns == 1 || grid.view.scale > best.view.scale * 1.001) best = grid;
  }
  return best;
}

}  // namespace

Picture frames_picture(const std::vector<Subject>& subjects, double room, const MakeSheet& make) {
  struct Panel {
    Subject subject;
    View view;
    SceneSheet sheet;
    std::string words;
  };
  struct Sheet {
    Heading heading;
    Key key;
    Paragraph caption;
    std::vector<Panel> panels;
    std::optional<ColourBar> bar;
    Rect bar_area;
    double key_top = 0, caption_top = 0;
  };
  const SceneSheet sample = make(subjects.front(), scene_view(subjects.front(), room));
  const bool same = sample.shared_caption.empty();
  const double bar_room = sample.bar ? kBarGap + sample.bar->room() : 0;
  const Grid grid = best_grid(subjects.front(), subjects.size(), room, kTextWidth - bar_room);
  auto sheet = std::make_shared<Sheet>(
      Sheet{Heading(subjects.front().title, "", fmt::format("{}: {} frames", sample.kind, subjects.size())),
            Key(same ? sample.key : std::vector<KeyEntry>{}, kTextWidth),
            paragraph(same ? sample.caption : sample.shared_caption),
            {},
            sample.bar,
            {}});
  double y = sheet->heading.height() + 4;
  sheet->key_top = y;
  y += sheet->key.height() + (sheet->key.height() > 0 ? 6 : 0) + 4;
  const double spare = kTextWidth - bar_room - static_cast<double>(grid.columns) * grid.width();
  const double x = kMargin + std::max(0.0, spare / 2);
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    View view = grid.view;
    const std::size_t column = k % grid.columns, row = k / grid.columns;
    view.area.x = x + static_cast<double>(column) * grid.width() + grid.left;
    view.area.y = y + static_cast<double>(row) * grid.height() + kPanelLabel;
    Panel panel{subjects[k], view, make(subjects[k], view), "t = " + quantity_text(subjects[k].frame->time, "s", 4)};
    if (!same) panel.words += ", " + panel.sheet.note;
    sheet->panels.push_back(std::move(panel));
  }
  const double high = static_cast<double>(grid.rows) * grid.height();
  sheet->bar_area = {x + static_cast<double>(grid.columns) * grid.width() + kBarGap, y + kPanelLabel + 10, 9,
                     std::min(high - kPanelLabel - grid.below - 10, 260.0)};
  sheet->caption_top = y + high + 14;
  Picture picture{kPageWidth, sheet->caption_top + sheet->caption.height() + kMargin - 4, {}};
  picture.draw = [sheet](Canvas& canvas) {
    sheet->heading.draw(canvas);
    sheet->key.draw(canvas, {kMargin, sheet->key_top});
    for (const Panel& panel : sheet->panels) {
      const Rect& area = panel.view.area;
      canvas.text(fitted_text(panel.words, kLabelSize, area.w, true), {area.x, area.y - 4},
                  {.size = kLabelSize, .bold = true});
      draw_space(canvas, panel.subject, panel.view, panel.sheet);
    }
    if (sheet->bar) sheet->bar->draw(canvas, sheet->bar_area);
    draw_scale_bar(canvas, sheet->panels[0].view, {kPageWidth - kMargin, sheet->caption_top - 8}, 70);
    sheet->caption.draw(canvas, {kMargin, sheet->caption_top});
  };
  return picture;
}

}  // namespace moraine::plot
