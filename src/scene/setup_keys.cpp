// SPDX-License-Identifier: MIT
// The keys of [setup], a variant for each kind.
#include "scene/keys.hpp"

namespace moraine::scene {

using namespace keys;

namespace {

using Keys = std::vector<Key>;

Keys joined(const std::vector<Keys>& parts) {
  Keys all;
  for (const Keys& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The grains of the source's set-ups; only their defaults differ.
struct Grains {
  const char *radius, *density, *stiffness, *stiffness_ratio, *restitution, *shear_damping, *friction;
};
Keys grain_keys(const Grains& g) {
  return {number("radius", kLength).positive().def(g.radius).help("R, mean"),
          number("spread").at_least(0).below(0.9).def("0").help("radii uniform in R * [1 - spread, 1 + spread]"),
          number("density", kDensity).positive().def(g.density).help("of the grains"),
          number("stiffness", kStiffness).positive().def(g.stiffness).help("k of one grain"),
          number("stiffness_ratio").positive().at_most(10).def(g.stiffness_ratio).help("ks / kn"),
          number("restitution").above(0).at_most(1).def(g.restitution).help("e"),
          number("shear_damping").at_least(0).def(g.shear_damping).help("zeta_s"),
          number("friction").at_least(0).def(g.friction).help("mu"),
          boolean("no_tension").def("false").help("the source lets contacts pull a little at their end")};
}

Keys bumpy_keys() {
  return {boolean("bumpy").def("true").help("walls carry half grains of radius R, side by side"),
          number("gap", kLength).at_least(0).def("0").help("s_w, free space between two of them"),
          number("depth", kLength).positive().help("3D: length of the cell along z; without it, as along x")};
}

Keys loose_keys(const char* speed) {
  return {number("loose_concentration").above(0).below(1).def("0.4", "0.3").help("C_0 of the random packing at first"),
          number("random_speed", kSpeed).at_least(0).def(speed).help("v', largest component of the random velocities")};
}

Keys window_keys(const char* bins, const char* windows, const char* by) {
  Key list = points("windows", kNone, 2);
  list = std::move(list).help("[from, to] of each average of the profile");
  if (windows != nullptr) list = std::move(list).def(windows);
  return {integer("bins").between(1, 100000).def(bins).help("of the profile"), list,
          choice("windows_by", {{"collisions", "per grain"}, {"time", "in seconds"}, {"steps", ""}})
              .def(by)
              .help("what the windows are counted in")};
}

Key distortion_key() {
  return choice("distortion", {{"rhombus", "level walls turn one way, upright ones the other"},
                               {"simple", "upright walls turn; the level ones stay, and the area with them"}})
      .def("rhombus")
      .help("how the box is distorted");
}

struct Dense {
  const char *in_2d, *in_3d;
};
Keys channel_keys(const Grains& grains, const char* width, const char* aspect, const Dense& concentration,
                  const char* speed, const char* angle, const char* random_speed, const Keys& windows) {
  return joined(
      {grain_keys(grains),
       {number("width", kLength).positive().def(width).help("b, between the walls"),
        number("aspect").positive().def(aspect).help(
            "b/a, about: with bumps the length a of the cell is made to fit them"),
        number("concentration")
            .above(0)
            .below(1)
            .def(concentration.in_2d, concentration.in_3d)
            .help("C, about: N is a whole number"),
        number("speed", kSpeed).def(speed).help("U_0: the lower wall slides with it, the upper one against it"),
        number("gravity", kAcceleration).at_least(0).def("9.81").help("g"),
        number("angle", kAngle)
            .between(-1.5707963267948966, 1.5707963267948966)
            .def(angle)
            .help("alpha_0 of the plane of flow: g sin(alpha_0) acts along x"),
        number("pressure", kPressure)
            .positive()
            .help("hold this stress on the upper wall, which then moves up and down; without it, b is fixed")},
       bumpy_keys(),
       loose_keys(random_speed),
       {integer("squeeze_steps").at_least(10).def("1000").help("in which the walls move in"),
        integer("relax_steps").at_least(0).def("0").help("at rest afterwards")},
       windows});
}

Variant couette() {
  return variant(
      "kind", "couette", "flow between two walls that slide against each other (Babic 2.2.3, 3.5)",
      channel_keys({"0.5", "1", "1e4", "1", "0.8", "0.0708", "0.2679"}, "10", "3.3333333333333335", {"0.6", "0.5"},
                   "10", "0", "1", window_keys("20", "[[500, 1000], [1000, 1500], [1500, 2000]]", "collisions")));
}

Variant channel() {
  return variant(
      "kind", "channel", "flow down between two walls, driven by g sin(alpha_0) (Babic 2.2.3, 3.6)",
      channel_keys({"0.0222", "1121.6", "1e5", "0.8", "0.95", "0", "0.12"}, "0.6216", "2.8", {"0.75", "0.55"}, "0",
                   "0.6 deg", "0.1",
                   window_keys("28",
                               "[[1, 4], [4, 7], [7, 10], [10, 15], [15, 20], [20, 25], [25, 30], [30, 35], [35, 40], "
                               "[40, 45], [45, 50], [15, 50]]",
                               "time")));
}

Variant chute() {
  return variant(
      "kind", "chute", "flow down an open slope, one cell of it (Babic 2.1.3, 2.2.3)",
      joined({grain_keys({"0.5", "1000", "1e8", "1", "0.8", "0.0708", "0.5"}),
              {integer("count").at_least(1).def("100").help("N"),
               number("length", kLength).positive().def("10").help("a, along the slope; made to fit the bumps"),
               number("angle", kAngle)
                   .between(-1.5707963267948966, 1.5707963267948966)
                   .def("20 deg")
                   .help("beta_0, inclination"),
               number("gravity", kAcceleration).positive().def("9.81").help("g")},
              bumpy_keys(),
              loose_keys("0"),
              window_keys("40", nullptr, "time")}));
}

Variant simple_shear() {
  return variant("kind", "simple-shear",
                 "uniform shear without walls (Lees-Edwards), at a given concentration (Babic 4.2)",
                 joined({grain_keys({"5 mm", "1000", "1e6", "0.8", "0.8", "0", "0.3"}),
                         {integer("count").at_least(1).def("1000").help("N"),
                          number("concentration").above(0).below(1).def("0.5", "0.4").help("C"),
                          number("rate", kFrequency).above(0).def("10").help("of shear"),
                          number("strain").positive().def("20").help("over which is averaged"),
                          number("settling_strain").at_least(0).def("10").help("before that"),
                          number("preparing_friction").at_least(0).def("0").help("mu while a dense packing is made"),
                          number("random_speed", kSpeed).at_least(0).help("at the start; without it, rate * R"),
                          integer("bins").between(1, 100000).def("10").help("of the profile")}}));
}

Variant nine_disc() {
  return variant(
      "kind", "nine-disc", "nine disks in a square of walls that move in and turn (Babic 3.1, Cundall and Strack 1979)",
      {number("radius", kLength).positive().def("50").help("R"),
       number("density", kDensity).positive().def("1000").help("of the disks"),
       number("stiffness", kStiffness).positive().def("1.35e9").help("k of a disk, and of the walls"),
       number("stiffness_ratio").positive().at_most(10).def("1").help("ks / kn"),
       number("restitution").above(0).at_most(1).def("0.75").help("e; 1: no damping"),
       number("shear_damping").at_least(0).help("zeta_s; without it, zeta_n"),
       number("friction_angle", kAngle).at_least(0).below(1.5707963267948966).def("15 deg").help("phi: mu = tan(phi)"),
       number("friction").at_least(0).help("mu, instead of friction_angle"),
       number("speed", kSpeed).at_least(0).def("0.12").help("of each wall, inward"),
       integer("load_steps").at_least(1).def("40").help("in which the walls move in"),
       integer("rest_steps").at_least(0).def("360").help("at rest after that"),
       integer("distort_steps").at_least(0).def("0").help("in which the walls then turn"),
       number("spin", kSpin).def("0.0175").help("of the walls about their middles, then"), distortion_key()});
}

Variant box() {
  return variant(
      "kind", "box", "disks squeezed in a box of walls, then compressed and distorted (Babic 2.2.3, 3.4)",
      joined({grain_keys({"0.5", "1000", "1e10", "1", "0.8", "0.07085", "0.26794"}),
              {integer("count").at_least(1).def("50").help("N"),
               number("concentration").above(0).below(1).def("0.8").help("C to squeeze to"),
               number("aspect").positive().def("1").help("b/a"),
               number("loose_concentration").above(0).below(1).def("0.4").help("C_0 at first"),
               integer("squeeze_steps").at_least(10).def("1000").help("in which the walls move in"),
               integer("relax_steps").at_least(0).def("3000").help("at rest after that"),
               integer("compress_steps").at_least(0).def("10000").help("of compression"),
               number("compress_speed", kSpeed).def("0.5").help("of each wall, inward"),
               integer("distort_steps").at_least(0).def("5000").help("of distortion"),
               number("spin", kSpin).def("0.1").help("of the walls about their middles, then"), distortion_key()}}));
}

std::vector<Variant> soft_setups() {
  return {
      nine_disc(),
      box(),
      couette(),
      channel(),
      chute(),
      simple_shear(),
      variant("kind", "impact", "two disks (2D) or spheres (3D), or one and a wall, collide (Babic, appendix A)",
              {number("radius", kLength).positive().def("0.05").help("R"),
               number("density", kDensity).positive().def("1000").help("of both"),
               number("stiffness", kStiffness).positive().def("1e12").help("k of one particle"),
               number("young", kPressure).positive().def("1e12").help("hertz: Young's modulus"),
               number("poisson").above(-1).at_most(0.5).def("0.3").help("hertz: Poisson's ratio"),
               number("stiffness_ratio").positive().at_most(10).def("0.8").help("ks / kn"),
               number("restitution").above(0).at_most(1).def("0.8").help("e"),
               number("shear_damping").at_least(0).def("0").help("zeta_s"),
               number("friction").at_least(0).def("0.5").help("mu"),
               number("speed", kSpeed).positive().def("1").help("c_12, relative"),
               number("angle", kAngle)
                   .at_least(0)
                   .below(1.5707963267948966)
                   .def("0")
                   .help("gamma_0 between the velocity and the line of centres"),
               choice("law", normal_laws()).def("linear").help("normal law"),
               choice("tangential", {{"cundall-strack", ""}, {"mindlin", ""}, {"viscous", ""}, {"none", ""}})
                   .def("cundall-strack")
                   .help("tangential law"),
               number("exponent").at_least(1).at_most(4).def("1.5").help("p of the power laws"),
               boolean("no_tension").def("false").help("the source lets contacts pull a little at their end"),
               choice("against", {{"body", "a second one"}, {"wall", "a wall of the same stiffness"}})
                   .def("body")
                   .help("what is hit"),
               number("mass_ratio").positive().def("1").help("mass of the second body over that of the first"),
               number("radius_ratio").positive().def("1").help("radius of the second body over the first")}),
      variant("kind", "bed", "periodic bed of spheres on a rough or smooth floor under tilted gravity",
              {integer("count").at_least(1).def("2000").help("N, free spheres"),
               number("radius", kLength).positive().def("0.5 mm").help("mean radius"),
               number("spread").at_least(0).below(0.5).def("0.1").help("radii +- this part"),
               number("density", kDensity).positive().def("2500").help("of the spheres"),
               number("stiffness", kStiffness).positive().def("1000").help("of a contact"),
               number("stiffness_ratio").positive().at_most(10).def("0.2857142857142857").help("kt / kn"),
               number("restitution").above(0).at_most(1).def("0.7").help("e"),
               number("friction").at_least(0).def("0.5").help("mu"),
               number("angle", kAngle).between(-1.5, 1.5).def("24 deg").help("tilt of gravity"),
               number("layers").at_least(1).def("20").help("depth of the bed in diameters, about"),
               boolean("rough").def("true").help("floor covered with fixed spheres")}),
      variant("kind", "triaxial",
              "a box of grains between servo walls: squeezed, brought to a pressure, then compressed along z (2D: "
              "y) while the stress on the other walls is held",
              {integer("count").at_least(10).def("600").help("grains"),
               number("radius", kLength).positive().def("1 mm").help("mean radius"),
               number("spread").at_least(0).below(0.9).def("0.2").help("radii +- this part"),
               number("density", kDensity).positive().def("2600").help("of the grains"),
               number("stiffness", kStiffness).positive().def("4e5").help("k of one grain"),
               number("stiffness_ratio").positive().at_most(10).def("0.8").help("ks / kn"),
               number("restitution").above(0).at_most(1).def("0.3").help("e"),
               number("friction").at_least(0).def("0.5").help("mu between grains; walls are smooth"),
               number("fraction")
                   .above(0)
                   .below(1)
                   .def("0.8", "0.56")
                   .help("covered when squeezed, before the "
                         "pressure is applied"),
               number("preparing_friction").at_least(0).def("0").help("mu while squeezing: 0 dense, large loose"),
               number("pressure", kPressure).positive().def("1e5").help("held on all walls, then on the lateral ones"),
               number("settling", kTime).positive().def("15 ms").help("time at that pressure before compression"),
               number("strain").positive().below(2).def("0.2").help("compression to reach (logarithmic)"),
               number("rate", kFrequency).positive().def("3").help("of compression (1/s)")}),
      variant(
          "kind", "pipe",
          "2D: a stream carries batches of grains into a pipe with rough walls, until it jams or not; all lengths "
          "go with `width`",
          {number("width", kLength).positive().def("0.4 m").help("D"),
           number("diameter", kLength).positive().def("68 mm").help("d, mean, of the grains"),
           number("spread").at_least(0).below(0.5).def("0.02").help(
               "diameters uniform in d * [1 - spread, 1 + spread]"),
           number("density").positive().at_most(0.9).def("0.5").help("part of the area 1.25 D x D that a batch covers"),
           number("mean_speed", kSpeed).positive().def("0.05 m/s").help("v of the stream; in the middle 1.5 v"),
           number("roughness").at_least(0).at_most(0.1).def("0.05").help("b / D, of the walls"),
           number("jitter", kLength).at_least(0).def("1 mm").help("width of the random shift of each grain"),
           number("grain_density", kDensity).positive().def("1100").help("of the grains, which are spheres"),
           number("fluid_density", kDensity).positive().def("1000").help("of the stream"),
           number("drag_coefficient").positive().def("0.1").help("C_D, with the face pi r^2"),
           number("restitution").above(0).at_most(1).def("0.7").help("e"),
           number("friction").at_least(0).def("0.3").help("mu"),
           number("wall_friction").at_least(0).help("mu at the walls; without it, friction"),
           number("stiffness", kStiffness).positive().def("1e4").help("method = \"soft\": k of one grain"),
           integer("batches").between(1, 1000000).def("50").help("after which the run ends")})};
}

}  // namespace

Key setup_table() {
  std::vector<Variant> all = soft_setups();
  for (const std::vector<Variant>& more : {hard_setups(), solid_setups()})
    all.insert(all.end(), more.begin(), more.end());
  return table("setup", {selector("kind").required().help("which set-up")}, all)
      .help("a ready-made set-up that expands into ordinary tables");
}

}  // namespace moraine::scene
