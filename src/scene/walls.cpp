// SPDX-License-Identifier: MIT
#include "scene/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scene/mesh_source.hpp"
#include "scene/vectors.hpp"
#include "shape/mesh_shapes.hpp"
#include "world/near_wall.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::Drive;
using world::Form;
using world::Wall;
using world::World;

bool read_flat(const Node& node, world::Surface<2>& s, Problems& problems) {
  s.a = as_vec<2>(node.numbers("from"));
  s.b = as_vec<2>(node.numbers("to"));
  if (math::norm(s.b - s.a) > 0) return true;
  problems.add(node, "to", "is the same point as from: the wall has no length");
  return false;
}
bool read_flat(const Node& node, world::Surface<3>& s, Problems&) {
  s.a = as_vec<3>(node.numbers("point"));
  s.b = as_direction<3>(node.numbers("normal"));
  return true;
}

bool read_curved(const Node& node, const std::string&, world::Surface<2>& s, Problems&) {
  s.form = Form::kCircle;
  s.a = as_vec<2>(node.numbers("centre"));
  s.r0 = node.number("radius");
  return true;
}
bool read_curved(const Node& node, const std::string& kind, world::Surface<3>& s, Problems& problems) {
  s.form = Form::kRevolved;
  s.a = as_vec<3>(node.numbers(kind == "disc" ? "centre" : "point"));
  s.b = as_direction<3>(node.numbers(kind == "disc" ? "normal" : "axis"));
  s.r1 = node.number("radius");
  s.r0 = s.r1;
  if (kind == "disc") {
    s.r0 = node.number("inner_radius");
    if (s.r0 >= s.r1) {
      problems.add(node, "inner_radius", fmt::format("must be less than radius: {} m against {} m", s.r0, s.r1));
      return false;
    }
  } else if (kind == "cylinder") {
    s.length = node.has("length") ? node.number("length") : std::numeric_limits<double>::infinity();
  } else {
    s.r0 = node.number("radius");
    s.r1 = node.number("end_radius");
    s.length = node.number("length");
    if (s.r0 == 0 && s.r1 == 0) {
      problems.add(node, "end_radius", "radius and end_radius are both 0: no surface");
      return false;
    }
  }
  return true;
}

// Vertices where the scene puts them: turned, moved.
void put_in_place(const Node& node, shape::RawMesh& raw) {
  const math::Quaternion turn = math::from_rotation(as_vec<3>(node.numbers("orientation")));
  const Vec<3> to = as_vec<3>(node.numbers("point"));
  for (Vec<3>& v : raw.vertices) v = to + math::rotated(v, turn);
}

std::optional<shape::RawMesh> raw_mesh(const Node& node, const std::filesystem::path& folder, Problems& problems) {
  const std::string& kind = node.text("kind");
  const auto whole = [&](const char* key) { return static_cast<int>(node.integer(key)); };
  shape::RawMesh raw;
  if (kind == "hourglass") {
    const double radius = node.number("radius"), neck = node.number("neck_radius");
    if (neck >= radius) {
      problems.add(node, "neck_radius", fmt::format("must be less than radius: {} m against {} m", neck, radius));
      return std::nullopt;
    }
    raw = shape::hourglass(radius, neck, node.number("height"), whole("around"), whole("along"),
                           node.boolean("closed_bottom"), node.boolean("closed_top"));
  } else if (kind == "helix") {
    if (node.number("width") >= 2 * node.number("radius")) {
      problems.add(node, "width",
                   fmt::format("must be less than twice the radius: {} m against {} m", node.number("width"),
                               2 * node.number("radius")));
      return std::nullopt;
    }
    raw = shape::helix({node.number("radius"), node.number("width"), node.number("height"), node.number("pitch"),
                        node.number("turns"), node.number("lead"), whole("around")});
  } else if (kind == "box") {
    const Vec<3> size = as_vec<3>(node.numbers("size"));
    for (int k = 0; k < 3; ++k) {
      if (size[k] > 0) continue;
      problems.add(node, "size", "must be above 0 along every axis");
      return std::nullopt;
    }
    raw = shape::box(Vec<3>{}, size, whole("divisions"));
  } else {
    auto read = mesh_of_file(node, folder, problems);
    if (!read) return std::nullopt;
    raw = *std::move(read);
  }
  put_in_place(node, raw);
  return raw;
}

bool read_mesh(const Node& node, const std::filesystem::path& folder, world::Surface<3>& s,
               std::vector<std::string>& warnings, Problems& problems) {
  auto raw = raw_mesh(node, folder, problems);
  if (!raw) return false;
  auto form = std::make_shared<world::MeshForm>();
  form->mesh = shape::make_mesh(*raw, node.number("smooth_angle"));
  const char* key = node.text("kind") == "mesh" ? "file" : "kind";
  if (form->mesh.triangles.empty()) {
    std::string all;
    for (const auto& f : form->mesh.findings) all += (all.empty() ? "" : "; ") + f.text;
    problems.add(node, key, "has no triangle that a body could touch: " + all);
    return false;
  }
  for (const auto& f : form->mesh.findings) {
    // A wall is a skin with two sides: that it is open, or turned inside out, does not matter to it.
    if (f.kind == shape::MeshFinding::kOpenEdge && node.text("kind") != "mesh") continue;
    warnings.push_back(fmt::format("wall \"{}\": {}", node.text("name"), f.text));
  }
  form->tree = shape::MeshTree(form->mesh);
  s.form = Form::kMesh;
  s.mesh = form;
  return true;
}
bool read_mesh(const Node&, const std::filesystem::path&, world::Surface<2>&, std::vector<std::string>&, Problems&) {
  return false;
}

bool is_mesh(const std::string& kind) {
  return kind == "mesh" || kind == "hourglass" || kind == "helix" || kind == "box";
}

// The kinds that exist in each dimension.
template <int D>
bool kind_fits(const Node& node, Problems& problems) {
  const std::string& kind = node.text("kind");
  const bool plane_only = kind == "segment" || kind == "circle";
  if (plane_only == (D == 2)) return true;
  problems.add(node, "kind",
               D == 2 ? fmt::format("\"{}\" is for 3D; in 2D there is \"segment\" and \"circle\"", kind)
                      : fmt::format("\"{}\" is for 2D; in 3D there is \"plane\", \"disc\", \"cylinder\", \"cone\", "
                                    "\"mesh\", \"box\", \"helix\", \"hourglass\"",
                                    kind));
  return false;
}

// Away from the material, where the bodies push the wall: out of the free side of a plane; otherwise it must be said.
template <int D>
bool read_push_direction(const Node& node, const Wall<D>& wall, Vec<D>& out, Problems& problems) {
  if (node.has("direction")) {
    out = as_direction<D>(node.numbers("direction"));
    return true;
  }
  if (D == 3 && wall.start.form == Form::kFlat) {
    out = -wall.start.b;
    return true;
  }
  problems.add(node, "'direction' is missing: which way the bodies push this wall, away from them");
  return false;
}

int wall_number(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

template <int D>
void read_servo(const Node& scene, const Node& node, const std::vector<std::string>& names, Wall<D>& wall,
                Problems& problems) {
  const Node& s = node.table("servo");
  Drive<D>& drive = wall.drive;
  drive.on = read_push_direction(s, wall, drive.direction, problems);
  if (s.has("force") == s.has("stress"))
    problems.add(s, s.has("force") ? "'force' and 'stress' are both given; leave out one of the two"
                                   : "'force' or 'stress' is missing: what the servo holds");
  drive.target = s.number("force", 0);
  drive.stress = s.number("stress", 0);
  drive.fixed_area = s.number("area", D == 2 ? scene.number("thickness") : 1);
  const auto& pairs = s.texts("area_between");
  if (s.has("stress") && !s.has("area") && pairs.empty())
    problems.add(s, "'stress' needs 'area', or 'area_between' with the names of the walls that bound it");
  if (pairs.size() % 2 != 0)
    problems.add(s, "area_between", "names walls in pairs: the area is the product of their distances");
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
    std::array<std::size_t, 2> pair{};
    for (std::size_t side = 0; side < 2; ++side) {
      const int w = wall_number(names, pairs[k + side]);
      if (w < 0) {
        problems.add(s, fmt::format("area_between[{}]", k + side), no_such("wall", pairs[k + side], names));
      }
      pair[side] = static_cast<std::size_t>(std::max(0, w));
    }
    drive.across.push_back(pair);
  }
  drive.gain = s.number("gain", 0);
  drive.mass = s.number("mass", 0);
  drive.memory = s.number("memory", 0);
  drive.fastest = s.number("fastest", 0);
  drive.from = s.number("from");
  drive.to = s.number("to", std::numeric_limits<double>::infinity());
  if (!(drive.to > drive.from))
    problems.add(s, "to", fmt::format("{} s must be later than from, {} s", drive.to, drive.from));
}

template <int D>
void read_free(const Node& node, const World<D>& world, Wall<D>& wall, Problems& problems) {
  const Node& f = node.table("free");
  Drive<D>& drive = wall.drive;
  if (node.has("servo")) problems.add(node, "free", "the wall has a servo too; leave out one of the two");
  drive.on = read_push_direction(f, wall, drive.direction, problems);
  drive.mass = f.number("mass");
  drive.gain =
      f.has("damping") && f.number("damping") > 0 ? 1 / f.number("damping") : std::numeric_limits<double>::infinity();
  drive.target = f.number("load") - drive.mass * math::dot(world.gravity, drive.direction);
  drive.from = f.number("from");
  drive.fixed_area = 1;
}

// A time, or a number of steps that becomes one when the step is known: until then steps count as seconds, which is
// right for what is asked before (does it begin with the run?).
void read_moment(const Node& node, const std::string& key, double& time, std::int64_t& step, Problems& problems) {
  const std::string steps = key + "_step";
  if (node.has(key) && node.has(steps))
    problems.add(node, steps, fmt::format("'{}' is given too; leave out one of the two", key));
  if (node.has(key)) time = node.number(key);
  if (!node.has(steps)) return;
  step = node.integer(steps);
  time = static_cast<double>(step);
}

template <int D>
typename world::Motion<D>::Interval read_interval(const Node& part, Problems& problems) {
  typename world::Motion<D>::Interval interval;
  read_moment(part, "from", interval.from, interval.from_step, problems);
  read_moment(part, "to", interval.to, interval.to_step, problems);
  interval.velocity = as_vec<D>(part.numbers("velocity"));
  interval.spin = as_spin<D>(part.numbers("spin"));
  if (part.has("shift")) {
    if (math::norm(interval.velocity) > 0)
      problems.add(part, "shift", "'velocity' is given too; leave out one of the two");
    if (!std::isfinite(interval.to)) problems.add(part, "shift", "needs an end: give 'to' or 'to_step'");
    interval.by_shift = true;
    interval.shift = as_vec<D>(part.numbers("shift"));
    interval.velocity = interval.shift * (1 / (interval.to - interval.from));  // for now, see count_in_steps()
  }
  const bool alike = (interval.from_step >= 0) == (interval.to_step >= 0) || interval.from == 0;
  if (alike && !(interval.to > interval.from)) {
    const bool steps = interval.to_step >= 0;
    problems.add(part, steps ? "to_step" : "to",
                 fmt::format("{}{} must be later than {}, {}{}", interval.to, steps ? "" : " s",
                             steps ? "from_step" : "from", interval.from, steps ? "" : " s"));
  }
  return interval;
}

// A surface can slide in itself only along itself.
template <int D>
void read_slides(const Node& node, Wall<D>& wall, Problems& problems) {
  for (std::size_t k = 0; k < wall.motion.intervals.size(); ++k) {
    const Node& part = node.tables("motion")[k];
    auto& interval = wall.motion.intervals[k];
    interval.slide = as_vec<D>(part.numbers("slide"));
    const double speed = math::norm(interval.slide);
    if (speed == 0) continue;
    if (wall.start.form != Form::kFlat) {
      problems.add(part, "slide", "is for segments and planes; turn others with 'spin' or move them with 'velocity'");
      continue;
    }
    double across = 0;
    if constexpr (D == 2) {
      across = math::cross(wall.start.b - wall.start.a, interval.slide) / math::norm(wall.start.b - wall.start.a);
    } else {
      across = math::dot(wall.start.b, interval.slide);
    }
    if (std::fabs(across) > 1e-9 * speed)
      problems.add(part, "slide", "points out of the wall; a surface slides along itself ('velocity' moves the wall)");
  }
}

}  // namespace

template <int D>
void count_in_steps(const Node& scene, World<D>& world, Problems& problems) {
  for (std::size_t k = 0; k < world.walls.size(); ++k) {
    Wall<D>& wall = world.walls[k];
    wall.motion.count_in_steps(world.dt);
    if (wall.until_step >= 0) wall.until = static_cast<double>(wall.until_step) * world.dt;
    for (std::size_t j = 0; j < wall.motion.intervals.size(); ++j) {
      const auto& i = wall.motion.intervals[j];
      if (!(i.to > i.from))
        problems.add(scene.tables("wall")[k].tables("motion")[j],
                     fmt::format("ends at {} s, before it begins at {} s", i.to, i.from));
    }
    world::place_wall(wall, world.time, world.dt);
  }
  for (auto& guided : world.guided) guided.motion.count_in_steps(world.dt);
}

template <int D>
world::Motion<D> read_motion(const Node& node, const Vec<D>& reference, Problems& problems) {
  world::Motion<D> motion;
  motion.about = node.has("about") ? as_vec<D>(node.numbers("about")) : reference;
  for (const Node& part : node.tables("motion")) motion.intervals.push_back(read_interval<D>(part, problems));
  if (node.has("oscillation")) {
    const Node& o = node.table("oscillation");
    motion.amplitude = as_vec<D>(o.numbers("amplitude"));
    motion.frequency = o.number("frequency");
    motion.phase = o.number("phase");
  }
  return motion;
}

template <int D>
void read_walls(const Node& scene, const std::filesystem::path& folder, const Laws& laws, World<D>& world,
                std::vector<std::string>& warnings, Problems& problems) {
  std::vector<std::string> names;
  for (const Node& node : scene.tables("wall")) names.push_back(node.text("name"));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Node& node = scene.tables("wall")[k];
    Wall<D> wall;
    wall.name = names[k];
    if (wall_number(names, wall.name) < static_cast<int>(k)) {
      problems.add(node, "name", fmt::format("there is already a wall \"{}\"", wall.name));
    }
    const int material = laws.find(node, "material", node.boolean("rigid"), problems);
    wall.material = static_cast<std::uint32_t>(std::max(0, material));
    if (!kind_fits<D>(node, problems)) continue;
    const std::string& kind = node.text("kind");
    const bool flat = kind == "segment" || kind == "plane";
    const bool good = flat            ? read_flat(node, wall.start, problems)
                      : is_mesh(kind) ? read_mesh(node, folder, wall.start, warnings, problems)
                                      : read_curved(node, kind, wall.start, problems);
    if (!good) continue;
    if (is_mesh(kind)) wall.start.a = as_vec<D>(node.numbers("point"));
    wall.motion = read_motion<D>(node, wall.start.a, problems);
    if (is_mesh(kind)) wall.start.a = wall.start.origin = wall.motion.about;
    read_slides(node, wall, problems);
    read_moment(node, "until", wall.until, wall.until_step, problems);
    if (node.has("servo")) read_servo(scene, node, names, wall, problems);
    if (node.has("free")) read_free(node, world, wall, problems);
    world::place_wall(wall, 0, 0);
    world.walls.push_back(wall);
  }
  if (world.domain.shear.rate == 0) return;
  for (std::size_t k = 0; k < world.walls.size(); ++k) {
    problems.add(scene.tables("wall")[k], "name",
                 fmt::format("the wall \"{}\" stands in a sheared domain, whose images slide through it; leave out the "
                             "wall or domain.shear",
                             world.walls[k].name));
  }
}

template <int D>
void compare_sizes(const World<D>& world, double largest_radius, std::vector<std::string>& warnings) {
  for (const Wall<D>& wall : world.walls) {
    if (wall.start.form != Form::kMesh || !(largest_radius > 0)) continue;
    const double size = math::norm(wall.start.mesh->mesh.max - wall.start.mesh->mesh.min);
    if (size > 100 * 2 * largest_radius) {
      warnings.push_back(
          fmt::format("wall \"{}\" is {:.3g} m across, {:.0f} times the diameter of the largest body: is "
                      "the mesh in millimetres? See wall.unit and wall.scale",
                      wall.name, size, size / (2 * largest_radius)));
    } else if (size < 2 * largest_radius) {
      warnings.push_back(
          fmt::format("wall \"{}\" is {:.3g} m across, less than the largest body ({:.3g} m): see "
                      "wall.unit and wall.scale",
                      wall.name, size, 2 * largest_radius));
    }
  }
}

template <int D>
void choose_drives(const Node& scene, World<D>& world, std::size_t bodies, double contact_time, Problems& problems) {
  double stiffest = 0, diameter = 0;
  for (const auto& law : world.laws.all()) stiffest = std::max(stiffest, law.K);
  for (const auto& p : world.bodies.place) diameter = std::max(diameter, 2 * p.radius);
  if (diameter == 0) diameter = 1;
  // So many bodies lie along a wall of a heap of this many, about.
  const double beside = std::max(1.0, std::pow(static_cast<double>(bodies), (D - 1.0) / D));
  for (std::size_t k = 0; k < world.walls.size(); ++k) {
    Drive<D>& drive = world.walls[k].drive;
    if (!drive.on) continue;
    const Node& node = scene.tables("wall")[k];
    if (node.has("servo")) {
      const bool hard = std::isfinite(contact_time) && stiffest > 0;
      if (drive.gain == 0) drive.gain = hard ? 3 / (stiffest * beside * contact_time) : 1;
      if (drive.memory == 0)
        drive.memory =
            hard ? 15 * contact_time * static_cast<double>(bodies) / beside : std::numeric_limits<double>::infinity();
      if (drive.fastest == 0) drive.fastest = hard ? 0.01 * diameter / contact_time : 1;
      const double most = hard ? 1 / (stiffest * world.dt) : std::numeric_limits<double>::infinity();
      if (drive.mass == 0 && drive.gain > most) {
        problems.add(
            node.table("servo"), "gain",
            fmt::format("{:.4g} m/(s N) overshoots within one step even with a single body at the wall; at most "
                        "{:.4g}, and about {:.3g} is good here (or give the wall a mass)",
                        drive.gain, most, 3 / (stiffest * beside * contact_time)));
      }
    }
    const double softest = drive.mass > 0 && stiffest > 0 ? std::sqrt(drive.mass / (stiffest * beside))
                                                          : std::numeric_limits<double>::infinity();
    if (world.dt > softest) {
      problems.add(
          node.table(node.has("servo") ? "servo" : "free"), "mass",
          fmt::format("{} kg is too light for steps of {:.3g} s with about {:.0f} bodies at the wall: at least "
                      "{:.3g} kg",
                      drive.mass, world.dt, beside, stiffest * beside * world.dt * world.dt));
    }
  }
}

#define MORAINE_INSTANTIATE(D)                                                                   \
  template world::Motion<D> read_motion<D>(const Node&, const math::Vec<D>&, Problems&);         \
  template void compare_sizes<D>(const World<D>&, double, std::vector<std::string>&);            \
  template void read_walls<D>(const Node&, const std::filesystem::path&, const Laws&, World<D>&, \
                              std::vector<std::string>&, Problems&);                             \
  template void count_in_steps<D>(const Node&, World<D>&, Problems&);                            \
  template void choose_drives<D>(const Node&, World<D>&, std::size_t, double, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
