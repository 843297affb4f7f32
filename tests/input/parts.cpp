// SPDX-License-Identifier: MIT
// Mistakes in loads, clumps, walls that are curved, driven or free, and sheared domains: one at a time, each told with
// its line, key, value and what is allowed.
#include <gtest/gtest.h>

#include "support/mistake.hpp"

using namespace moraine::testing;

namespace {

struct PartMistake {
  const char* name;
  std::string scene;
  std::string line;  // the line that must be named
  std::vector<std::string> parts;
};
void PrintTo(const PartMistake& m, std::ostream* out) { *out << m.name; }

class Part : public ::testing::TestWithParam<PartMistake> {};

TEST_P(Part, IsRefusedAndExplained) {
  const auto& [name, scene, line, mentioned] = GetParam();
  expect_refused(Folder(), scene, line, mentioned);
}

const std::string kHead3 = "dimension = 3\n[time]\nend = 0.01\n";
const std::string kBody3 = "[[body]]\nposition = [0, 0, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n";
const std::string kSound3 = kHead3 + kRock + kContact + kBody3;

std::string load(const std::string& keys) { return kSound + "[[load]]\n" + keys; }
std::string load3(const std::string& keys) { return kSound3 + "[[load]]\n" + keys; }
std::string probe(const std::string& keys) { return kSound + "[[probe]]\n" + keys; }
std::string clump(const std::string& keys) { return kSound + "[[clump]]\nname = \"c\"\n" + keys; }
std::string wall(const std::string& keys) { return kSound + "[[wall]]\nname = \"lid\"\nmaterial = \"rock\"\n" + keys; }
std::string wall3(const std::string& keys) {
  return kSound3 + "[[wall]]\nname = \"lid\"\nmaterial = \"rock\"\n" + keys;
}
std::string lid(const std::string& keys) { return wall("from = [-1, 0.9]\nto = [1, 0.9]\n" + keys); }
std::string lid3(const std::string& keys) { return wall3("point = [0, 0, 1]\nnormal = [0, 0, -1]\n" + keys); }
std::string domain(const std::string& keys) { return kHead + "[domain]\n" + keys + kRock + kContact + kBody; }

const std::string kTwoPoints = "positions = [[0, 0], [0.1, 0]]\n";

std::vector<PartMistake> loads() {
  return {
      {"FormulaWithoutEnd",
       load("kind = \"formula\"\nfx = \"2 * (x + 1\"\n"),
       "fx = ",
       {"load[0].fx", "')'", "character 11"}},
      {"FormulaOfAnUnknownName",
       load("kind = \"formula\"\nfy = \"-m * hight\"\n"),
       "fy = ",
       {"load[0].fy", "'hight'", "'vx'", "character 6"}},
      {"FormulaOfZInThePlane",
       load("kind = \"formula\"\nfx = \"z\"\n"),
       "fx = ",
       {"load[0].fx", "'z'", "'vx'", "character 1"}},
      {"FormulaAlongZInThePlane", load("kind = \"formula\"\nfz = \"1\"\n"), "fz = ", {"load[0].fz", "3D"}},
      {"NoFormula", load("kind = \"formula\"\n"), "[[load]]", {"load[0]", "no formula", "fx"}},
      {"NoKind", load("name = \"wind\"\n"), "[[load]]", {"load[0].kind", "missing", "'force'"}},
      {"UnknownKind", load("kind = \"gravitation\"\n"), "kind = ", {"load[0].kind", "gravitation", "mutual-gravity"}},
      {"StreamWithoutDrag",
       load("kind = \"stream\"\nvelocity = [1, 0]\ndensity = 1.2\n"),
       "[[load]]",
       {"load[0]", "without drag", "drag_coefficient"}},
      {"ViscosityInThePlane",
       load("kind = \"stream\"\nviscosity = 0.001\n"),
       "viscosity = ",
       {"load[0].viscosity", "3D", "drag_coefficient"}},
      {"SkinOfNothing",
       load("kind = \"skin\"\nvelocity = [1, 0]\ncoefficient = 0.005\n"),
       "[[load]]",
       {"load[0].density", "missing"}},
      {"SkinWithoutCoefficient",
       load("kind = \"skin\"\ndensity = 1000\n"),
       "[[load]]",
       {"load[0].coefficient", "missing"}},
      {"SkinThatPushesBackwards",
       load("kind = \"skin\"\ndensity = 1000\ncoefficient = -0.005\n"),
       "coefficient = ",
       {"load[0].coefficient", "-0.005", "> 0"}},
      {"SkinOfAVelocityInSpace",
       load("kind = \"skin\"\ndensity = 1000\ncoefficient = 0.005\nvelocity = [1, 0, 0]\n"),
       "velocity = ",
       {"load[0].velocity", "2"}},
      {"SkinInTheWrongUnit",
       load("kind = \"skin\"\ndensity = \"1000 kg\"\ncoefficient = 0.005\n"),
       "density = \"1000 kg\"",
       {"load[0].density", "kg"}},
      {"MutualGravityInAPeriodicDomain",
       kHead + "[domain]\nmin = [-1, -1]\nmax = [1, 1]\nperiodic = [\"y\"]\n" + kRock + kContact + kBody +
           "[[load]]\nkind = \"mutual-gravity\"\n",
       "kind = ",
       {"load[0].kind", "periodic", "(y)"}},
      {"LoadOnAnUnknownMaterial",
       load("kind = \"force\"\nforce = [1, 0]\nmaterials = [\"rok\"]\n"),
       "materials = ",
       {"load[0].materials[0]", "\"rok\"", "did you mean 'rock'"}},
      {"LoadThatEndsBeforeItBegins",
       load("kind = \"spin-down\"\nrate = 1\nfrom = 3\nto = 2\n"),
       "to = 2",
       {"load[0].to", "2 s", "3 s"}},
      {"SpinDownThatSpeedsUp", load("kind = \"spin-down\"\nrate = -1\n"), "rate = ", {"load[0].rate", "-1", "> 0"}},
      {"ForceInTheWrongUnit",
       load3("kind = \"force\"\nforce = [0, 0, \"1 kg\"]\n"),
       "force = [",
       {"load[0].force", "kg", "N"}},
  };
}

std::vector<PartMistake> probes() {
  return {
      {"FluxNowhere", probe("kind = \"flux\"\n"), "[[probe]]", {"probe[0].at", "missing"}},
      {"FluxOutsideTheDomain",
       probe("kind = \"flux\"\nat = 1.5\n"),
       "at = 1.5",
       {"probe[0].at", "1.5 m", "outside the domain", "1 m"}},
      {"FluxAcrossZInThePlane",
       probe("kind = \"flux\"\naxis = \"z\"\nat = 0\n"),
       "axis = ",
       {"probe[0].axis", "no z axis in 2D"}},
      {"FluxThroughAWindowUpsideDown",
       probe("kind = \"flux\"\nat = 0\nmin = [0.5, 0]\nmax = [0.2, 0]\n"),
       "max = [0.2",
       {"probe[0].max", "larger than min", "0.5 m", "0.2 m"}},
      {"FluxAlongTheFlowOfAShearedDomain",
       kHead + "[domain]\nmin = [-1, -1]\nmax = [1, 1]\nperiodic = [\"x\", \"y\"]\n[domain.shear]\nrate = 1\n" + kRock +
           kContact + kBody + "[[probe]]\nkind = \"flux\"\naxis = \"x\"\nat = 0\n",
       "axis = ",
       {"probe[0].axis", "sheared", "across the flow"}},
      {"ForcesInAPlaneOfOneAxis",
       probe("kind = \"forces\"\nplane = [\"x\", \"x\"]\n"),
       "plane = ",
       {"probe[0].plane", "x twice"}},
      {"ForcesInAPlaneThatIsNotThere",
       probe("kind = \"forces\"\nplane = [\"x\", \"z\"]\n"),
       "plane = ",
       {"probe[0].plane", "no z axis in 2D"}},
      {"ForcesInOneDirection", probe("kind = \"forces\"\nangles = 1\n"), "angles = ", {"probe[0].angles", "1", "2"}},
  };
}

std::vector<PartMistake> clumps() {
  return {
      {"MembersApart",
       clump("positions = [[0, 0], [1, 0]]\nradii = [0.1, 0.1]\n"),
       "positions = ",
       {"clump[0].positions[1]", "does not touch", "one piece"}},
      {"ListsOfDifferentLength",
       clump(kTwoPoints + "radii = [0.1, 0.1, 0.1]\n"),
       "radii = ",
       {"clump[0].radii", "3", "2", "one radius for each"}},
      {"NegativeMember", clump(kTwoPoints + "radii = [0.1, -0.1]\n"), "radii = ", {"clump[0].radii", "-0.1", "> 0"}},
      {"PointsOfThreeNumbersInThePlane",
       clump("positions = [[0, 0], [0.1, 0, 0]]\nradii = [0.1, 0.1]\n"),
       "positions = ",
       {"clump[0].positions[1]", "3 entries", "2 numbers"}},
      {"NoRadii", clump(kTwoPoints), "[[clump]]", {"clump[0].radii", "missing"}},
      {"TwoClumpsOfOneName",
       clump("kind = \"rod\"\n") + "[[clump]]\nname = \"c\" # again\nkind = \"rod\"\n",
       "name = \"c\" # again",
       {"clump[1].name", "already", "\"c\""}},
      {"UnknownClumpOfABody",
       clump("kind = \"rod\"\n") + "[[body]]\nclump = \"rod\"\nposition = [0.5, 0.8]\nmaterial = \"rock\" # of it\n",
       "clump = \"rod\"",
       {"body[1].clump", "\"rod\"", "'c'"}},
      {"ClumpOfABodyWithoutAny",
       kSound + "[[body]]\nclump = \"rod\"\nposition = [0.5, 0.8]\nmaterial = \"rock\"\n",
       "clump = \"rod\"",
       {"body[1].clump", "\"rod\"", "the scene has none"}},
      {"UnknownClumpOfAFill",
       clump("kind = \"rod\"\n") +
           "[[fill]]\nmethod = \"lattice\"\nmaterial = \"rock\"\nclump = \"d\"\nradius = 0.01\nmin = [0.5, 0.5]\n"
           "max = [0.9, 0.9]\n",
       "clump = \"d\"",
       {"fill[0].clump", "\"d\"", "'c'"}},
      {"FlatShapeInSpace",
       kSound3 + "[[clump]]\nname = \"c\"\nkind = \"square\"\n",
       "kind = ",
       {"clump[0].kind", "square", "2D"}},
      {"SolidShapeInThePlane", clump("kind = \"tetrahedron\"\n"), "kind = ", {"clump[0].kind", "tetrahedron", "3D"}},
      {"RodOfNothing", clump("kind = \"rod\"\ncount = 0\n"), "count = ", {"clump[0].count", "0", ">= 1"}},
      {"RodThatOverlapsWholly", clump("kind = \"rod\"\noverlap = 1\n"), "overlap = ", {"clump[0].overlap", "1", "< 1"}},
      {"BodyWithoutRadius",
       kWithoutBodies + "[[body]]\nposition = [0, 0.5]\nmaterial = \"rock\"\n",
       "[[body]]",
       {"body[0]", "radius", "clump"}},
      {"FixedFillOfClumps",
       clump("kind = \"rod\"\n") +
           "[[fill]]\nmethod = \"lattice\"\nmaterial = \"rock\"\nclump = \"c\"\nradius = 0.01\nmin = [0.5, 0.5]\n"
           "max = [0.9, 0.9]\nfixed = true\n",
       "fixed = true",
       {"fill[0].fixed", "clumps"}},
  };
}

std::vector<PartMistake> walls() {
  return {
      {"ServoWithNeither", lid3("[wall.servo]\n"), "[wall.servo]", {"wall[0].servo", "'force' or 'stress'", "missing"}},
      {"ServoWithBoth",
       lid3("[wall.servo]\nforce = 1\nstress = 1\narea = 1\n"),
       "[wall.servo]",
       {"wall[0].servo", "'force' and 'stress'"}},
      {"ServoOfAStressWithoutArea",
       lid3("[wall.servo]\nstress = 1000\n"),
       "[wall.servo]",
       {"wall[0].servo", "'stress' needs 'area'", "area_between"}},
      {"ServoBetweenUnknownWalls",
       lid("[wall.servo]\nstress = 1000\ndirection = [0, 1]\narea_between = [\"flor\", \"lid\"]\n"),
       "area_between = ",
       {"wall[1].servo.area_between[0]", "\"flor\"", "did you mean 'floor'"}},
      {"ServoBetweenOddWalls",
       lid("[wall.servo]\nstress = 1000\ndirection = [0, 1]\narea_between = [\"floor\"]\n"),
       "area_between = ",
       {"wall[1].servo.area_between", "pairs"}},
      {"ServoWithoutDirectionInThePlane",
       lid("[wall.servo]\nforce = 10\n"),
       "[wall.servo]",
       {"wall[1].servo", "'direction' is missing"}},
      {"ServoWithoutAWay",
       lid("[wall.servo]\nforce = 10\ndirection = [0, 0]\n"),
       "direction = ",
       {"wall[1].servo.direction", "zero"}},
      {"ServoGainTooHigh",
       lid3("[wall.servo]\nforce = 10\ngain = 100\n"),
       "gain = ",
       {"wall[0].servo.gain", "100", "at most", "mass"}},
      {"ServoThatEndsBeforeItBegins",
       lid3("[wall.servo]\nforce = 10\nfrom = 2\nto = 1\n"),
       "to = 1",
       {"wall[0].servo.to", "1 s", "2 s"}},
      {"ServoMassTooLight",
       lid3("[wall.servo]\nforce = 10\nmass = 1e-9\n"),
       "mass = ",
       {"wall[0].servo.mass", "too light", "at least"}},
      {"FreeWithoutMass", lid3("[wall.free]\nload = 3\n"), "[wall.free]", {"wall[0].free.mass", "missing"}},
      {"FreeOfNoMass", lid3("[wall.free]\nmass = 0\n"), "mass = ", {"wall[0].free.mass", "0", "> 0"}},
      {"FreeTooLight", lid3("[wall.free]\nmass = 1e-9\n"), "mass = ", {"wall[0].free.mass", "too light", "at least"}},
      {"FreeWithoutDirectionInThePlane",
       lid("[wall.free]\nmass = 1\n"),
       "[wall.free]",
       {"wall[1].free", "'direction' is missing"}},
      {"FreeAndServo",
       lid3("[wall.servo]\nforce = 1\n[wall.free]\nmass = 1\n"),
       "[wall.free]",
       {"wall[0].free", "servo", "leave out"}},
      {"ConeOfNoRadius",
       wall3("kind = \"cone\"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nradius = 0 # one\nend_radius = 0\nlength = 1\n"),
       "end_radius = ",
       {"wall[0].end_radius", "both 0"}},
      {"DiscWithTooLargeAHole",
       wall3("kind = \"disc\"\ncentre = [0, 0, 0]\nnormal = [0, 0, 1]\nradius = 0.3\ninner_radius = 0.3\n"),
       "inner_radius = ",
       {"wall[0].inner_radius", "less than radius", "0.3 m"}},
      {"CylinderWithoutAxis",
       wall3("kind = \"cylinder\"\npoint = [0, 0, 0]\naxis = [0, 0, 0] # none\nradius = 1\n"),
       "# none",
       {"wall[0].axis", "zero"}},
      {"CylinderOfNegativeLength",
       wall3("kind = \"cylinder\"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nradius = 1\nlength = -1\n"),
       "length = ",
       {"wall[0].length", "-1", "> 0"}},
      {"CircleInSpace",
       wall3("kind = \"circle\"\ncentre = [0, 0, 0]\nradius = 1 # of it\n"),
       "kind = ",
       {"wall[0].kind", "circle", "2D"}},
      {"PlaneInThePlane",
       wall("kind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\n"),
       "kind = ",
       {"wall[1].kind", "plane", "3D", "segment"}},
      {"BoxOfNoSize", wall3("kind = \"box\"\nsize = [1, 1, 0]\n"), "size = ", {"wall[0].size", "above 0"}},
      {"HourglassWithAWideNeck",
       wall3("kind = \"hourglass\"\nradius = 0.2 # of it\nneck_radius = 0.2\nheight = 1\n"),
       "neck_radius = ",
       {"wall[0].neck_radius", "less than radius"}},
      {"MeshOfAMissingFile",
       wall3("kind = \"mesh\"\nfile = \"hopper.stl\"\n"),
       "file = ",
       {"wall[0].file", "hopper.stl"}},
  };
}

std::vector<PartMistake> programs() {
  const auto motion = [](const std::string& keys) { return lid("[[wall.motion]]\n" + keys); };
  return {
      {"MotionThatEndsBeforeItBegins",
       motion("from_step = 20\nto_step = 10\n"),
       "to_step = ",
       {"wall[1].motion[0].to_step", "10", "later than from_step", "20"}},
      {"MotionInStepsAndTime",
       motion("from = 0.001\nfrom_step = 20\n"),
       "from_step = ",
       {"wall[1].motion[0].from_step", "'from'", "leave out"}},
      {"MotionThatEndsBeforeItBeginsInMixedUnits",
       motion("from = 0.005 # begin\nto_step = 1\n"),
       "[[wall.motion]]",
       {"wall[1].motion[0]", "before it begins"}},
      {"ShiftWithoutEnd", motion("shift = [0, 1]\n"), "shift = ", {"wall[1].motion[0].shift", "'to' or 'to_step'"}},
      {"ShiftAndVelocity",
       motion("to = 0.01\nvelocity = [0, 1]\nshift = [0, 1]\n"),
       "shift = ",
       {"wall[1].motion[0].shift", "'velocity'", "leave out"}},
      {"SlideOutOfTheWall",
       motion("slide = [1, 1]\n"),
       "slide = ",
       {"wall[1].motion[0].slide", "out of the wall", "velocity"}},
      {"SlideOfACircle",
       wall("kind = \"circle\"\ncentre = [0, 5]\nradius = 1 # of it\n[[wall.motion]]\nslide = [1, 0]\n"),
       "slide = ",
       {"wall[1].motion[0].slide", "segments and planes", "'spin'"}},
      {"TakenAwayTwice",
       lid("until = 0.005\nuntil_step = 10\n"),
       "until_step = ",
       {"wall[1].until_step", "'until'", "leave out"}},
      {"BumpsTooLarge",
       lid("[wall.bumps]\nradius = 3 # each\n"),
       "# each",
       {"wall[1].bumps.radius", "not a single bump"}},
      {"BumpsOfAnUnknownMaterial",
       lid("[wall.bumps]\nradius = 0.05 # each\nmaterial = \"rok\"\n"),
       "material = \"rok\"",
       {"wall[1].bumps.material", "rok", "rock"}},
      {"BumpsOnACircle",
       wall("kind = \"circle\"\ncentre = [0, 5]\nradius = 1 # of it\n[wall.bumps]\nradius = 0.1 # each\n"),
       "[wall.bumps]",
       {"wall[1].bumps", "segments and planes"}},
      {"BumpsOnAPlaneWithoutBounds",
       lid3("[wall.bumps]\nradius = 0.1 # each\n"),
       "[wall.bumps]",
       {"wall[0].bumps", "domain with bounds", "x and y"}},
      {"StepsAndEnd",
       replaced(kSound, "end = 0.01", "end = 0.01\nsteps = 10"),
       "[time]",
       {"time", "'end' and 'steps'", "leave out"}},
      {"FramesByStepsAndTime",
       kSound + "[output]\nevery = 0.001\nevery_steps = 10\n",
       "every_steps = ",
       {"output.every_steps", "'every'", "leave out"}},
      {"RowsByStepsAndTime",
       probe("kind = \"energy\"\nevery = 0.001\nevery_steps = 10\n"),
       "every_steps = ",
       {"probe[0].every_steps", "'every'", "leave out"}},
  };
}

std::vector<PartMistake> setups() {
  const auto setup = [](const std::string& keys, const std::string& head = "dimension = 2\n") {
    return head + "[setup]\n" + keys;
  };
  return {
      {"CellTooShort",
       setup("kind = \"couette\"\naspect = 20\n"),
       "aspect = ",
       {"setup.aspect", "two diameters", "periodic cell"}},
      {"ChannelTooNarrow",
       setup("kind = \"channel\"\nwidth = 0.1\naspect = 0.5\n"),
       "width = ",
       {"setup.width", "three diameters"}},
      {"DepthInThePlane", setup("kind = \"chute\"\ndepth = 10\n"), "depth = ", {"setup.depth", "3D"}},
      {"NineDiscsInSpace",
       setup("kind = \"nine-disc\"\n", "dimension = 3\n"),
       "dimension = ",
       {"dimension", "must be 2", "disks"}},
      {"TwoFrictions",
       setup("kind = \"nine-disc\"\nfriction = 0.5\nfriction_angle = 0.4\n"),
       "friction_angle = ",
       {"setup.friction_angle", "'friction'", "leave out"}},
      {"LooserThanDense",
       setup("kind = \"box\"\nconcentration = 0.3\n"),
       "[setup]",
       {"setup.loose_concentration", "0.4", "below concentration", "0.3"}},
      {"ShearDashpotTooStrongForTheStep",
       setup("kind = \"nine-disc\"\nrestitution = 0.2\nshear_damping = 0.5\n"),
       "[setup]",
       {"time.step", "longer than is stable", "at most"}},
      {"NothingDrives", setup("kind = \"couette\"\nspeed = 0\n"), "speed = ", {"setup.speed", "drives nothing"}},
  };
}

std::vector<PartMistake> sheared() {
  const std::string both = "min = [-1, -1]\nmax = [1, 1]\nperiodic = [\"x\", \"y\"]\n";
  return {
      {"ShearWithAWall",
       domain(both + "[domain.shear]\nrate = 1\n") +
           "[[wall]]\nname = \"floor\"\nmaterial = \"rock\"\nfrom = [-1, 0]\nto = [1, 0]\n",
       "name = \"floor\"",
       {"wall[0].name", "\"floor\"", "sheared", "leave out"}},
      {"ShearWithoutAPeriodicGradient",
       domain(replaced(both, ", \"y\"", "") + "[domain.shear]\nrate = 1\n"),
       "[domain.shear]",
       {"domain.shear.gradient", "periodic along y"}},
      {"ShearAlongItsOwnGradient",
       domain(both + "[domain.shear]\nrate = 1\ngradient = \"x\"\n"),
       "gradient = ",
       {"domain.shear.gradient", "another axis"}},
      {"ShearAlongZInThePlane",
       domain(both + "[domain.shear]\nrate = 1\nflow = \"z\"\n"),
       "flow = ",
       {"domain.shear.flow", "no z axis"}},
      {"ShearWithoutRate", domain(both + "[domain.shear]\n"), "[domain.shear]", {"domain.shear.rate", "missing"}},
  };
}

std::vector<PartMistake> every_part() {
  std::vector<PartMistake> all;
  for (const auto& some : {loads(), probes(), clumps(), walls(), programs(), setups(), sheared()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Mistake, Part, ::testing::ValuesIn(every_part()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
