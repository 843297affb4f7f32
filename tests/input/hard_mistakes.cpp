// SPDX-License-Identifier: MIT
// Mistakes in hard scenes: bad topologies and starts, each told with line, key, value and what to do.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

const std::string kHardHead = "dimension = 2\nmethod = \"hard\"\n[time]\nend = 0.1\nstep = 0.001\n[gravity]\n" + kRock;
const std::string kAnchor = "[[body]] # 0\nposition = [0, 0]\nradius = 0.1\nmaterial = \"rock\"\nfixed = true\n";
const std::string kBob = "[[body]] # 1\nposition = [1, 0]\nradius = 0.1\nmaterial = \"rock\"\n";
const std::string kTwo = kHardHead + kAnchor + kBob;

struct Case {
  std::string scene, line;
  Args parts;
};

void expect_told(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Folder folder;
    put(folder / "scene.toml", c.scene);
    const Ended end = run_moraine({"run", "scene.toml"}, folder.path());
    EXPECT_TRUE(ended_with(end, 2)) << c.scene;
    Args parts = c.parts;
    const int line = line_of(c.scene, c.line);
    ASSERT_GT(line, 0) << c.line;
    parts.push_back("scene.toml:" + std::to_string(line) + ": ");
    EXPECT_TRUE(names_problem(end, parts)) << end.told();
    EXPECT_EQ(everything_in(folder.path()), Args{"scene.toml"}) << "something was written";
  }
}

}  // namespace

TEST(HardMistakes, OfTopologyAreTold) {
  expect_told({
      {kTwo + "[[link]]\nbody = 1\nto = 7 # x\n", "to = 7", {"link[0].to", "there is no body 7", "0 to 1"}},
      {kTwo + "[[link]]\nbody = 5 # x\nto = 0\n", "body = 5", {"link[0].body", "there is no body 5", "0 to 1"}},
      {kTwo + "[[link]]\nbody = 1\nto = 1 # x\n", "to = 1 ", {"link[0].to", "same rigid body"}},
      {kTwo + "[[link]]\nbody = 0 # x\nground = [1, 1]\n",
       "body = 0",
       {"link[0].body", "0 is fixed", "nothing between them can move"}},
      {kTwo + "[[link]] # x\nbody = 1\n", "[[link]] # x", {"link[0]", "'to'", "'ground'", "'wall'"}},
      {kTwo + "[[link]] # x\nbody = 1\nto = 0\nground = [0, 1]\n", "[[link]] # x", {"link[0]", "one of the three"}},
      {kTwo + "[[link]]\nkind = \"rod\" # x\nbody = 1\nground = [1, 0]\n",
       "kind = \"rod\"",
       {"link[0].kind", "no length", "joint"}},
      {kTwo + "[[link]]\nkind = \"contact\"\nbody = 1\nwall = \"flor\" # x\n" + kFloor,
       "wall = \"flor\"",
       {"link[0].wall", "there is no wall \"flor\"", "did you mean 'floor'"}},
      {kTwo + "[[link]]\nbody = 1\nwall = \"floor\" # x\n" + kFloor,
       "wall = \"floor\"",
       {"link[0].wall", "kind = \"contact\""}},
      {kTwo + "[[link]]\nkind = \"joint\"\nbody = 1\nto = 0\nlength = 1 # x\n",
       "length = 1",
       {"link[0].length", "rod"}},
      {kTwo + "[[link]]\nbody = 1\nto = 0\nslip = false # x\n", "slip = false", {"link[0].slip", "contact"}},
      {kHardHead +
           "[[chain]]\npath = [[0, 0], [1, 0]]\nlinks = [1]\nmass = 1\nmaterial = \"rock\"\nground_end = true # x\n",
       "ground_end",
       {"chain[0].ground_end", "nothing that can move"}},
      {kHardHead + "[[chain]]\npath = [[0, 0], [1, 0]]\nlinks = [3, 4] # x\nmass = 1\nmaterial = \"rock\"\n",
       "links = [3, 4]",
       {"chain[0].links", "2 numbers", "1 straight part"}},
      {kHardHead + "[[chain]]\npath = [[0, 0], [0, 0]] # x\nlinks = [3]\nmass = 1\nmaterial = \"rock\"\n",
       "path = ",
       {"chain[0].path[1]", "same point"}},
      {kHardHead + "[[chain]]\npath = [[0, 0], [1, 0]]\nlinks = [2.5] # x\nmass = 1\nmaterial = \"rock\"\n",
       "links = [2.5]",
       {"chain[0].links[0]", "whole number"}},
  });
}

TEST(HardMistakes, OfTheStartAreTold) {
  const std::string moving = replaced(kTwo, "[1, 0]\nradius", "[1, 0]\nvelocity = [2, 3]\nradius");
  expect_told({
      {kTwo + "[[link]] # x\nbody = 1\nto = 0\nlength = 1.5\n",
       "[[link]] # x",
       {"link 0 is violated", "is 1 m, not 1.5 m", "hard.project"}},
      {kTwo + "[[link]] # x\nkind = \"joint\"\nbody = 1\nto = 0\nanchor = [-0.9, 0]\n",
       "[[link]] # x",
       {"link 0 is violated", "0.1 m apart", "hard.project"}},
      {kTwo + "[[link]] # x\nkind = \"contact\"\nbody = 1\nto = 0\n",
       "[[link]] # x",
       {"link 0 is violated", "is 1 m, not 0.2 m"}},
      {moving + "[[link]] # x\nbody = 1\nto = 0\n",
       "[[link]] # x",
       {"velocities", "violate link 0", "move apart at 2 m/s", "hard.project"}},
      // Two rods that cannot both be right: no state nearby.
      {kTwo + "[hard]\nproject = true\n[[link]]\nbody = 1\nto = 0\nlength = 1.5\n[[link]] # x\nbody = 1\nto = "
              "0\nlength = 2\n",
       "[[link]] # x",
       {"violated", "contradict each other"}},
  });
}

TEST(HardMistakes, OfWhatDoesNotGoTogetherAreTold) {
  const std::string link = "[[link]]\nbody = 1\nto = 0\n";
  expect_told({
      {replaced(kTwo, "method = \"hard\"\n", "") + kContact + "[[link]] # x\nbody = 1\nto = 0\n",
       "[[link]] # x",
       {"[[link]] needs method = \"hard\""}},
      {kTwo + link + "[domain]\nmin = [-2, -2]\nmax = [2, 2]\nperiodic = [\"x\"] # x\n",
       "periodic",
       {"domain.periodic", "time-stepping"}},
      {kTwo + link + "[hard]\nintegrator = \"time-stepping\"\n[domain]\nmin = [-2, -2]\nmax = [2, 2]\n" +
           "periodic = [\"x\"] # x\n",
       "periodic",
       {"domain.periodic", "[[link]]", "across"}},
      {replaced(kTwo, "step = 0.001", "fraction = 0.1") + link, "fraction", {"time.fraction", "give 'step'"}},
      {kTwo + link + "[hard]\nformulation = \"lagrange\"\nintegrator = \"mixed-iteration\" # x\n",
       "integrator",
       {"hard.integrator", "newton-euler"}},
      {kTwo + link + "[hard]\nover_relaxation = 2.5 # x\n", "over_relaxation", {"hard.over_relaxation", "2.5", "< 2"}},
      {kTwo + link + "[hard]\nintegrator = \"rk5\" # x\n",
       "integrator",
       {"hard.integrator", "\"rk5\"", "did you mean 'rk4'"}},
      {kTwo + link + "[[probe]]\nkind = \"link_forces\"\nlinks = [0, 3] # x\n",
       "links = [0, 3]",
       {"probe[0].links", "there is no link 3", "0 to 0"}},
      {"dimension = 2\n[setup]\nkind = \"pendulum\" # x\n", "kind = ", {"setup.kind", "method = \"hard\""}},
  });
}

// Two that a link joins may overlap: they do not touch each other.
TEST(HardMistakes, LinkedBodiesMayOverlap) {
  const Folder folder;
  const std::string two =
      "dimension = 2\nmethod = \"hard\"\n[time]\nend = 0.01\n[hard]\ncontacts = \"steps\"\n"
      "integrator = \"time-stepping\"\n" +
      kRock + kContact +
      "[[body]]\nposition = [0, 0]\nradius = 0.1\nmaterial = \"rock\"\n"
      "[[body]]\nposition = [0.15, 0]\nradius = 0.1\nmaterial = \"rock\"\n";
  put(folder / "linked.toml", two + "[[link]]\nkind = \"rod\"\nbody = 0\nto = 1\n");
  EXPECT_TRUE(ended_with(run_moraine({"check", "linked.toml"}, folder.path()), 0));
  put(folder / "loose.toml", two);
  EXPECT_TRUE(refused(run_moraine({"check", "loose.toml"}, folder.path()), {"body[1].position", "overlaps body 0"}));
}

// Set-ups name their own keys, with the value.
TEST(HardMistakes, OfSetUpsAreTold) {
  const Folder folder;
  const auto check = [&](const Args& sets) {
    Args args = {"check"};
    args.insert(args.end(), sets.begin(), sets.end());
    return run_moraine(args, folder.path());
  };
  EXPECT_TRUE(
      refused(check({"three_spheres", "--set", "setup.masses=[1,-2,1]"}), {"setup.masses[1]", "-2", "greater than 0"}));
  const Ended tiny = check({"pendulum", "--set", "setup.length=1e-300"});
  EXPECT_TRUE(refused(tiny, {"setup.length", "1e-300", "at least"}));
  EXPECT_EQ(tiny.told().find("chain"), std::string::npos) << tiny.told();
}

// A run has whole steps: the end that it comes to is told where it is another.
TEST(HardMistakes, AnEndThatIsNoWholeNumberOfStepsIsTold) {
  const Folder folder;
  for (const char* method : {"hard", "soft"}) {
    const std::string scene = std::string("dimension = 2\nmethod = \"") + method +
                              "\"\n[time]\nend = 0.01\nstep = 0.003\n" + kRock +
                              "[[contact]]\nrestitution = 0.5\n[[body]]\nposition = [0, 0]\nradius = 0.1\n"
                              "material = \"rock\"\n";
    put(folder / "scene.toml", scene);
    const Ended end = run_moraine({"run", "scene.toml", "--out", std::string("out_") + method}, folder.path());
    EXPECT_TRUE(ended_with(end, 0));
    EXPECT_NE(end.told().find("time.end = 0.01 s is no whole number of steps of 0.003 s: the run ends at 0.009 s"),
              std::string::npos)
        << end.told();
  }
}

// Event mode's example runs in steps and by time stepping with what is set; cohesion can be set to none.
TEST(HardMistakes, ExamplesCanBeSwitchedByOneKey) {
  const Folder folder;
  for (const char* integrator : {"mixed-iteration", "time-stepping"}) {
    EXPECT_TRUE(ended_with(run_moraine({"check", "bouncing_ball", "--set", std::string("hard.integrator=") + integrator,
                                        "--set", "hard.contacts=steps"},
                                       folder.path()),
                           0))
        << integrator;
  }
  EXPECT_TRUE(refused(run_moraine({"check", "bouncing_ball", "--set", "hard.integrator=time-stepping", "--set",
                                   "hard.contacts=steps", "--set", "hard.event_tolerance=1e-12"},
                                  folder.path()),
                      {"hard.event_tolerance", "time-stepping"}));
  EXPECT_TRUE(ended_with(run_moraine({"check", "cohesive_pile", "--set", "contact.0.cohesion.force=0", "--set",
                                      "contact.0.cohesion.growth=0"},
                                     folder.path()),
                         0));
}

TEST(HardMistakes, OfContactsThatAreFollowedAreTold) {
  const std::string followed =
      replaced(kHardHead, "[gravity]", "[hard]\nintegrator = \"dopri\"\n[gravity]") + kContact + kAnchor;
  const auto with = [&](const std::string& keys) {
    return replaced(followed, "\"dopri\"\n", "\"dopri\"\n" + keys + "\n") + kBob;
  };
  expect_told({
      {with("event_search = \"bisect\" # x"), "event_search", {"hard.event_search", "\"bisect\"", "bisection"}},
      {with("event_tolerance = 0 # x"), "event_tolerance", {"hard.event_tolerance", "0", "> 0"}},
      {with("event_tolerance = 0.5 # x"), "event_tolerance", {"hard.event_tolerance", "0.5 s", "longer than a step"}},
      {with("event_tolerance = \"1 m\" # x"), "event_tolerance", {"hard.event_tolerance", "1 m"}},
      {with("most_events = 0 # x"), "most_events", {"hard.most_events", "0", ">= 1"}},
      {with("impacts = \"together\" # x"), "impacts", {"hard.impacts", "\"together\"", "simultaneous", "sequential"}},
      {with("impact_speed = -1 # x"), "impact_speed", {"hard.impact_speed", "-1", ">= 0"}},
      {with("friction = \"coulomb\" # x"), "friction = \"coulomb\"", {"hard.friction", "\"coulomb\"", "cone"}},
      {with("friction = \"lagged\" # x"), "friction = \"lagged\"", {"hard.friction", "contacts = \"steps\""}},
      {with("friction_speed = 0.1 # x"), "friction_speed", {"hard.friction_speed", "friction = \"smooth\""}},
      {with("friction_limit = true # x"), "friction_limit", {"hard.friction_limit", "smooth", "lagged"}},
      {with("formulation = \"lagrange\" # x"), "formulation", {"hard.formulation", "newton-euler", "contacts"}},
      {with("energy = \"end\" # x"), "energy", {"hard.energy", "position"}},
      {with("contacts = \"steps\" # x"), "contacts = ", {"hard.contacts", "mixed-iteration"}},
      {replaced(with("impacts = \"sequential\" # x"), "dopri", "time-stepping"),
       "impacts",
       {"hard.impacts", "time-stepping"}},
      {with("contacts = \"none\"\nimpacts = \"sequential\" # x"), "impacts", {"hard.impacts", "goes with contacts"}},
      {replaced(with(""), "restitution = 0.5", "restitution = 0.5\nrolling = \"constant\" # x\nrolling_friction = 0.1"),
       "rolling = ",
       {"contact[0].rolling", "time-stepping"}},
      {with("") + kFloor + "[[wall.motion]] # y\nspin = 1\n", "[[wall]]", {"wall[0]", "turn", "time-stepping"}},
  });
}

// With hard.project the start is changed until it satisfies the links, and the run goes.
TEST(HardStart, IsProjectedWhereAsked) {
  const Folder folder;
  put(folder / "scene.toml",
      replaced(kTwo, "[1, 0]\nradius", "[1.001, 0]\nvelocity = [2, 3]\nradius") +
          "[hard]\nproject = true\n[[link]]\nbody = 1\nto = 0\nlength = 1\n"
          "[[probe]]\nkind = \"bodies\"\nids = [1]\nevery_steps = 1\n[[probe]]\nkind = \"links\"\n");
  const Ended end = run_moraine({"run", "scene.toml", "--out", "out", "--quiet"}, folder.path());
  ASSERT_TRUE(ended_with(end, 0));
  const std::string csv = get(folder / "out/series/bodies.csv");
  const std::string first = csv.substr(csv.find('\n') + 1, csv.find('\n', csv.find('\n') + 1) - csv.find('\n') - 1);
  EXPECT_EQ(first, "0,1,0,0,3,0") << "on the circle, and only across the rod";
}

TEST(HardMistakes, OfContactsAreTold) {
  const std::string contact = "[[contact]]\nrestitution = 0.5\nfriction = 0.3\n", crowd = kTwo + contact;
  const auto with = [&](const std::string& hard) { return crowd + "[hard]\n" + hard + "\n"; };
  expect_told({
      {with("contacts = \"evnts\" # x"), "contacts = ", {"hard.contacts", "did you mean 'events'"}},
      {with("contacts = \"events\" # x"), "contacts = ", {"hard.contacts", "dopri"}},
      {with("integrator = \"rk4\"\ncontacts = \"steps\" # x"), "contacts = ", {"hard.contacts", "time-stepping"}},
      {with("integrator = \"time-stepping\"\nformulation = \"lagrange\" # x\n[[link]]\nbody = 1\nto = 0"),
       "formulation",
       {"hard.formulation", "time-stepping"}},
      {with("integrator = \"time-stepping\"\ncontacts = \"none\" # x"),
       "contacts = ",
       {"hard.contacts", "time-stepping"}},
      {with("substeps = 0 # x"), "substeps = ", {"hard.substeps", "0", "1"}},
      {with("residual = 0 # x"), "residual = ", {"hard.residual", "0"}},
      {with("least_iterations = 9 # x\nmost_iterations = 4"),
       "least_iterations",
       {"hard.least_iterations", "most_iterations"}},
      {with("push_out = 1.5 # x"), "push_out", {"hard.push_out", "1.5"}},
      {with("impact_speed = \"1 kg\" # x"), "impact_speed", {"hard.impact_speed", "1 kg"}},
      {with("contact_solver = \"newton\" # x"), "contact_solver", {"hard.contact_solver", "conjugate"}},
      {with("step = -1 # x"), "step = -1", {"hard.step", "-1"}},
      {crowd + "[[fill]]\nmethod = \"squeeze\" # x\nmaterial = \"rock\"\nradius = 0.01\nmin = [0, 2]\nmax = [1, 3]\n"
               "fraction = 0.5\n",
       "method = \"squeeze\"",
       {"fill[0].method", "checkpoint"}},
      {crowd + "[[wall]]\nname = \"lid\"\nmaterial = \"rock\"\nfrom = [-3, 5]\nto = [3, 5]\nfree = { mass = 1, "
               "direction = [0, 1] } # x\n",
       "free = {",
       {"wall[0].free", "no walls that bodies push"}},
  });
}

TEST(HardMistakes, AMissingContactLawIsTold) {
  const Folder folder;
  put(folder / "scene.toml", kTwo);
  const Ended end = run_moraine({"run", "scene.toml"}, folder.path());
  EXPECT_TRUE(ended_with(end, 2));
  EXPECT_TRUE(names_problem(end, {"scene.toml", "no [[contact]]", "hard.contacts = \"none\""})) << end.told();
}

// Soft contacts cannot lose everything in an impact, hard ones can.
TEST(HardMistakes, RestitutionZeroIsForHardContacts) {
  const std::string scene = kTwo + "[[contact]]\nrestitution = 0 # x\nstiffness = 1e5\n";
  const Folder folder;
  put(folder / "scene.toml", scene);
  EXPECT_TRUE(ended_with(run_moraine({"check", "scene.toml"}, folder.path()), 0));
  const Ended soft = run_moraine({"check", "scene.toml", "--set", "method=soft"}, folder.path());
  EXPECT_TRUE(ended_with(soft, 2));
  EXPECT_TRUE(names_problem(soft, {"contact[0].restitution", "> 0 and <= 1"})) << soft.told();
}
