// SPDX-License-Identifier: MIT
// Reading scene files against a small schema: values, and the place and the text of every kind of mistake.
#include "scene/reader.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace moraine::scene {

// Also used by scene_writer.cpp: one key of every type, variants of a table, and a nested array.
const Schema& sample_schema() {
  using namespace keys;
  static const Schema schema(
      "A sample scene",
      {text("title").def("untitled").help("Name of the scene."),
       integer("dimension").between(2, 3).def("2").help("2 or 3."),
       choice("method", {{"soft", "springs"}, {"hard", "constraints"}}).def("soft").help("How contacts work."),
       table("time", {number("end", kTime).positive().required().help("When to stop."),
                      number("step", kTime).positive().help("Step; chosen if absent."),
                      number("fraction").above(0).at_most(1).def("0.05").help("Of the contact time.")})
           .required()
           .help("Time"),
       table("gravity", {vector("g", kAcceleration).def("[0, -9.81]", "[0, 0, -9.81]").help("Acceleration.")})
           .defaulted()
           .help("Gravity"),
       tables("material",
              {text("name").required().count(1).help("Name."),
               number("density", kDensity).positive().required().help("Density."),
               number("angle", kAngle).between(0, std::numbers::pi / 2).def("20 deg").help("Angle of friction.")})
           .required()
           .help("A material"),
       tables(
           "body",
           {selector("shape").def("ball").help("Its form."), text("material").required().help("Its material."),
            vector("position", kLength).required().help("Centre."), vector("velocity", kSpeed).def("0").help("Speed."),
            rotation("spin", kSpin).def("0", "[0, 0, 0]").help("Spin."), boolean("fixed").def("false").help("Held."),
            tables("tag", {text("key").required().help("Key."), numbers("at", kLength).def("[]").help("Places.")})
                .help("A mark")},
           {variant("shape", "ball", "A disk or a sphere.",
                    {number("radius", kLength).positive().required().help("R.")}),
            variant("shape", "box", "A rectangle.", {vector("size", kLength).positive().required().help("Sides.")}),
            variant("shape", "polygon", "A polygon.",
                    {points("corners", kLength).count(3).required().help("Corners.")})})
           .help("A body"),
       table("output",
             {texts("fields").one_of({{"v", "speed"}, {"f", "force"}}).def("[\"v\"]").help("What."),
              range("window", kTime).at_least(0).help("When."), integer("count").at_least(1).def("100").help("N.")})
           .help("Output")});
  return schema;
}

namespace {

// A name for a case: its number, and the letters of its text.
std::string case_name(std::size_t index, const std::string& text) {
  std::string out = std::to_string(index) + "_";
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : "_";
  return out;
}

const std::string kGood = R"(title = "Two balls"
[time]
end = "10 ms"
[[material]]
name = "steel"
density = "7.8 g/cm^3"
[[material]]
name = "glass"
density = 2500
[[body]]
material = "steel"
position = [0, "5 cm"]
radius = "5 cm"
[[body]]
shape = "polygon"
material = "glass"
position = [1, 0]
corners = [[0, 0], [1, 0], ["50 cm", 1]]
spin = "30 rpm"
[[body.tag]]
key = "a"
at = [1, "2 mm"]
)";

Node read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_scene_text(sample_schema(), text, "s.toml", sets);
}

std::vector<base::Problem> problems_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    read(text, sets);
  } catch (const base::InputError& error) {
    return error.problems();
  }
  return {};
}

// The one problem of a text, as printed.
std::string problem_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  const auto problems = problems_of(text, sets);
  if (problems.size() == 1) return problems.front().str();
  std::string all = std::to_string(problems.size()) + " problems";
  for (const auto& problem : problems) all += "\n" + problem.str();
  return all;
}

// kGood with one line replaced.
std::string with_line(int line, const std::string& text) {
  std::string out, rest = kGood;
  for (int i = 1; !rest.empty(); ++i) {
    const std::size_t end = rest.find('\n') + 1;
    out += i == line ? text + "\n" : rest.substr(0, end);
    rest = rest.substr(end);
  }
  return out;
}

TEST(SceneReader, ReadsValuesInSi) {
  const Node scene = read(kGood);
  EXPECT_EQ(scene.text("title"), "Two balls");
  EXPECT_EQ(scene.table("time").number("end"), 0.01);
  EXPECT_EQ(scene.tables("material")[0].number("density"), 7800.0);
  const Node& ball = scene.tables("body")[0];
  EXPECT_EQ(ball.numbers("position"), (std::vector<double>{0.0, 0.05}));
  EXPECT_EQ(ball.number("radius"), 0.05);
  const Node& polygon = scene.tables("body")[1];
  EXPECT_EQ(polygon.points("corners")[2], (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(polygon.numbers("spin"), std::vector<double>{30 * (std::numbers::pi / 30)});
  EXPECT_EQ(polygon.tables("tag")[0].numbers("at"), (std::vector<double>{1.0, 0.002}));
  EXPECT_EQ(polygon.path("corners"), "body[1].corners");
  EXPECT_EQ(polygon.tables("tag")[0].path(), "body[1].tag[0]");
}

TEST(SceneReader, FillsDefaultsAndRemembersWhatWasGiven) {
  const Node scene = read(kGood);
  EXPECT_EQ(scene.integer("dimension"), 2);
  EXPECT_TRUE(scene.has("dimension"));
  EXPECT_FALSE(scene.given("dimension"));
  EXPECT_TRUE(scene.given("title"));
  EXPECT_FALSE(scene.table("time").has("step"));
  EXPECT_EQ(scene.table("time").number("step", 7.0), 7.0);
  EXPECT_EQ(scene.table("gravity").numbers("g"), (std::vector<double>{0.0, -9.81}));
  EXPECT_FALSE(scene.given("gravity"));
  EXPECT_EQ(scene.tables("body")[0].numbers("velocity"), (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(scene.tables("body")[0].text("shape"), "ball");
  EXPECT_DOUBLE_EQ(scene.tables("material")[0].number("angle"), std::numbers::pi / 9);
  EXPECT_FALSE(scene.has("output"));
  EXPECT_EQ(scene.table("time").line("end"), 3);
  EXPECT_EQ(scene.table("time").line("fraction"), 2);
  EXPECT_EQ(scene.tables("body")[1].line(), 14);
  EXPECT_EQ(scene.tables("body")[1].tables("tag")[0].line("at"), 22);
}

TEST(SceneReader, ThreeDimensionsMakeLongerVectors) {
  const Node scene = read(
      "dimension = 3\ntime.end = 1\nmaterial = [{name = 'a', density = 1}]\n[[body]]\nmaterial = 'a'\n"
      "position = [0, 0, 0]\nradius = 1\nspin = [0, 0, '1 rad/s']\n");
  EXPECT_EQ(scene.table("gravity").numbers("g"), (std::vector<double>{0.0, 0.0, -9.81}));
  EXPECT_EQ(scene.tables("body")[0].numbers("velocity").size(), 3u);
  EXPECT_EQ(scene.tables("body")[0].numbers("spin"), (std::vector<double>{0.0, 0.0, 1.0}));
}

TEST(SceneReader, AskingForTheUndeclaredIsOurBug) {
  const Node scene = read(kGood);
  EXPECT_THROW(scene.number("ttitle"), std::logic_error);
  EXPECT_THROW(scene.has("ttitle"), std::logic_error);
  EXPECT_THROW(scene.number("title"), std::logic_error);
  EXPECT_THROW(scene.table("time").number("step"), std::logic_error);
  // A key of a variant that was not chosen is declared, and absent.
  EXPECT_FALSE(scene.tables("body")[0].has("corners"));
  EXPECT_THROW(scene.tables("body")[0].points("corners"), std::logic_error);
}

struct Mistake {
  int line;  // replaced in kGood
  const char* text;
  const char* says;  // the whole problem
};

class SceneReaderMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SceneReaderMistake, IsReported) {
  EXPECT_EQ(problem_of(with_line(GetParam().line, GetParam().text)), GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    All, SceneReaderMistake,
    testing::Values(
        Mistake{1, "titel = 'x'", "s.toml:1: titel: unknown key; did you mean 'title'?"},
        Mistake{1, "method = 'sofd'", "s.toml:1: method: \"sofd\" is not one of 'soft', 'hard'; did you mean 'soft'?"},
        Mistake{1, "method = 3", "s.toml:1: method: found 3, but one of 'soft', 'hard' is needed"},
        Mistake{1, "title = 5", "s.toml:1: title: found 5, but a text in quotes is needed"},
        Mistake{1, "dimension = 4", "s.toml:1: dimension: 4 is out of range: it must be >= 2 and <= 3"},
        Mistake{1, "gravity = 1", "s.toml:1: gravity: found 1, but a table [gravity] is needed"},
        Mistake{1, "output.count = 1.5",
                "s.toml:1: output.count: found 1.5, but a whole number (of at most 64 bits) is needed"},
        Mistake{1, "output.count = 1e30",
                "s.toml:1: output.count: found 1e+30, but a whole number (of at most 64 bits) is needed"},
        Mistake{1, "output.count = '5'", "s.toml:1: output.count: found \"5\", but a whole number is needed"},
        Mistake{1, "output.window = [2, 1]",
                "s.toml:1: output.window: [2, 1] is upside down: the smaller number goes first"},
        Mistake{1, "output.window = [1]",
                "s.toml:1: output.window: has 1 entry, but a range [smallest, largest] in s is needed"},
        Mistake{1, "output.fields = ['v', 'w']", "s.toml:1: output.fields[1]: \"w\" is not one of 'v', 'f'"},
        Mistake{1, "[[gravity]]", "s.toml:1: gravity: is written as an array [[gravity]]; write [gravity], once"},
        Mistake{1, "gravity.g = [0, 1, 2]",
                "s.toml:1: gravity.g: has 3 entries, but a vector of 2 numbers in m/s^2 is needed"},
        Mistake{1, "[tme]", "s.toml:1: tme: unknown table; did you mean 'time'?"},
        Mistake{1, "[[colour]]",
                "s.toml:1: colour: unknown table; the keys here are 'title', 'dimension', 'method', 'time', 'gravity', "
                "'material', 'body', 'output'"},
        Mistake{3, "end = 1\nmethod = 'hard'",
                "s.toml:4: time.method: unknown key; it belongs at the top of the file, above the first [table]"},
        Mistake{3, "end = -1", "s.toml:3: time.end: -1 is out of range: it must be > 0 s"},
        Mistake{3, "end = '5 cm'", "s.toml:3: time.end: \"5 cm\" is a length (m), but a time (s) is needed"},
        Mistake{3, "end = nan", "s.toml:3: time.end: nan is not a finite number; a time (s) is needed"},
        Mistake{3, "end = inf", "s.toml:3: time.end: inf is not a finite number; a time (s) is needed"},
        Mistake{3, "end = true", "s.toml:3: time.end: found true, but a time (s) is needed"},
        Mistake{3, "end = 1979-05-27", "s.toml:3: time.end: found a date or time, but a time (s) is needed"},
        Mistake{3, "end = [1]", "s.toml:3: time.end: found a list of 1, but a time (s) is needed"},
        Mistake{3, "end = {}", "s.toml:3: time.end: found a table, but a time (s) is needed"},
        Mistake{3, "", "s.toml:2: time.end: is missing: a time (s) is needed"},
        Mistake{3, "end = 1\nfraction = 0", "s.toml:4: time.fraction: 0 is out of range: it must be > 0 and <= 1"},
        Mistake{5, "name = ''", "s.toml:5: material[0].name: has 0 characters, but it needs at least 1"},
        Mistake{6, "density = 1\nangle = '100 deg'",
                "s.toml:7: material[0].angle: \"100 deg\" is out of range: it must be >= 0 deg and <= 90 deg"},
        Mistake{9, "", "s.toml:7: material[1].density: is missing: a density (kg/m^3) is needed"},
        Mistake{12, "position = [0,\n  1,\n  '2 s']",
                "s.toml:12: body[0].position: has 3 entries, but a vector of 2 numbers in m is needed"},
        Mistake{12, "position = [0,\n  '2 s']",
                "s.toml:13: body[0].position[1]: \"2 s\" is a time (s), but a length (m) is needed"},
        Mistake{13, "radius = 1\nsize = [1, 1]", "s.toml:14: body[0].size: goes only with shape = \"box\""},
        Mistake{15, "shape = 'polygn'",
                "s.toml:15: body[1].shape: \"polygn\" is not one of 'ball', 'box', 'polygon'; did you mean "
                "'polygon'?"},
        Mistake{18, "corners = [[0, 0], [1, 0]]", "s.toml:18: body[1].corners: has 2 points, but it needs at least 3"},
        Mistake{18, "corners = [[0, 0], [1, 0], [1]]",
                "s.toml:18: body[1].corners[2]: has 1 entry, but a vector of 2 numbers in m is needed"},
        Mistake{20, "[body.tag]", "s.toml:20: body[1].tag: is written as a single table [tag]; write [[tag]]"},
        Mistake{22, "att = 1", "s.toml:22: body[1].tag[0].att: unknown key; did you mean 'at'?"}),
    [](const auto& test) { return case_name(test.index, test.param.text); });

TEST(SceneReader, ExactlyIntegralNumbersAreIntegers) {
  EXPECT_EQ(read(with_line(1, "output.count = 1e3")).table("output").integer("count"), 1000);
}

TEST(SceneReader, MissingTablesBelongToTheWholeFile) {
  const auto problems = problems_of("title = 'x'");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].str(), "s.toml: time: is missing: a table [time] is needed");
  EXPECT_EQ(problems[1].str(), "s.toml: material: is missing: an array of tables [[material]] is needed");
}

TEST(SceneReader, SyntaxErrorsHaveALine) {
  for (const char* line :
       {"end = ", "end = 5 cm", "end = 99999999999999999999", "[time]", "end 5", "end = 1\nend = 2"}) {
    const auto problems = problems_of(with_line(3, line));
    ASSERT_EQ(problems.size(), 1u) << line;
    EXPECT_TRUE(problems[0].line == 3 || problems[0].line == 4) << problems[0].str();
    EXPECT_NE(problems[0].text.find("is not valid TOML"), std::string::npos) << problems[0].str();
  }
}

TEST(SceneReader, UnitsWithoutQuotesGetAHint) {
  EXPECT_NE(problem_of(with_line(3, "end = 5 cm")).find("goes in quotes"), std::string::npos);
}

TEST(SceneReader, TenMistakesAreTenProblems) {
  const std::string text = R"(titel = "x"
method = "sotf"
[time]
end = "5 kg"
fraction = 2
[[material]]
density = 0
[[body]]
material = "steel"
position = [1, 2, 3]
radius = "5 m/s"
shape = "ball"
[[body]]
shape = "cube"
material = 7
position = ["1 m", "1 s"]
side = 1
)";
  std::string all;
  for (const auto& problem : problems_of(text)) all += std::to_string(problem.line) + " " + problem.key + "\n";
  EXPECT_EQ(all,
            "1 titel\n2 method\n4 time.end\n5 time.fraction\n6 material[0].name\n7 material[0].density\n"
            "10 body[0].position\n11 body[0].radius\n14 body[1].shape\n15 body[1].material\n16 body[1].position[1]\n"
            "17 body[1].side\n");
}

// A wrong selector must not make the keys of every variant unknown.
TEST(SceneReader, AWrongSelectorIsOneProblem) { EXPECT_EQ(problems_of(with_line(15, "shape = 'x'")).size(), 1u); }

TEST(SceneReader, AWrongDimensionDoesNotDamnTheVectors) {
  EXPECT_EQ(problem_of(with_line(1, "dimension = 'two'")),
            "s.toml:1: dimension: found \"two\", but a whole number is needed");
}

// ---- --set ----------------------------------------------------------------------------------------------------------

TEST(SceneSets, ReachEveryKind) {
  const Node scene =
      read(kGood, {"time.end=3", "body.0.radius=7 cm", "body[1].spin = 2", "material.glass.density=3 g/cm^3",
                   "method=hard", "output.count=5", "body.0.position.1=9", "title=7", "gravity={g=[1, 2]}",
                   "body[1].tag[0].at=[]", "output.fields=[\"f\"]", "output.fields.0=v"});
  EXPECT_EQ(scene.table("time").number("end"), 3.0);
  EXPECT_EQ(scene.tables("body")[0].number("radius"), 0.07);
  EXPECT_EQ(scene.tables("body")[1].numbers("spin"), std::vector<double>{2.0});
  EXPECT_EQ(scene.tables("material")[1].number("density"), 3000.0);
  EXPECT_EQ(scene.text("method"), "hard");
  EXPECT_EQ(scene.table("output").integer("count"), 5);
  EXPECT_EQ(scene.tables("body")[0].numbers("position")[1], 9.0);
  EXPECT_EQ(scene.text("title"), "7");
  EXPECT_EQ(scene.table("gravity").numbers("g"), (std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(scene.tables("body")[1].tables("tag")[0].numbers("at").empty());
  EXPECT_EQ(scene.table("output").texts("fields"), std::vector<std::string>{"v"});
  EXPECT_TRUE(scene.given("output"));
  EXPECT_EQ(scene.tables("body")[0].line("position"), 12);
}

struct BadSet {
  const char* set;
  const char* says;
};

class SceneSetsBad : public testing::TestWithParam<BadSet> {};

TEST_P(SceneSetsBad, IsReported) { EXPECT_EQ(problem_of(kGood, {GetParam().set}), GetParam().says); }

INSTANTIATE_TEST_SUITE_P(
    All, SceneSetsBad,
    testing::Values(
        BadSet{"time.end", "--set: 'time.end' has no '='; write key.path=value"},
        BadSet{"=5", "--set: '=5' has an empty or unfinished key"},
        BadSet{"time..end=5", "--set: 'time..end=5' has an empty or unfinished key"},
        BadSet{"body[0.radius=\"",
               "--set: body[0].radius: \"\"\" does not begin with a number; a length (m) is needed"},
        BadSet{"body.2.radius=5", "--set: 'body.2.radius=5' has the index 2, but the array has 2 entries (0 to 1)"},
        BadSet{"material.steal.density=5",
               "--set: 'material.steal.density=5' needs an index or a name for 'steal': the "
               "names are 'steel', 'glass'; did you mean 'steel'?"},
        BadSet{"title.x=5", "--set: 'title.x=5' looks for 'x' inside \"Two balls\", which is not a table"},
        BadSet{"time.ent=5", "--set: time.ent: unknown key; did you mean 'end'?"},
        BadSet{"tim.end=5", "--set: tim: unknown table; did you mean 'time'?"},
        BadSet{"time.end=5 cm", "--set: time.end: \"5 cm\" is a length (m), but a time (s) is needed"},
        BadSet{"time.end=-5", "--set: time.end: -5 is out of range: it must be > 0 s"},
        BadSet{"body.0.position.1=5 s",
               "--set: body[0].position[1]: \"5 s\" is a time (s), but a length (m) is needed"},
        BadSet{"time={}", "--set: time.end: is missing: a time (s) is needed"},
        BadSet{"body.0.tag.0.key=x", "--set: 'body.0.tag.0.key=x' reaches into [[tag]], but the file has none"}),
    [](const auto& test) { return case_name(test.index, test.param.set); });

TEST(SceneSets, AllAtOnceAndAfterTheFile) {
  const auto problems = problems_of(with_line(3, "end = 0"), {"x=1", "nonsense", "time.step=0"});
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].line, 3);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(problems[i].file, "--set");
}

// ---- later checks, and files ----------------------------------------------------------------------------------------

TEST(SceneProblems, PointAtTheKey) {
  const Node scene = read(kGood, {"body.0.material=gold"});
  Problems problems;
  problems.add(scene.tables("body")[0], "material", "is not known");
  problems.add(scene.tables("body")[1], "corners[2]", "is inside");
  problems.add(scene.tables("body")[0], "velocity", "is too fast");
  problems.add(scene.tables("material")[1], "is not used");
  try {
    problems.throw_if_any();
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "s.toml:7: material[1]: is not used\ns.toml:10: body[0].velocity: is too fast\n"
                 "s.toml:18: body[1].corners[2]: is inside\n--set: body[0].material: is not known");
  }
}

TEST(SceneProblems, NearestIsNearEnough) {
  const std::vector<std::string> names{"radius", "density", "position"};
  EXPECT_EQ(nearest("raduis", names), "radius");
  EXPECT_EQ(nearest("Radius", names), "radius");
  EXPECT_EQ(nearest("rad", names), "radius");
  EXPECT_EQ(nearest("postion", names), "position");
  EXPECT_EQ(nearest("colour", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
}

class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("scene_files_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string error_of(const std::string& path) {
    try {
      read_scene(sample_schema(), path);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

TEST_F(SceneFiles, AreReadAndRefusedClearly) {
  const std::string good = write("good.toml", kGood);
  EXPECT_TRUE(read_scene(sample_schema(), good) == read(kGood));
  const std::string at = folder_.string();
  EXPECT_EQ(error_of(at + "/god.toml"), at + "/god.toml: no such file; did you mean 'good.toml'?");
  EXPECT_EQ(error_of(at + "/none/x.toml"), at + "/none/x.toml: no such file");
  EXPECT_EQ(error_of(at), at + ": is a folder; a scene file is needed");
  EXPECT_EQ(error_of(write("empty.toml", "")), at + "/empty.toml: is empty: it has no keys");
  EXPECT_EQ(error_of(write("note.toml", "# nothing\n\n")), at + "/note.toml: is empty: it has no keys");
  EXPECT_EQ(error_of(write("zero.toml", std::string("a = 1\nb\0c", 9))),
            at + "/zero.toml:2: holds a zero byte: this is not a text file");
  EXPECT_NE(error_of(write("latin.toml", "title = '\xe9'\n")).find("latin.toml:1: is not valid TOML"),
            std::string::npos);
}

TEST_F(SceneFiles, LargeOnesAreRefusedUnread) {
  const std::string path = write("large.toml", "title = 'x'\n");
  std::filesystem::resize_file(path, kLargestScene + 1);  // a hole: takes no space
  EXPECT_EQ(error_of(path), path + ": is larger than 64 MB; a scene file must not be");
  EXPECT_EQ(error_of("/dev/zero"), "/dev/zero: is larger than 64 MB; a scene file must not be");
}

TEST(SceneReader, EndlessKeysAreRefused) {
  std::string text = "title = 'x'\na";
  for (int i = 0; i < 1000000; ++i) text += ".a";
  EXPECT_EQ(problem_of(text + " = 1"), "s.toml:2: has a key with more than 1000 points in it");
  std::string deep = "x = ";
  for (int i = 0; i < 1000000; ++i) deep += "[";
  EXPECT_EQ(problems_of(deep).size(), 1u);
}

// ---- declarations ---------------------------------------------------------------------------------------------------

TEST(SceneSchema, MistakesInItAreOurBugs) {
  using namespace keys;
  const auto make = [](std::vector<Key> declared) { return Schema("t", std::move(declared)); };
  EXPECT_NO_THROW(check_defaults(sample_schema()));
  EXPECT_THROW(make({number("a").help("x"), number("a").help("y")}), std::logic_error);
  EXPECT_THROW(make({number("a")}), std::logic_error);
  EXPECT_THROW(make({number("a b").help("x")}), std::logic_error);
  EXPECT_THROW(make({number("a").required().def("1").help("x")}), std::logic_error);
  EXPECT_THROW(make({selector("a").help("x")}), std::logic_error);
  EXPECT_THROW(make({table("t", {number("b").help("x")}, {variant("k", "v", "h", {})}).help("x")}), std::logic_error);
  EXPECT_THROW(check_defaults(make({number("a", kLength).def("5 s").help("x")})), std::logic_error);
  EXPECT_THROW(check_defaults(make({number("a").positive().def("0").help("x")})), std::logic_error);
  EXPECT_THROW(check_defaults(make({vector("a").def("[0, 0]").help("x")})), std::logic_error);
}

}  // namespace
}  // namespace moraine::scene
