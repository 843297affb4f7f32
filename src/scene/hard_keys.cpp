// SPDX-License-Identifier: MIT
// Keys of hard systems: [hard], [[link]] and [[chain]].
#include "scene/keys.hpp"

namespace moraine::scene {

using namespace keys;

namespace {
std::vector<Choice> when_choices() {
  return {{"none", "never"},
          {"end", "at the end of each step"},
          {"inside", "also within the step: at each stage of a one-step method, in each sweep of the mixed iteration"}};
}
}  // namespace

Key hard_table() {
  return table(
             "hard",
             {choice("formulation",
                     {{"newton-euler", "every body by its own coordinates, links by their forces"},
                      {"lagrange", "angles of links and bodies on a spanning tree, loops by multipliers"}})
                  .def("newton-euler")
                  .help("of the equations of motion"),
              choice("solver", {{"direct", "sparse L D L^T: linear time for chains and trees"},
                                {"iterative", "Gauss-Seidel with over-relaxation"}})
                  .def("direct")
                  .help("of the link forces"),
              choice("integrator", {{"rk4", "classical Runge-Kutta, in steps of time.step"},
                                    {"adams", "multistep, order and step by tolerance"},
                                    {"bdf", "backward differences (Gear), order and step by tolerance"},
                                    {"extrapolation", "Bulirsch-Stoer, order and step by tolerance"},
                                    {"dopri", "Runge-Kutta 5(4) of Dormand and Prince, step by tolerance"},
                                    {"mixed-iteration", "Sun's: sweeps for the forces with the motion updated in them"},
                                    {"time-stepping", "impulses of whole steps: many bodies in dense contact"}})
                  .help("of the motion; without it, rk4 where there are links, and time-stepping where there are none"),
              choice("contacts",
                     {{"none", "bodies pass through each other"},
                      {"events", "a contact begins and ends at its moment, which is found to `event_tolerance`"},
                      {"steps", "contacts are looked for at the end of each step"}})
                  .help(
                      "of bodies that meet; without it, none where there are links; otherwise steps with time-stepping "
                      "and mixed-iteration, and events with all others"),
              number("impact_speed", kSpeed)
                  .at_least(0)
                  .help("bodies that meet more slowly do not bounce; without it, what gravity gives in two steps"),
              choice("event_search",
                     {{"bisection", "halving the interval"}, {"interpolation", "by the values at its two ends"}})
                  .def("interpolation")
                  .help("contacts = \"events\": how the moment of an event is found"),
              number("event_tolerance", kTime)
                  .positive()
                  .help("contacts = \"events\": how exactly it is found, and a quarter of the shortest flight of a "
                        "bounce; without "
                        "it, 1e-9 of the step"),
              integer("most_events").at_least(1).def("10000").help("in one step, after which the run stops"),
              choice("impacts", {{"simultaneous", "all that touch at once, by one set of impulses"},
                                 {"sequential", "one pair after the other, the fastest first"}})
                  .def("simultaneous")
                  .help("of bodies that meet while they touch others; not of time-stepping"),
              choice("friction", {{"cone", "Coulomb's: sticks below mu N, slides with mu N"},
                                  {"smooth", "mu N times the slip over friction_speed, at most mu N (Sun)"},
                                  {"lagged", "mu N of the step before, against the slip (Wierzba)"}})
                  .def("cone")
                  .help("of contacts; not of time-stepping"),
              number("friction_speed", kSpeed)
                  .positive()
                  .help("friction = \"smooth\": the slip below which friction is in proportion to it; without it, 1 "
                        "mm/s"),
              boolean("friction_limit")
                  .def("false")
                  .help("friction = \"smooth\" or \"lagged\": no more of it than stops the slip within one step"),
              choice("contact_solver",
                     {{"gauss-seidel", "projected Gauss-Seidel sweeps"},
                      {"conjugate", "the same, after `least_iterations` accelerated by nonsmooth conjugate gradients"}})
                  .def("conjugate")
                  .help("time-stepping: of the impulses"),
              number("residual")
                  .positive()
                  .at_most(100)
                  .def("0.1")
                  .help("time-stepping: iterations end when no two surfaces are off by a larger velocity, over what "
                        "gravity gives in a part of a step"),
              integer("substeps")
                  .between(1, 10000)
                  .help("time-stepping: parts that a step is taken in; without it, by gravity and the smallest radius; "
                        "more of them, rather than more iterations, for "
                        "tall piles"),
              integer("least_iterations").at_least(1).def("2").help("time-stepping: of each part of a step"),
              integer("most_iterations").at_least(1).def("8").help("time-stepping: of each part of a step"),
              number("push_out")
                  .at_least(0)
                  .at_most(1)
                  .def("0.2")
                  .help("time-stepping: the part of an overlap that is taken back in one step, at most; less in deep "
                        "piles"),
              boolean("wide_motions")
                  .def("true")
                  .help("time-stepping: motions of many layers of a deep pile are stopped as a whole, once a step"),
              number("step", kTime).positive().help("of hard runs, in place of time.step"),
              choice("correction", when_choices())
                  .help("of violated links (position and velocity) and of energy, all three; without it, position and "
                        "velocity at the end of each step, and energy never"),
              choice("position", when_choices()).help("correction of position; without it, as `correction`"),
              choice("velocity", when_choices()).help("correction of velocity; without it, as `correction`"),
              choice("energy", when_choices()).help("correction of energy; without it, as `correction`, or never"),
              number("tolerance")
                  .positive()
                  .at_most(0.1)
                  .def("1e-8")
                  .help("relative error per step of the integrators that choose their steps"),
              number("solver_tolerance")
                  .positive()
                  .at_most(0.1)
                  .def("1e-10")
                  .help("relative rest at which sweeps end (iterative solver, mixed iteration)"),
              number("over_relaxation").positive().below(2).def("1.5").help("factor on each change of a sweep"),
              integer("sweeps").at_least(1).def("10").help("mixed iteration: between two tests of convergence"),
              integer("most_sweeps").at_least(1).def("1000000").help("after which an iteration has failed"),
              boolean("adaptive").def("false").help("mixed iteration: shorter steps where they take many sweeps"),
              number("smallest_step", kTime)
                  .positive()
                  .help("below which a run with steps of its own choice stops; without it, as small as numbers allow"),
              boolean("project").def("false").help(
                  "positions and velocities of the start that violate a link are changed until they do not")})
      .defaulted()
      .help("method = \"hard\": how the equations are written and solved");
}

Key link_tables() {
  return tables(
             "link",
             {choice("kind", {{"rod", "two points stay at a distance"},
                              {"contact", "two round bodies, or one and a wall, stay in touch"},
                              {"joint", "two points stay together: revolute in 2D, spherical in 3D"}})
                  .def("rod")
                  .help("what it holds"),
              integer("body").at_least(0).required().help("id; a member of a clump stands for the clump"),
              integer("to").at_least(0).help("id of another body; or give `ground` or `wall`"),
              vector("ground", kLength).help("a point that does not move"),
              text("wall").help("name of a wall that the body stays in touch with (kind = \"contact\")"),
              vector("anchor", kLength)
                  .help("where it is fixed to the body: from the body's centre (clump: of the member), in its frame; "
                        "without it, the centre"),
              vector("to_anchor", kLength).help("the same on the other body"),
              number("length", kLength).positive().help("of a rod; without it, the distance at the start"),
              boolean("slip").def("true").help("contact: false: the surfaces roll on each other without slipping")})
      .help("method = \"hard\": constraints between bodies, ground and walls");
}

Key chain_tables() {
  return tables("chain",
                {points("path").count(2).required().help("corners of the line that it lies along at the start"),
                 numbers("links").count(1).above(0).required().help(
                     "on each straight part of the path, from corner to corner"),
                 choice("model", {{"points", "massless rods between point masses"}, {"bars", "rigid bars with joints"}})
                     .def("points")
                     .help("what is heavy"),
                 number("mass", kMass).positive().required().help("of each point or bar"),
                 number("radius", kLength)
                     .positive()
                     .help("of the disks or spheres at the points (bars: in the middle); without it, a fifth of the "
                           "link; it "
                           "does not change the motion"),
                 text("material").required().help("name of a material"),
                 boolean("ground_start").def("true").help("the first end hangs on the ground"),
                 boolean("ground_end").def("false").help("the last end hangs on the ground"),
                 rotation("spin", kSpin)
                     .def("0", "[0, 0, 0]")
                     .help("of the whole chain at the start, about its first end")})
      .help("method = \"hard\": a row of bodies and links; ids go on after those of [[body]]");
}

namespace {
Key gravity_key() { return number("gravity", kAcceleration).at_least(0).def("9.81").help("g"); }
Key each_mass() { return number("mass", kMass).positive().def("1").help("of each body"); }
Key model_key() {
  return choice("model", {{"points", "massless rods between point masses"}, {"bars", "rigid bars with joints"}})
      .def("points")
      .help("what is heavy");
}
}  // namespace

std::vector<Variant> hard_setups() {
  const auto triple = [](const char* name, Dimension unit, const char* def, const char* help) {
    return numbers(name, unit).count(3, 3).def(def).help(help);
  };
  return {
      variant("kind", "pendulum", "a chain that hangs at one end, straight at the start (Sun 5.2, 6.2)",
              {integer("links").between(1, 100000000).def("10").help("N"),
               number("length", kLength).positive().def("3").help("of all links together"),
               number("angle", kAngle).def("30 deg").help("from the vertical"), each_mass(), gravity_key(), model_key(),
               number("spin", kSpin).def("0").help("at the start, about the support; 3D: about the y axis")}),
      variant("kind", "falling-chain",
              "a chain hung at both ends starts from a square loop: straight down, across, up (Sun 6.3)",
              {integer("down").between(1, 1000000).def("3").help("links straight down at each end"),
               integer("across").between(1, 1000000).def("9").help("links across at the bottom"),
               number("link", kLength).positive().def("0.3333333333333333").help("length of each"), each_mass(),
               gravity_key(), model_key()}),
      variant("kind", "stack", "disks on top of each other, on one line (Sun 6.4, Wierzba 8.1)",
              {integer("disks").between(1, 1000000).def("10").help("N"),
               number("length", kLength).positive().def("3").help("L, height of the stack"), each_mass(), gravity_key(),
               number("lean", kAngle).between(-1.5, 1.5).def("0").help("of the whole stack from the vertical")}),
      variant("kind", "three-spheres",
              "3D: one sphere on a grounded one, two more on that (Vinogradov, section 5); angles alpha about z, beta "
              "from z",
              {triple("masses", kMass, "[1, 1, 1]", "of the three"),
               triple("lengths", kLength, "[1, 0.8, 0.6]", "c of the three connecting vectors"),
               triple("alphas", kAngle, "[\"20 deg\", \"110 deg\", \"250 deg\"]", "at the start"),
               triple("betas", kAngle, "[\"100 deg\", \"70 deg\", \"120 deg\"]", "at the start"),
               triple("alpha_rates", kSpin, "[0.5, -1, 0.8]", "at the start"),
               triple("beta_rates", kSpin, "[0.3, 0.4, -0.6]", "at the start"), gravity_key()}),
      variant("kind", "pyramid", "2D: equal disks in rows on a floor, one less in each, all just touching",
              {integer("rows").between(1, 2000).def("20").help("the lowest has as many disks"),
               number("radius", kLength).positive().def("0.1").help("of each"),
               number("friction").at_least(0).def("0.5").help("of disks and floor"),
               boolean("held").def("true").help(
                   "the lowest row does not move; if it is free, no more than two rows stand with a friction of 0.5"),
               number("stiffness", kStiffness).positive().def("1e8").help("for method = \"soft\""), gravity_key()}),
      variant("kind", "wheel", "2D: a hub, spokes and a rim: one link more than it takes to be rigid",
              {integer("spokes").between(3, 1000000).def("8").help("and as many points of the rim"),
               number("radius", kLength).positive().def("0.5").help("of the rim"), each_mass(),
               number("spin", kSpin).def("6.283185307179586").help("at the start"),
               vector("velocity", kSpeed, 2).def("[1, 4]").help("at the start"), gravity_key()})};
}

}  // namespace moraine::scene
