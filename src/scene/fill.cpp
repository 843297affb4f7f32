// SPDX-License-Identifier: MIT
#include "scene/fill.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "io/checkpoint.hpp"
#include "io/table.hpp"
#include "scene/memory.hpp"
#include "scene/squeeze.hpp"

namespace moraine::scene {

namespace {

using inflow::Ball;
using inflow::Region;
using world::NewBody;
using world::World;

template <int D>
Region<D> region_of(const Node& fill, const World<D>& world, Problems& problems) {
  const Region<D> r{as_vec<D>(fill.numbers("min")), as_vec<D>(fill.numbers("max"))};
  for (int k = 0; k < D; ++k) {
    const char axis = "xyz"[k];
    if (!(r.max[k] > r.min[k])) {
      problems.add(fill, "max", fmt::format("must lie above min along {}: {} against {}", axis, r.max[k], r.min[k]));
    } else if (r.min[k] < world.domain.min[k] || r.max[k] > world.domain.max[k]) {
      problems.add(fill, r.min[k] < world.domain.min[k] ? "min" : "max",
                   fmt::format("the region [{}, {}] reaches out of the domain [{}, {}] along {}", r.min[k], r.max[k],
                               world.domain.min[k], world.domain.max[k], axis));
    }
  }
  return r;
}

inflow::Sizes sizes_of(const Node& fill) { return {fill.number("radius"), fill.number("spread")}; }

// A body of this fill at the given place: material, mass and the velocities that all of them share.
template <int D>
NewBody<D> body_of(const FillContext& c, const Node& fill, int material, const Ball<D>& ball, base::Stream& random) {
  NewBody<D> body;
  body.x = ball.x;
  body.radius = ball.radius;
  body.material = static_cast<std::uint32_t>(material);
  inflow::solid_ball<D>(ball.radius, c.laws.materials[body.material].density, c.thickness, body.mass, body.inertia);
  if (fill.has("velocity")) body.v = as_vec<D>(fill.numbers("velocity"));
  const double speed = fill.has("random_speed") ? fill.number("random_speed") : 0;
  for (int k = 0; k < D && speed > 0; ++k) body.v[k] += random.uniform(-speed, speed);
  if (fill.has("fixed") && fill.boolean("fixed")) body.held = world::Held::kFixed;
  return body;
}

// The same for a clump, turned at random, in the place of a ball of its size.
template <int D>
world::NewClump<D> clump_of(const FillContext& c, const Node& fill, const std::vector<world::ClumpShape<D>>& shapes,
                            int material, const Ball<D>& ball, base::Stream& random) {
  const NewBody<D> like = body_of(c, fill, material, ball, random);
  world::NewClump<D> clump = inflow::random_clump(shapes, ball, random);
  clump.v = like.v;
  clump.material = like.material;
  clump.density = c.laws.materials[like.material].density;
  clump.thickness = c.thickness;
  return clump;
}

template <int D>
std::vector<Ball<D>> present_balls(const World<D>& world) {
  std::vector<Ball<D>> balls;
  for (const auto& p : world.bodies.place) balls.push_back({p.x, p.radius});
  return balls;
}

template <int D>
std::vector<Ball<D>> place_lattice(const Node& fill, const Region<D>& region, base::Stream& random,
                                   Problems& problems) {
  const inflow::Sizes sizes = sizes_of(fill);
  const double spacing = fill.has("spacing") ? fill.number("spacing") : 2 * sizes.largest();
  if (spacing < 2 * sizes.largest() * (1 - 1e-12)) {
    problems.add(fill, "spacing",
                 fmt::format("{} m is less than the largest diameter, {} m", spacing, 2 * sizes.largest()));
    return {};
  }
  const bool hexagonal = fill.text("pattern") == "hexagonal";
  if (hexagonal && D == 3) {
    problems.add(fill, "pattern", "\"hexagonal\" is for 2D; in 3D use \"square\"");
    return {};
  }
  std::optional<std::size_t> count;
  if (fill.has("count")) count = static_cast<std::size_t>(fill.integer("count"));
  double cells = 1;
  for (int k = 0; k < D; ++k) cells *= std::max(1.0, (region.max[k] - region.min[k]) / spacing);
  const double wanted = count ? std::min(cells, static_cast<double>(*count)) : cells;
  if (!fits_memory(fill, count ? "count" : "max", wanted, problems) ||
      (cells > 4e18 && !fits_memory(fill, "max", cells, problems)))
    return {};
  auto balls = inflow::lattice<D>(region, sizes, spacing, hexagonal, fill.number("jitter"), count, random);
  if (balls.empty()) problems.add(fill, "the region is too small for a single body");
  if (count && balls.size() < *count && !balls.empty()) {
    problems.add(fill, "count",
                 fmt::format("{} bodies do not fit into the region; there is room for {}", *count, balls.size()));
  }
  return balls;
}

template <int D>
std::vector<Ball<D>> place_random(const Node& fill, const Region<D>& region, const World<D>& world,
                                  base::Stream& random, Problems& problems) {
  if (fill.has("fraction") == fill.has("count")) {
    problems.add(fill, fill.has("count") ? "'fraction' and 'count' are both given; leave out one of the two"
                                         : "give 'fraction' (covered part) or 'count'");
    return {};
  }
  for (int k = 0; k < D; ++k) {
    if (region.max[k] - region.min[k] < 2 * sizes_of(fill).largest()) {
      problems.add(fill, "the region is too small for a single body");
      return {};
    }
  }
  std::optional<std::size_t> count;
  if (fill.has("count")) count = static_cast<std::size_t>(fill.integer("count"));
  const double smallest = math::ball_volume(D, fill.number("radius"));
  const double wanted = count ? static_cast<double>(*count) : fill.number("fraction") * region.volume() / smallest;
  if (!fits_memory(fill, count ? "count" : "fraction", wanted, problems)) return {};
  auto balls = inflow::random_sequential<D>(region, world.domain, sizes_of(fill), count, fill.number("fraction", 0),
                                            fill.number("gap"), present_balls(world), random);
  if (balls) return *balls;
  problems.add(
      fill, count ? "count" : "fraction",
      fmt::format("no room found for all bodies at random places; random placement reaches about {} at most: use "
                  "less, or method = \"squeeze\"",
                  D == 2 ? 0.54 : 0.38));
  return {};
}

template <int D>
void fill_from_table(const FillContext& c, const Node& fill, int material, World<D>& world, Problems& problems) {
  const auto path = c.scene.folder / fill.text("file");
  io::Table table;
  try {
    table = io::read_table(path);
  } catch (const base::InputError& error) {
    for (const base::Problem& p : error.problems()) problems.add(fill, "file", p.str());
    return;
  }
  const std::vector<std::string> wanted =
      D == 2 ? std::vector<std::string>{"x", "y", "radius"} : std::vector<std::string>{"x", "y", "z", "radius"};
  for (const std::string& name : wanted) {
    if (!table.has(name)) problems.add(fill, "file", fmt::format("{} has no column '{}'", path.string(), name));
  }
  if (!problems.empty()) return;
  const double scale = fill.number("scale");
  const auto value = [&](const char* name, std::size_t row) { return table.has(name) ? table.column(name)[row] : 0.0; };
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows()); ++row) {
    Ball<D> ball;
    const char* const x[] = {"x", "y", "z"};
    const char* const v[] = {"vx", "vy", "vz"};
    for (int k = 0; k < D; ++k) ball.x[k] = value(x[k], row) * scale;
    ball.radius = value("radius", row) * scale;
    if (!(ball.radius > 0)) {
      problems.add(fill, "file",
                   fmt::format("{}: radius {} in row {} must be above 0", path.string(), ball.radius, row + 1));
      return;
    }
    base::Stream none(0, "");
    NewBody<D> body = body_of(c, fill, material, ball, none);
    for (int k = 0; k < D; ++k) body.v[k] = value(v[k], row) * scale;
    body.w = math::spin_from_vec3<D>({value("wx", row), value("wy", row), value("wz", row)});
    if (value("frozen", row) != 0) body.held = world::Held::kFixed;
    if (body.held != world::Held::kFree) {
      body.v = {};
      body.w = {};
    }
    world.bodies.add(body);
  }
}

// Whether a body of this size and volume can be that solid, larger or smaller.
template <int D>
bool is_like(const shape::Solid<D>& solid, double radius, double volume) {
  double expected = solid.measure;
  for (int k = 0; k < D; ++k) expected *= radius / solid.radius;
  return std::fabs(volume - expected) <= 1e-9 * volume;
}

template <int D>
void fill_from_checkpoint(const FillContext& c, const Node& fill, int material, World<D>& world, Problems& problems) {
  auto path = c.scene.folder / fill.text("file");
  if (std::filesystem::is_directory(path)) path /= "checkpoint.h5";
  World<D> other;
  other.solids = world.solids;
  std::vector<std::int64_t> held_solids;  // place in the bodies, number of the shape
  std::vector<double> volumes;            // of those
  try {
    const base::Record record = io::read_checkpoint(path);
    if (record.count("world.dimension") != D) {
      problems.add(
          fill, "file",
          fmt::format("{} is of a {}D run, the scene is {}D", path.string(), record.count("world.dimension"), D));
      return;
    }
    other.load(record);
    if (record.ints.count("bodies.held_solids") > 0) {
      held_solids = record.integer("bodies.held_solids");
      volumes = record.real("bodies.held_volumes");
    }
  } catch (const base::InputError& error) {
    for (const base::Problem& p : error.problems()) problems.add(fill, "file", p.str());
    return;
  } catch (const std::runtime_error& error) {
    problems.add(fill, "file", fmt::format("{}: {}", path.string(), error.what()));
    return;
  }
  const auto wrong_solids = [&] {
    problems.add(fill, "file",
                 fmt::format("{}: its solids are not those of this scene; give the same [[solid]] tables in the same "
                             "order (and the same seed, if they are random)",
                             path.string()));
  };
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    const double radius = other.bodies.place.at(static_cast<std::size_t>(held_solids.at(2 * k))).radius;
    if (!is_like(*world.solids[static_cast<std::size_t>(held_solids[2 * k + 1])], radius, volumes[k]))
      return wrong_solids();
  }
  // Clumps keep the mass they had.
  for (std::size_t k = 0; k < other.clumps.size(); ++k) {
    const auto& from = other.clumps;
    world::ClumpShape<D> shape;
    for (std::uint32_t m = from.start[k]; m < from.start[k + 1]; ++m)
      shape.members.push_back({from.offset[m], other.bodies.place[from.member[m]].radius});
    shape.radius = from.radius[k];
    shape.solid = from.solid[k];
    if (shape.solid != world::kNoSolid && !is_like(*world.solids[shape.solid], from.radius[k], from.volume[k])) {
      return wrong_solids();
    }
    shape.volume = from.mass[k];
    shape.moment = from.inertia[k];
    world::NewClump<D> clump;
    clump.shape = &shape;
    clump.density = 1;
    clump.x = from.x[k];
    clump.orientation = from.orientation[k];
    clump.material = static_cast<std::uint32_t>(material);
    if (!fill.boolean("at_rest")) {
      clump.v = from.v_now[k];
      clump.w = from.w_now[k];
    }
    world.clumps.add(clump, world.bodies);
    world.clumps.volume.back() = from.volume[k];
  }
  for (std::size_t i = 0; i < other.bodies.size(); ++i) {
    const auto& m = other.bodies.moving[i];
    if (m.held == world::Held::kMember) continue;
    NewBody<D> body;
    body.x = other.bodies.place[i].x;
    body.radius = other.bodies.place[i].radius;
    body.material = static_cast<std::uint32_t>(material);
    inflow::solid_ball<D>(body.radius, c.laws.materials[body.material].density, c.thickness, body.mass, body.inertia);
    body.held = m.held == world::Held::kFree ? world::Held::kFree : world::Held::kFixed;
    if (const std::uint32_t solid = other.solid_number(i); solid != world::kNoSolid) {
      body.motion = static_cast<std::uint32_t>(world.guided.size());
      world.guided.push_back({{}, body.x, -1, solid, other.bodies.orientation[i]});
      body.mass = other.bodies.mass[i];
      body.inertia = other.bodies.inertia[i];
      world.bodies.add(body);
      world.bodies.orientation.back() = other.bodies.orientation[i];
      continue;
    }
    if (body.held == world::Held::kFree && !fill.boolean("at_rest")) {
      body.v = m.v_now;
      body.w = m.w_now;
    }
    world.bodies.add(body);
  }
}

template <int D>
void plan_rain(const FillContext& c, const Node& fill, std::size_t index, int material, const Region<D>& region,
               const World<D>& world, std::vector<inflow::RainPlan<D>>& rain, Problems& problems) {
  inflow::RainPlan<D> plan;
  plan.name = fmt::format("fill.{}.rain", index);
  plan.seed = c.seed;
  plan.region = region;
  plan.sizes = sizes_of(fill);
  plan.velocity = as_vec<D>(fill.numbers("velocity"));
  plan.material = static_cast<std::uint32_t>(material);
  plan.density = c.laws.materials[plan.material].density;
  plan.thickness = c.thickness;
  plan.count = fill.integer("count");
  plan.batch = fill.integer("batch");
  // Steps are not known yet; build() turns the time into steps.
  plan.every = 1;
  (void)world;
  for (int k = 0; k < D; ++k) {
    if (region.max[k] - region.min[k] < 2 * plan.sizes.largest()) {
      problems.add(fill, "the region is too small for a single body");
      return;
    }
  }
  rain.push_back(plan);
}

}  // namespace

template <int D>
void add_fill(const FillContext& c, const ClumpShapes<D>& shapes, const Node& fill, std::size_t index, World<D>& world,
              std::vector<inflow::RainPlan<D>>& rain, Problems& problems) {
  const int material = c.laws.find(fill, "material", false, problems);
  if (material < 0) return;
  const std::vector<world::ClumpShape<D>>* clumps = nullptr;
  if (fill.has("clump") || fill.has("solid")) {
    clumps = find_clump(fill, shapes, problems);
    if (clumps == nullptr) return;
    if (fill.has("fixed") && fill.boolean("fixed"))
      return problems.add(fill, "fixed", "clumps of a fill cannot be fixed; fix single ones in [[body]]");
  }
  const std::string& method = fill.text("method");
  if (method == "table") return fill_from_table(c, fill, material, world, problems);
  if (method == "checkpoint") return fill_from_checkpoint(c, fill, material, world, problems);
  Problems mine;
  const Region<D> region = region_of(fill, world, mine);
  problems.take(mine);
  if (!mine.empty()) return;
  if (method == "rain" && !fits_memory(fill, "count", static_cast<double>(fill.integer("count")), problems)) return;
  if (method == "rain") {
    plan_rain(c, fill, index, material, region, world, rain, problems);
    if (clumps != nullptr && problems.empty()) rain.back().clumps = *clumps;
    return;
  }
  base::Stream random(c.seed, fmt::format("fill.{}", index));
  if (method == "squeeze") {
    const double wanted = fill.number("fraction") * region.volume() / math::ball_volume(D, fill.number("radius"));
    if (!fits_memory(fill, "fraction", wanted, problems)) return;
    for (const NewBody<D>& body : squeeze<D>(c, fill, material, region, world, random, problems))
      world.bodies.add(body);
    return;
  }
  const auto balls = method == "lattice" ? place_lattice(fill, region, random, problems)
                                         : place_random(fill, region, world, random, problems);
  for (const Ball<D>& ball : balls) {
    if (clumps != nullptr) {
      world.clumps.add(clump_of(c, fill, *clumps, material, ball, random), world.bodies);
    } else {
      world.bodies.add(body_of(c, fill, material, ball, random));
    }
  }
}

template void add_fill<2>(const FillContext&, const ClumpShapes<2>&, const Node&, std::size_t, World<2>&,
                          std::vector<inflow::RainPlan<2>>&, Problems&);
template void add_fill<3>(const FillContext&, const ClumpShapes<3>&, const Node&, std::size_t, World<3>&,
                          std::vector<inflow::RainPlan<3>>&, Problems&);

}  // namespace moraine::scene
