// SPDX-License-Identifier: MIT
// The frames of whole runs, as other programs see them: VTK's own reader, and the text format of LAMMPS.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "io/checkpoint.hpp"
#include "io/trajectory.hpp"
#include "support/runs.hpp"

using namespace moraine::testing;

namespace {

const char* const kPython = "/usr/bin/python3";

const Args kShaker = Args{"run", "shaker", "--quiet"} +
                     set({"time.end=0.3", "time.step=2.5e-5", "output.every=0.1", "output.dump=true"});
const Args kBed =
    Args{"run", "bed_3d", "--quiet"} +
    set({"setup.count=300", "time.end=0.0027", "gravity.acceleration=300", "output.every=0.0009", "output.dump=true"});

bool has_vtk() {
  const Folder folder;
  return Process({kPython, "-c", "import vtkmodules.vtkIOXML, vtkmodules.util.numpy_support"}, folder.path())
             .wait()
             .status == 0;
}

// id -> radius of the bodies of the last checkpoint, which is the final state.
std::map<std::int64_t, double> radii_of(const fs::path& run) {
  const moraine::base::Record record = moraine::io::read_checkpoint(run / "checkpoint.h5");
  std::map<std::int64_t, double> radii;
  const auto& id = record.integer("bodies.id");
  for (std::size_t i = 0; i < id.size(); ++i) radii[id[i]] = record.real("bodies.radius").at(i);
  return radii;
}

template <int D>
void expect_vtk_reads(const Args& run_args) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(run_args + Args{"--out", "run"}, folder.path()), 0));
  const fs::path run = folder / "run";
  const std::string script = (fs::path(MORAINE_SOURCE_DIR) / "tests/app/read_frames.py").string();
  const Ended read = Process({kPython, script, (run / "frames.pvd").string()}, folder.path()).wait();
  ASSERT_TRUE(ended_with(read, 0));
  const Json found = Json::parse(read.out);
  const moraine::io::TrajectoryReader trajectory(run / "trajectory.h5");
  ASSERT_EQ(found.size(), 2 * static_cast<std::size_t>(trajectory.count()));  // bodies and contacts
  ASSERT_EQ(trajectory.count(), 4);
  const auto radii = radii_of(run);
  ASSERT_EQ(radii.size(), summary_of(run)["bodies"]);
  std::size_t contacts = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    SCOPED_TRACE(found[k]["file"].get<std::string>());
    const auto frame = trajectory.read(static_cast<std::int64_t>(k / 2));
    EXPECT_EQ(found[k]["time"], frame.time);
    EXPECT_EQ(found[k]["part"], k % 2);
    const Json &points = found[k]["points"], &arrays = found[k]["arrays"];
    if (k % 2 == 1) {
      contacts += points.size();
      EXPECT_EQ(points.size(), frame.contact_a.size());
      EXPECT_EQ(arrays["a"], Json(frame.contact_a));
      EXPECT_EQ(arrays["force"], Json(frame.contact_force));
      continue;
    }
    EXPECT_EQ(points, Json(frame.position));
    ASSERT_EQ(arrays["id"].size(), radii.size());
    std::map<std::int64_t, double> seen;
    for (std::size_t i = 0; i < radii.size(); ++i)
      seen[arrays["id"][i].get<std::int64_t>()] = arrays["radius"][i].get<double>();
    EXPECT_EQ(seen, radii);
    EXPECT_EQ(arrays["velocity"], Json(frame.velocity));
  }
  EXPECT_GT(contacts, 10U);
  // The last frame is the final state: the same places as in the checkpoint.
  const auto record = moraine::io::read_checkpoint(run / "checkpoint.h5");
  const auto last = trajectory.read(trajectory.count() - 1);
  std::map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < last.id.size(); ++i) place[last.id[i]] = i;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    for (std::size_t axis = 0; axis < D; ++axis)
      EXPECT_EQ(record.real("bodies.x")[D * i + axis], last.position[place.at(record.integer("bodies.id")[i])][axis]);
  }
}

// The facets of solids close around the volume that their bodies weigh, where the bodies are.
TEST(Frames, VtkReadsSolids) {
  if (!has_vtk()) GTEST_SKIP() << "VTK for Python (package python3-vtk9) is not installed";
  const Folder folder;
  const Args run = Args{"run", "dominoes", "--quiet", "--out", "run"} +
                   set({"setup.count=2", "setup.density=1000", "setup.spin=20", "time.end=0.01", "output.every=0.005"});
  ASSERT_TRUE(ended_with(run_moraine(run, folder.path()), 0));
  const std::string script = (fs::path(MORAINE_SOURCE_DIR) / "tests/app/read_frames.py").string();
  const Ended read = Process({kPython, script, (folder / "run/frames.pvd").string()}, folder.path()).wait();
  ASSERT_TRUE(ended_with(read, 0));
  const Json found = Json::parse(read.out);
  ASSERT_EQ(found.size(), 9U);
  for (std::size_t k = 0; k < 9; k += 3) {
    const Json &bodies = found[k], &solids = found[k + 2];
    EXPECT_EQ(solids["part"], 2);
    EXPECT_EQ(solids["time"], bodies["time"]);
    ASSERT_EQ(solids["points"].size(), 16U);
    ASSERT_EQ(solids["cells"].size(), 24U);
    for (const char* name : {"id", "material", "velocity", "spin"})
      EXPECT_EQ(solids["cell_arrays"][name].size(), 24U) << name;
    const auto points = solids["points"].get<std::vector<std::array<double, 3>>>();
    for (std::size_t body = 0; body < 2; ++body) {
      double volume = 0;
      std::array<double, 3> middle{};
      for (std::size_t c = 12 * body; c < 12 * (body + 1); ++c) {
        const auto corner = solids["cells"][c].get<std::array<std::size_t, 3>>();
        const auto &p = points[corner[0]], &q = points[corner[1]], &r = points[corner[2]];
        volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                   p[2] * (q[0] * r[1] - q[1] * r[0])) /
                  6;
        EXPECT_EQ(solids["cell_arrays"]["id"][c], bodies["arrays"]["id"][body]);
        EXPECT_EQ(solids["cell_arrays"]["velocity"][c], bodies["arrays"]["velocity"][body]);
      }
      for (std::size_t v = 8 * body; v < 8 * (body + 1); ++v) {
        for (std::size_t axis = 0; axis < 3; ++axis) middle[axis] += points[v][axis] / 8;
      }
      const double mass = bodies["arrays"]["mass"][body];
      EXPECT_NEAR(volume, mass / 1000, 1e-12 * mass);
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(middle[axis], bodies["points"][body][axis].get<double>(), 1e-12);
    }
  }
}

struct DumpFrame {
  std::int64_t step = 0;
  std::vector<double> bounds;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

std::vector<DumpFrame> read_dump(const fs::path& path) {
  std::vector<DumpFrame> frames;
  std::istringstream lines(get(path));
  std::string line;
  const auto expect = [&](const std::string& text) {
    if (line.rfind(text, 0) != 0) throw std::runtime_error("'" + line + "' instead of '" + text + "'");
  };
  while (std::getline(lines, line)) {
    DumpFrame frame;
    std::size_t atoms = 0;
    expect("ITEM: TIMESTEP");
    std::getline(lines, line);
    frame.step = std::stoll(line);
    std::getline(lines, line);
    expect("ITEM: NUMBER OF ATOMS");
    std::getline(lines, line);
    atoms = std::stoul(line);
    std::getline(lines, line);
    expect("ITEM: BOX BOUNDS ");
    for (int axis = 0; axis < 3; ++axis) {
      std::getline(lines, line);
      std::istringstream words(line);
      for (double value = 0; words >> value;) frame.bounds.push_back(value);
    }
    std::getline(lines, line);
    expect("ITEM: ATOMS ");
    std::istringstream names(line.substr(12));
    for (std::string name; names >> name;) frame.columns.push_back(name);
    for (std::size_t k = 0; k < atoms && std::getline(lines, line); ++k) {
      frame.rows.emplace_back();
      std::istringstream words(line);
      for (std::string word; words >> word;) frame.rows.back().push_back(std::stod(word));
    }
    if (frame.rows.size() != atoms) throw std::runtime_error("too few atoms");
    frames.push_back(frame);
  }
  return frames;
}

void expect_good_dump(const Args& run_args) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(run_args + Args{"--out", "run"}, folder.path()), 0));
  const auto frames = read_dump(folder / "run/dump.lammpstrj");
  const moraine::io::TrajectoryReader trajectory(folder / "run/trajectory.h5");
  ASSERT_EQ(static_cast<std::int64_t>(frames.size()), trajectory.count());
  ASSERT_GE(frames.size(), 3U);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto frame = trajectory.read(static_cast<std::int64_t>(k));
    EXPECT_EQ(frames[k].step, frame.step);
    ASSERT_EQ(frames[k].rows.size(), frame.id.size());
    const std::vector<std::string> columns = {"id", "type", "x",  "y",      "z",      "radius",
                                              "vx", "vy",   "vz", "omegax", "omegay", "omegaz"};
    EXPECT_EQ(frames[k].columns, columns);
    ASSERT_EQ(frames[k].bounds.size(), 6U);
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_LT(frames[k].bounds[2 * axis], frames[k].bounds[2 * axis + 1]);
    for (std::size_t i = 0; i < frames[k].rows.size(); ++i) {
      const auto& row = frames[k].rows[i];
      ASSERT_EQ(row.size(), columns.size());
      for (const double value : row) EXPECT_TRUE(std::isfinite(value));
      EXPECT_EQ(row[0], static_cast<double>(frame.id[i]));
      EXPECT_GE(row[1], 1) << "LAMMPS counts types from 1";
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(row[2 + axis], frame.position[i][axis]);
        EXPECT_GE(row[2 + axis], frames[k].bounds[2 * axis]);
        EXPECT_LE(row[2 + axis], frames[k].bounds[2 * axis + 1]);
      }
      EXPECT_EQ(row[5], frame.radius[i]);
    }
  }
}

}  // namespace

TEST(Frames, VtkReadsARun2d) {
  if (!has_vtk()) GTEST_SKIP() << kPython << " has no VTK (python3-vtk9)";
  expect_vtk_reads<2>(kShaker);
}

TEST(Frames, VtkReadsARun3d) {
  if (!has_vtk()) GTEST_SKIP() << kPython << " has no VTK (python3-vtk9)";
  expect_vtk_reads<3>(kBed);
}

TEST(Frames, LammpsDumpOfARun2d) { expect_good_dump(kShaker); }
TEST(Frames, LammpsDumpOfARun3d) { expect_good_dump(kBed); }

TEST(Frames, ADumpOfAnOpenSceneHasFiniteBounds) {
  expect_good_dump(Args{"run", "impact_normal", "--quiet"} + set({"output.dump=true"}));
}

// Frames come at the times asked for, the first and the last moment among them.
TEST(Frames, ComeAtTheTimesAskedFor) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(kBed + Args{"--out", "run"}, folder.path()), 0));
  const std::vector<double> times = moraine::io::TrajectoryReader(folder / "run/trajectory.h5").times();
  ASSERT_EQ(times.size(), 4U);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 0.0009 * static_cast<double>(k), 1e-12);
}

// An interval that is no whole number of steps: the nearest steps, without drift, and no second frame at the end.
TEST(Frames, DoNotDrift) {
  const Folder folder;
  ASSERT_TRUE(ended_with(run_moraine(kBed + Args{"--out", "run", "--set", "time.step=1.3e-6", "--set",
                                                 "time.end=0.00273", "--set", "output.every=0.00027301"},
                                     folder.path()),
                         0));
  const std::vector<double> times = moraine::io::TrajectoryReader(folder / "run/trajectory.h5").times();
  ASSERT_EQ(times.size(), 11U);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_LE(std::abs(times[k] - 0.00027301 * static_cast<double>(k)), 0.51 * 1.3e-6) << k;
}

TEST(Frames, OnlyWhatIsAskedForIsWritten) {
  const Folder folder;
  const auto run = [&](const char* out, const Args& values) {
    return run_moraine(Args{"run", "impact_normal", "--quiet", "--out", out} + set(values), folder.path());
  };
  ASSERT_TRUE(ended_with(run("none", {"output.vtk=false", "output.trajectory=false"}), 0));
  for (const char* name : {"frames", "frames.pvd", "trajectory.h5", "dump.lammpstrj"})
    EXPECT_FALSE(fs::exists(folder / "none" / name));
  ASSERT_TRUE(ended_with(run("lean", {"output.contacts=false", "output.trajectory=false"}), 0));
  for (const std::string& name : everything_in(folder / "lean/frames")) EXPECT_EQ(name.find("bodies_"), 0U) << name;
  EXPECT_EQ(hash_of(folder / "none"), hash_of(folder / "lean")) << "what is written must not change what happens";
}
