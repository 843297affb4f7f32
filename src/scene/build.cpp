// SPDX-License-Identifier: MIT
#include "scene/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "find/neighbours.hpp"
#include "math/rotation.hpp"
#include "measure/energy.hpp"
#include "scene/fill.hpp"
#include "scene/flow.hpp"
#include "scene/hard.hpp"
#include "scene/inlets.hpp"
#include "scene/links.hpp"
#include "scene/loads.hpp"
#include "scene/overlap_check.hpp"
#include "scene/probes.hpp"
#include "scene/solids.hpp"
#include "scene/step.hpp"
#include "scene/walls.hpp"
#include "scene/writer.hpp"
#include "sim/inlet_change.hpp"
#include "sim/rain_change.hpp"
#include "soft/extra_time.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::World;

// Lees-Edwards: periodic in both directions, no walls across the gradient.
template <int D>
void read_shear(const Node& d, World<D>& world, Problems& problems) {
  if (!d.has("shear")) return;
  const Node& s = d.table("shear");
  world::Shear shear;
  shear.rate = s.number("rate");
  shear.flow = s.text("flow")[0] - 'x';
  shear.gradient = s.text("gradient")[0] - 'x';
  for (const char* key : {"flow", "gradient"}) {
    const int axis = s.text(key)[0] - 'x';
    if (axis >= D) {
      problems.add(s, key, "there is no z axis in 2D");
    } else if (!world.domain.periodic[static_cast<std::size_t>(axis)]) {
      problems.add(s, key, fmt::format("a sheared domain must be periodic along {}: see domain.periodic", "xyz"[axis]));
    }
  }
  if (shear.flow == shear.gradient) problems.add(s, "gradient", "must be another axis than flow");
  if (problems.empty()) world.domain.shear = shear;
}

// Bodies of a sheared domain begin with the mean flow.
template <int D>
void add_mean_flow(World<D>& world) {
  const world::Shear& s = world.domain.shear;
  const double middle = 0.5 * (world.domain.min[s.gradient] + world.domain.max[s.gradient]);
  const auto speed = [&](const Vec<D>& x) { return s.rate * (x[s.gradient] - middle); };
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    auto& m = world.bodies.moving[i];
    if (!world::yields(m.held)) continue;
    const std::uint32_t c = world.bodies.clump[i];
    const double u = speed(c == world::kNoClump ? world.bodies.place[i].x : world.clumps.x[c]);
    m.v[s.flow] += u;
    m.v_now[s.flow] += u;
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    const double u = speed(world.clumps.x[c]);
    world.clumps.v[c][s.flow] += u;
    world.clumps.v_now[c][s.flow] += u;
  }
}

template <int D>
void read_domain(const Node& scene, World<D>& world, Problems& problems) {
  const Node& d = scene.table("domain");
  if (d.has("min")) world.domain.min = as_vec<D>(d.numbers("min"));
  if (d.has("max")) world.domain.max = as_vec<D>(d.numbers("max"));
  for (int k = 0; k < D; ++k) {
    if (!(world.domain.max[k] > world.domain.min[k])) {
      problems.add(d, "max",
                   fmt::format("must lie above min along {}: {} against {}", "xyz"[k], world.domain.max[k],
                               world.domain.min[k]));
    }
  }
  const auto& periodic = d.texts("periodic");
  for (std::size_t p = 0; p < periodic.size(); ++p) {
    const int axis = periodic[p][0] - 'x';
    if (axis >= D) {
      problems.add(d, fmt::format("periodic[{}]", p), "there is no z axis in 2D");
    } else if (!d.has("min") || !d.has("max")) {
      problems.add(d, "periodic", "a periodic axis needs domain.min and domain.max");
    } else {
      world.domain.periodic[static_cast<std::size_t>(axis)] = true;
    }
  }
  read_shear(d, world, problems);
  world.domain.outside = d.text("outside") == "stop" ? world::Outside::kStop : world::Outside::kRemove;
}

template <int D>
void read_gravity(const Node& scene, World<D>& world) {
  if (!scene.has("gravity")) return;
  const Node& g = scene.table("gravity");
  Vec<D> down = as_direction<D>(g.numbers("direction")) * g.number("acceleration");
  const double tilt = g.number("tilt");
  if (tilt != 0) {
    if constexpr (D == 2) {
      down = math::rotated(down, tilt);
    } else {
      // Turns -z towards +x.
      down = math::rotated(down, Vec<3>{0, -1, 0}, tilt);
    }
  }
  world.gravity = down;
}

// A body as its own table gives it, but for its place: mass, motion or hold.
template <int D>
void hold(const Node& node, World<D>& world, world::NewBody<D>& body, const Vec<D>& centre, Problems& problems) {
  const bool guided = node.has("motion") || node.has("oscillation");
  if (node.boolean("fixed")) {
    body.held = world::Held::kFixed;
    if (guided) problems.add(node, "fixed", "a fixed body cannot have a motion; leave out one of the two");
    body.v = {};
    body.w = {};
  } else if (guided) {
    body.held = world::Held::kPrescribed;
    const world::Motion<D> motion = read_motion<D>(node, centre, problems);
    body.motion = static_cast<std::uint32_t>(world.guided.size());
    body.v = motion.velocity(0) + math::cross(motion.spin(0), body.x - motion.about);
    body.w = motion.spin(0);
    world.guided.push_back({motion, body.x});
  }
}

// How a clump of a [[body]] is turned: `orientation` counts from the frame that its members were given in.
math::Orientation<2> orientation_of(const Node& node, double axes) { return node.numbers("orientation").at(0) + axes; }
math::Orientation<3> orientation_of(const Node& node, const math::Quaternion& axes) {
  math::Quaternion turn = math::from_rotation(as_vec<3>(node.numbers("orientation")));
  if (node.has("kardan")) turn = math::from_kardan(as_vec<3>(node.numbers("kardan")));
  if (node.has("quaternion")) {
    const std::vector<double>& q = node.numbers("quaternion");
    const double size = largest_of(q);  // squares of very small or large numbers are 0 or infinite
    turn = {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
  }
  return math::normalised(turn * axes);
}
bool turned(const Node& node) { return node.given("orientation") || node.has("kardan") || node.has("quaternion"); }

// One way to say how a body is turned. (A complete scene spells out an orientation of 0 beside the others.)
template <int D>
void check_orientation(const Node& node, Problems& problems) {
  const char* given = largest_of(node.numbers("orientation")) > 0 ? "orientation" : nullptr;
  for (const char* key : {"kardan", "quaternion"}) {
    if (!node.has(key)) continue;
    if (D == 2) problems.add(node, key, "is for dimension = 3; in 2D 'orientation' is an angle");
    if (given != nullptr) problems.add(node, key, fmt::format("'{}' is given too; leave out one of the two", given));
    given = key;
  }
  // Beyond, a turn is lost in the rounding of the angle; and squares of huge angles overflow.
  constexpr double kMostTurned = 1e9;
  for (const char* key : {"orientation", "kardan"}) {
    if (node.has(key) && largest_of(node.numbers(key)) > kMostTurned)
      problems.add(node, key,
                   fmt::format("an angle of {} rad is out of range: at most {} rad", largest_of(node.numbers(key)),
                               kMostTurned));
  }
}

// A solid that does not yield is one body, whose place and turn are functions of time.
template <int D>
void add_held_solid(const Node& node, const world::ClumpShape<D>& shape, const world::NewClump<D>& solid,
                    const world::NewBody<D>& like, World<D>& world, Problems& problems) {
  world::NewBody<D> body = like;
  body.radius = shape.radius * solid.scale;
  const double size = D == 2 ? solid.thickness * solid.scale * solid.scale : solid.scale * solid.scale * solid.scale;
  body.mass = solid.density * size * shape.volume;
  body.inertia = body.mass * body.radius * body.radius;  // not used: it does not turn by itself
  hold(node, world, body, solid.x, problems);
  if (body.motion == world::kNoMotion) {
    body.motion = static_cast<std::uint32_t>(world.guided.size());
    world.guided.push_back({{}, body.x});
  }
  world.guided.back().solid = shape.solid;
  world.guided.back().turned = solid.orientation;
  world.bodies.add(body);
  world.bodies.orientation.back() = world.guided.back().orientation(0);
}

template <int D>
void add_clump_body(const Node& node, const world::ClumpShape<D>& shape, const world::NewBody<D>& like, double density,
                    double thickness, World<D>& world, Problems& problems) {
  world::NewClump<D> clump;
  clump.shape = &shape;
  clump.scale = node.has("radius") ? node.number("radius") / shape.radius : 1;
  clump.x = like.x;
  clump.v = like.v;
  clump.w = like.w;
  clump.orientation = orientation_of(node, shape.axes);
  clump.material = like.material;
  clump.density = density;
  clump.thickness = thickness;
  if (node.has("mass")) {
    const double size = D == 2 ? thickness * clump.scale * clump.scale : clump.scale * clump.scale * clump.scale;
    clump.density = node.number("mass") / (shape.volume * size);
  }
  if (node.has("inertia"))
    problems.add(node, "inertia", "is for single disks and spheres; that of a clump follows from its shape and mass");
  if (!node.boolean("fixed") && !node.has("motion") && !node.has("oscillation")) {
    return world.clumps.add(clump, world.bodies);
  }
  if (shape.solid != world::kNoSolid) return add_held_solid(node, shape, clump, like, world, problems);
  // What does not yield is as well a set of single bodies on the same way.
  for (const world::Place<D>& m : shape.members) {
    world::NewBody<D> body = like;
    body.radius = m.radius * clump.scale;
    body.x = clump.x + math::rotated(m.x * clump.scale, clump.orientation);
    inflow::solid_ball<D>(body.radius, density, thickness, body.mass, body.inertia);
    hold(node, world, body, clump.x, problems);
    world.bodies.add(body);
  }
}

// Which [[body]] table each id comes from.
using TableOfId = std::vector<std::size_t>;

template <int D>
void read_bodies(const Node& scene, const Laws& laws, const ClumpShapes<D>& shapes, World<D>& world, TableOfId& tables,
                 Problems& problems) {
  const double thickness = scene.number("thickness");
  for (std::size_t k = 0; k < scene.tables("body").size(); ++k) {
    const Node& node = scene.tables("body")[k];
    check_orientation<D>(node, problems);
    // A body whose material is not known keeps its place, so that what is said of others names the right ones.
    const int material = std::max(0, laws.find(node, "material", false, problems));
    if (laws.materials.empty()) return;
    world::NewBody<D> body;
    body.x = as_vec<D>(node.numbers("position"));
    body.v = as_vec<D>(node.numbers("velocity"));
    body.w = as_spin<D>(node.numbers("spin"));
    body.material = static_cast<std::uint32_t>(material);
    const double density = laws.materials[body.material].density;
    if (node.has("clump") || node.has("solid")) {
      const auto* found = find_clump(node, shapes, problems);
      if (found != nullptr) add_clump_body(node, found->front(), body, density, thickness, world, problems);
    } else if (!node.has("radius")) {
      problems.add(node, "'radius' is missing: of the disk or sphere (or 'clump', the name of a [[clump]])");
    } else {
      body.radius = node.number("radius");
      inflow::solid_ball<D>(body.radius, density, thickness, body.mass, body.inertia);
      if (node.has("mass")) {
        body.inertia *= node.number("mass") / body.mass;
        body.mass = node.number("mass");
      }
      if (node.has("inertia")) body.inertia = node.number("inertia");
      hold(node, world, body, body.x, problems);
      world.bodies.add(body);
      if (turned(node)) world.bodies.orientation.back() = orientation_of(node, math::Orientation<D>{});
    }
    tables.resize(static_cast<std::size_t>(world.bodies.next_id), k);
  }
}

// Numbers so large or small that what follows from them is none.
template <int D>
void check_masses(const Node& scene, const World<D>& world, const TableOfId& tables, Problems& problems) {
  const auto& nodes = scene.tables("body");
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const double mass = world.bodies.mass[i], inertia = world.bodies.inertia[i];
    if (std::isnormal(mass) && std::isnormal(inertia)) continue;
    const auto id = static_cast<std::size_t>(world.bodies.id[i]);
    const std::string text = fmt::format(
        "gives a mass of {} kg and a moment of inertia of {} kg m^2, which cannot be computed with; "
        "see radius, density and thickness",
        mass, inertia);
    if (id < tables.size()) {
      problems.add(nodes[tables[id]], "radius", text);
    } else {
      return problems.add(scene, fmt::format("body {} of a [[fill]] or [[chain]] {}", id, text));
    }
  }
}

template <int D>
void check_inside(const Node& scene, const World<D>& world, const TableOfId& tables, Problems& problems) {
  const auto& nodes = scene.tables("body");
  if (scene.table("domain").damaged()) return;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.domain.contains(world.bodies.place[i].x)) continue;
    const auto id = static_cast<std::size_t>(world.bodies.id[i]);
    if (id < tables.size()) {
      problems.add(nodes[tables[id]], "position",
                   fmt::format("{} lies outside the domain, {} to {}", point_text(world.bodies.place[i].x),
                               point_text(world.domain.min), point_text(world.domain.max)));
    } else {
      problems.add(scene, fmt::format("body {} of a [[fill]] or [[chain]] lies outside the domain", id));
      return;
    }
  }
}

// A stretched contact must stay in the list of neighbours: the skin is at least 2.5 times as wide as contacts stretch.
template <int D>
void widen_for_stretch(const Node& scene, World<D>& world, double largest_to_come, double widest, Problems& problems) {
  double radius = largest_to_come, stretch = 0;
  for (const auto& p : world.bodies.place) radius = std::max(radius, p.radius);
  for (const world::PairLaw& law : world.laws.all()) {
    stretch = std::max(stretch, soft::largest_stretch<D>(law, radius));
  }
  if (stretch > radius) {
    return problems.add(scene,
                        fmt::format("cohesion or bonds can be stretched by {:.3g} m before they break, more than "
                                    "the largest radius of {:.3g} m: make them stiffer or weaker",
                                    stretch, radius));
  }
  const double needed = 2.5 * stretch;
  if (needed > widest) {
    return problems.add(scene,
                        fmt::format("cohesion or bonds can be stretched by {:.3g} m before they break, too far for "
                                    "this small periodic domain: make them stiffer or weaker",
                                    stretch));
  }
  world.skin = std::max(world.skin, needed);
}

// Skin in mean diameters, no wider than a small periodic box allows.
template <int D>
void choose_skin(const Node& scene, World<D>& world, const std::vector<Coming>& coming, bool soft, Problems& problems) {
  double sum = 0;
  std::size_t count = world.bodies.size() + coming.size();
  double largest_to_come = 0;
  for (const auto& p : world.bodies.place) sum += 2 * p.radius;
  for (const Coming& c : coming) {
    sum += 2 * c.mean;
    largest_to_come = std::max(largest_to_come, c.largest);
  }
  world.skin = scene.table("search").number("skin") * (count > 0 ? sum / static_cast<double>(count) : 1);
  double widest = find::widest_skin(world);
  for (int k = 0; k < D; ++k) {
    if (world.domain.periodic[static_cast<std::size_t>(k)]) {
      widest = std::min(widest, 0.5 * world.domain.length(k) - 2 * largest_to_come);
    }
  }
  if (widest <= 0) {
    problems.add(
        scene.table("domain"), "max",
        "a periodic axis must be longer than two diameters of the largest body, or a body would meet another twice");
    return;
  }
  world.skin = std::min(world.skin, widest);
  if (soft) widen_for_stretch(scene, world, largest_to_come, widest, problems);
}

void check_stable(const Node& time, const ContactScale& scale, double step, Problems& problems) {
  if (!(step > scale.longest_stable)) return;
  problems.add(
      time, time.has("step") ? "step" : "fraction",
      fmt::format("gives a step of {:.4g} s, which is longer than is stable: at most {:.4g} s for the stiffest, "
                  "lightest contact (contact time {:.4g} s)",
                  step, scale.longest_stable, scale.contact_time));
}

template <int D>
void choose_step(const Node& scene, Built<D>& built, Problems& problems) {
  const Node& t = scene.table("time");
  World<D>& world = built.world;
  const double speed = t.number("speed", likely_speed(world, built.coming));
  const ContactScale scale = contact_scale(world, speed, built.coming);
  StepChoice& choice = built.choice;
  choice.contact_time = scale.contact_time;
  choice.longest_stable = scale.longest_stable;
  const double end = t.number("end", 0);  // 0: so many steps
  const bool contacts = std::isfinite(scale.scale);
  if (t.has("step")) {
    if (t.has("fraction")) problems.add(t, "fraction", "step is given too; leave out one of the two");
    choice.automatic = false;
    choice.step = t.number("step");
  } else {
    double longest = t.has("fraction") ? t.number("fraction") * scale.scale : scale.resolved;
    if (!contacts) longest = end / 1000;
    double steps = std::ceil(end / longest * (1 - 1e-12));
    // A round number of steps, so that the usual 50 frames and 500 rows of a probe end together with the run.
    if (steps >= 5000 && !t.has("fraction")) steps = 500 * std::ceil(steps / 500);
    choice.step = t.has("steps") ? longest : end / steps;
    if (t.has("steps") && !contacts)
      problems.add(t, "steps", "needs 'step' too: without contacts there is nothing that the step follows from");
  }
  if (contacts) check_stable(t, scale, choice.step, problems);
  world.dt = choice.step;
  const double steps = t.has("steps") ? static_cast<double>(t.integer("steps")) : std::round(end / choice.step);
  warn_of_end(t, choice.step, steps, built.warnings);
  if (steps > 9e15)
    return problems.add(t, "end", fmt::format("{} s in steps of {} s are too many steps", end, choice.step));
  built.ending.steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
  built.ending.rest_energy = t.number("rest_energy", 0);
  built.ending.collisions = t.number("collisions", 0);
}

std::int64_t steps_of(double interval, double step) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(std::min(9e15, interval / step))));
}

template <int D>
void choose_schedule(const Node& scene, Built<D>& built) {
  const double dt = built.choice.step, end = static_cast<double>(built.ending.steps) * dt;
  const Node& output = scene.table("output");
  built.frame_every = output.has("every_steps") ? base::Pace::of_steps(output.integer("every_steps"))
                                                : base::Pace::of_time(output.number("every", end / 50), dt);
  if (output.has("checkpoint_every"))
    built.checkpoint_every = base::Pace::of_time(output.number("checkpoint_every"), dt);
  std::size_t plan = 0;
  for (const Node& fill : scene.tables("fill")) {
    if (fill.text("method") == "rain" && plan < built.rain.size())
      built.rain[plan++].every = steps_of(fill.number("every"), dt);
  }
}

// Where the user wrote it: in a scene with a [setup] the same key of the original file, or the [setup] that made it.
base::Problem in_the_original(const Node& original, base::Problem problem) {
  problem.file = original.file();
  const std::size_t dot = problem.key.find('.');
  const std::string table = problem.key.substr(0, problem.key.find_first_of(".[")),
                    key = dot == std::string::npos ? "" : problem.key.substr(dot + 1);
  problem.line = original.line("setup");
  if (table == "time" && original.given("time")) {
    problem.line = original.table("time").given(key) ? original.table("time").line(key) : original.line("time");
  } else if (!table.empty() && table != "time" && original.schema().find(table) != nullptr && original.given(table)) {
    problem.line = original.line(table);
  }
  return problem;
}

void throw_if_any(const Scene& scene, const Problems& problems) {
  if (problems.empty() || !scene.original) return problems.throw_if_any();
  std::vector<base::Problem> moved;
  for (const base::Problem& p : problems.sorted()) {
    moved.push_back(p.file == "--set" ? p : in_the_original(*scene.original, p));
  }
  throw base::InputError(moved);
}

}  // namespace

// Where there are other mistakes already, a given step is held against the bodies that have none: with all bodies it
// could only be worse.
template <int D>
void check_step_in_spite(const Node& scene, World<D> world, const std::vector<Coming>& coming, const TableOfId& tables,
                         Problems& problems) {
  const Node& time = scene.table("time");
  if (!time.has("step") || time.stands_in("step") || time.stands_in("speed")) return;
  for (const char* table : {"material", "contact", "clump", "solid"}) {
    for (const Node& node : scene.tables(table)) {
      if (node.damaged()) return;
    }
  }
  std::set<std::string> wrong;  // paths of tables
  for (const base::Problem& p : problems.sorted()) wrong.insert(p.key.substr(0, p.key.find('.')));
  constexpr double kFar = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const auto id = static_cast<std::size_t>(world.bodies.id[i]);
    if (id >= tables.size()) continue;
    const Node& body = scene.tables("body")[tables[id]];
    if (!body.damaged() && wrong.count(body.path()) == 0) continue;
    world.bodies.mass[i] = kFar;
    world.bodies.place[i].radius = kFar;
  }
  const double speed = time.number("speed", likely_speed(world, coming));
  check_stable(time, contact_scale(world, speed, coming), time.number("step"), problems);
}

// A scene that is damaged (see Node::take_stand_ins) is looked at only; what is told may follow from stand-ins.
template <int D>
Built<D> build(const Scene& scene, bool resuming) {
  const Node& node = scene.node;
  Problems problems;
  Built<D> built;
  built.warnings = scene.warnings;
  World<D>& world = built.world;
  const Node& times = node.table("time");
  if (times.has("end") == times.has("steps"))
    problems.add(times, times.has("end") ? "'end' and 'steps' are both given; leave out one of the two"
                                         : "'end' is missing: the simulated time at which the run ends (or 'steps')");
  if (node.table("output").has("every") && node.table("output").has("every_steps"))
    problems.add(node.table("output"), "every_steps", "'every' is given too; leave out one of the two");
  const std::size_t before_laws = problems.size();
  const Laws laws = read_laws(node, problems);
  const bool laws_sound = problems.size() == before_laws;
  world.materials = laws.materials;
  world.laws = laws.pairs;
  world.global_damping = node.number("global_damping");
  const std::string& search = node.table("search").text("method");
  if (search == "sweep" || (search == "auto" && !node.tables("solid").empty()))
    world.search = world::SearchKind::kSweep;
  built.max_overlap = node.table("time").number("max_overlap");
  read_domain(node, world, problems);
  read_gravity(node, world);
  read_walls(node, scene.folder, laws, world, built.warnings, problems);
  read_flow(scene, world, built.warnings, problems);
  ClumpShapes<D> shapes = read_clumps<D>(node, problems);
  read_solids(node, scene.folder, world, shapes, problems);
  TableOfId tables;
  read_bodies(node, laws, shapes, world, tables, problems);
  const bool hard = node.text("method") == "hard";
  if (hard) {
    built.hard = read_hard(node, problems);
    const auto chained = read_chains(node, laws, world, problems);
    read_links(node, world, problems);
    world.links.insert(world.links.end(), chained.begin(), chained.end());
  }
  const bool meet = !hard || built.hard->contacts != hard::ContactMode::kIgnored;  // bodies do not pass through bodies
  check_method(node, world, built.hard, problems);
  // Only a sound start can be filled and measured: otherwise say first what is wrong so far, and fills on their own.
  const bool damaged = node.damaged();
  if (problems.empty() && !damaged) add_bumps(node, laws, world, problems);
  const bool sound = problems.empty() && !damaged;
  const FillContext context{scene, laws, node.number("thickness"), static_cast<std::uint64_t>(node.integer("seed"))};
  const auto& fills = node.tables("fill");
  for (std::size_t k = 0; k < fills.size(); ++k) {
    if (resuming && fills[k].text("method") != "rain") continue;
    if (sound) {
      add_fill(context, shapes, fills[k], k, world, built.rain, problems);
    } else {
      laws.find(fills[k], "material", false, problems);
    }
  }
  if (!resuming && world.domain.shear.rate != 0 && node.table("domain").table("shear").boolean("start"))
    add_mean_flow(world);
  if (!resuming) {
    check_inside(node, world, tables, problems);
    Problems of_masses;
    check_masses(node, world, tables, of_masses);
    problems.take(of_masses);
    if (of_masses.empty() && meet) check_overlaps(node, world, tables, problems);
  }
  built.loads = read_loads<D>(node, laws, problems);
  read_outlets(node, world, problems);
  read_inlets(context, shapes, sound, world, built.inlets, built.warnings, problems);
  for (const auto& plan : built.rain) built.coming.push_back(coming_of(plan, world));
  for (const auto& plan : built.inlets) built.coming.push_back(coming_of(plan, world));
  const bool shapes_known = std::none_of(shapes.begin(), shapes.end(), [](const auto& s) { return s.second.empty(); });
  read_probes(node, world, !resuming && shapes_known && (sound || fills.empty()), built.probes, problems);
  if (world.bodies.size() == 0 && fills.empty() && node.tables("body").empty() && node.tables("chain").empty() &&
      node.tables("inlet").empty())
    problems.add(node, hard ? "no [[body]], no [[chain]], no [[fill]] and no [[inlet]]: nothing to simulate"
                            : "no [[body]], no [[fill]] and no [[inlet]]: nothing to simulate");
  if (!resuming && !hard && laws_sound && (damaged || !problems.empty()))
    check_step_in_spite(node, world, built.coming, tables, problems);
  throw_if_any(scene, problems);
  if (damaged) return built;
  if (hard) {
    if (!resuming) settle_links(node, world, problems);
    throw_if_any(scene, problems);
    if (!resuming && meet) choose_skin(node, world, built.coming, false, problems);
    choose_hard_step(node, built, problems);
  } else {
    if (!resuming) choose_skin(node, world, built.coming, true, problems);
    choose_step(node, built, problems);
  }
  count_in_steps(node, world, problems);
  check_waits(node, built.inlets, built.choice.step, problems);
  std::size_t bodies = world.bodies.size();
  for (const auto& plan : built.rain) bodies += static_cast<std::size_t>(plan.count);
  double largest = 0;
  for (const auto& p : world.bodies.place) largest = std::max(largest, p.radius);
  for (const Coming& c : built.coming) largest = std::max(largest, c.largest);
  compare_sizes(world, largest, built.warnings);
  choose_drives(node, world, bodies, built.choice.contact_time, problems);
  throw_if_any(scene, problems);
  choose_schedule(node, built);
  schedule_probes(node, built.choice.step, static_cast<double>(built.ending.steps) * built.choice.step, built.probes,
                  built.warnings);
  built.free_bodies = measure::free_bodies(world);
  return built;
}

template <int D>
void hook_up(Built<D>& built, sim::Simulation<D>& run) {
  run.limit_overlap(built.max_overlap);
  if (built.hard) run.use(*built.hard);
  for (auto& load : built.loads) run.add(std::move(load));
  for (auto& plan : built.rain) run.add(std::make_unique<sim::RainChange<D>>(plan));
  for (std::size_t k = 0; k < built.inlets.size(); ++k)
    run.add(std::make_unique<sim::InletChange<D>>(built.inlets[k], k));
}

template <int D>
Scene spelled_out(const Scene& scene, const Built<D>& built) {
  const double dt = built.choice.step;
  std::vector<std::string> sets;
  sets.push_back("time.step=" + toml_number(dt));
  if (const Node& output = scene.node.table("output"); !output.has("every_steps") && !output.has("every"))
    sets.push_back("output.every=" + toml_number(built.frame_every.steps() * dt));
  for (const char* table : {"fill", "wall", "solid"}) {
    const auto& nodes = scene.node.tables(table);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (!nodes[k].has("file")) continue;
      const auto path = std::filesystem::absolute(scene.folder / nodes[k].text("file"));
      sets.push_back(fmt::format("{}.{}.file={}", table, k, toml_string(path.lexically_normal().string())));
    }
  }
  if (scene.node.has("flow") && scene.node.table("flow").has("file")) {
    const auto path = std::filesystem::absolute(scene.folder / scene.node.table("flow").text("file"));
    sets.push_back("flow.file=" + toml_string(path.lexically_normal().string()));
  }
  // What was chosen for servos by the bodies there are: a run that goes on is built without them.
  const auto& walls = scene.node.tables("wall");
  for (std::size_t k = 0; k < walls.size(); ++k) {
    if (!walls[k].has("servo")) continue;
    const auto& drive = built.world.walls[k].drive;
    for (const auto& [key, value] :
         {std::pair{"gain", drive.gain}, {"memory", drive.memory}, {"fastest", drive.fastest}}) {
      if (std::isfinite(value)) sets.push_back(fmt::format("wall.{}.servo.{}={}", k, key, toml_number(value)));
    }
  }
  for (std::size_t k = 0; k < built.probes.size(); ++k) {
    const Node& probe = scene.node.tables("probe")[k];
    const auto in_time = [&](double steps) { return toml_number(steps * dt); };
    if (!probe.has("every_steps") && !probe.has("every"))
      sets.push_back(fmt::format("probe.{}.every={}", k, in_time(built.probes[k]->every.steps())));
    if (averages_looks(probe))
      sets.push_back(
          fmt::format("probe.{}.row_every={}", k,
                      in_time(static_cast<double>(built.probes[k]->row_every) * built.probes[k]->every.steps())));
    sets.push_back(fmt::format("probe.{}.name={}", k, toml_string(built.probes[k]->name())));
  }
  return with_values(scene, sets);
}

#define MORAINE_INSTANTIATE(D)                              \
  template Built<D> build<D>(const Scene&, bool);           \
  template void hook_up<D>(Built<D>&, sim::Simulation<D>&); \
  template Scene spelled_out<D>(const Scene&, const Built<D>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
