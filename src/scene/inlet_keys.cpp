// SPDX-License-Identifier: MIT
// Keys of [[inlet]] and [[outlet]].
#include "scene/keys.hpp"

namespace moraine::scene {

namespace {

using namespace keys;

Key size_table() {
  const auto min = [] { return number("min", kLength).positive().required().help("smallest radius"); };
  const auto max = [] { return number("max", kLength).positive().required().help("largest radius"); };
  return table("size",
               {selector("kind").def("constant").help("how radii are distributed"),
                choice("sampler", {{"inversion", "of the cumulative distribution"},
                                   {"discretisation", "the density is constant in each of many intervals"},
                                   {"rejection", "of points above the density"}})
                    .def("inversion")
                    .help("how they are drawn (003 4.3)"),
                integer("intervals").between(2, 10000000).def("1000").help("of discretisation")},
               {variant("kind", "constant", "all the same",
                        {number("radius", kLength).positive().required().help("of all")}),
                variant("kind", "uniform", "between two radii", {min(), max()}),
                variant(
                    "kind", "gaussian", "a bell, cut off",
                    {number("mean", kLength).required().help("of the bell before it is cut"),
                     number("deviation", kLength).positive().required().help("standard, of the bell before it is cut"),
                     min(), max()}),
                variant("kind", "table", "one of several radii",
                        {numbers("values", kLength).above(0).required().count(1).help("the radii"),
                         numbers("weights").at_least(0).required().count(1).help("how often each comes")}),
                variant("kind", "density", "straight lines between the points of a density",
                        {numbers("values", kLength).above(0).required().count(2).help("radii, ascending"),
                         numbers("weights").at_least(0).required().count(2).help("the density there, in any unit")})})
      .help("radii of arrivals; of clumps, from the centre of mass to the outermost point");
}

std::vector<Key> with_arrivals(std::vector<Key> place, const char* density, const char* of_what) {
  std::vector<Key> all = std::move(place);
  all.push_back(size_table().required());
  all.push_back(number("rate", kFrequency).positive().help("arrivals per time, on average"));
  all.push_back(number("mass_rate", kMass / kTime).positive().help("instead: mass per time"));
  all.push_back(number(density).positive().help(of_what));
  all.push_back(choice("waiting", {{"exponential", "as of independent events"}, {"constant", "always the same"}})
                    .def("exponential")
                    .help("time between two arrivals"));
  all.push_back(number("longest_wait", kTime)
                    .positive()
                    .help("exponential: no wait is longer, nor shorter than what keeps the mean"));
  return all;
}

}  // namespace

Key inlet_tables() {
  return tables(
             "inlet",
             {text("name").required().count(1).help("of its random streams, and in series and summary"),
              text("material").required().help("name of a material"),
              selector("kind").def("line", "patch").help("where bodies arrive"),
              vector("velocity", kSpeed).def("0").help("of arrivals"),
              boolean("with_flow").def("false").help("they also have the velocity of [flow] where they arrive"),
              text("clump").help("name of a [[clump]], instead of single disks or spheres"),
              text("solid").help("name of a [[solid]], instead of single disks or spheres"),
              boolean("turned").def("true").help("clumps and solids are turned at random"),
              choice("mass", {{"solid", "of a solid disk or sphere"}, {"sphere", "2D: of a sphere of the same radius"}})
                  .def("solid")
                  .help("of single bodies"),
              choice("generator", {{"philox", "counter-based streams"},
                                   {"wierzba", "x <- 1812433253 x + 317 mod 2^32"},
                                   {"sun", "x <- 1366 x + 150899 mod 714026, shuffled by a table of 97"}})
                  .def("philox")
                  .help("of random numbers; the latter two replay the sources"),
              numbers("generator_starts")
                  .count(3, 3)
                  .help("first x of the sources' generators for size, place and time; without it, seed, seed + 1, "
                        "seed + 2"),
              number("from", kTime).at_least(0).def("0").help("begin"),
              number("to", kTime).positive().help("end; without it, to the end of the run"),
              integer("count").at_least(1).help("arrivals in all; without it, no limit")},
             {variant("kind", "line", "2D: at random along a line of straight pieces",
                      with_arrivals({points("line").required().count(2).help("its corners")}, "surface_density",
                                    "instead: the covered part of the surface that they carry away with them")),
              variant(
                  "kind", "patch", "3D: at random in a parallelogram",
                  with_arrivals(
                      {vector("corner", kLength).required().help("one corner"),
                       vector("side_a", kLength).required().help("from the corner to the next"),
                       vector("side_b", kLength).required().help("from the corner to the other next"),
                       integer("tries").between(1, 1000000).def("100").help("places, before an arrival is skipped")},
                      "volume_fraction", "instead: the part of the volume that they fill as they go away")),
              variant("kind", "batch", "many at once over an area, again and again (000 4.5)",
                      {points("points").required().count(1).help("where each comes"),
                       numbers("radii", kLength).above(0).count(1).help("of each; or `size`"), size_table(),
                       points("velocities", kSpeed).count(1).help("of each, besides `velocity`"),
                       vector("jitter", kLength).def("0").help("widths of a random shift of each, about its point"),
                       number("radius_jitter", kLength)
                           .at_least(0)
                           .def("0")
                           .help("width of a random change of each radius"),
                       number("every", kTime).positive().required().help("time between two batches"),
                       vector("clear_min", kLength)
                           .help("a batch is held back while a centre is in this area: lower corner; without it, of "
                                 "the points"),
                       vector("clear_max", kLength).help("upper corner; without it, of the points"),
                       choice("without_room", {{"skip", "it does not come at all"}, {"wait", "it comes once there is"}})
                           .def("skip")
                           .help("what becomes of a body whose place is taken")})})
      .help("bodies that arrive while the run goes on");
}

Key outlet_tables() {
  return tables("outlet", {text("name").required().count(1).help("in series and summary"),
                           vector("at", kLength).required().help("a point of the line (3D: plane)"),
                           vector("direction").not_zero().required().help("across it, outwards; of any length"),
                           vector("min", kLength).help("lower corner of a window; without it, everywhere"),
                           vector("max", kLength).help("upper corner of the window")})
      .help("bodies whose centre has passed are taken out and counted");
}

}  // namespace moraine::scene
