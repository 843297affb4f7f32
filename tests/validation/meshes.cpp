// SPDX-License-Identifier: MIT
// Walls of triangles behave like the surfaces they stand for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "base/random.hpp"
#include "support/in_memory.hpp"
#include "support/program.hpp"

namespace {

using namespace moraine;
using test::from_text;
using test::InMemory;

const std::string kLaws = R"(
dimension = 3
[[material]]
name = "ball"
density = 1000
stiffness = 1e4
)";

// A floor at z = 0 of long needles from y = -1 to y = 1.
void write_needles(const std::filesystem::path& path) {
  base::Stream random(5, "needles");
  std::ofstream out(path);
  std::vector<double> low{-1}, high{-1};
  while (low.back() < 1) low.push_back(low.back() + random.uniform(0.002, 0.03));
  while (high.back() < 1) high.push_back(high.back() + random.uniform(0.002, 0.03));
  for (const double x : low) out << "v " << x << " -1 0\n";
  for (const double x : high) out << "v " << x << " 1 0\n";
  std::size_t a = 0, b = 0;
  while (a + 1 < low.size() || b + 1 < high.size()) {
    const bool below = b + 1 == high.size() || (a + 1 < low.size() && low[a + 1] < high[b + 1]);
    out << "f " << a + 1 << " " << (below ? a + 2 : low.size() + b + 2) << " " << low.size() + b + 1 << "\n";
    (below ? a : b) += 1;
  }
}

const std::string kRolling = kLaws + R"(
[time]
end = 1.0
[gravity]
[[contact]]
restitution = 0.6
friction = 0.5
[[body]]
material = "ball"
radius = 0.05
position = [-0.7, -0.31, 0.052]
velocity = [1.1, 0.4, 0]
spin = [1, 2, 3]
[[probe]]
kind = "walls"
every = 1e-3
[[probe]]
kind = "bodies"
ids = [0]
every = 1e-3
)";

TEST(MeshWall, ABallRollsOverNeedlesAsOnAPlane) {
  const moraine::testing::Folder folder;
  write_needles(folder / "floor.obj");
  const std::string wall = "[[wall]]\nname = \"floor\"\nmaterial = \"ball\"\n";
  InMemory<3> plane(from_text(kRolling + wall + "point = [0, 0, 0]\nnormal = [0, 0, 1]\n"));
  InMemory<3> mesh(
      from_text(kRolling + wall + "kind = \"mesh\"\nfile = \"" + (folder / "floor.obj").string() + "\"\n"));
  plane.to_the_end();
  mesh.to_the_end();
  const auto &p = plane.rows["walls"], &m = mesh.rows["walls"];
  ASSERT_EQ(p.size(), m.size());
  double most = 0;
  for (const auto& row : p) most = std::max(most, std::fabs(row[3]));
  EXPECT_GT(most, 1);
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t c = 1; c <= 3; ++c) ASSERT_NEAR(p[k][c], m[k][c], 1e-9 * most) << "row " << k;
  }
  const auto &x = plane.rows["bodies"].back(), &y = mesh.rows["bodies"].back();
  for (std::size_t c = 1; c < x.size(); ++c) EXPECT_NEAR(x[c], y[c], 1e-9) << c;
  EXPECT_GT(y[1], 0) << "it has crossed many triangles";
}

TEST(MeshWall, ABallAtRestOnASeamStaysAtRest) {
  for (const auto& [x, y] :
       {std::pair{0.5, 0.5}, {0.5, 0.25}, {0.25, 0.25}, {0.3, 0.3}}) {  // corners, seams, diagonals
    InMemory<3> run(
        from_text(kLaws + "[time]\nend = 3\n[gravity]\n[[contact]]\nrestitution = 0.5\nfriction = 0.5\n" +
                  "[[wall]]\nname = \"box\"\nmaterial = \"ball\"\nkind = \"box\"\nsize = [1, 1, 0.2]\ndivisions = 4\n" +
                  "[[body]]\nmaterial = \"ball\"\nradius = 0.05\nposition = [" + std::to_string(x) + ", " +
                  std::to_string(y) + ", 0.25]\n[[probe]]\nkind = \"walls\"\n"));
    run.to_the_end();
    const auto& w = run.world();
    EXPECT_NEAR(w.bodies.place[0].x[0], x, 1e-12);
    EXPECT_NEAR(w.bodies.place[0].x[1], y, 1e-12);
    EXPECT_LT(math::norm(w.bodies.moving[0].v), 1e-9);
    EXPECT_NEAR(run.results("walls").at("box.force_z"), -w.bodies.mass[0] * 9.81, 1e-9 * w.bodies.mass[0]);
  }
}

// One ball in a closed box without losses, for many starts, hits faces, edges and corners. It never leaves, and after
// each start is where six planes would have brought it.
TEST(MeshWall, AClosedBoxKeepsWhatIsInItLikeSixPlanes) {
  // The long form, 100 000 impacts, takes half a minute: MORAINE_LONG=1.
  const bool whole = std::getenv("MORAINE_LONG") != nullptr;
  const int starts = whole ? 420 : MORAINE_SANITIZED ? 4 : 40;
  std::string planes;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) {
      std::string point, normal;
      for (int k = 0; k < 3; ++k) {
        point += (k > 0 ? ", " : "") + std::string(k == axis && side == 1 ? "0.5" : "0");
        normal += (k > 0 ? ", " : "") + std::string(k != axis ? "0" : side == 1 ? "-1" : "1");
      }
      planes += "[[wall]]\nname = \"" + std::to_string(2 * axis + side) + "\"\nmaterial = \"ball\"\npoint = [" + point +
                "]\nnormal = [" + normal + "]\n";
    }
  }
  const std::string box =
      "[[wall]]\nname = \"box\"\nmaterial = \"ball\"\nkind = \"box\"\nsize = [0.5, 0.5, 0.5]\ndivisions = 3\n";
  base::Stream random(9, "box");
  std::int64_t impacts = 0;
  for (int start = 0; start < starts; ++start) {
    std::string x, v;
    for (int k = 0; k < 3; ++k) {
      x += (k > 0 ? ", " : "") + std::to_string(random.uniform(0.11, 0.39));
      v += (k > 0 ? ", " : "") + std::to_string(random.uniform(-1, 1));
    }
    const std::string scene =
        kLaws + "[time]\nend = 60\nfraction = 0.02\n[[contact]]\nstiffness = 4000\nrestitution = 1\n" +
        "friction = 0\n[[body]]\nmaterial = \"ball\"\nradius = 0.1\nposition = [" + x + "]\nvelocity = [" + v + "]\n";
    InMemory<3> with_planes(from_text(scene + planes)), with_box(from_text(scene + box));
    with_planes.to_the_end();
    with_box.run->begin(nullptr);
    std::size_t touched = 0;
    while (!with_box.run->finished()) {
      with_box.run->step();
      const auto& slots = with_box.world().contacts.walls;
      const auto now = static_cast<std::size_t>(std::count(slots.touching.begin(), slots.touching.end(), 1));
      if (now > touched) impacts += static_cast<std::int64_t>(now - touched);
      touched = now;
    }
    const auto &a = with_planes.world().bodies, &b = with_box.world().bodies;
    for (int k = 0; k < 3; ++k) {
      ASSERT_NEAR(a.place[0].x[k], b.place[0].x[k], 1e-8) << "start " << start;
      ASSERT_NEAR(a.moving[0].v[k], b.moving[0].v[k], 1e-8) << "start " << start;
    }
  }
  RecordProperty("impacts", static_cast<int>(impacts));
  EXPECT_GT(impacts, whole ? 100000 : 200 * starts);
}

// From outside, aimed at edges and corners: nothing gets in.
TEST(MeshWall, NothingGetsInThroughEdgesAndCorners) {
  base::Stream random(4, "edges");
  std::string bodies;
  constexpr int kShots = 400;
  for (int shot = 0; shot < kShots; ++shot) {
    // A point on an edge or corner of the box [0, 0.5]^3, and a direction towards it from outside.
    math::Vec3 at, from;
    const int along = static_cast<int>(random.below(4));  // 3: a corner
    for (int k = 0; k < 3; ++k) {
      const double side = random.uniform() < 0.5 ? 0 : 0.5;
      at[k] = k == along ? random.uniform(0, 0.5) : side;
      from[k] = k == along ? random.uniform(-0.5, 0.5) : (side == 0 ? -1 : 1) * random.uniform(0.3, 1);
    }
    from *= 1 / math::norm(from);
    // One after the other, far apart: each comes alone.
    const double far = 0.3 + 0.05 * shot;
    bodies += "[[body]]\nmaterial = \"ball\"\nradius = 0.02\nposition = [";
    for (int k = 0; k < 3; ++k) bodies += (k > 0 ? ", " : "") + std::to_string(at[k] + far * from[k]);
    bodies += "]\nvelocity = [";
    for (int k = 0; k < 3; ++k) bodies += (k > 0 ? ", " : "") + std::to_string(-from[k]);
    bodies += "]\n";
  }
  InMemory<3> run(from_text(
      kLaws + "[time]\nend = 22\nstep = 0.0005\n[[contact]]\nstiffness = 2000\nrestitution = 0.8\nfriction = 0\n" +
      "[[wall]]\nname = \"box\"\nmaterial = \"ball\"\nkind = \"box\"\nsize = [0.5, 0.5, 0.5]\n" + bodies));
  run.to_the_end();
  const auto& w = run.world();
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const auto& x = w.bodies.place[i].x;
    EXPECT_FALSE(x[0] > 0 && x[0] < 0.5 && x[1] > 0 && x[1] < 0.5 && x[2] > 0 && x[2] < 0.5) << w.bodies.id[i];
    EXPECT_GT(math::norm(x), 0.5) << "it should have been thrown back";
  }
}

// A tube about the z axis, as fine as a file can have it.
void write_tube(const std::filesystem::path& path, double radius, int around) {
  std::ofstream out(path);
  for (int k = 0; k < around; ++k) {
    const double a = 2 * math::kPi * k / around;
    for (const double z : {-0.1, 0.1})
      out << "v " << radius * math::cos(a) << " " << radius * math::sin(a) << " " << z << "\n";
  }
  for (int k = 0; k < around; ++k) {
    const int a = 2 * k + 1, b = 2 * ((k + 1) % around) + 1;
    out << "f " << a << " " << b << " " << a + 1 << "\nf " << b << " " << b + 1 << " " << a + 1 << "\n";
  }
}

// A turning drum of triangles drags a ball up and lets it roll back as a smooth one does.
TEST(MeshWall, TurnsLikeACylinder) {
  const moraine::testing::Folder folder;
  write_tube(folder / "tube.obj", 0.1, 720);
  const std::string scene = kLaws + R"(
[time]
end = 1.5
[gravity]
direction = [0, -1, 0]
[[contact]]
restitution = 0.5
friction = 0.8
[[body]]
material = "ball"
radius = 0.02
position = [0, -0.0798, 0]
[[probe]]
kind = "bodies"
ids = [0]
every = 0.01
[[wall]]
name = "drum"
material = "ball"
)";
  const std::string turn = "[[wall.motion]]\nspin = [0, 0, 2]\n";
  InMemory<3> smooth(
      from_text(scene + "kind = \"cylinder\"\npoint = [0, 0, 0]\naxis = [0, 0, 1]\nradius = 0.1\n" + turn));
  InMemory<3> mesh(from_text(scene + "kind = \"mesh\"\nfile = \"" + (folder / "tube.obj").string() + "\"\n" + turn));
  smooth.to_the_end();
  mesh.to_the_end();
  const auto &a = smooth.rows["bodies"], &b = mesh.rows["bodies"];
  ASSERT_EQ(a.size(), b.size());
  double highest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t c = 1; c <= 3; ++c) EXPECT_NEAR(a[k][c], b[k][c], 2e-4) << "row " << k;
    highest = std::max(highest, a[k][1]);
  }
  EXPECT_GT(highest, 0.005) << "it is dragged up the side";
}

}  // namespace
