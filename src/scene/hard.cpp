// SPDX-License-Identifier: MIT
#include "scene/hard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hard/newton_euler.hpp"
#include "scene/links.hpp"
#include "scene/step.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::World;

hard::When when_of(const std::string& text) {
  return text == "none" ? hard::When::kNever : text == "end" ? hard::When::kEnd : hard::When::kInside;
}

// A system by Newton-Euler as it stands at the start.
template <int D>
struct Start {
  explicit Start(World<D>& world)
      : team(1), system(world, false), outer(world, system, team, nullptr), equations(world, system, outer, {}) {
    system.read(world, k);
    equations.pack(k, y);
  }
  base::Team team;
  hard::System<D> system;
  hard::Outer<D> outer;
  hard::NewtonEuler<D> equations;
  hard::Kinematics<D> k;
  std::vector<double> y;
};

// How long and how fast things are, for saying what is nothing.
template <int D>
double length_scale(const World<D>& world) {
  double length = 0;
  for (const auto& link : world.links) length = std::max(length, link.length);
  for (const auto& p : world.bodies.place) length = std::max(length, p.radius);
  return length;
}
template <int D>
double speed_scale(const World<D>& world) {
  double speed = 0;
  for (const auto& m : world.bodies.moving) speed = std::max(speed, math::norm(m.v));
  return speed;
}

constexpr double kClose = 1e-9;  // relative; what counts as satisfied at the start

}  // namespace

namespace {
// Contacts that come and go while an integrator follows the motion.
void read_events(const Node& h, hard::Settings& s, Problems& problems) {
  hard::ContactSettings& c = s.contact;
  if (h.text("event_search") == "bisection") c.event_search = hard::EventSearch::kBisection;
  c.event_tolerance = h.number("event_tolerance", -1);
  c.most_events = h.integer("most_events");
  if (h.text("impacts") == "sequential") c.impacts = hard::Impacts::kSequential;
  const std::string& friction = h.text("friction");
  c.friction = friction == "smooth"   ? hard::Friction::kSmooth
               : friction == "lagged" ? hard::Friction::kLagged
                                      : hard::Friction::kCone;
  c.friction_speed = h.number("friction_speed", c.friction_speed);
  c.friction_limit = h.boolean("friction_limit");
  if (h.has("friction_speed") && friction != "smooth")
    problems.add(h, "friction_speed", "goes with friction = \"smooth\"");
  if (c.friction_limit && friction == "cone")
    problems.add(h, "friction_limit", "goes with friction = \"smooth\" or \"lagged\": the cone has its own limit");
  const bool stepping = s.integrator == hard::IntegratorKind::kTimeStepping;
  if (stepping || s.contacts == hard::ContactMode::kIgnored) {
    // Defaults stand in every complete scene: only what is chosen otherwise tells that something else was meant.
    const auto refuse = [&](bool chosen, const char* key) {
      if (chosen)
        problems.add(h, key, stepping ? "does not go with integrator = \"time-stepping\"" : "goes with contacts");
    };
    refuse(c.impacts == hard::Impacts::kSequential, "impacts");
    refuse(c.friction != hard::Friction::kCone, "friction");
    refuse(stepping && s.formulation == hard::FormulationKind::kLagrange, "formulation");
    refuse(h.has("event_tolerance"), "event_tolerance");
    return;
  }
  if (c.friction == hard::Friction::kLagged && s.contacts == hard::ContactMode::kEvents)
    problems.add(h, "friction", "\"lagged\" goes from step to step: it needs contacts = \"steps\"");
  if (s.formulation == hard::FormulationKind::kLagrange)
    problems.add(h, "formulation",
                 "\"lagrange\" has no contacts that come and go: take \"newton-euler\", or contacts = \"none\"");
  if (s.correct.energy != hard::When::kNever)
    problems.add(h, h.has("energy") ? "energy" : "correction",
                 "energy is not corrected where contacts come and go: give 'position' and 'velocity' instead");
}
void read_contacts(const Node& h, bool links, hard::Settings& s, Problems& problems) {
  const bool stepping = s.integrator == hard::IntegratorKind::kTimeStepping,
             steps = stepping || s.integrator == hard::IntegratorKind::kMixedIteration;
  const std::string contacts = h.has("contacts") ? h.text("contacts") : links ? "none" : steps ? "steps" : "events";
  s.contacts = contacts == "none"     ? hard::ContactMode::kIgnored
               : contacts == "events" ? hard::ContactMode::kEvents
                                      : hard::ContactMode::kSteps;
  if (steps && s.contacts == hard::ContactMode::kEvents)
    problems.add(h, "contacts",
                 "\"events\" goes with integrators that follow the motion between them, such as \"dopri\"");
  if (!steps && s.contacts == hard::ContactMode::kSteps)
    problems.add(h, "contacts", "\"steps\" goes with the integrators \"time-stepping\" and \"mixed-iteration\"");
  if (stepping && s.contacts == hard::ContactMode::kIgnored && !links)
    problems.add(h, "contacts",
                 "\"none\" does not go with integrator = \"time-stepping\", which is nothing but contacts");
  s.impact_speed = h.number("impact_speed", -1);
  read_events(h, s, problems);
  if (h.text("contact_solver") == "gauss-seidel") s.stepping.contact_solver = hard::ContactSolver::kGaussSeidel;
  s.stepping.residual = h.number("residual");
  s.stepping.substeps = h.has("substeps") ? h.integer("substeps") : 0;
  s.stepping.least_iterations = h.integer("least_iterations");
  s.stepping.most_iterations = h.integer("most_iterations");
  if (s.stepping.least_iterations > s.stepping.most_iterations)
    problems.add(h, "least_iterations", "must not be above most_iterations");
  s.stepping.push_out = h.number("push_out");
  s.stepping.wide_motions = h.boolean("wide_motions");
}
}  // namespace

hard::Settings read_hard(const Node& scene, Problems& problems) {
  const Node& h = scene.table("hard");
  hard::Settings s;
  if (h.text("formulation") == "lagrange") s.formulation = hard::FormulationKind::kLagrange;
  if (h.text("solver") == "iterative") s.solver = hard::SolverKind::kIterative;
  const bool links = !scene.tables("link").empty() || !scene.tables("chain").empty();
  const bool ignored = h.has("contacts") && h.text("contacts") == "none";
  const std::string i = h.has("integrator") ? h.text("integrator") : links || ignored ? "rk4" : "time-stepping";
  s.integrator = i == "rk4"             ? hard::IntegratorKind::kRk4
                 : i == "adams"         ? hard::IntegratorKind::kAdams
                 : i == "bdf"           ? hard::IntegratorKind::kBdf
                 : i == "extrapolation" ? hard::IntegratorKind::kExtrapolation
                 : i == "dopri"         ? hard::IntegratorKind::kDopri
                 : i == "time-stepping" ? hard::IntegratorKind::kTimeStepping
                                        : hard::IntegratorKind::kMixedIteration;
  if (h.has("correction")) s.correct.position = s.correct.velocity = s.correct.energy = when_of(h.text("correction"));
  if (h.has("position")) s.correct.position = when_of(h.text("position"));
  if (h.has("velocity")) s.correct.velocity = when_of(h.text("velocity"));
  if (h.has("energy")) s.correct.energy = when_of(h.text("energy"));
  s.tolerance = h.number("tolerance");
  s.solver_tolerance = h.number("solver_tolerance");
  s.over_relaxation = h.number("over_relaxation");
  s.sweeps = h.integer("sweeps");
  s.most_sweeps = h.integer("most_sweeps");
  s.smallest_step = h.number("smallest_step", 0);
  s.adaptive = h.boolean("adaptive");
  const bool mixed = s.integrator == hard::IntegratorKind::kMixedIteration;
  read_contacts(h, links, s, problems);
  if (mixed && s.formulation == hard::FormulationKind::kLagrange)
    problems.add(h, "integrator", "\"mixed-iteration\" works on the link forces of formulation = \"newton-euler\"");
  return s;
}

// What contacts that are followed from event to event do not have.
template <int D>
void check_followed(const Node& scene, const World<D>& world, Problems& problems) {
  const char* other = "use integrator = \"time-stepping\"";
  for (const Node& c : scene.tables("contact")) {
    if (c.text("rolling") != "none")
      problems.add(c, "rolling", fmt::format("contacts that are followed have no rolling resistance: {}", other));
    if (c.has("bond") && c.table("bond").has("moment"))
      problems.add(c.table("bond"), "moment", fmt::format("contacts that are followed do not bend: {}", other));
  }
  const auto& walls = scene.tables("wall");
  for (std::size_t w = 0; w < std::min(walls.size(), world.walls.size()); ++w) {
    const world::Surface<D>& s = world.walls[w].start;
    const bool cylinder = s.form == world::Form::kRevolved && s.r0 == s.r1 && !std::isfinite(s.length);
    if (s.form != world::Form::kFlat && s.form != world::Form::kCircle && !cylinder)
      problems.add(walls[w], fmt::format("contacts that are followed know flat walls, circles and cylinders without "
                                         "ends: {}",
                                         other));
    for (const auto& interval : world.walls[w].motion.intervals) {
      if (math::norm(interval.spin) > 0 && (s.form == world::Form::kFlat || !(world.walls[w].motion.about == s.a)))
        problems.add(walls[w], fmt::format("contacts that are followed know walls that turn only as circles and "
                                           "cylinders about their own centres: {}",
                                           other));
    }
  }
}

template <int D>
void check_method(const Node& scene, const World<D>& world, const std::optional<hard::Settings>& hard,
                  Problems& problems) {
  if (!hard) {
    for (const char* table : {"link", "chain"}) {
      if (!scene.tables(table).empty())
        problems.add(scene.tables(table)[0], fmt::format("[[{}]] needs method = \"hard\"", table));
    }
    return;
  }
  const bool stepping = hard->integrator == hard::IntegratorKind::kTimeStepping;
  if (hard->contacts != hard::ContactMode::kIgnored && scene.tables("contact").empty())
    problems.add(scene,
                 "no [[contact]]: at least one is needed, to say what happens where things touch (or "
                 "hard.contacts = \"none\")");
  const Node& d = scene.table("domain");
  if (!d.texts("periodic").empty() && !stepping)
    problems.add(d, "periodic", "hard systems have periodic axes with integrator = \"time-stepping\" only");
  if (!d.texts("periodic").empty() && stepping && !world.links.empty())
    problems.add(d, "periodic",
                 "does not go with [[link]] and [[chain]]: links do not reach across the domain's bounds");
  for (const Node& fill : scene.tables("fill")) {
    if (fill.text("method") == "rain" && !stepping)
      problems.add(fill, "method",
                   "\"rain\": bodies come into a hard system later with integrator = \"time-stepping\" only");
  }
  for (const char* table : {"inlet", "outlet"}) {
    if (!scene.tables(table).empty() && !stepping)
      problems.add(
          scene.tables(table)[0],
          fmt::format("[[{}]]: bodies come and go in a hard system with integrator = \"time-stepping\" only", table));
  }
  for (const Node& fill : scene.tables("fill")) {
    if (fill.text("method") == "squeeze")
      problems.add(fill, "method",
                   "\"squeeze\" moves walls in on soft contacts: make the packing with method = \"soft\" and take "
                   "it over with fill.method = \"checkpoint\"");
  }
  const auto& walls = scene.tables("wall");
  for (std::size_t w = 0; w < std::min(walls.size(), world.walls.size()); ++w) {
    for (const char* key : {"servo", "free"}) {
      if (walls[w].has(key)) problems.add(walls[w], key, "hard systems have no walls that bodies push");
    }
  }
  if (!stepping && hard->contacts != hard::ContactMode::kIgnored) {
    check_followed(scene, world, problems);
    if (!scene.tables("solid").empty())
      problems.add(scene.tables("solid")[0], "name",
                   "solids touch each other in a hard system with integrator = \"time-stepping\" only");
  }
  const Node& t = scene.table("time");
  if (t.has("fraction") && !stepping)
    problems.add(t, "fraction", "is a part of the contact time, which hard contacts do not have; give 'step'");
}

template <int D>
void settle_links(const Node& scene, World<D>& world, Problems& problems) {
  if (world.links.empty()) return;
  const bool project = scene.table("hard").boolean("project");
  const double length = length_scale(world), speed = speed_scale(world);
  if (project) {
    Start<D> start(world);
    start.equations.correct(0, start.y.data(), true, true);
    start.equations.unpack(0, start.y.data(), start.k);
    start.system.write(start.k, world);
  }
  const hard::System<D> system(world, false);
  hard::Kinematics<D> k;
  system.read(world, k);
  hard::Rows<D> rows(system);
  rows.update(system, k);
  int told = 0;
  for (const hard::Arc<D>& arc : system.arcs) {
    double gap = 0, rate = 0;
    for (std::uint32_t s = 0; s < arc.rows; ++s) {
      gap = std::max(gap, std::fabs(rows.gap[arc.row + s]));
      rate = std::max(rate, std::fabs(rows.rate[arc.row + s]));
    }
    const bool apart = !(gap <= kClose * length), moving = !(rate <= kClose * speed);
    if ((!apart && !moving) || told >= 5) continue;
    ++told;
    const Node& node = table_of_link(scene, arc.link);
    const std::string advice = project ? "; no state nearby satisfies all links: see whether they contradict each other"
                                       : "; hard.project = true changes the start so that it does not";
    if (apart) {
      const std::string what = arc.kind == world::LinkKind::kJoint
                                   ? fmt::format("its two points are {:.4g} m apart", gap)
                                   : fmt::format("its length at the start is {:.10g} m, not {:.10g} m",
                                                 arc.length + rows.gap[arc.row], arc.length);
      problems.add(node, fmt::format("link {} is violated: {}{}", arc.link, what, advice));
    } else {
      problems.add(node,
                   fmt::format("the velocities at the start violate link {}: its ends {} at {:.4g} m/s{}", arc.link,
                               arc.kind == world::LinkKind::kJoint || arc.rows > 1 ? "slide against each other"
                               : rows.rate[arc.row] > 0                            ? "move apart"
                                                                                   : "approach each other",
                               rate, advice));
    }
  }
}

namespace {

// A bound of the frequencies of links under tension: each swings like a string, omega^2 = sum of tension / length over
// mass at its ends. The tension is that of the start, or the weight of all that is linked.
template <int D>
double fastest_swing(World<D>& world) {
  if (world.links.empty()) return 0;
  Start<D> start(world);
  std::vector<double> slope(start.y.size());
  start.equations.derivative(0, start.y.data(), slope.data());
  double weight = 0, highest = 0;
  std::vector<bool> linked(start.system.nodes(), false);
  for (const hard::Arc<D>& arc : start.system.arcs) linked[arc.a] = linked[arc.b] = true;
  for (std::size_t i = 0; i < start.system.movable(); ++i)
    weight += linked[i] ? start.system.mass[i] * math::norm(world.gravity) : 0;
  std::vector<double> sum(start.system.nodes(), 0.0);
  for (const hard::Arc<D>& arc : start.system.arcs) {
    double tension = weight;
    for (std::uint32_t s = 0; s < arc.rows; ++s)
      tension = std::max(tension, std::fabs(start.equations.forces()[arc.row + s]));
    const double lever = std::max({arc.length, math::norm(arc.anchor_a), math::norm(arc.anchor_b)});
    sum[arc.a] += tension / lever * start.system.inverse_mass[arc.a];
    sum[arc.b] += tension / lever * start.system.inverse_mass[arc.b];
  }
  for (const double s : sum) highest = std::max(highest, 2 * s);
  double spin = 0;
  for (const auto& m : world.bodies.moving) spin = std::max(spin, math::norm(m.w));
  return std::max(std::sqrt(highest), spin);
}

// A fiftieth of the time in which the smallest body falls its own radius (eight parts of a step by themselves); without
// gravity, of that in which the fastest goes as far.
template <int D>
double step_of_grains(const Built<D>& built) {
  double smallest = std::numeric_limits<double>::infinity(), fastest = speed_scale(built.world);
  for (std::size_t i = 0; i < built.world.bodies.size(); ++i) {
    if (world::yields(built.world.bodies.moving[i].held))
      smallest = std::min(smallest, built.world.bodies.place[i].radius);
  }
  for (const Coming& c : built.coming) {
    smallest = std::min(smallest, c.smallest);
    fastest = std::max(fastest, c.speed);
  }
  const double g = math::norm(built.world.gravity);
  const double fall = g > 0 ? std::sqrt(smallest / g) : std::numeric_limits<double>::infinity();
  const double way = fastest > 0 ? smallest / fastest : std::numeric_limits<double>::infinity();
  const double time = std::isfinite(fall) ? fall : way;
  return std::isfinite(time) ? 0.018 * time : 0.01;
}

}  // namespace

template <int D>
void choose_hard_step(const Node& scene, Built<D>& built, Problems& problems) {
  const Node& t = scene.table("time");
  const double end = t.number("end", 0);
  StepChoice& choice = built.choice;
  choice.contact_time = choice.longest_stable = std::numeric_limits<double>::infinity();
  const bool stepping = built.hard->integrator == hard::IntegratorKind::kTimeStepping;
  const bool own_steps = !stepping && built.hard->integrator != hard::IntegratorKind::kRk4 &&
                         built.hard->integrator != hard::IntegratorKind::kMixedIteration;
  const double fastest = fastest_swing(built.world);
  const Node& h = scene.table("hard");
  if (h.has("step")) {
    choice.automatic = false;
    choice.step = h.number("step");
  } else if (stepping && built.hard->contacts != hard::ContactMode::kIgnored && !t.has("step")) {
    choice.step = step_of_grains(built);
    if (fastest > 0) choice.step = std::min(choice.step, 0.5 / fastest);
    if (!t.has("steps")) choice.step = end / std::max(1.0, 50 * std::ceil(end / (50 * choice.step) * (1 - 1e-12)));
  } else if (t.has("step")) {
    choice.automatic = false;
    choice.step = t.number("step");
    // rk4 is stable up to 2.8 / omega, time stepping up to 2 / omega; the bound may be twice too high.
    if (!own_steps && choice.step * fastest > (stepping ? 4 : 5.6))
      built.warnings.push_back(fmt::format(
          "time.step = {:.4g} s is long against the fastest swing of the links (about {:.4g} rad/s): the run "
          "may become unstable; {:.3g} s would be safe",
          choice.step, fastest, 1 / fastest));
  } else if (t.has("steps") && !t.has("end")) {
    if (!(fastest > 0)) return problems.add(t, "steps", "needs 'step' too: nothing here has a time of its own");
    choice.step = 0.5 / fastest;
  } else {
    double steps = own_steps || !(fastest > 0) ? 500 : std::ceil(end * fastest / 0.5);
    steps = 500 * std::max(1.0, std::ceil(steps / 500));
    choice.step = end / steps;
  }
  built.world.dt = choice.step;
  if (built.hard->contacts == hard::ContactMode::kEvents && h.number("event_tolerance", 0) > choice.step)
    problems.add(h, "event_tolerance",
                 fmt::format("is {:.4g} s, longer than a step of {:.4g} s, within which moments are found",
                             h.number("event_tolerance"), choice.step));
  const double steps = t.has("steps") ? static_cast<double>(t.integer("steps")) : std::round(end / choice.step);
  warn_of_end(t, choice.step, steps, built.warnings);
  if (steps > 9e15)
    return problems.add(t, "end", fmt::format("{} s in steps of {} s are too many steps", end, choice.step));
  built.ending.steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
  built.ending.rest_energy = t.number("rest_energy", 0);
}

#define MORAINE_INSTANTIATE(D)                                                                                  \
  template void check_method<D>(const Node&, const World<D>&, const std::optional<hard::Settings>&, Problems&); \
  template void settle_links<D>(const Node&, World<D>&, Problems&);                                             \
  template void choose_hard_step<D>(const Node&, Built<D>&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
