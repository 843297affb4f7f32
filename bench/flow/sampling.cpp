// SPDX-License-Identifier: MIT
// What the velocity of a flow by panels costs at a body, over the number of panels: by the grid of cells, and by the
// whole sum. One thread; places are random within the walls, and both are asked in turns.
//   bench_flow SCENE [KEY=VALUE...]
// SCENE has [flow] by panels, such as examples/flow_bend.toml. Prints a line of CSV per number of panels.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "flow/panel_field.hpp"
#include "scene/build.hpp"

namespace {

using namespace moraine;
using math::Vec2;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double sink = 0;  // what is computed must be used

template <class Ask>
double seconds_per_point(const std::vector<Vec2>& points, const Ask& ask) {
  const double start = now();
  for (const Vec2& x : points) sink += ask(x)[0];
  return (now() - start) / static_cast<double>(points.size());
}

void time_panels(const std::string& path, std::vector<std::string> sets, int panels) {
  sets.push_back("flow.panels=" + std::to_string(panels));
  sets.push_back("flow.sampling=grid");
  const scene::Scene scene = scene::load_scene(path, sets);
  const double start = now();
  const auto built = scene::build<2>(scene);
  const double setup = now() - start;
  const auto* field = dynamic_cast<const flow::PanelField*>(built.world.flow.get());
  if (field == nullptr) throw base::RunError("the scene has no [flow] by panels", "");
  Vec2 low = field->panels().front().a, high = low;
  for (const auto& p : field->panels()) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p.a[k]);
      high[k] = std::max(high[k], p.a[k]);
    }
  }
  base::Stream random(1, "bench.flow");
  std::vector<Vec2> points;
  while (points.size() < 20000) {
    const Vec2 x{random.uniform(low[0], high[0]), random.uniform(low[1], high[1])};
    if (math::norm(field->velocity(x)) > 0) points.push_back(x);
  }
  const std::vector<Vec2> few(points.begin(), points.begin() + std::min<std::ptrdiff_t>(20000, 2000000 / panels));
  std::vector<double> grid, exact;
  for (int turn = 0; turn < 7; ++turn) {
    grid.push_back(seconds_per_point(points, [&](const Vec2& x) { return field->velocity(x); }));
    exact.push_back(seconds_per_point(few, [&](const Vec2& x) { return field->exact_velocity(x); }));
  }
  const auto report = field->report();
  std::printf("%zu,%.3f,%.0f,%.0f,%.1f,%.2g,%.0f\n", field->panels().size(), setup, 1e9 * median(grid),
              1e9 * median(exact), median(exact) / median(grid), report.at("sampling_error"), report.at("cells"));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_flow SCENE [KEY=VALUE...]\n");
    return 2;
  }
  try {
    std::printf("panels,solve_s,grid_ns_per_body,exact_ns_per_body,exact_over_grid,sampling_error,cells\n");
    for (const int panels : {62, 125, 250, 500, 1000, 2000})
      time_panels(argv[1], std::vector<std::string>(argv + 2, argv + argc), panels);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return sink == 12345 ? 1 : 0;
}
