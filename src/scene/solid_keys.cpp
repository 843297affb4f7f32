// SPDX-License-Identifier: MIT
// Keys of [[solid]].
#include "scene/keys.hpp"

namespace moraine::scene {

namespace {

using namespace keys;

Key length(const char* name, const char* help) { return number(name, kLength).positive().required().help(help); }
Key variants() {
  return integer("variants").between(1, 10000).def("20").help("different shapes; each body of a fill is one of them");
}

}  // namespace

Key solid_tables() {
  return tables(
             "solid",
             {text("name").required().count(1).help("what bodies, fills and inlets call it"),
              selector("kind").required().help("how it is made")},
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

}  // namespace moraine::scene
