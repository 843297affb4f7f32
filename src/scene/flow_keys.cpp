// SPDX-License-Identifier: MIT
// Keys of the fluid: [flow], and the [[load]]s and [[probe]]s that belong to it.
#include "scene/keys.hpp"

namespace moraine::scene {

using namespace keys;

namespace {

// What flows solved by panels share.
std::vector<Key> panel_keys() {
  return {
      texts("walls").count(1).help("names of the walls (segments and circles) that are its boundary; without it, all"),
      integer("panels").between(3, 5000).def("100").help(
          "so many in all (at least one for each segment and end, three for a circle), as equal as can be"),
      choice("condition", {{"net-flow", "no net flow through each panel"},
                           {"mid-point", "no flow through its middle, as the source does it: leaks in channels"}})
          .def("net-flow")
          .help("that the strengths of panels are found by"),
      number("tolerance")
          .above(0)
          .below(1)
          .help(
              "panels are halved until no more than this part of the flux seeps in and out within one of them; without "
              "it, they stay as they are"),
      integer("most_panels").between(3, 5000).def("1500").help("at which halving ends"),
      choice("sampling", {{"grid", "by cells with a polynomial each: the cost does not depend on the panels"},
                          {"exact", "the sum over all panels at each body"}})
          .help("of the velocity at bodies; without it, grid; exact if walls move or `bodies` act back"),
      boolean("bodies").def("false").help(
          "bodies act back on the flow, each as the doublet of a circle (cost: bodies^2 + bodies * panels a step)"),
      number("density", kDensity).positive().def("1000").help("of the fluid, for the pressure")};
}

std::vector<Key> joined(std::vector<Key> a, const std::vector<Key>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Key flow_ends() {
  return tables("end", {text("name").count(1).help("for messages; without it, its number"),
                        vector("from", kLength).required().help("where a wall of the channel ends"),
                        vector("to", kLength).required().help("where another begins"),
                        number("speed", kSpeed)
                            .help("mean speed across it, into the channel (negative: out); one may be left open, and "
                                  "balances the others")})
      .help("open ends of the channel, from wall to wall: fluid comes in and goes out here");
}

std::vector<Key> drag_keys() {
  return {vector("velocity", kSpeed).help("u, of the fluid; without it that of [flow], or none"),
          number("density", kDensity).at_least(0).def("0").help("rho of the fluid"),
          number("drag_coefficient").at_least(0).def("0").help("C_D, of drag_law = \"constant\""),
          choice("drag_law", {{"constant", "drag_coefficient"},
                              {"schiller-naumann", "24/Re (1 + 0.15 Re^0.687), 0.44 from Re = 1000 on: spheres"},
                              {"formula", "drag_formula"}})
              .def("constant")
              .help("C_D over the Reynolds number Re = |u - v| 2 R / kinematic_viscosity"),
          text("drag_formula").help("C_D as a formula of Re"),
          number("kinematic_viscosity", kKinematicViscosity).positive().help("nu of the fluid, for Re"),
          choice("area", {{"section", "across the stream: 2 R depth (3D: pi R^2)"},
                          {"face", "that the fluid rubs along: pi R^2 (3D: 4 pi R^2)"}})
              .def("section")
              .help("A"),
          number("depth", kLength).positive().help("2D: to which bodies are immersed; without it, `thickness`"),
          number("viscosity", kViscosity).at_least(0).def("0").help("eta of Stokes' drag, 3D only"),
          boolean("components")
              .def("false")
              .help("|u_k - v_k| (u_k - v_k) of each component by itself, as in Sun's program"),
          boolean("shadow").def("false").help("bodies upstream take drag off those behind: times 1 - covered part"),
          number("shadow_reach")
              .positive()
              .at_most(100)
              .def("4")
              .help("length of a shadow in diameters of its body, from centre to centre"),
          number("shadow_least").between(0, 1).def("0.1").help("of the drag, that is left in any shadow")};
}

}  // namespace

Key flow_table() {
  const auto formula = [](const char* name) { return text(name).help("of x, y, z (3D), t; without it, 0"); };
  return table(
             "flow", {selector("kind").required().help("how the velocity is known")},
             {variant("kind", "external", "2D: potential flow about walls that are closed all round",
                      joined({vector("velocity", kSpeed).required().help("far away")}, panel_keys())),
              variant("kind", "channel", "2D: potential flow within walls that are closed but for open ends",
                      joined({flow_ends()}, panel_keys())),
              variant("kind", "uniform", "the same everywhere", {vector("velocity", kSpeed).required().help("of it")}),
              variant(
                  "kind", "parabolic", "1.5 v (1 - (s/R)^2) between two banks, 2 v (1 - (s/R)^2) in a round pipe (3D)",
                  {number("speed", kSpeed).required().help("v, mean"),
                   number("half_width", kLength).positive().required().help("R; nothing moves beyond"),
                   vector("point", kLength).def("0").help("of the line in the middle"),
                   vector("axis").not_zero().def("[1, 0]", "[1, 0, 0]").help("direction of that line; of any length"),
                   number("from", kLength)
                       .help("where on the line, from `point`, the profile begins; before, v everywhere; without it, "
                             "the profile is everywhere")}),
              variant("kind", "table", "from a CSV file (plain or .gz) of a regular grid: x, y, ux, uy (3D: z, uz too)",
                      {text("file").required().count(1).help("path, relative to the scene file"),
                       choice("outside", {{"error", "the run ends with an error"}, {"nearest", "as at the edge"}})
                           .def("error")
                           .help("of the grid")}),
              variant("kind", "formula", "by formulas of x, y, z, t, in SI units",
                      {formula("ux"), formula("uy"), formula("uz")}),
              variant("kind", "callback", "given by a program that uses the library: Simulation::set_flow", {})})
      .help("the stream of a fluid; loads \"stream\" and \"skin\" without a velocity of their own use it");
}

std::vector<Variant> fluid_loads() {
  return {
      variant("kind", "stream", "drag in a stream: 1/2 rho C_D A |u - v| (u - v) + 6 pi eta R (u - v)", drag_keys()),
      variant("kind", "skin",
              "water below or wind above that rubs along a face: rho C A |u - v| (u - v), and against spin (2D)",
              {vector("velocity", kSpeed).help("u, of the water or wind; without it that of [flow], or none"),
               number("density", kDensity).positive().required().help("rho of the water or air"),
               number("coefficient").positive().required().help("C, without a factor 1/2")}),
      variant("kind", "buoyancy", "the weight of the fluid displaced, -rho V g; needs [gravity]",
              {number("density", kDensity).positive().required().help("rho of the fluid"),
               number("surface", kLength)
                   .help("its height against gravity, from the origin: above it there is no fluid; without it, "
                         "everywhere")})};
}

std::vector<Variant> fluid_probes() {
  return {
      variant("kind", "flow", "the [flow] by panels: their number, leakage, flow in and out, error of sampling", {}),
      variant("kind", "section", "the [flow] along a line, at the last look: series/NAME.csv with r, speed, velocity",
              {vector("from", kLength).required().help("one end of the line"),
               vector("to", kLength).required().help("the other end"),
               integer("points").between(1, 100000).def("41").help("each in the middle of one of so many parts"),
               vector("centre", kLength).help("r is the distance from here; without it, from `from`")})};
}

}  // namespace moraine::scene
