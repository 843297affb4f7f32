// SPDX-License-Identifier: MIT
// Mistakes in a scene: each is told with file, line, key path, value and what is allowed; all at once; nothing is
// written.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

struct Mistake {
  std::string line;                // of the scene, where it stands
  std::vector<std::string> parts;  // of the message: key path, value, what is allowed
};

void expect_each_told_once(const Ended& end, const std::string& scene, const std::vector<Mistake>& mistakes) {
  EXPECT_TRUE(ended_with(end, 2));
  for (const Mistake& mistake : mistakes) {
    const int line = line_of(scene, mistake.line);
    ASSERT_GT(line, 0) << mistake.line;
    auto parts = mistake.parts;
    parts.push_back("scene.toml:" + std::to_string(line) + ": ");
    EXPECT_TRUE(names_problem(end, parts));
  }
  EXPECT_EQ(end.errors().size(), mistakes.size()) << end.told();
}

const std::string kTenMistakes = R"(title = "Ten mistakes"
dimension = 2
colour = "red"

[time]
end = "1 kg"
stepp = 1e-5

[gravity]
acceleration = "fast"

[[material]]
name = "rock"
density = -2500
stiffness = "1e6 N/m"

[[contact]]
restitution = 1.5
normal = "hertzz"

[[body]]
position = [0, 1, 2]
radius = true
material = "rock"

[[body]] # without a position
radius = 0.1
material = "rock"
)";

const std::vector<Mistake> kTenMessages = {
    {"colour = ", {"colour", "unknown key", "'gravity'"}},
    {"end = ", {"time.end", "\"1 kg\"", "a mass", "a time (s)"}},
    {"stepp = ", {"time.stepp", "did you mean 'step"}},
    {"acceleration = ", {"gravity.acceleration", "\"fast\"", "m/s^2"}},
    {"density = ", {"material[0].density", "-2500", "> 0"}},
    {"restitution = ", {"contact[0].restitution", "1.5", ">= 0 and <= 1"}},
    {"normal = ", {"contact[0].normal", "\"hertzz\"", "'walton-braun'", "did you mean 'hertz'"}},
    {"position = ", {"body[0].position", "3 entries", "2 numbers in m"}},
    {"radius = true", {"body[0].radius", "true", "a length (m)"}},
    {"[[body]] # without", {"body[1].position", "is missing", "2 numbers in m"}}};

}  // namespace

TEST(Mistakes, TenInOneSceneGiveTenMessages) {
  const Folder folder;
  put(folder / "scene.toml", kTenMistakes);
  for (const char* command : {"check", "run"}) {
    const Ended end = run_moraine({command, "scene.toml"}, folder.path());
    expect_each_told_once(end, kTenMistakes, kTenMessages);
    EXPECT_TRUE(contains(end.err, "10 errors")) << end.err;
  }
  EXPECT_EQ(everything_in(folder.path()), Args{"scene.toml"}) << "something was written";
}

// An unknown material and a wall without length are no business of the reader of keys, yet the user wants to hear of
// them in the same breath.
TEST(Mistakes, OfKeysAndOfTheSceneAreToldTogether) {
  const std::string scene = kHead + kDomain + kRock + "[[contact]]\nrestitution = 1.5\n" +
                            "[[wall]]\nname = \"floor\"\nmaterial = \"rok\"\nfrom = [-1, 0]\nto = [1, 0]\n" +
                            "[[wall]]\nname = \"side\"\nmaterial = \"rock\"\nfrom = [1, 7]\nto = [1, 7]\n" + kBody;
  const Folder folder;
  put(folder / "scene.toml", scene);
  expect_each_told_once(run_moraine({"check", "scene.toml"}, folder.path()), scene,
                        {{"restitution = 1.5", {"contact[0].restitution", "1.5"}},
                         {"material = \"rok\"", {"wall[0].material", "\"rok\"", "did you mean 'rock'"}},
                         {"to = [1, 7]", {"wall[1].to", "no length"}}});
}

TEST(Mistakes, OfDirectionsAreToldWithThoseOfOtherKeys) {
  const std::string scene =
      "dimension = 3\nmethod = \"soft\"\n[time]\nend = -1\n" + kRock +
      "[[wall]]\nname = \"a\"\nkind = \"plane\"\nmaterial = \"rock\"\npoint = [0, 0, 0]\nnormal = [0, 0, 0]\n" +
      "[[wall]]\nname = \"b\"\nkind = \"cylinder\"\nmaterial = \"rock\"\npoint = [0, 0, 0]\nradius = 1\n" +
      "axis = [0, 0.0, -0.0]\n[gravity]\ndirection = [0, 0.0, 0]\n" +
      "[[outlet]]\nname = \"out\"\nat = [0, 0, 0]\ndirection = [0.0, 0, 0]\n";
  const Folder folder;
  put(folder / "scene.toml", scene);
  expect_each_told_once(run_moraine({"check", "scene.toml"}, folder.path()), scene,
                        {{"end = -1", {"time.end", "must be > 0"}},
                         {"normal = [0, 0, 0]", {"wall[0].normal", "no direction"}},
                         {"axis = [0, 0.0, -0.0]", {"wall[1].axis", "no direction"}},
                         {"direction = [0, 0.0, 0]", {"gravity.direction", "no direction"}},
                         {"direction = [0.0, 0, 0]", {"outlet[0].direction", "no direction"}}});
}

TEST(Mistakes, OfTheSceneAreToldTogether) {
  const std::string scene = kHead + kDomain + kRock + R"([[material]]
name = "ice"
density = 900
stiffness = 1e6
[[material]]
name = "ice" # again
density = 901
stiffness = 1e6
[[contact]]
restitution = 0.5
[[contact]]
between = ["rock", "glass"]
restitution = 0.5
[[wall]]
name = "floor"
material = "rock"
from = [-1, 0]
to = [1, 0]
[[wall]]
name = "floor" # again
material = "rock"
from = [-1, -0.9]
to = [1, -0.9]
[[wall]]
name = "point"
material = "rock"
from = [0.9, 0.9]
to = [0.9, 0.9] # the same
[[body]]
position = [0, 0.5]
radius = 0.1
material = "rock"
[[body]]
position = [0, 0.55] # on the first
radius = 0.1
material = "rock"
[[body]]
position = [0, 5]
radius = 0.1
material = "rock"
[[probe]]
kind = "walls"
walls = ["flor"]
[[probe]]
kind = "bodies"
ids = [99]
[[probe]]
kind = "energy"
name = "e"
[[probe]]
kind = "counts"
name = "e" # again
)";
  const Folder folder;
  put(folder / "scene.toml", scene);
  const Ended end = run_moraine({"run", "scene.toml", "--out", "out"}, folder.path());
  expect_each_told_once(end, scene,
                        {{"name = \"ice\" # again", {"material[2].name", "\"ice\""}},
                         {"between = ", {"contact[1].between[1]", "\"glass\"", "'rock', 'ice'"}},
                         {"name = \"floor\" # again", {"wall[1].name", "\"floor\""}},
                         {"to = [0.9, 0.9]", {"wall[2].to", "no length"}},
                         {"position = [0, 0.55]", {"body[1].position", "overlaps body 0", "0.15 m"}},
                         {"position = [0, 5]", {"body[2].position", "outside the domain"}},
                         {"walls = ", {"probe[0].walls[0]", "\"flor\"", "did you mean 'floor'"}},
                         {"ids = ", {"probe[1].ids", "99", "0 to 2"}},
                         {"name = \"e\" # again", {"probe[3].name", "\"e\""}}});
  EXPECT_EQ(everything_in(folder.path()), Args{"scene.toml"}) << "something was written";
}

// Mistakes of form do not hide those of meaning, nor those of meaning the step; what follows from a mistake is not
// told.
TEST(Mistakes, OfFormAndOfMeaningAreToldTogether) {
  const std::string scene = R"(dimension = 2
[time]
end = "1 kg" # a mass
step = "5 ms"
colour = "red"
[domain]
min = [-1, -1]
max = [1, 1]
[[material]]
name = "rock"
density = 1000
stiffness = 1e6
[[contact]]
restitution = 0.5
[[wall]]
name = "floor"
material = "rock"
from = [-1, 0]
to = [1, 0]
[[wall]]
name = "floor" # again
material = "rock"
from = [0.9, 0.9]
to = [0.9, 0.9]
[[wall]]
name = "side"
material = "rock"
from = [-1, 0.5, 0]
to = [1, 0.5]
[[body]]
position = [0, 0.5] # within the side, if that were one
radius = -0.1
material = "rock"
[[body]]
position = [0.5, 0.6]
radius = 0.1
material = "rock"
[[body]]
position = [0.5, 0.6] # the same spot
radius = 0.1
material = "rock"
[[body]]
position = [0.5, 0.6]
radius = "10 kg"
material = "rick"
[[body]]
position = [7, 0.6]
radius = 0.1
material = "rock"
[[probe]]
kind = "bodies"
ids = [77]
)";
  const Folder folder;
  put(folder / "scene.toml", scene);
  const std::vector<Mistake> told = {{"end = \"1 kg\" # a mass", {"time.end", "a time"}},
                                     {"step = \"5 ms\"", {"time.step", "longer than is stable"}},
                                     {"colour = ", {"time.colour", "unknown key"}},
                                     {"name = \"floor\" # again", {"wall[1].name", "\"floor\""}},
                                     {"to = [0.9, 0.9]", {"wall[1].to", "no length"}},
                                     {"from = [-1, 0.5, 0]", {"wall[2].from", "3 entries"}},
                                     {"radius = -0.1", {"body[0].radius", "> 0"}},
                                     {"position = [0.5, 0.6] # the same", {"body[2].position", "overlaps body 1"}},
                                     {"radius = \"10 kg\"", {"body[3].radius", "a length"}},
                                     {"material = \"rick\"", {"body[3].material", "did you mean 'rock'"}},
                                     {"position = [7, 0.6]", {"body[4].position", "outside the domain"}},
                                     {"ids = [77]", {"probe[0].ids", "0 to 4"}}};
  expect_each_told_once(run_moraine({"run", "scene.toml", "--out", "out"}, folder.path()), scene, told);
  EXPECT_EQ(everything_in(folder.path()), Args{"scene.toml"}) << "something was written";
}

// The body with the unknown material is not built; the others must keep their places in the file.
TEST(Mistakes, AfterABodyThatCannotBeBuiltPointToTheRightBody) {
  const std::string scene = kWithoutBodies + R"([[body]]
position = [-0.5, 0.5]
radius = 0.1
material = "rok"
[[body]]
position = [0, 5]
radius = 0.1
material = "rock"
[[body]]
position = [0.5, 0.5]
radius = 0.1
material = "rock"
[[body]]
position = [0.5, 0.55]
radius = 0.1
material = "rock"
)";
  const Folder folder;
  put(folder / "scene.toml", scene);
  expect_each_told_once(run_moraine({"check", "scene.toml"}, folder.path()), scene,
                        {{"material = \"rok\"", {"body[0].material"}},
                         {"position = [0, 5]", {"body[1].position", "outside the domain"}},
                         {"position = [0.5, 0.55]", {"body[3].position", "overlaps body 2"}}});
}

// One mistake, one message: a wall that is there, though its material is not, must not be called missing.
TEST(Mistakes, AWallWithAnUnknownMaterialIsNotCalledMissing) {
  const std::string scene = kHead + kDomain + kRock + kContact +
                            "[[wall]]\nname = \"floor\"\nmaterial = \"rok\"\nfrom = [-1, 0]\nto = [1, 0]\n" + kBody +
                            "[[probe]]\nkind = \"walls\"\nwalls = [\"floor\"]\n";
  const Folder folder;
  put(folder / "scene.toml", scene);
  expect_each_told_once(run_moraine({"check", "scene.toml"}, folder.path()), scene,
                        {{"material = \"rok\"", {"wall[0].material", "did you mean 'rock'"}}});
}

TEST(Mistakes, AMissingContactLawIsToldOnce) {
  const std::string scene = kHead + kDomain + kRock + "[[material]]\nname = \"ice\"\ndensity = 900\nstiffness = 1e6\n" +
                            "[[contact]]\nbetween = [\"rock\", \"rock\"]\nrestitution = 0.5\n" + kFloor + kBody +
                            replaced(kBody, "rock", "ice");
  const Folder folder;
  put(folder / "scene.toml", replaced(scene, "position = [0, 0.5]", "position = [0.5, 0.5]"));
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"scene.toml", "no [[contact]]", "\"rock\" and \"ice\""}));
  EXPECT_TRUE(refused(end, {"scene.toml", "no [[contact]]", "\"ice\" and \"ice\""}));
  EXPECT_EQ(end.errors().size(), 2U) << end.told();
}

TEST(Mistakes, ADomainUpsideDownIsRefused) {
  const Folder folder;
  put(folder / "scene.toml", replaced(kSound, "max = [1, 1]", "max = [1, -2]"));
  const Ended end = run_moraine({"check", "scene.toml"}, folder.path());
  EXPECT_TRUE(refused(end, {"scene.toml:6: ", "domain.max", "-2", "-1"}));
}

// ---- one mistake at a time

struct OneMistake {
  const char* name;
  std::string scene;
  std::string line;  // the line that must be named; empty: of the scene as a whole
  std::vector<std::string> parts;
};
void PrintTo(const OneMistake& m, std::ostream* out) { *out << m.name; }

class One : public ::testing::TestWithParam<OneMistake> {};

TEST_P(One, IsRefusedAndExplained) {
  const auto& [name, scene, line, mentioned] = GetParam();
  const Folder folder;
  put(folder / "scene.toml", scene);
  std::vector<std::string> parts = mentioned;
  if (!line.empty()) {
    ASSERT_GT(line_of(scene, line), 0) << line << " is not in the scene:\n" << scene;
    parts.push_back("scene.toml:" + std::to_string(line_of(scene, line)) + ": ");
  }
  for (const char* command : {"check", "run"}) {
    const Ended end = run_moraine({command, "scene.toml"}, folder.path());
    EXPECT_TRUE(refused(end, parts));
    EXPECT_EQ(end.errors().size(), 1U) << end.told();
  }
  EXPECT_EQ(everything_in(folder.path()), Args{"scene.toml"}) << "something was written";
}

namespace {

std::string fill(const std::string& keys) { return kWithoutBodies + "[[fill]]\nmaterial = \"rock\"\n" + keys; }
std::string sound_but(const std::string& what, const std::string& with) { return replaced(kSound, what, with); }
std::string contact(const std::string& keys) { return sound_but(kContact, kContact + keys); }
std::string probe(const std::string& keys) { return kSound + "[[probe]]\n" + keys; }
const std::string kRegion = "radius = 0.01\nmin = [-0.5, 0.1]\nmax = [0.5, 0.9]\n";
const std::string kLarge = replaced(kRegion, "radius = 0.01", "radius = 0.05");
const std::string kTooLarge = replaced(kRegion, "radius = 0.01", "radius = 2");

std::vector<OneMistake> cases() {
  return {
      {"NegativeRadius", sound_but("radius = 0.1", "radius = -0.1"), "radius = ", {"body[0].radius", "-0.1", "> 0"}},
      {"ZeroRadius", sound_but("radius = 0.1", "radius = 0"), "radius = ", {"body[0].radius", "0", "> 0"}},
      {"RestitutionZero",
       sound_but("restitution = 0.5", "restitution = 0"),
       "restitution = ",
       {"contact[0].restitution", "0", "> 0 and <= 1"}},
      {"RestitutionAboveOne",
       sound_but("restitution = 0.5", "restitution = 1.5"),
       "restitution = ",
       {"contact[0].restitution", "1.5", ">= 0 and <= 1"}},
      {"TwoBodiesOnTheSameSpot",
       kSound + replaced(kBody, "0.5]", "0.5] # again"),
       "# again",
       {"body[1].position", "overlaps body 0"}},
      {"BodyInAWall",
       sound_but("position = [0, 0.5]", "position = [0, 0.05]"),
       "position = ",
       {"body[0].position", "overlaps wall \"floor\"", "0.05 m"}},
      {"BodyOutsideTheDomain",
       sound_but("position = [0, 0.5]", "position = [0, 7.5]"),
       "position = ",
       {"body[0].position", "outside the domain", "7.5", "-1"}},
      {"UnknownMaterial",
       sound_but("0.1\nmaterial = \"rock\"", "0.1\nmaterial = \"wood\""),
       "material = \"wood\"",
       {"body[0].material", "\"wood\"", "'rock'"}},
      {"WallOfNoLength", sound_but("to = [1, 0]", "to = [-1, 0]"), "to = ", {"wall[0].to", "no length"}},
      {"StepLongerThanStable",
       sound_but("end = 0.01\n", "end = 0.01\nstep = \"5 ms\"\n"),
       "step = ",
       {"time.step", "0.005", "longer than is stable", "at most"}},
      {"StepAndFraction",
       sound_but("end = 0.01\n", "end = 0.01\nstep = 1e-6\nfraction = 0.01\n"),
       "fraction = ",
       {"time.fraction", "step"}},
      {"NoEnd", sound_but("end = 0.01\n", ""), "[time]", {"time", "end"}},
      {"PeriodicBoxTooSmall",
       replaced(kHead + "[domain]\nmin = [0, 0]\nmax = [0.3, 1]\nperiodic = [\"x\"]\n" + kRock + kContact + kBody,
                "position = [0, 0.5]", "position = [0.1, 0.5]"),
       "max = ",
       {"domain.max", "periodic", "two diameters"}},
      {"PeriodicWithoutBounds",
       sound_but("min = [-1, -1]\nmax = [1, 1]", "periodic = [\"x\"]"),
       "periodic = ",
       {"domain.periodic", "domain.min"}},
      {"ProbeOfAMissingWall",
       probe("kind = \"walls\"\nwalls = [\"lid\"]\n"),
       "walls = ",
       {"probe[0].walls[0]", "\"lid\"", "'floor'"}},
      {"ProbeOfAMissingBody", probe("kind = \"bodies\"\nids = [0, 7]\n"), "ids = ", {"probe[0].ids", "7", "0 to 0"}},
      {"ProbeOfABrokenId", probe("kind = \"bodies\"\nids = [0.5]\n"), "ids = ", {"probe[0].ids", "0.5", "whole"}},
      {"ProbeWithASlashInItsName",
       probe("kind = \"energy\"\nname = \"../e\"\n"),
       "name = \"../e\"",
       {"probe[0].name", "../e"}},
      {"ProfileWithoutBins",
       probe("kind = \"profile\"\nbins = 0\n"),
       "bins = ",
       {"probe[0].bins", "0", ">= 1 and <= 10000"}},
      {"ProfileUpsideDown",
       probe("kind = \"profile\"\nmin = 0.5\nmax = 0.5\n"),
       "max = 0.5",
       {"probe[0].max", "0.5", "min must be smaller"}},
      {"ProfileAcrossZIn2D", probe("kind = \"profile\"\naxis = \"z\"\n"), "axis = ", {"probe[0].axis", "no z axis"}},
      {"ProfileWithAWindowBackwards",
       probe("kind = \"profile\"\nwindows = [[0, 1e-3], [5e-3, 2e-3]]\n"),
       "windows = ",
       {"probe[0].windows[1]", "[0.005, 0.002]", "no window"}},
      {"ProfileWithoutBounds",
       replaced(probe("kind = \"profile\"\nsection = 1\n"), kDomain, ""),
       "[[probe]]",
       {"probe[0]", "'min' is missing"}},
      {"ProfileWithoutASection",
       replaced(probe("kind = \"profile\"\nmin = 0\nmax = 1\n"), kDomain, ""),
       "[[probe]]",
       {"probe[0]", "'section' is missing"}},
      {"ProfileWiderThanThePeriod",
       replaced(probe("kind = \"profile\"\naxis = \"x\"\nmin = -1\nmax = 1.5\n"), kDomain,
                kDomain + "periodic = [\"x\"]\n"),
       "max = 1.5",
       {"probe[0].max", "period of 2 m"}},
      {"ProfileWithATableOfAnotherName",
       probe("kind = \"profile\"\n[[probe]]\nkind = \"energy\"\nname = \"profile_1\"\n"),
       "name = \"profile_1\"",
       {"probe[1].name", "there is already a file series/profile_1.csv", "\"profile\""}},
      {"TrussWithUnknownLoads",
       probe("kind = \"truss-forces\"\nloads = \"gravity\"\n"),
       "loads = ",
       {"probe[0].loads", "\"gravity\"", "'weight'", "'motion'"}},
      {"TrussWithoutTolerance",
       probe("kind = \"truss-forces\"\ntolerance = 0\n"),
       "tolerance = ",
       {"probe[0].tolerance", "0", "> 0 and < 1"}},
      {"TrussOfNegativeShear",
       probe("kind = \"truss-forces\"\nshear_ratio = -0.5\n"),
       "shear_ratio = ",
       {"probe[0].shear_ratio", "-0.5", "> 0"}},
      {"TrussOfFrictionAsANumber",
       probe("kind = \"truss-forces\"\nfriction = 0.3\n"),
       "friction = ",
       {"probe[0].friction", "0.3", "true or false"}},
      {"TrussOfHertzStiffness",
       replaced(replaced(probe("kind = \"truss-forces\"\nstiffness = \"law\"\n"), kContact,
                         "[[contact]]\nnormal = \"hertz\"\ntangential = \"none\"\nrestitution = 0.5\n"),
                "stiffness = \"1e6 N/m\"", "young = 1e8"),
       "stiffness = \"law\"",
       {"probe[0].stiffness", "\"linear\" or \"walton-braun\""}},
      {"ClustersOfSomeBodies",
       probe("kind = \"clusters\"\nids = [0]\n"),
       "ids = ",
       {"probe[0].ids", "kind = \"bodies\" or kind = \"clumps\""}},
      {"RollingFrictionWithoutRolling",
       contact("rolling_friction = 0.1\n"),
       "rolling_friction = ",
       {"contact[0].rolling_friction", "rolling = \"constant\" or \"spring\""}},
      {"RollingWithoutFriction",
       contact("rolling = \"spring\"\n"),
       "[[contact]]",
       {"contact[0]", "'rolling_friction'"}},
      {"RollingStiffnessOfTheConstantLaw",
       contact("rolling = \"constant\"\nrolling_friction = 0.1\nrolling_damping = 0.5\n"),
       "rolling_damping = ",
       {"contact[0].rolling_damping", "\"spring\" only"}},
      {"TwistingIn2D",
       contact("rolling = \"constant\"\nrolling_friction = 0.1\ntwisting_friction = 0.1\n"),
       "twisting_friction = ",
       {"contact[0].twisting_friction", "2D"}},
      {"RollingSpringWithoutStiffness",
       replaced(contact("normal = \"hertz\"\nrolling = \"spring\"\nrolling_friction = 0.1\ntangential = \"none\"\n"),
                "stiffness = \"1e6 N/m\"", "young = 1e8"),
       "[[material]]",
       {"material[0]", "'stiffness'", "contact.stiffness"}},
      {"CohesionOfALatchingSpring",
       contact("normal = \"walton-braun\"\ncohesion = { force = 1 }\n"),
       "cohesion = ",
       {"contact[0].cohesion", "\"linear\" or \"hertz\"", "\"walton-braun\""}},
      {"CohesionWithoutStrength", contact("cohesion = {}\n"), "cohesion = ", {"contact[0].cohesion", "'force'"}},
      {"CohesionAsForceAndStress",
       contact("cohesion = { force = 1, stress = 2 }\n"),
       "cohesion = ",
       {"contact[0].cohesion.stress", "leave out one"}},
      {"GrowthWithoutTime",
       contact("cohesion = { force = 1, growth = 2 }\n"),
       "cohesion = ",
       {"contact[0].cohesion", "'time' is missing"}},
      {"TimeWithoutGrowth",
       contact("cohesion = { force = 1, time = 2 }\n"),
       "cohesion = ",
       {"contact[0].cohesion.time", "goes with growth"}},
      {"CohesionTooSoft", contact("cohesion = { force = \"1 MN\" }\n"), "", {"stretched by 2 m", "0.1 m"}},
      {"BondOfViscousFriction",
       contact("tangential = \"viscous\"\nshear_viscosity = 1\nbond = { tension = 1, shear = 1 }\n"),
       "bond = ",
       {"contact[0].bond", "\"viscous\""}},
      {"BondWithoutShear", contact("bond = { tension = 1 }\n"), "bond = ", {"contact[0].bond", "'shear' is missing"}},
      {"BendingWithoutMoment",
       contact("bond = { tension = 1, shear = 1, bending_ratio = 2 }\n"),
       "bond = ",
       {"contact[0].bond.bending_ratio", "goes with moment"}},
      {"NoContact", kHead + kDomain + kRock + kFloor + kBody, "", {"scene.toml", "no [[contact]]"}},
      {"NoStiffness", sound_but("stiffness = \"1e6 N/m\"\n", ""), "[[material]]", {"material[0]", "'stiffness'"}},
      {"LatticeTooTight",
       fill("method = \"lattice\"\nspacing = 0.01\n" + kRegion),
       "spacing = ",
       {"fill[0].spacing", "0.01", "0.02"}},
      {"LatticeCountDoesNotFit",
       fill("method = \"lattice\"\ncount = 100000\n" + kRegion),
       "count = ",
       {"fill[0].count", "100000", "room for 2000"}},
      {"RandomFractionTooHigh",
       fill("method = \"random\"\nfraction = 0.8\n" + kLarge),
       "fraction = ",
       {"fill[0].fraction", "no room"}},
      {"RandomCountDoesNotFit",
       fill("method = \"random\"\ncount = 500\n" + kLarge),
       "count = ",
       {"fill[0].count", "no room"}},
      {"RegionTooSmallForOne",
       fill("method = \"lattice\"\n" + kTooLarge),
       "[[fill]]",
       {"fill[0]", "too small for a single body"}},
      {"RegionOutsideTheDomain",
       fill("method = \"lattice\"\n" + replaced(kRegion, "0.9", "1.9")),
       "max = [0.5, 1.9]",
       {"fill[0].max", "1.9", "domain", "-1"}},
      {"RegionUpsideDown",
       fill("method = \"lattice\"\n" + replaced(kRegion, "0.9", "0.05")),
       "max = [0.5, 0.05]",
       {"fill[0].max", "0.05", "0.1"}},
      {"RainRegionTooSmall",
       fill("method = \"rain\"\ncount = 5\nevery = 0.1\n" + kTooLarge),
       "[[fill]]",
       {"fill[0]", "too small for a single body"}},
  };
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Mistake, One, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

// What follows from numbers of a [setup] is told at the [setup]: the user has not written the scene that it makes.
TEST(Mistakes, OfWhatASetupMakesAreToldAtTheSetup) {
  const Folder folder;
  const Ended end = run_moraine({"check", "impact_normal", "--set", "setup.radius=1e-200"}, folder.path());
  EXPECT_TRUE(refused(end, {"impact_normal.toml:8: setup: ", "time.end", "nan is not a finite number"}));
  EXPECT_FALSE(contains(end.err, "(expanded)")) << end.err;
}
