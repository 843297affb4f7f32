// SPDX-License-Identifier: MIT
#include "scene/keys.hpp"

namespace moraine::scene {

std::vector<Choice> normal_laws() {
  return {{"linear", "linear spring and dashpot (Cundall-Strack, Babic)"},
          {"hertz", "Hertz with a dashpot of the same restitution at every speed"},
          {"lankarani-nikravesh", "power law, damping factor 3(1-e^2)/4: near-exact for e close to 1 only"},
          {"hunt-crossley", "power law, damping factor solved so that e comes out exactly"},
          {"walton-braun", "latching spring: unloads along a steeper line"}};
}

namespace {

using namespace keys;

Key time_table() {
  return table(
             "time",
             {number("end", kTime)
                  .positive()
                  .help("simulated time at which the run ends; required, except with `steps` or [setup]"),
              integer("steps").at_least(1).help("instead of `end`: so many steps"),
              number("step", kTime).positive().help("the step itself; without it, the step follows from `fraction`"),
              number("fraction")
                  .positive()
                  .at_most(0.2)
                  .help("step as a fraction of the shortest contact time; without it, fine enough that the restitution "
                        "asked for comes out within 0.3 % (1/50 for weak damping to 1/150 for strong, and for solids); "
                        "the source uses "
                        "0.1"),
              number("speed", kSpeed)
                  .positive()
                  .help("largest impact speed to expect, for laws whose contact time depends on it; without it, "
                        "estimated"),
              number("rest_energy", kEnergy)
                  .positive()
                  .help("end earlier, once the kinetic energy per free body has fallen below this (and all fills are "
                        "done)"),
              number("collisions")
                  .positive()
                  .help("end earlier, once every free body has had so many collisions, on average"),
              number("max_overlap")
                  .positive()
                  .at_most(1)
                  .def("0.5")
                  .help("stop with an error when an overlap exceeds this part of the smaller radius")})
      .defaulted()
      .help("how long, and in which steps");
}

Key domain_table() {
  return table(
             "domain",
             {vector("min", kLength).help("lower corner; without it, open without end"),
              vector("max", kLength).help("upper corner"),
              texts("periodic")
                  .one_of({{"x", ""}, {"y", ""}, {"z", ""}})
                  .def("[]")
                  .help("axes that close on themselves"),
              table("shear",
                    {number("rate", kFrequency).required().help("of shear (1/s): change of flow speed across"),
                     choice("flow", {{"x", ""}, {"y", ""}, {"z", ""}}).def("x").help("axis along which it flows"),
                     choice("gradient", {{"x", ""}, {"y", ""}, {"z", ""}})
                         .def("y")
                         .help("axis across, along which the speed changes"),
                     boolean("start").def("true").help(
                         "bodies start with the linear mean flow, besides their own velocity")})
                  .help("Lees-Edwards: the images above and below slide along; both axes must be periodic"),
              choice("outside", {{"remove", "take the body out, and report it"}, {"stop", "end the run with an error"}})
                  .def("remove")
                  .help("what happens to a body whose centre leaves an open, bounded domain")})
      .defaulted()
      .help("the space; without it, open in every direction");
}

Key gravity_table() {
  return table("gravity",
               {number("acceleration", kAcceleration).at_least(0).def("9.81").help("strength"),
                vector("direction").not_zero().def("[0, -1]", "[0, 0, -1]").help("which way is down; of any length"),
                number("tilt", kAngle)
                    .between(-1.5707963267948966, 1.5707963267948966)
                    .def("0")
                    .help("turns the direction towards +x, as a slope of this angle does")})
      .help("without this table there is no gravity");
}

Key material_tables() {
  return tables("material",
                {text("name").required().count(1).help("what bodies and walls call it"),
                 number("density", kDensity).positive().required().help("mass per volume"),
                 number("stiffness", kStiffness)
                     .positive()
                     .help("k of one particle; two in contact are springs in series (linear, walton-braun)"),
                 number("young", kPressure).positive().help("Young's modulus (hertz, mindlin)"),
                 number("poisson").above(-1).at_most(0.5).def("0.3").help("Poisson's ratio (hertz, mindlin)")})
      .help("what things are made of; at least one, except with [setup]");
}

Key cohesion_table() {
  return table("cohesion",
               {number("force", kForce).at_least(0).help("that a contact can be pulled with before it breaks"),
                number("stress", kPressure)
                    .at_least(0)
                    .help("instead: over the section of the smaller body, pi r^2 (2D: 2 r * thickness)"),
                number("growth", kForce).at_least(0).help("by which the strength grows while the contact is closed"),
                number("growth_stress", kPressure).positive().help("instead: over the section of the smaller body"),
                number("time", kTime).positive().help("of the growth"),
                choice("form", {{"exponential", "1 - exp(-age / time)"}, {"linear", "age / time, at most 1"}})
                    .help("how the strength grows with the age of the contact; without it, exponential"),
                number("stiffness", kStiffness).positive().help("hertz: of a stretched contact")})
      .help("a contact that has closed goes on to pull until its strength is exceeded; raises friction too");
}

Key bond_table() {
  return table(
             "bond",
             {number("tension", kForce).positive().help("pull at which it breaks"),
              number("tension_stress", kPressure)
                  .positive()
                  .help("instead: over the section of the smaller body, pi r^2 (2D: 2 r * thickness)"),
              number("shear", kForce).positive().help("shear force at which it breaks"),
              number("shear_stress", kPressure).positive().help("instead: over the section of the smaller body"),
              number("moment", kTorque)
                  .positive()
                  .help("of bending (3D: or twisting) at which it breaks; without it, the bond is a joint that turns"),
              choice("forms", {{"start", "at the start of the run"}, {"touch", "then, and whenever two bodies touch"}})
                  .def("start")
                  .help("when bonds are made"),
              number("gap").at_least(0).at_most(1).def("1e-6").help(
                  "bonds of the start span gaps up to this part of the smaller radius"),
              number("stiffness", kStiffness).positive().help("K_b; without it, that of the contact (linear)"),
              number("shear_ratio").positive().at_most(10).def("0.8").help("shear stiffness over K_b"),
              number("bending_ratio").positive().at_most(10).help("bending stiffness over K_b R_eff^2; without it, 1"),
              number("damping").at_least(0).at_most(1).help(
                  "part of the critical, of all its dashpots; without it, that which belongs to restitution")})
      .help("bodies of these materials are joined by bonds that pull, push, shear and bend, until they break");
}

Key contact_tables() {
  return tables(
             "contact",
             {texts("between").count(2, 2).help("names of two materials; without it, every pair not named elsewhere"),
              choice("normal", normal_laws()).def("linear").help("normal law"),
              number("restitution")
                  .at_least(0)
                  .at_most(1)
                  .help("e of a head-on impact, which the damping is made for (above 0); hard contacts: without it, 0"),
              number("damping_rate", kFrequency)
                  .positive()
                  .help("linear law, instead of restitution: dashpot C = m_eff * damping_rate"),
              boolean("no_tension").def("true").help("linear, hertz: cut the force where damping would make it pull"),
              number("stiffness", kStiffness)
                  .positive()
                  .help("of the contact itself, instead of the materials' springs in series (linear, walton-braun)"),
              number("coefficient").positive().help("K of K n^p in N/m^p (lankarani-nikravesh, hunt-crossley)"),
              number("exponent").at_least(1).at_most(4).def("1.5").help("p of K n^p"),
              choice("tangential", {{"cundall-strack", "spring capped by friction, with dashpot"},
                                    {"viscous", "friction without memory, for comparison"},
                                    {"mindlin", "stiffness of a Hertz contact"},
                                    {"none", "smooth"}})
                  .def("cundall-strack")
                  .help("tangential law"),
              number("friction").at_least(0).def("0.5").help("mu"),
              number("stiffness_ratio").positive().at_most(10).def("0.8").help("ks / kn (cundall-strack)"),
              number("shear_damping").at_least(0).def("0").help("zeta_s: dashpot C_s = 2 zeta_s sqrt(m_eff K)"),
              number("shear_damping_rate", kFrequency)
                  .positive()
                  .help("instead of shear_damping: C_s = m_eff * shear_damping_rate"),
              number("shear_viscosity", kDamping).positive().help("k of k|v_t| (viscous)"),
              choice("friction_limit", {{"spring", "mu times the spring part of the normal force (Cundall)"},
                                        {"total", "mu times the whole normal force (Walton)"}})
                  .def("spring")
                  .help("what friction is limited by"),
              choice("rolling", {{"none", "bodies roll freely"},
                                 {"constant", "a moment of given size against the turning; creeps on a slope"},
                                 {"spring", "spring and dashpot up to that moment: stands on a slope"}})
                  .def("none")
                  .help("resistance against the turning of two bodies against each other"),
              number("rolling_friction").at_least(0).help("mu_r: the moment is at most mu_r R_eff F_n"),
              number("twisting_friction")
                  .at_least(0)
                  .help("3D: the same for the turning about the normal; without it, 0"),
              number("rolling_stiffness_ratio")
                  .positive()
                  .at_most(10)
                  .help("rolling = \"spring\": k_r over K R_eff^2; without it, 0.8"),
              number("rolling_damping")
                  .at_least(0)
                  .at_most(1)
                  .help("rolling = \"spring\": dashpot as a part of the critical; without it, 0.3"),
              cohesion_table(),
              bond_table()})
      .help("laws of contact for pairs of materials; at least one, except with [setup]");
}

std::vector<Key> motion_keys() {
  return {number("from", kTime).at_least(0).help("begin; without it, the start of the run"),
          integer("from_step").at_least(0).help("instead of `from`, counted in steps"),
          number("to", kTime).positive().help("end; without it, to the end of the run"),
          integer("to_step").at_least(1).help("instead of `to`, counted in steps"),
          vector("velocity", kSpeed).def("0").help("of the reference point"),
          vector("shift", kLength).help("instead of `velocity`: how far it goes from `from` to `to`"),
          rotation("spin", kSpin).def("0", "[0, 0, 0]").help("about the reference point")};
}

std::vector<Key> wall_motion_keys() {
  std::vector<Key> keys = motion_keys();
  keys.push_back(vector("slide", kSpeed)
                     .def("0")
                     .help("velocity of the surface in itself, as of a belt: the wall stays where it is (its bumps go "
                           "along); segments and planes"));
  return keys;
}

Key bumps_table() {
  return table("bumps", {number("radius", kLength).positive().required().help("of each"),
                         number("gap", kLength).at_least(0).def("0").help("free space between two, at least"),
                         text("material").help("name of a material; without it, that of the wall")})
      .help(
          "half of a disk or sphere stands out at regular places: segments, and planes across an axis of a domain "
          "with bounds; they move with the wall, and its forces include theirs");
}

Key oscillation_table() {
  return table("oscillation", {vector("amplitude", kLength).required().help("of the shaking"),
                               number("frequency", kFrequency).positive().required().help("in Hz"),
                               number("phase", kAngle).def("0").help("x = amplitude * sin(2 pi frequency t + phase)")})
      .help("shakes on top of the intervals");
}

Key servo_table() {
  return table(
             "servo",
             {number("force", kForce).help("that the bodies shall push with, along `direction`"),
              number("stress", kPressure).help("instead: force over the area of the wall"),
              number("area", kArea).positive().help("of the wall, for `stress`; times the distances of `area_between`"),
              texts("area_between").def("[]").help("walls in pairs: the area is the product of their distances"),
              vector("direction").not_zero().help("away from the bodies; without it, against the normal of a plane"),
              number("gain", kMobility)
                  .positive()
                  .help("speed per missing force; without it, slow against sound in the packing"),
              number("memory", kTime)
                  .positive()
                  .help("time in which a lasting error is made up for; without it, slow against `gain`"),
              number("mass", kMass).at_least(0).def("0").help("inertia; 0: the servo follows at once"),
              number("fastest", kSpeed).positive().help("limit of speed; without it, a diameter in 100 contact times"),
              number("from", kTime).at_least(0).def("0").help("begin; the wall's own motion goes on besides"),
              number("to", kTime).positive().help("end; without it, to the end of the run")})
      .help("the wall moves along `direction` so that the bodies push it with a given force or stress");
}

Key free_table() {
  return table("free", {number("mass", kMass).positive().required().help("of the wall"),
                        number("load", kForce).def("0").help("that presses it against the bodies, besides its weight"),
                        vector("direction")
                            .not_zero()
                            .help("the line it moves along, away from the bodies; without it, against the normal "
                                  "of a plane"),
                        number("damping", kDamping).at_least(0).def("0").help("force per speed that brakes it"),
                        number("from", kTime).at_least(0).def("0").help("when it is let go")})
      .help("the wall is a rigid body on a straight guide: a piston, a lid");
}

// Where a mesh stands, and which of its edges are smooth.
std::vector<Key> with_place(std::vector<Key> keys) {
  keys.push_back(vector("point", kLength).def("0").help("where the mesh's origin stands"));
  keys.push_back(vector("orientation", kAngle, 3).def("[0, 0, 0]").help("rotation vector: angle times axis"));
  keys.push_back(number("smooth_angle", kAngle)
                     .between(0, 1.5707963267948966)
                     .def("30 deg")
                     .help("triangles whose edge turns by less are one smooth surface: one contact"));
  return keys;
}

Key wall_tables() {
  return tables(
             "wall",
             {text("name").required().count(1).help("for probes and messages"),
              text("material").required().help("name of a material"),
              selector("kind").def("segment", "plane").help("its form"),
              boolean("rigid").def("false").help("does not yield: the contact has the stiffness of the body alone"),
              vector("about", kLength).help("reference point of the motion; without it `from`, `point` or `centre`"),
              tables("motion", wall_motion_keys()).help("intervals of constant velocity and spin"), oscillation_table(),
              servo_table(), free_table(), bumps_table(),
              number("until", kTime).positive().help("when the wall is taken away; without it, never"),
              integer("until_step").at_least(1).help("instead of `until`, counted in steps")},
             {variant("kind", "segment", "2D: a straight line with solid ends",
                      {vector("from", kLength).required().help("one end"),
                       vector("to", kLength).required().help("the other end")}),
              variant("kind", "circle", "2D: a thin skin, touched from inside or outside (a drum, a pier)",
                      {vector("centre", kLength).required().help("of the circle"),
                       number("radius", kLength).positive().required().help("of the circle")}),
              variant("kind", "plane", "3D: everything behind the plane is solid",
                      {vector("point", kLength).required().help("a point of the plane"),
                       vector("normal").not_zero().required().help("into the free side; of any length")}),
              variant("kind", "disc", "3D: a thin flat disc or ring with solid rims",
                      {vector("centre", kLength).required().help("of the disc"),
                       vector("normal").not_zero().required().help("of any length"),
                       number("radius", kLength).positive().required().help("outer"),
                       number("inner_radius", kLength).at_least(0).def("0").help("of the hole")}),
              variant("kind", "cylinder", "3D: a thin skin, touched from inside or outside, open at its ends",
                      {vector("point", kLength).required().help("where its axis begins"),
                       vector("axis").not_zero().required().help("direction of the axis; of any length"),
                       number("radius", kLength).positive().required().help("of the cylinder"),
                       number("length", kLength).positive().help("without it, without ends both ways")}),
              variant("kind", "cone", "3D: a thin skin, whole or cut off, open at its ends",
                      {vector("point", kLength).required().help("where its axis begins"),
                       vector("axis").not_zero().required().help("direction of the axis; of any length"),
                       number("radius", kLength).at_least(0).required().help("at the beginning"),
                       number("end_radius", kLength).at_least(0).required().help("at the end"),
                       number("length", kLength).positive().required().help("along the axis")}),
              variant("kind", "mesh", "3D: a thin skin of triangles from a file (STL, OBJ, PLY, OFF)",
                      with_place({text("file").required().count(1).help("path, relative to the scene file"),
                                  choice("unit", {{"m", ""}, {"cm", ""}, {"mm", ""}, {"in", ""}, {"ft", ""}})
                                      .def("m")
                                      .help("of the file's numbers"),
                                  number("scale").positive().def("1").help("factor on the file's numbers, besides")})),
              variant("kind", "box", "3D: a closed box of triangles, touched from inside or outside",
                      with_place({vector("size", kLength).required().help("from the corner at `point`"),
                                  integer("divisions").between(1, 1000).def("1").help("of each side")})),
              variant("kind", "helix", "3D: an open trough that winds down about the z axis",
                      with_place({number("radius", kLength).positive().required().help("of the middle of the trough"),
                                  number("width", kLength).positive().required().help("of the trough"),
                                  number("height", kLength).positive().required().help("of its sides"),
                                  number("pitch", kLength).positive().required().help("down in one turn"),
                                  number("turns").positive().required().help("how many"),
                                  number("lead", kLength).at_least(0).def("0").help("straight piece before them"),
                                  integer("around").between(8, 10000).def("48").help("pieces of a turn")})),
              variant("kind", "hourglass", "3D: a smooth skin of triangles about the z axis with a neck in the middle",
                      with_place({number("radius", kLength).positive().required().help("at both ends"),
                                  number("neck_radius", kLength).positive().required().help("in the middle"),
                                  number("height", kLength).positive().required().help("along z, about `point`"),
                                  integer("around").between(3, 10000).def("48").help("triangles around"),
                                  integer("along").between(1, 10000).def("40").help("rows of triangles"),
                                  boolean("closed_bottom").def("false").help("with a flat disc"),
                                  boolean("closed_top").def("false").help("with a flat disc")}))})
      .help("segments and circles in 2D; planes, discs, cylinders, cones and triangle meshes in 3D");
}

Key body_tables() {
  return tables("body",
                {vector("position", kLength).required().help("of the centre"),
                 number("radius", kLength)
                     .positive()
                     .help("of the disk or sphere; of a clump: from its centre of mass to its outermost point (without "
                           "it, as large as the [[clump]] is given)"),
                 text("clump").help("name of a [[clump]], instead of a single disk or sphere"),
                 text("solid").help("name of a [[solid]], instead of a single disk or sphere"),
                 rotation("orientation", kAngle)
                     .def("0", "[0, 0, 0]")
                     .help("of a clump or solid: angle (3D: rotation vector, angle times axis)"),
                 vector("kardan", kAngle, 3)
                     .help("3D, instead of orientation: Kardan angles, about x, then about the y so turned, then about "
                           "the z so turned"),
                 vector("quaternion", kNone, 4)
                     .not_zero()
                     .help("3D, instead of orientation: w, x, y, z; its length does not matter"),
                 text("material").required().help("name of a material"),
                 number("mass", kMass).positive().help("instead of density times volume"),
                 number("inertia", kInertia)
                     .positive()
                     .help("moment of inertia of a single disk or sphere; without it, that of a solid one of its mass"),
                 vector("velocity", kSpeed).def("0").help("at the start"),
                 rotation("spin", kSpin).def("0", "[0, 0, 0]").help("at the start"),
                 boolean("fixed").def("false").help("does not move"),
                 vector("about", kLength).help("reference point of the motion; without it the centre"),
                 tables("motion", motion_keys()).help("prescribed motion: intervals of constant velocity and spin"),
                 oscillation_table()})
      .help(
          "single disks, spheres, clumps or solids; ids count from 0 in the order of the file, one for each member of "
          "a clump");
}

Key clump_tables() {
  return tables(
             "clump",
             {text("name").required().count(1).help("what bodies and fills call it"),
              selector("kind").def("list").help("how it is made")},
             {variant("kind", "list", "from a list of members, which may overlap but must be one piece",
                      {points("positions").required().count(1).help("of the members' centres"),
                       numbers("radii", kLength).above(0).required().count(1).help("of the members")}),
              variant("kind", "triangle", "2D: ten equal disks", {}),
              variant("kind", "square", "2D: nine equal disks and four small ones in the gaps", {}),
              variant("kind", "tetrahedron", "3D: four equal spheres", {}),
              variant("kind", "rod", "a straight row of equal members",
                      {integer("count").between(1, 1000).def("3").help("members"),
                       number("overlap").at_least(0).below(1).def("0.5").help("of neighbours, in diameters")}),
              variant("kind", "random", "random members grown one by one, each touching two (3D: three) others",
                      {integer("count").between(1, 1000).def("6").help("members"),
                       integer("variants")
                           .between(1, 10000)
                           .def("20")
                           .help("different shapes; each body of a fill is one of them")}),
              variant("kind", "polygon", "2D: disks that cover a polygon, given or random",
                      {points("corners").count(3).help("in order around; without it, random ones"),
                       integer("count").between(3, 1000).def("8").help("random: corners"),
                       number("least").above(0).below(1).def("0.5").help(
                           "random: distance of a corner from the middle, of the largest"),
                       integer("variants").between(1, 10000).def("20").help("random: different shapes"),
                       integer("disks").between(1, 1000).def("24").help("at most"),
                       number("covered").above(0).at_most(1).def("0.97").help("part of the polygon, that is enough")})})
      .help("rigid shapes of several disks or spheres; mass and inertia are those of the union");
}

Key fill_clump() { return text("clump").help("name of a [[clump]]: `radius` is then its outer radius"); }
Key fill_solid() { return text("solid").help("name of a [[solid]]: `radius` is then its outer radius"); }
Key sized_radius() { return number("radius", kLength).positive().required().help("mean radius"); }
Key size_spread() {
  return number("spread").at_least(0).below(1).def("0").help("radii uniform in radius * [1 - spread, 1 + spread]");
}
Key region_min() { return vector("min", kLength).required().help("lower corner of the region"); }
Key region_max() { return vector("max", kLength).required().help("upper corner of the region"); }
Key fill_count(const char* help) { return integer("count").at_least(1).help(help); }
Key fill_velocity() { return vector("velocity", kSpeed).def("0").help("of every body"); }
Key fill_random_speed() {
  return number("random_speed", kSpeed).at_least(0).def("0").help("each component of velocity also uniform up to this");
}
Key fill_fixed() { return boolean("fixed").def("false").help("the bodies do not move"); }

Key fill_tables() {
  const auto loose = [] {
    return number("fraction").above(0).below(1).help("covered part of the region to reach (area or volume)");
  };
  return tables(
             "fill",
             {text("material").required().help("name of a material"), selector("method").required().help("how")},
             {variant("method", "lattice", "rows and columns, if wanted with random shifts",
                      {sized_radius(), size_spread(), fill_clump(), fill_solid(), region_min(), region_max(),
                       number("spacing", kLength).positive().help("between centres; without it, the largest diameter"),
                       choice("pattern", {{"square", "square or cubic"}, {"hexagonal", "2D: rows shifted by half"}})
                           .def("square")
                           .help("of the lattice"),
                       number("jitter").between(0, 1).def("0").help("random shift as a part of the free space between"),
                       fill_count("at most so many, from below"), fill_velocity(), fill_random_speed(), fill_fixed()}),
              variant("method", "random", "random places without overlap, one after the other",
                      {sized_radius(), size_spread(), fill_clump(), fill_solid(), region_min(), region_max(), loose(),
                       fill_count("so many bodies, instead of a fraction"),
                       number("gap", kLength).at_least(0).def("0").help("free space kept around each"), fill_velocity(),
                       fill_random_speed(), fill_fixed()}),
              variant(
                  "method", "squeeze", "random and loose in a larger box whose walls then move in (Babic 2.2.3)",
                  {sized_radius(), size_spread(), region_min(), region_max(), loose().required(),
                   number("loose_fraction").above(0).below(1).def("0.4").help("covered part before squeezing"),
                   fill_count("so many bodies; without it, as many as cover the fraction"),
                   integer("steps").at_least(10).help(
                       "steps in which the walls move in; without it, 1000 or more in boxes of more than 10 diameters"),
                   number("friction")
                       .at_least(0)
                       .help("while squeezing, instead of the materials' own: 0 gives a dense packing"),
                   integer("relax_steps").at_least(0).def("1000").help("steps at rest afterwards, with damping"),
                   number("damping", kFrequency)
                       .at_least(0)
                       .help("global damping meanwhile; without it, strong; 0: contacts alone damp, as in the source"),
                   fill_random_speed()}),
              variant("method", "rain", "appear at random in the region while the run goes on, until enough have come",
                      {sized_radius(), size_spread(), fill_clump(), fill_solid(), region_min(), region_max(),
                       fill_count("in all").required(),
                       integer("batch").at_least(1).def("10").help("places tried at a time"),
                       number("every", kTime).positive().required().help("time between two batches"), fill_velocity()}),
              variant("method", "table",
                      "from a CSV file (plain or .gz): x, y, z, radius, and if there vx.. wx.. frozen",
                      {text("file").required().count(1).help("path, relative to the scene file"),
                       number("scale").positive().def("1").help("factor on all lengths of the file"), fill_fixed()}),
              variant("method", "checkpoint", "the bodies of another run, without their contacts' history",
                      {text("file").required().count(1).help("checkpoint.h5, or the output folder that holds it"),
                       boolean("at_rest").def("false").help("take positions only")})})
      .help("regions filled with many bodies");
}

Key load_tables() {
  const auto formula = [](const char* name, const char* help) { return text(name).help(help); };
  return tables(
             "load",
             {text("name").count(1).help("for messages"), selector("kind").required().help("what acts"),
              texts("materials").count(1).help("names of materials it acts on; without it, all"),
              number("from", kTime).at_least(0).def("0").help("begin"),
              number("to", kTime).positive().help("end; without it, to the end of the run")},
             {variant("kind", "force", "the same force and torque on every body",
                      {vector("force", kForce).def("0").help("on each body or clump"),
                       rotation("torque", kTorque).def("0", "[0, 0, 0]").help("on each body or clump"),
                       vector("acceleration", kAcceleration).def("0").help("also mass times this")}),
              variant("kind", "spin-down", "slows rotation: torque = -rate * angular momentum",
                      {number("rate", kFrequency).positive().required().help("of decay")}),
              variant(
                  "kind", "mutual-gravity", "every body attracts every other, by direct sum",
                  {number("constant").positive().def("6.6743e-11").help("G, in m^3/(kg s^2) (planar: m^2/(kg s^2))"),
                   number("softening", kLength).at_least(0).def("0").help("nearer than this the force does not grow"),
                   choice("law", {{"newton", "G m m' / r^2"}, {"planar", "G m m' / r, the law of the plane"}})
                       .def("newton")
                       .help("of distance")}),
              variant(
                  "kind", "formula",
                  "by formulas of x, y, z, vx, vy, vz, wx, wy, wz (2D: w), t, m (mass), r (radius), in SI units",
                  {formula("fx", "force along x"), formula("fy", "force along y"), formula("fz", "force along z"),
                   formula("tx", "torque about x"), formula("ty", "torque about y"), formula("tz", "torque about z")})})
      .help("forces from outside, on free bodies and clumps");
}

Key output_table() {
  return table("output",
               {number("every", kTime).positive().help("time between two frames; without it, a 50th of the run"),
                integer("every_steps").at_least(1).help("instead of `every`, counted in steps"),
                boolean("trajectory").def("true").help("trajectory.h5: all frames, for plot and view"),
                boolean("vtk").def("true").help("frames/*.vtp and frames.pvd, for ParaView and OVITO"),
                boolean("contacts").def("true").help("contacts with their forces in every frame"),
                boolean("dump").def("false").help("dump.lammpstrj: LAMMPS text dump, for OVITO"),
                number("checkpoint_every", kTime)
                    .positive()
                    .help("simulated time between two checkpoints; without it, none by this clock"),
                number("checkpoint_minutes").positive().def("5").help("minutes of waiting between two checkpoints")})
      .defaulted()
      .help("what is written");
}

// Tables with the variants of another file, too.
Key with_variants(const Key& key, const std::vector<Variant>& more) {
  std::vector<Key> common = key.table->keys;
  for (Key& k : common) {
    if (k.is_selector) k.choices.clear();  // made from the variants
  }
  std::vector<Variant> variants = key.table->variants;
  variants.insert(variants.end(), more.begin(), more.end());
  return tables(key.name, common, variants).help(key.help_text);
}

Schema make_schema() {
  return Schema(
      "Moraine scene",
      {text("title").def("").help("what the scene shows"),
       text("source").def("").help("where it comes from"),
       texts("derived").def("[]").help("numbers that a set-up worked out, as \"name = value\"; for the summary"),
       integer("dimension").between(2, 3).required().help("2: disks; 3: spheres"),
       choice("method", {{"soft", "particles overlap a little and push back"},
                         {"hard", "links and contacts are constraints, on a topology that stands"}})
           .def("soft")
           .help("kind of contact"),
       integer("seed").at_least(0).def("1").help("of all random streams"),
       number("thickness", kLength).positive().def("1").help("2D: of the disks, for their mass"),
       number("global_damping", kFrequency).at_least(0).def("0").help("force -global_damping * m * v on every body"),
       setup_table(),
       hard_table(),
       time_table(),
       domain_table(),
       gravity_table(),
       table("search", {choice("method", {{"auto", "sweep where there are solids, else cells"},
                                          {"cells", "a grid for each level of sizes"},
                                          {"sweep", "sorted ends of bounding boxes, kept from one search to the next"}})
                            .def("auto")
                            .help("how"),
                        number("skin").positive().at_most(2).def("0.15").help(
                            "neighbours are listed up to this gap, in mean diameters")})
           .defaulted()
           .help("of neighbours; changes the speed, never which contacts there are"),
       material_tables(),
       contact_tables(),
       wall_tables(),
       clump_tables(),
       solid_tables(),
       body_tables(),
       chain_tables(),
       link_tables(),
       fill_tables(),
       inlet_tables(),
       outlet_tables(),
       flow_table(),
       with_variants(load_tables(), fluid_loads()),
       with_variants(probe_tables(), fluid_probes()),
       output_table()});
}

}  // namespace

const Schema& scene_schema() {
  static const Schema schema = make_schema();
  return schema;
}

}  // namespace moraine::scene
