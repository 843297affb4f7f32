// SPDX-License-Identifier: MIT
#include "plot/page.hpp"

#include <algorithm>

namespace moraine::plot {

namespace {

constexpr double kTitleSize = 12, kTitleStep = 15.5, kTick = 3;

double widest(const std::vector<std::string>& labels, double size) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label, size));
  return width;
}

// A long title is written smaller, and if that is not enough its name is cut, never its unit.
void draw_axis_title(Canvas& canvas, const std::string& title, Point at, double room, Lettering style) {
  constexpr double kSmallest = 6.5;
  style.size = std::clamp(style.size * room / std::max(text_width(title, style.size), 1.0), kSmallest, style.size);
  const std::size_t unit_at = std::min(title.rfind(" ["), title.size());
  const std::string unit = title.substr(unit_at);
  canvas.text(fitted_text(title.substr(0, unit_at), style.size, room - text_width(unit, style.size)) + unit, at, style);
}

}  // namespace

void Paragraph::draw(Canvas& canvas, Point corner) const {
  for (const std::string& line : lines) {
    canvas.text(line, {corner.x, corner.y + size}, {.size = size, .colour = kSoftInk});
    corner.y += size * 1.4;
  }
}

Paragraph paragraph(const std::string& words, double size, double width) {
  return {wrapped_text(words, size, width), size};
}

std::string left_out_text(const std::vector<std::string>& zeros, const std::vector<std::string>& constants) {
  const auto listed = [](const char* what, const std::vector<std::string>& words) {
    std::string out = words.empty() ? "" : what;
    for (std::size_t i = 0; i < words.size(); ++i)
      out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return words.empty() ? out : out + ".";
  };
  const std::string zero = listed("Zero throughout and not drawn: ", zeros),
                    constant = listed("Constant and not drawn: ", constants);
  return zero + (zero.empty() || constant.empty() ? "" : " ") + constant;
}

Heading::Heading(const std::string& title, std::string right, const std::string& below)
    : right_(std::move(right)), below_(paragraph(below, 8)) {
  // As much room for the time in every picture of a run, so that they are all of one size.
  const double room = kTextWidth - (right_.empty() ? 0 : std::max(text_width(right_, kTitleSize), 90.0) + 24);
  title_ = wrapped_text(title, kTitleSize, room, true);
  if (title_.size() > 2) {
    title_.resize(2);
    title_.back() = fitted_text(title_.back() + " …", kTitleSize, room, true);
  }
}

double Heading::height() const {
  return kMargin + kTitleStep * static_cast<double>(std::max<std::size_t>(title_.size(), 1)) + 3 + below_.height();
}

void Heading::draw(Canvas& canvas) const {
  double y = kMargin + kTitleSize * 0.85;
  canvas.text(right_, {kPageWidth - kMargin, y}, {.size = kTitleSize, .align = Align::kRight});
  for (const std::string& line : title_) {
    canvas.text(line, {kMargin, y}, {.size = kTitleSize, .bold = true});
    y += kTitleStep;
  }
  if (title_.empty()) y += kTitleStep;
  below_.draw(canvas, {kMargin, y - kTitleSize * 0.85 + 3});
}

Key::Key(std::vector<KeyEntry> entries, double width) : entries_(std::move(entries)) {
  constexpr double kBetween = 16;
  double x = 0, y = 0, row = 0;
  std::size_t row_begin = 0;
  const auto end_row = [&](std::size_t end) {
    for (std::size_t i = row_begin; i < end; ++i) places_[i].y = y + row / 2;
    y += row;
    row_begin = end;
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    KeyEntry& e = entries_[i];
    e.words = fitted_text(e.words, kSmallSize, std::max(40.0, width - e.length - 5));
    const double needed = e.length + 5 + text_width(e.words, kSmallSize);
    if (x > 0 && x + needed > width) {
      end_row(i);
      x = row = 0;
    }
    places_.push_back({x, 0});
    row = std::max({row, 12.0, e.kind == KeyEntry::Kind::kBar ? e.width + 3 : 0.0});
    x += needed + kBetween;
  }
  if (!entries_.empty()) end_row(entries_.size());
  height_ = y;
}

void Key::draw(Canvas& canvas, Point corner) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const KeyEntry& e = entries_[i];
    const Point from{corner.x + places_[i].x, corner.y + places_[i].y}, to{from.x + e.length, from.y};
    switch (e.kind) {
      case KeyEntry::Kind::kSwatch:
        canvas.disk({from.x + e.length / 2, from.y}, 4, e.colour, {mixed(e.colour, {0, 0, 0}, 0.45), 0.5});
        break;
      case KeyEntry::Kind::kBar:
        canvas.bar(from, to, e.width, e.colour);
        break;
      case KeyEntry::Kind::kArrow:
        canvas.arrow(from, to, e.width, e.colour);
        break;
      case KeyEntry::Kind::kLine:
        canvas.line(from, to, {e.colour, e.width, e.dash});
        break;
    }
    canvas.text(e.words, {to.x + 5, from.y}, {.size = kSmallSize, .level = Level::kMiddle});
  }
}

double AxisPair::left_room() const { return kTick + 3 + widest(y.labels, kTickSize) + 7 + kLabelSize; }
double AxisPair::bottom_room() const { return kTick + 3 + kTickSize + 6 + kLabelSize; }

Point AxisPair::place(const Rect& area, double at_x, double at_y) const {
  return {area.x + (at_x - x.lo) / (x.hi - x.lo) * area.w, area.bottom() - (at_y - y.lo) / (y.hi - y.lo) * area.h};
}

void AxisPair::draw_grid(Canvas& canvas, const Rect& area) const {
  for (const double t : x.at) {
    const double px = place(area, t, y.lo).x;
    canvas.line({px, area.y}, {px, area.bottom()}, {kGridLine, 0.4});
  }
  for (const double t : y.at) {
    const double py = place(area, x.lo, t).y;
    canvas.line({area.x, py}, {area.right(), py}, {kGridLine, 0.4});
  }
}

void AxisPair::draw(Canvas& canvas, const Rect& area) const {
  const Pen pen{kInk, 0.6};
  canvas.frame(area, pen);
  for (std::size_t i = 0; i < x.at.size(); ++i) {
    const double px = place(area, x.at[i], y.lo).x;
    canvas.line({px, area.bottom()}, {px, area.bottom() + kTick}, pen);
    canvas.text(x.labels[i], {px, area.bottom() + kTick + 3},
                {.size = kTickSize, .align = Align::kCentre, .level = Level::kTop});
  }
  for (std::size_t i = 0; i < y.at.size(); ++i) {
    const double py = place(area, x.lo, y.at[i]).y;
    canvas.line({area.x - kTick, py}, {area.x, py}, pen);
    canvas.text(y.labels[i], {area.x - kTick - 3, py},
                {.size = kTickSize, .align = Align::kRight, .level = Level::kMiddle});
  }
  Lettering style{.size = kLabelSize, .align = Align::kCentre, .level = Level::kTop};
  draw_axis_title(canvas, x.title, {area.x + area.w / 2, area.bottom() + kTick + 3 + kTickSize + 6}, area.w, style);
  style.level = Level::kBaseline;
  style.upwards = true;
  draw_axis_title(canvas, y.title, {area.x - left_room() + kLabelSize * 0.8, area.y + area.h / 2}, area.h + 8, style);
}

double ColourBar::room() const { return 9 + kTick + 3 + widest(axis.labels, kTickSize) + 7 + kLabelSize; }

void ColourBar::draw(Canvas& canvas, const Rect& bar) const {
  std::array<Colour, 33> colours;
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = viridis(static_cast<double>(i) / (colours.size() - 1));
  canvas.ramp(bar, colours);
  const Pen pen{kInk, 0.5};
  if (open) {
    const std::array<Point, 3> tip = {{{bar.x, bar.y}, {bar.x + bar.w / 2, bar.y - bar.w}, {bar.right(), bar.y}}};
    canvas.area(tip, viridis(1));
    canvas.path(tip, pen, true);
  }
  canvas.frame(bar, pen);
  for (std::size_t i = 0; i < axis.at.size(); ++i) {
    const double y = bar.bottom() - (axis.at[i] - axis.lo) / (axis.hi - axis.lo) * bar.h;
    canvas.line({bar.right(), y}, {bar.right() + kTick, y}, pen);
    canvas.text(axis.labels[i], {bar.right() + kTick + 3, y}, {.size = kTickSize, .level = Level::kMiddle});
  }
  canvas.text(axis.title, {bar.x + room(), bar.y + bar.h / 2},
              {.size = kLabelSize, .align = Align::kCentre, .upwards = true});
}

}  // namespace moraine::plot
