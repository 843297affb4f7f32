// SPDX-License-Identifier: MIT
// Every number of a scene, one after the other, replaced by what it must not be. The scenes have a value for every key:
// they are the complete ones that runs write.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/error.hpp"
#include "scene/load.hpp"
#include "support/program.hpp"
#include "support/runs.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

const std::string kRich2d = R"(title = "Something of everything"
dimension = 2
global_damping = 0.1
[time]
end = 1e-4
step = 1e-6
speed = 2
rest_energy = 1e-9
[domain]
min = [-2, -2]
max = [2, 2]
periodic = ["x"]
[gravity]
tilt = 0.1
[[material]]
name = "a"
density = 2500
stiffness = 1e6
young = 1e9
[[material]]
name = "b"
density = 1000
stiffness = 1e6
young = 1e9
[[contact]]
damping_rate = 5
[[contact]]
between = ["a", "b"]
normal = "hertz"
restitution = 0.5
tangential = "mindlin"
[[contact]]
between = ["b", "b"]
normal = "hunt-crossley"
restitution = 0.5
coefficient = 1e9
tangential = "viscous"
shear_viscosity = 3
[[wall]]
name = "floor"
material = "a"
from = [-2, 0]
to = [2, 0]
about = [0, 0]
[[wall.motion]]
from = 0
to = 1
velocity = [0.1, 0]
spin = 0.01
[wall.oscillation]
amplitude = [0, 0.001]
frequency = 10
[[body]]
position = [-1.5, 1.5]
radius = 0.1
material = "b"
velocity = [0.1, 0.1]
spin = 1
[[body]]
position = [-1, 1.5]
radius = 0.1
material = "b"
about = [-1, 1.4]
[[body.motion]]
velocity = [0.1, 0]
to = 1
[[fill]]
material = "a"
method = "lattice"
radius = 0.05
spacing = 0.12
count = 5
min = [0, 1]
max = [0.5, 1.5]
[[fill]]
material = "b"
method = "random"
radius = 0.05
count = 5
min = [1, 1]
max = [1.5, 1.5]
[[fill]]
material = "a"
method = "rain"
radius = 0.05
count = 5
every = 0.01
min = [1, -1.5]
max = [1.5, -1]
[[probe]]
kind = "bodies"
ids = [0, 1]
[[probe]]
kind = "contacts"
pairs = [[0, 1]]
wall = "floor"
body = 1
[[probe]]
kind = "impact"
body = 0
other = 1
[output]
checkpoint_every = 1e-5
trajectory = false
vtk = false
)";

const std::string kRich3d = R"(dimension = 3
[time]
end = 1e-4
step = 1e-6
[domain]
min = [-2, -2, -2]
max = [2, 2, 2]
[gravity]
[[material]]
name = "a"
density = 2500
[[contact]]
stiffness = 1e6
restitution = 0.5
shear_damping_rate = 3
[[wall]]
name = "floor"
material = "a"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall.motion]]
velocity = [0, 0, 0.1]
[[body]]
position = [-1.5, 1.5, 1]
radius = 0.1
material = "a"
spin = [1, 0, 0]
[body.oscillation]
amplitude = [0, 0, 0.001]
frequency = 10
[[fill]]
material = "a"
method = "random"
radius = 0.05
fraction = 0.05
min = [1, 1, 1]
max = [1.5, 1.5, 1.5]
[output]
trajectory = false
vtk = false
)";

// The scene as the program itself writes it, with a value for every key.
std::string complete(const std::string& scene) {
  const Folder folder;
  put(folder / "scene.toml", scene);
  const Ended end = run_moraine({"run", "scene.toml", "--quiet", "--out", "run"}, folder.path());
  if (end.status != 0) throw std::runtime_error(end.told());
  return get(folder / "run/scene.toml");
}

struct Number {
  std::size_t at, size;  // in the text
  int line;
  std::string key;
};

// Every number that stands as a value or in a list of values.
std::vector<Number> numbers_of(const std::string& scene) {
  std::vector<Number> found;
  int line = 1;
  std::string key;
  for (std::size_t start = 0; start < scene.size();) {
    const std::size_t end = std::min(scene.find('\n', start), scene.size());
    const std::string text = scene.substr(start, end - start);
    const std::size_t equals = text.find(" = ");
    if (equals != std::string::npos) key = text.substr(0, equals);
    const std::size_t comment = std::min(text.find('#'), text.size());
    const bool header = text.starts_with("[") && equals == std::string::npos;
    for (std::size_t k = equals == std::string::npos ? 0 : equals + 3; !header && k < comment;) {
      if (text[k] == '"') {
        k = std::min(text.find('"', k + 1), text.size() - 1) + 1;
      } else if (text[k] == '-' || std::isdigit(static_cast<unsigned char>(text[k])) != 0) {
        const std::size_t stop = std::min(text.find_first_not_of("0123456789.eE+-", k), text.size());
        found.push_back({start + k, stop - k, line, key});
        k = stop;
      } else {
        ++k;
      }
    }
    start = end + 1;
    ++line;
  }
  return found;
}

void expect_refused_everywhere(const std::string& scene, std::size_t at_least) {
  const std::vector<Number> numbers = numbers_of(scene);
  ASSERT_GE(numbers.size(), at_least) << scene;
  for (const Number& number : numbers) {
    for (const char* bad : {"nan", "inf", "-inf"}) {
      std::string changed = scene;
      changed.replace(number.at, number.size, bad);
      try {
        moraine::scene::load_scene_text(changed, "scene.toml", ".", {});
        ADD_FAILURE() << number.key << " = " << bad << " was taken";
      } catch (const moraine::base::InputError& error) {
        ASSERT_EQ(error.problems().size(), 1U) << error.what();
        const std::string words = error.problems().front().str();
        for (const std::string& part :
             {"scene.toml:" + std::to_string(number.line) + ": ", number.key, std::string(bad)})
          EXPECT_TRUE(contains(words, part)) << words;
      }
    }
  }
}

// Good or refused, at once, and no good scene has an infinite mass or the like.
void expect_sense_everywhere(const std::string& scene) {
  const Folder folder;
  int bad = 0;
  for (const Number& number : numbers_of(scene)) {
    for (const char* extreme : {"1e308", "-1e308", "1e-308", "0", "9000000000000000000", "1e40"}) {
      std::string changed = scene;
      put(folder / "scene.toml", changed.replace(number.at, number.size, extreme));
      const Ended end = run_moraine({"check", "scene.toml"}, folder.path(), {60, 2U << 30});
      const bool sense = !end.late && end.signal == 0 && (end.status == 0 || end.status == 2) &&
                         !contains(end.out, "inf") && !contains(end.out, "nan");
      EXPECT_TRUE(sense) << "line " << number.line << ": " << number.key << " = " << extreme << "\n" << end.told();
      ASSERT_LT(bad += sense ? 0 : 1, 25) << "and so on";
    }
  }
}

}  // namespace

TEST(Values, NanAndInfinityAreRefusedInEveryNumberOfAScene2d) { expect_refused_everywhere(complete(kRich2d), 120); }
TEST(Values, NanAndInfinityAreRefusedInEveryNumberOfAScene3d) { expect_refused_everywhere(complete(kRich3d), 70); }
TEST(Values, ExtremesAreTakenOrRefusedInEveryNumberOfAScene2d) { expect_sense_everywhere(complete(kRich2d)); }
TEST(Values, ExtremesAreTakenOrRefusedInEveryNumberOfAScene3d) { expect_sense_everywhere(complete(kRich3d)); }

TEST(Values, NanAndInfinityAreRefusedWithAUnitToo) {
  const Folder folder;
  for (const char* bad : {"nan m", "inf m", "-inf m", "1e999 m", "NaN", "Infinity"}) {
    put(folder / "scene.toml", replaced(kSound, "radius = 0.1", "radius = \"" + std::string(bad) + "\""));
    EXPECT_TRUE(refused(run_moraine({"check", "scene.toml"}, folder.path()), {"body[0].radius", bad}));
  }
}
