// SPDX-License-Identifier: MIT
// Colours, projection, and what the pictures of one call share.
#include "plot/view.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "math/elementary.hpp"
#include "plot/colour.hpp"
#include "plot/frame_bodies.hpp"
#include "plot/scene_page.hpp"
#include "plot/series_figure.hpp"
#include "plot/survey.hpp"
#include "unit/plot_samples.hpp"

namespace moraine::plot::testing {
namespace {

void expect_colour(const Colour& c, int r, int g, int b) {
  EXPECT_EQ(std::lround(255 * c.r), r);
  EXPECT_EQ(std::lround(255 * c.g), g);
  EXPECT_EQ(std::lround(255 * c.b), b);
}

TEST(PlotColour, ViridisEndsAndBrightensThroughout) {
  expect_colour(viridis(0), 0x44, 0x01, 0x54);
  expect_colour(viridis(1), 0xFD, 0xE7, 0x25);
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(7), viridis(1));
  EXPECT_EQ(viridis(std::nan("")), viridis(0));
  for (int i = 0; i < 100; ++i) EXPECT_LT(lightness(viridis(i / 100.0)), lightness(viridis((i + 1) / 100.0)));
}

TEST(PlotColour, KindsDiffer) {
  for (std::size_t i = 0; i < 14; ++i) {
    for (std::size_t j = i + 1; j < 14; ++j) EXPECT_NE(kind_colour(i), kind_colour(j)) << i << " " << j;
  }
}

TEST(PlotView, TheCameraIsARightHandedFrame) {
  for (const Camera& c : {Camera::flat(), Camera::corner(), Camera::from(0, 0),
                          Camera::from(-math::kPi / 2, math::kPi / 2), Camera::from(2.5, -1)}) {
    EXPECT_NEAR(norm(c.right), 1, 1e-12);
    EXPECT_NEAR(norm(c.up), 1, 1e-12);
    EXPECT_NEAR(dot(c.right, c.up), 0, 1e-12);
    EXPECT_NEAR(norm(cross(c.right, c.up) - c.toward), 0, 1e-12);
  }
  const Camera c = Camera::corner();
  EXPECT_GT(c.flatten({0, 0, 1}).y, 0.8);  // z is up on the page
  EXPECT_NEAR(c.flatten({0, 0, 1}).x, 0, 1e-12);
  EXPECT_GT(c.flatten({1, 0, 0}).x, 0);
  EXPECT_GT(c.flatten({0, 1, 0}).x, 0);
  EXPECT_GT(c.depth({1, -1, 1}), c.depth({0, 0, 0}));
}

TEST(PlotView, AlongAnAxisTheOtherTwoLieStraightOnThePage) {
  const auto check = [](const ViewFrom& view, std::size_t right, std::size_t up) {
    EXPECT_TRUE(view.camera.level()) << view.name;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(view.camera.right[k], k == right ? 1 : 0) << view.name << " " << k;
      EXPECT_EQ(view.camera.up[k], k == up ? 1 : 0) << view.name << " " << k;
    }
  };
  const std::vector<ViewFrom> views = choose_views("top,front,side,corner,30/20,top");
  ASSERT_EQ(views.size(), 5u);
  check(views[0], 0, 1);
  check(views[1], 0, 2);
  check(views[2], 1, 2);
  EXPECT_EQ(views[0].camera.toward, (Triple{0, 0, 1}));
  EXPECT_EQ(views[1].camera.toward, (Triple{0, -1, 0}));
  EXPECT_EQ(views[2].camera.toward, (Triple{1, 0, 0}));
  EXPECT_FALSE(views[3].camera.level());
  EXPECT_NEAR(views[4].camera.toward[2], std::sin(20 * math::kPi / 180), 1e-15);
  EXPECT_NEAR(views[4].camera.toward[1] / views[4].camera.toward[0], std::tan(30 * math::kPi / 180), 1e-15);
}

TEST(PlotFrame, SolidsHaveTheVolumeOfTheirFacets) {
  Frame f;
  f.dimension = 2;
  f.radius = {2, 3};
  f.form = {-1, 0};
  f.form_radius = {1};
  f.form_vertex_start = {0, 4};
  f.form_vertex = {{-1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}};
  f.form_facet_start = {0, 4};
  f.form_facet = {0, 1, -1, 1, 1, 2, -1, 1, 2, 3, -1, 1, 3, 0, -1, 1};
  EXPECT_DOUBLE_EQ(body_volume(f, 0), 4 * math::kPi);
  EXPECT_DOUBLE_EQ(body_volume(f, 1), 2 * 9);  // a square of diagonal 2, three times as large
  f.dimension = 3;
  f.form_vertex = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  f.form_facet = {0, 2, 1, 7, 0, 1, 3, 7, 0, 3, 2, 7, 1, 2, 3, 7};
  EXPECT_DOUBLE_EQ(body_volume(f, 0), 32 * math::kPi / 3);
  EXPECT_DOUBLE_EQ(body_volume(f, 1), 27.0 / 6);
}

TEST(PlotView, WhatIsNoViewIsRefused) {
  for (const char* text :
       {"left", "30", "30/", "/20", "30/91", "361/0", "nan/0", "1e3/0", "30/20/10", "top;side", ""}) {
    EXPECT_THROW(choose_views(text), base::InputError) << text;
  }
}

TEST(PlotView, FlatViewsHaveEqualScalesAndYUp) {
  Box box;
  box.add(Triple{-1, 0, 0});
  box.add(Triple{1, 1, 0});
  View v = fit_view(box, Camera::flat(), 0.1, 440, 500);
  v.area.x = 10;
  v.area.y = 20;
  EXPECT_NEAR(v.scale, 200, 1e-9);
  EXPECT_NEAR(v.area.w, 440, 1e-9);
  EXPECT_NEAR(v.area.h, 240, 1e-9);
  const Point low = v.place(Triple{-1, 0, 0}), high = v.place(Triple{1, 1, 0});
  EXPECT_NEAR(low.x, 30, 1e-9);
  EXPECT_NEAR(low.y, 240, 1e-9);
  EXPECT_NEAR(high.x - low.x, 400, 1e-9);
  EXPECT_NEAR(low.y - high.y, 200, 1e-9);
  EXPECT_TRUE(v.shows({0, 0, 0}));
  EXPECT_FALSE(v.shows({0, 2, 0}));
}

TEST(PlotView, ThinScenesGetRoomForTheirAxes) {
  Box tower;
  tower.add(Triple{0, 0, 0});
  tower.add(Triple{0.01, 1, 0});
  const View v = fit_view(tower, Camera::flat(), 0, 500, 500);
  EXPECT_GT(v.area.w, 300);
  EXPECT_NEAR(v.place(Triple{0.005, 0.5, 0}).x, v.area.w / 2, 1e-9);
}

TEST(PlotView, SegmentsAndPlanesAreCutByTheBox) {
  Box box;
  box.add(Triple{0, 0, 0});
  box.add(Triple{1, 1, 1});
  const auto piece = clipped(box, {-1, 0.5, 0.5}, {3, 0.5, 0.5});
  ASSERT_TRUE(piece);
  EXPECT_NEAR(piece->first[0], 0, 1e-12);
  EXPECT_NEAR(piece->second[0], 1, 1e-12);
  EXPECT_FALSE(clipped(box, {-1, 2, 0.5}, {3, 2, 0.5}));
  EXPECT_EQ(cut_by_plane(box, {0, 0, 0}, {0, 0, 1}).size(), 4u);        // on a face
  EXPECT_EQ(cut_by_plane(box, {0.5, 0.5, 0.5}, {1, 1, 1}).size(), 6u);  // the hexagon of a cube
  EXPECT_LT(cut_by_plane(box, {0, 0, 5}, {0, 0, 1}).size(), 3u);
  EXPECT_TRUE(cut_by_plane(box, {0, 0, 0}, {0, 0, 0}).empty());
}

TEST(PlotSurvey, HoldsBodiesAndWallsButNotStraysOrEndlessWalls) {
  Frame f = pile_2d();
  Survey plain;
  plain.add(f);
  EXPECT_LE(plain.box().min[0], -0.4);
  EXPECT_GE(plain.box().max[0], 0.45);
  EXPECT_EQ(plain.materials().size(), 3u);
  EXPECT_TRUE(plain.any_held());
  add_body(f, {50, -80, 0}, {3, -40, 0}, 0.01);
  add_wall(f, "segment", {-1000, 0, 0}, {1000, 0, 0});
  Survey strays;
  strays.add(f);
  EXPECT_LT(strays.box().largest_size(), 3);
  EXPECT_TRUE(strays.box().holds({0, 0.2, 0}));
  EXPECT_TRUE(strays.speeds_cut());
  EXPECT_LT(strays.top_speed(), 1);
}

TEST(PlotSurvey, ABoxIsNeverEmptyOrFlat) {
  for (const int dimension : {2, 3}) {
    Frame f;
    f.dimension = dimension;
    Survey nothing;
    nothing.add(f);
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) EXPECT_GT(nothing.box().size(k), 0);
    EXPECT_EQ(nothing.top_speed(), 0);
    add_wall(f, "segment", {0, 1, 0}, {2, 1, 0});
    Survey wall;
    wall.add(f);
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) EXPECT_GT(wall.box().size(k), 0);
  }
}

TEST(PlotSurvey, PeriodicAxesShowTheirWholePeriod) {
  Frame f;
  f.dimension = 2;
  f.periodic = {1, 0, 0};
  f.domain_min = {-2, 0, 0};
  f.domain_max = {3, 1, 0};
  add_body(f, {0, 0.5, 0}, {}, 0.1);
  Survey s;
  s.add(f);
  EXPECT_EQ(s.box().min[0], -2);
  EXPECT_EQ(s.box().max[0], 3);
  EXPECT_EQ(s.overhang(), 0.1);
}

TEST(PlotSeries, ColumnsOfOneUnitAndSizeShareAPanel) {
  io::Series s;
  s.columns = {{"time", "s"},  {"kinetic", "J"}, {"potential", "J"}, {"balance", "J"},
               {"force", "N"}, {"idle", "J"},    {"weight", "N"}};
  s.values = {{0, 1}, {1, 2}, {-3, 4}, {1e-9, 2e-9}, {5, 6}, {0, 0}, {7, 7 * (1 + 1e-15)}};
  std::vector<std::size_t> still;
  const auto panels = group_columns(s, still);
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0].columns, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(panels[1].columns, (std::vector<std::size_t>{3}));
  EXPECT_EQ(panels[2].columns, (std::vector<std::size_t>{4}));
  EXPECT_EQ(still, (std::vector<std::size_t>{5, 6}));  // a panel would show a level line
  // Of a single row nothing is known to stand still.
  for (auto& column : s.values) column.resize(1);
  still.clear();
  EXPECT_EQ(group_columns(s, still).size(), 3u);
  EXPECT_EQ(still, (std::vector<std::size_t>{5}));
  EXPECT_EQ(left_out_text({"a", "b"}, {"c = 3 kg"}),
            "Zero throughout and not drawn: a and b. Constant and not drawn: c = 3 kg.");
  EXPECT_EQ(left_out_text({}, {}), "");
}

TEST(PlotSeries, NoPanelHasMoreThanEightLines) {
  io::Series s;
  s.columns = {{"time", "s"}};
  s.values = {{0}};
  for (int i = 0; i < 19; ++i) {
    s.columns.push_back({"c" + std::to_string(i), "N"});
    s.values.push_back({1.0 + i});
  }
  std::vector<std::size_t> still;
  std::size_t all = 0;
  for (const auto& panel : group_columns(s, still)) {
    EXPECT_LE(panel.columns.size(), 8u);
    all += panel.columns.size();
  }
  EXPECT_EQ(all, 19u);
}

TEST(PlotSeries, ThinningKeepsThePeaks) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.push_back(i == 54321 ? 7 : i == 12345 ? -7 : 0.001 * (i % 10));
  }
  const std::vector<Point> line = thinned(x, y, 500);
  EXPECT_LE(line.size(), 2000u);
  double low = 0, high = 0, last = -1;
  for (const Point& p : line) {
    EXPECT_GT(p.x, last);
    last = p.x;
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  EXPECT_EQ(low, -7);
  EXPECT_EQ(high, 7);
  EXPECT_EQ(line.front().x, 0);
  EXPECT_EQ(line.back().x, 99999);
}

}  // namespace
}  // namespace moraine::plot::testing
