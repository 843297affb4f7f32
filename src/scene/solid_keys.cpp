// SPDX-License-Identifier: MIT
// Keys of [[solid]].
#include <algorithm>

#include "scene/keys.hpp"

namespace moraine::scene {

namespace {

using namespace keys;

Key length(const char* name, const char* help) { return number(name, kLength).positive().required().help(help); }
Key variants() {
  return integer("variants").between(1, 10000).def("20").help("different shapes; each body of a fill is one of them");
}

// A block has a stiffness, and no modulus for Hertz.
std::vector<Choice> stiff_laws() {
  std::vector<Choice> laws = normal_laws();
  laws.erase(std::remove_if(laws.begin(), laws.end(), [](const Choice& c) { return c.name == "hertz"; }), laws.end());
  return laws;
}

}  // namespace

Key solid_tables() {
  return tables(
             "solid",
             {text("name").required().count(1).help("what bodies, fills and inlets call it"),
              selector("kind").required().help("how it is made"),
              choice("inside", {{"distance", "by the sign of its distance from the nearest facet"},
                                {"rays", "by how many facets a ray from it meets: for comparison, slow"}})
                  .def("distance")
                  .help("how it is found whether a point is inside")},
             {variant("kind", "box", "3D: a block", {vector("size", kLength).required().help("lengths of its edges")}),
              variant("kind", "tetrahedron", "3D: regular",
                      {length("radius", "of the sphere that its corners are on")}),
              variant("kind", "octahedron", "3D: regular", {length("radius", "of the sphere that its corners are on")}),
              variant("kind", "prism", "3D: over a regular polygon",
                      {integer("corners").between(3, 1000).def("6").help("of the polygon"),
                       length("radius", "of the circle that they are on"), length("height", "of the prism")}),
              variant("kind", "L", "3D: two bars of square section that meet at their ends",
                      {length("width", "of the foot, over all"), length("height", "of the stem, over all"),
                       length("bar", "side of the section")}),
              variant("kind", "T", "3D: a bar across the end of another",
                      {length("width", "of the bar across"), length("height", "over all"),
                       length("bar", "side of the section")}),
              variant("kind", "cross", "3D: three bars of square section that cross at right angles",
                      {length("size", "from end to end"), length("bar", "side of the section")}),
              variant(
                  "kind", "star", "3D: a flat star",
                  {integer("points").between(3, 1000).def("5").help("of the star"), length("radius", "of its points"),
                   length("inner", "radius of the notches"), length("height", "thickness")}),
              variant("kind", "rock", "3D: convex, the hull of random points on an ellipsoid",
                      {vector("size", kLength).required().help("axes of the ellipsoid"),
                       integer("points").between(4, 1000).def("16").help("corners, at most"), variants()}),
              variant("kind", "rough-rock", "3D: an ellipsoid of triangles with random dents",
                      {vector("size", kLength).required().help("axes of the ellipsoid"),
                       integer("level").between(0, 4).def("1").help("20, 80, 320, ... triangles"),
                       number("roughness").at_least(0).below(1).def("0.3").help("depth of the dents, of the radius"),
                       variants()}),
              variant(
                  "kind", "mesh", "3D: the inside of a closed mesh from a file (STL, OBJ, PLY, OFF)",
                  {text("file").required().count(1).help("path, relative to the scene file"),
                   choice("unit", {{"m", ""}, {"cm", ""}, {"mm", ""}, {"in", ""}, {"ft", ""}})
                       .def("m")
                       .help("of the file's numbers"),
                   number("scale").positive().def("1").help("factor on the file's numbers, besides"),
                   boolean("repair").def("false").help(
                       "leave out triangles that cannot be used, turn those that face the wrong way, close holes")}),
              variant("kind", "polygon", "2D: a polygon, given or random",
                      {points("outline").count(3).help("corners in order around; without it, random ones"),
                       integer("count").between(3, 1000).def("8").help("random: corners"),
                       number("least").above(0).below(1).def("0.5").help(
                           "random: distance of a corner from the middle, of the largest"),
                       variants()})})
      .help("polyhedra (2D: polygons), convex or not; they touch with corners, edges and faces");
}

std::vector<Variant> solid_setups() {
  const auto of_material = [](const char* density, const char* stiffness, const char* restitution,
                              const char* friction) {
    return std::vector<Key>{number("density", kDensity).positive().def(density).help("of all bodies"),
                            number("stiffness", kStiffness).positive().def(stiffness).help("of a material"),
                            number("restitution").above(0).at_most(1).def(restitution).help("e"),
                            number("friction").at_least(0).def(friction).help("mu")};
  };
  const auto with = [](std::vector<Key> keys, const std::vector<Key>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  };
  const auto given = [](const char* name, const char* value, const char* help) {
    return number(name, kLength).positive().def(value).help(help);
  };
  return {
      variant(
          "kind", "block", "3D: a cube on an inclined plane (Muth and Eberhard, section 7)",
          {number("friction").at_least(0).def("0.6").help("mu"),
           number("angle", kAngle).between(0, 1.5707963267948966).def("30 deg").help("of the plane"),
           number("side", kLength).positive().def("0.1").help("of the cube"),
           number("density", kDensity).positive().def("2700").help("of the cube"),
           choice("law", stiff_laws()).def("hunt-crossley").help("normal law"),
           number("stiffness", kStiffness)
               .positive()
               .help("of one corner; power laws have this secant stiffness under the weight of the cube; without "
                     "it 1e7 N/m for a cube of 0.1 m and 2700 kg/m^3, others in proportion to weight over side"),
           number("exponent").at_least(1).at_most(4).def("1.5").help("p of the power laws"),
           number("restitution").above(0).at_most(1).def("0.1").help("e; a block with little damping begins to rock"),
           choice("tangential", {{"cundall-strack", "spring of Brendel and Dippel"}, {"viscous", "(7): creeps"}})
               .def("cundall-strack")
               .help("tangential law"),
           number("stiffness_ratio").positive().at_most(10).def("0.8").help("kt / kn"),
           number("shear_damping").at_least(0).def("0.2").help("zeta_s"),
           number("shear_viscosity").positive().def("1000").help("viscous: k, in N s/m")}),
      variant(
          "kind", "helix", "3D: pieces like an L slide down a helical chute (Muth and Eberhard, section 8)",
          with({integer("count").between(1, 10000).def("60").help("pieces"),
                given("width", "3 cm", "of the foot of a piece"), given("height", "4 cm", "of its stem"),
                given("bar", "1 cm", "side of their section"), given("spacing", "6 cm", "between pieces at the start"),
                number("speed", kSpeed).at_least(0).def("0.4").help("at the start, down the chute"),
                given("radius", "25 cm", "of the middle of the chute"), given("chute_width", "10 cm", "of its floor"),
                given("chute_height", "6 cm", "of its sides"), given("pitch", "30 cm", "down in one turn"),
                number("turns").positive().def("4").help("of the helix"),
                integer("around").between(8, 10000).def("64").help("flat pieces of a turn")},
               of_material("1200", "2e4", "0.3", "0.15"))),
      variant("kind", "dominoes", "3D: a row of dominoes, the first of which is pushed",
              with({integer("count").between(1, 100000).def("20").help("dominoes"),
                    given("thickness", "8 mm", "along the row"), given("width", "24 mm", "across the row"),
                    given("height", "48 mm", "of a domino"), given("gap", "16 mm", "between two"),
                    number("spin", kSpin).positive().def("6").help("of the first, about its foot")},
                   of_material("700", "5e4", "0.3", "0.3"))),
      variant("kind", "bricks", "3D: a wall of bricks in courses that bind",
              with({integer("courses").between(1, 1000).def("8").help("one upon the other"),
                    integer("across").between(1, 1000).def("6").help("bricks in a course"),
                    given("length", "24 cm", "of a brick"), given("width", "11.5 cm", "across the wall"),
                    given("height", "7.1 cm", "of a course")},
                   of_material("1800", "2e6", "0.1", "0.6")))};
}

}  // namespace moraine::scene
