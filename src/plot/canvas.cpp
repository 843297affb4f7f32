// SPDX-License-Identifier: MIT
#include "plot/canvas.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MORAINE_CHECKS_LEAKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MORAINE_CHECKS_LEAKS
#endif
#ifdef MORAINE_CHECKS_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

namespace moraine::plot {

namespace {

constexpr double kImageDotsPerInch = 200;  // of images in vector outputs

// Fontconfig keeps what it finds until the process ends and forgets where; the leak checker must pass over it.
#ifdef MORAINE_CHECKS_LEAKS
using PassOverLeaks = __lsan::ScopedDisabler;
#else
struct PassOverLeaks {};
#endif

void choose_font(cairo_t* context, double size, bool bold) {
  [[maybe_unused]] const PassOverLeaks here;
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
  // Letters stand where they were measured, at every resolution.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context, options);
  cairo_font_options_destroy(options);
  cairo_get_scaled_font(context);  // looks the font up now, while leaks are passed over
}

double width_in(cairo_t* context, const std::string& words) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, words.c_str(), &extents);
  return extents.x_advance;
}

bool follows(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }  // inside a letter of UTF-8

// The length of the letter of UTF-8 that begins at `at`, 0 if none does.
std::size_t letter_length(const std::string& words, std::size_t at) {
  const auto first = static_cast<unsigned char>(words[at]);
  const std::size_t length = first < 0x80u   ? 1
                             : first < 0xC2u ? 0
                             : first < 0xE0u ? 2
                             : first < 0xF0u ? 3
                             : first < 0xF5u ? 4
                                             : 0;
  if (at + length > words.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!follows(words[at + i])) return 0;
  }
  return length;
}

// Names come from files and folders and may hold any bytes; cairo stops drawing at the first that is no letter.
std::string printable(const std::string& words) {
  std::string out;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t length = letter_length(words, at);
    if (length == 0) {
      out += '?';
    } else if (length == 1 && (words[at] < ' ' || words[at] == 127)) {
      out += ' ';
    } else {
      out += words.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace

void Canvas::use(const Colour& c) { cairo_set_source_rgba(context_, c.r, c.g, c.b, c.a); }

void Canvas::stroke(const Pen& pen) {
  use(pen.colour);
  cairo_set_line_width(context_, pen.width);
  cairo_set_dash(context_, pen.dash.data(), pen.dash[0] > 0 ? 2 : 0, 0);
  cairo_stroke(context_);
}

void Canvas::line(Point from, Point to, const Pen& pen) {
  cairo_move_to(context_, from.x, from.y);
  cairo_line_to(context_, to.x, to.y);
  stroke(pen);
}

void Canvas::path(std::span<const Point> points, const Pen& pen, bool closed) {
  if (points.empty()) return;
  for (const Point& p : points) cairo_line_to(context_, p.x, p.y);
  if (closed) cairo_close_path(context_);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  stroke(pen);
}

void Canvas::area(std::span<const Point> points, const Colour& fill) {
  for (const Point& p : points) cairo_line_to(context_, p.x, p.y);
  use(fill);
  cairo_fill(context_);
}

void Canvas::box(const Rect& r, const Colour& fill) {
  cairo_rectangle(context_, r.x, r.y, r.w, r.h);
  use(fill);
  cairo_fill(context_);
}

void Canvas::frame(const Rect& r, const Pen& pen) {
  cairo_rectangle(context_, r.x, r.y, r.w, r.h);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_MITER);
  stroke(pen);
}

void Canvas::disk(Point centre, double radius, const Colour& fill, const Pen& outline) {
  cairo_new_sub_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  use(fill);
  if (outline.width > 0) {
    cairo_fill_preserve(context_);
    stroke(outline);
  } else {
    cairo_fill(context_);
  }
}

void Canvas::ball(Point centre, double radius, const Colour& colour, double shade) {
  cairo_pattern_t* light =
      cairo_pattern_create_radial(centre.x - 0.35 * radius, centre.y - 0.4 * radius, 0, centre.x, centre.y, radius);
  const auto stop = [&](double at, const Colour& c) {
    cairo_pattern_add_color_stop_rgba(light, at, c.r, c.g, c.b, colour.a);
  };
  stop(0, mixed(colour, kPaper, 0.6));
  stop(0.3, mixed(colour, kPaper, 0.15));
  stop(0.7, mixed(colour, {0, 0, 0}, 0.27 * shade));
  stop(1, mixed(colour, {0, 0, 0}, shade));
  cairo_new_sub_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  cairo_set_source(context_, light);
  cairo_fill(context_);
  cairo_pattern_destroy(light);
}

void Canvas::bar(Point from, Point to, double width, const Colour& fill) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (!(length > 0)) return;
  const double nx = -(to.y - from.y) / length * width / 2, ny = (to.x - from.x) / length * width / 2;
  const std::array<Point, 4> corners = {
      {{from.x + nx, from.y + ny}, {to.x + nx, to.y + ny}, {to.x - nx, to.y - ny}, {from.x - nx, from.y - ny}}};
  area(corners, fill);
}

void Canvas::arrow(Point from, Point to, double width, const Colour& colour) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (!(length > 0)) return;
  const double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
  const double head = std::min(3.2 + 2.2 * width, 0.6 * length), half = 0.36 * head;
  const Point neck{to.x - head * dx, to.y - head * dy};
  bar(from, {neck.x + 0.3 * dx, neck.y + 0.3 * dy}, std::min(width, half), colour);
  const std::array<Point, 3> tip = {
      {to, {neck.x - half * dy, neck.y + half * dx}, {neck.x + half * dy, neck.y - half * dx}}};
  area(tip, colour);
}

void Canvas::ramp(const Rect& r, std::span<const Colour> colours) {
  cairo_pattern_t* shade = cairo_pattern_create_linear(0, r.bottom(), 0, r.y);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double at = colours.size() > 1 ? static_cast<double>(i) / static_cast<double>(colours.size() - 1) : 0;
    cairo_pattern_add_color_stop_rgb(shade, at, colours[i].r, colours[i].g, colours[i].b);
  }
  cairo_rectangle(context_, r.x, r.y, r.w, r.h);
  cairo_set_source(context_, shade);
  cairo_fill(context_);
  cairo_pattern_destroy(shade);
}

void Canvas::text(const std::string& words, Point at, const Lettering& style) {
  if (words.empty()) return;
  const std::string letters = printable(words);
  cairo_save(context_);
  cairo_translate(context_, at.x, at.y);
  if (style.upwards) cairo_rotate(context_, -std::numbers::pi / 2);
  choose_font(context_, style.size, style.bold);
  const double width = width_in(context_, letters);
  const double along = style.align == Align::kLeft ? 0 : style.align == Align::kCentre ? -width / 2 : -width;
  // Heights of DejaVu Sans: capitals and digits are 0.73 of the size.
  const double below = style.level == Level::kBaseline ? 0 : style.level == Level::kMiddle ? 0.36 : 0.76;
  cairo_move_to(context_, along, below * style.size);
  use(style.colour);
  cairo_show_text(context_, letters.c_str());
  cairo_new_path(context_);
  cairo_restore(context_);
}

void Canvas::inside(const Rect& r, bool as_image, const std::function<void(Canvas&)>& draw) {
  if (vector_ && as_image) {
    draw_as_image(r, draw);
    return;
  }
  cairo_save(context_);
  cairo_rectangle(context_, r.x, r.y, r.w, r.h);
  cairo_clip(context_);
  draw(*this);
  cairo_restore(context_);
}

void Canvas::draw_as_image(const Rect& r, const std::function<void(Canvas&)>& draw) {
  const double dots = kImageDotsPerInch / 72;
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(r.w * dots)),
                                                      static_cast<int>(std::ceil(r.h * dots)));
  cairo_t* context = cairo_create(image);
  cairo_scale(context, dots, dots);
  cairo_translate(context, -r.x, -r.y);
  Canvas canvas(context, false);
  draw(canvas);
  cairo_destroy(context);
  cairo_save(context_);
  cairo_rectangle(context_, r.x, r.y, r.w, r.h);
  cairo_clip(context_);
  cairo_translate(context_, r.x, r.y);
  cairo_scale(context_, 1 / dots, 1 / dots);
  cairo_set_source_surface(context_, image, 0, 0);
  cairo_paint(context_);
  cairo_restore(context_);
  cairo_surface_destroy(image);
}

double text_width(const std::string& words, double size, bool bold) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t* context = cairo_create(surface);
  choose_font(context, size, bold);
  const double width = width_in(context, printable(words));
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  return width;
}

std::string fitted_text(const std::string& words, double size, double width, bool bold) {
  if (text_width(words, size, bold) <= width) return words;
  std::string cut = words;
  while (!cut.empty() && text_width(cut + "…", size, bold) > width) {
    while (cut.size() > 1 && follows(cut.back())) cut.pop_back();
    cut.pop_back();
  }
  return cut + "…";
}

std::vector<std::string> wrapped_text(const std::string& words, double size, double width, bool bold) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    std::string longer = line;
    if (!longer.empty()) longer += ' ';
    longer += word;
    if (text_width(longer, size, bold) <= width) {
      line = longer;
      continue;
    }
    if (!line.empty()) lines.push_back(line);
    line = fitted_text(word, size, width, bold);
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace moraine::plot
