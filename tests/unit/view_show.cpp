// SPDX-License-Identifier: MIT
// What the page of `moraine view` is told: of a run in a folder, and of one that is made meanwhile.
#include "view/show.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "io/trajectory.hpp"
#include "unit/io_samples.hpp"
#include "unit/io_versions.hpp"
#include "unit/plot_samples.hpp"
#include "view/frame_bytes.hpp"

namespace moraine::view::testing {
namespace {

namespace fs = std::filesystem;
using io::testing::Folder;
using io::testing::put;
using measure::Frame;
using nlohmann::json;

Response get(Show& show, const std::string& path) { return show.answer({"GET", path, ""}); }
Response post(Show& show, const std::string& path, const std::string& body = "") {
  return show.answer({"POST", path, body});
}
json json_of(const Response& r) {
  EXPECT_EQ(r.status, 200) << r.body;
  return json::parse(r.body);
}

// The head of a frame, and the numbers of one of its arrays.
json head_of(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "MFR1");
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 4, 4);
  return json::parse(bytes.substr(8, size));
}
template <class T>
std::vector<T> array_of(const std::string& bytes, const char* name) {
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 4, 4);
  const json a = head_of(bytes)["arrays"][name];
  std::vector<T> out(a["parts"].get<std::size_t>() * a["count"].get<std::size_t>());
  const std::size_t at = 8 + size + a["at"].get<std::size_t>();
  EXPECT_EQ(at % 8, 0U) << name;
  EXPECT_LE(at + out.size() * sizeof(T), bytes.size()) << name;
  std::memcpy(out.data(), bytes.data() + at, out.size() * sizeof(T));
  return out;
}

Frame pile() { return plot::testing::pile_2d(4); }

TEST(ViewFrame, BytesHoldTheFrame) {
  const Frame f = pile();
  const std::string bytes = frame_bytes(f);
  const json head = head_of(bytes);
  EXPECT_EQ(head["dimension"], 2);
  EXPECT_EQ(head["walls"].size(), f.wall_name.size());
  EXPECT_EQ(head["materials"].size(), f.material_names.size());
  const auto id = array_of<double>(bytes, "id");
  const auto x = array_of<float>(bytes, "position");
  const auto a = array_of<std::int32_t>(bytes, "contact_a"), b = array_of<std::int32_t>(bytes, "contact_b");
  ASSERT_EQ(id.size(), f.id.size());
  ASSERT_EQ(a.size(), f.contact_a.size());
  for (std::size_t i = 0; i < id.size(); ++i) {
    EXPECT_EQ(id[i], static_cast<double>(f.id[i]));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(x[3 * i + k], static_cast<float>(f.position[i][k]));
  }
  for (std::size_t c = 0; c < a.size(); ++c) {
    EXPECT_EQ(f.id[static_cast<std::size_t>(a[c])], f.contact_a[c]);
    if (f.contact_b[c] >= 0) {
      EXPECT_EQ(f.id[static_cast<std::size_t>(b[c])], f.contact_b[c]);
    } else {
      EXPECT_EQ(b[c], f.contact_b[c]);
    }
  }
  const json body = json::parse(body_json(f, f.id[3]));
  EXPECT_EQ(body["id"], f.id[3]);
  EXPECT_EQ(body["radius"], f.radius[3]);
  EXPECT_EQ(body["position"][0], f.position[3][0]);
  EXPECT_EQ(body_json(f, 999999), "null");
}

TEST(ViewFolder, ToldIsWhatTheFilesSayAndNothingElse) {
  const Folder folder;
  std::vector<Frame> frames = {pile(), pile(), pile()};
  {
    auto writer = io::TrajectoryWriter::create(folder / "trajectory.h5");
    for (std::size_t k = 0; k < frames.size(); ++k) {
      frames[k].time = 0.5 * static_cast<double>(k);
      frames[k].position[2][0] += 0.1 * static_cast<double>(k);
      writer.append(frames[k]);
    }
  }
  fs::create_directories(folder / "series");
  put(folder / "series/energy of it.csv", "time [s],kinetic [J]\n0,1\n1,2.5\n");
  put(folder / "secret.csv", "time [s],a [J]\n0,1\n");
  put(folder / "summary.json", R"({"status": "finished"})");
  const auto show = show_folder(folder.path(), "A pile");
  const json run = json_of(get(*show, "/api/run"));
  EXPECT_EQ(run["title"], "A pile");
  EXPECT_EQ(run["live"], false);
  EXPECT_EQ(run["times"], (json{0, 0.5, 1}));
  EXPECT_EQ(run["series"], json{"energy of it"});
  EXPECT_EQ(run["summary"]["status"], "finished");
  EXPECT_EQ(get(*show, "/api/frame/1").body, frame_bytes(frames[1]));
  EXPECT_EQ(json_of(get(*show, "/api/series/energy of it"))["columns"][1]["values"], (json{1, 2.5}));
  const json history = json_of(get(*show, fmt::format("/api/history/{}", frames[0].id[2])));
  EXPECT_EQ(history["time"], (json{0, 0.5, 1}));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(history["x"][k], frames[k].position[2][0]);
  EXPECT_EQ(json_of(get(*show, fmt::format("/api/body/2/{}", frames[2].id[2])))["position"][0],
            frames[2].position[2][0]);

  for (const char* path : {"/api/frame/3", "/api/frame/-1", "/api/frame/x", "/api/frame/", "/api/series/../secret",
                           "/api/series/secret", "/api/series//etc/passwd", "/api/series/", "/api/../../etc/passwd",
                           "/etc/passwd", "/api/body/9/1", "/api/body/1", "/api/history/", "/api/", "/", ""})
    EXPECT_EQ(get(*show, path).status, 404) << path;
  EXPECT_EQ(post(*show, "/api/run").status, 405);

  // Goes on while it is looked at.
  auto writer = io::TrajectoryWriter::resume(folder / "trajectory.h5", 3);
  frames[0].time = 1.5;
  writer.append(frames[0]);
  EXPECT_EQ(get(*show, "/api/frame/3").status, 200);
  EXPECT_EQ(json_of(get(*show, "/api/run"))["times"].size(), 4U);
  put(folder / "summary.json", "{");
  EXPECT_EQ(json_of(get(*show, "/api/run"))["summary"]["status"], "summary.json is damaged");
  EXPECT_EQ(json_of(get(*show, "/api/run"))["contacts"], true);
}

// Run again, or resumed from further back, while it is looked at: what is shown is what is there.
TEST(ViewFolder, OfARunThatIsMadeAnew) {
  const Folder folder;
  std::vector<Frame> old = {pile(), pile(), pile()}, anew = old;
  for (std::size_t k = 0; k < 3; ++k) {
    old[k].time = static_cast<double>(k);
    anew[k].time = 0.25 * static_cast<double>(k);
    anew[k].position[0][0] += 3;
  }
  const fs::path file = folder / "trajectory.h5";
  {
    auto writer = io::TrajectoryWriter::create(file);
    for (const Frame& f : old) writer.append(f);
  }
  const auto show = show_folder(folder.path(), "");
  EXPECT_EQ(get(*show, "/api/frame/0").body, frame_bytes(old[0]));
  {
    auto writer = io::TrajectoryWriter::create(file);
    writer.append(anew[0]);
    writer.append(anew[1]);
  }
  EXPECT_EQ(get(*show, "/api/frame/0").body, frame_bytes(anew[0]));
  EXPECT_EQ(get(*show, "/api/frame/1").body, frame_bytes(anew[1]));
  EXPECT_EQ(get(*show, "/api/frame/2").status, 404);
  EXPECT_EQ(json_of(get(*show, "/api/run"))["times"], (json{0, 0.25}));
  {
    auto writer = io::TrajectoryWriter::resume(file, 1);
    EXPECT_EQ(json_of(get(*show, "/api/run"))["times"], json{0});
    writer.append(anew[2]);
  }
  EXPECT_EQ(get(*show, "/api/frame/1").body, frame_bytes(anew[2]));
  EXPECT_EQ(json_of(get(*show, "/api/run"))["times"], (json{0, 0.5}));
}

TEST(ViewFolder, WhatIsNoRunIsRefused) {
  const Folder folder;
  const auto complaint = [](const fs::path& path) -> std::string {
    try {
      show_folder(path, "");
    } catch (const base::InputError& error) {
      return error.problems().front().str();
    }
    return "taken";
  };
  EXPECT_NE(complaint(folder / "missing").find("is not a folder"), std::string::npos);
  EXPECT_NE(complaint(folder.path()).find("is not the output folder of a Moraine run"), std::string::npos);
  put(folder / "scene.toml", "dimension = 2\n");
  EXPECT_NE(complaint(folder.path()).find("output.trajectory"), std::string::npos);
  put(folder / "trajectory.h5", "this is no HDF5 file");
  EXPECT_NE(complaint(folder.path()).find("trajectory.h5"), std::string::npos);
  fs::remove(folder / "trajectory.h5");
  io::TrajectoryWriter::create(folder / "trajectory.h5").append(pile());
  io::testing::set_version(folder / "trajectory.h5", 9);
  EXPECT_NE(complaint(folder.path()).find("a newer version of Moraine (format 9;"), std::string::npos);
}

constexpr const char* kBouncing = R"(title = "A ball"
dimension = 2
[time]
end = 1000
step = 1e-3
[gravity]
[[material]]
name = "rubber"
density = 1000
stiffness = 1e5
[[contact]]
restitution = 0.8
[[wall]]
name = "floor"
material = "rubber"
from = [-1, 0]
to = [1, 0]
[[body]]
position = [0, 1]
radius = 0.1
material = "rubber"
)";

void until(const std::function<bool()>& holds) {
  for (int k = 0; k < 400 && !holds(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(25));
  EXPECT_TRUE(holds());
}

TEST(ViewScene, RunsPausesStepsAndStartsAnew) {
  const Folder folder;
  put(folder / "ball.toml", kBouncing);
  const auto show = show_scene(folder / "ball.toml", {}, 1);
  const auto state = [&] { return json_of(get(*show, "/api/state")); };
  EXPECT_EQ(json_of(get(*show, "/api/run"))["title"], "A ball");
  EXPECT_EQ(get(*show, "/api/frame/0").status, 200);
  until([&] { return get(*show, "/api/frame/newest").status == 200 && state()["time"].get<double>() > 0.05; });
  EXPECT_EQ(post(*show, "/api/step").status, 409);  // it runs
  json_of(post(*show, "/api/pause"));
  until([&] { return state()["state"] == "paused"; });
  // The newest frame is that of the moment when it stopped.
  std::int64_t before = -1;
  until([&] {
    const std::int64_t last = before;
    before = state()["step"].get<std::int64_t>();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return before == last;
  });
  json_of(post(*show, "/api/step", "7"));
  until([&] { return state()["step"] == before + 7; });
  for (const char* bad : {"0", "-1", "1.5", "x", "1e9", "[1]"})
    EXPECT_EQ(post(*show, "/api/step", bad).status, 400) << bad;
  for (const char* bad : {"-1", "x", "\"1\"", "1e99", ""}) EXPECT_EQ(post(*show, "/api/pace", bad).status, 400) << bad;
  EXPECT_EQ(post(*show, "/api/explode").status, 404);

  // A mistake is told, and the run that is there stays.
  const Response wrong = post(*show, "/api/restart", R"(["body.0.radius=-1"])");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.body.find("body[0].radius"), std::string::npos) << wrong.body;
  EXPECT_EQ(post(*show, "/api/restart", R"({"a": 1})").status, 400);
  EXPECT_EQ(state()["generation"], 1);
  EXPECT_EQ(state()["step"], before + 7);

  json_of(post(*show, "/api/pace", "0"));
  json_of(post(*show, "/api/restart", R"(["time.end=0.4", "output.every=0.1"])"));
  until([&] { return state()["state"] == "finished"; });
  EXPECT_EQ(state()["generation"], 2);
  const json run = json_of(get(*show, "/api/run"));
  ASSERT_EQ(run["times"].size(), 5U) << run;
  EXPECT_NEAR(run["times"][4].get<double>(), 0.4, 1e-9);
  const json ball = json_of(get(*show, "/api/body/2/0"));
  EXPECT_NEAR(ball["position"][1].get<double>(), 1 - 0.5 * 9.81 * 0.2 * 0.2, 2e-3);
  EXPECT_EQ(json_of(get(*show, "/api/series/energy"))["rows"], 5);

  // At its end there is nothing to step, paused or not.
  EXPECT_NE(post(*show, "/api/step").body.find("has ended"), std::string::npos);
  json_of(post(*show, "/api/pause"));
  EXPECT_NE(post(*show, "/api/step").body.find("has ended"), std::string::npos);
}

// The probes of the scene, as in the files of a run with a folder.
TEST(ViewScene, ShowsWhatItsProbesFind) {
  const Folder folder;
  put(folder / "ball.toml", std::string(kBouncing) + R"([[probe]]
kind = "counts"
name = "how_many"
every = 0.01
[[probe]]
kind = "bodies"
name = "ball"
ids = [0]
every = 0.02
[[probe]]
kind = "profile"
name = "heights"
axis = "y"
bins = 4
min = 0
max = 2
every = 0.01
section = 2
windows = [[0.0, 0.2]]
)");
  const auto show = show_scene(folder / "ball.toml", {"time.end=0.4", "output.every=0.1"}, 1);
  json_of(post(*show, "/api/pace", "0"));
  until([&] { return json_of(get(*show, "/api/state"))["state"] == "finished"; });
  EXPECT_EQ(json_of(get(*show, "/api/run"))["series"], (json{"ball", "energy", "heights", "heights_1", "how_many"}));
  EXPECT_EQ(json_of(get(*show, "/api/series/how_many"))["rows"], 41);
  const json ball = json_of(get(*show, "/api/series/ball"));
  EXPECT_EQ(ball["rows"], 21);
  EXPECT_EQ(ball["columns"][0]["name"], "time");
  EXPECT_NEAR(ball["columns"][0]["values"][10].get<double>(), 0.2, 1e-9);
  EXPECT_EQ(json_of(get(*show, "/api/series/energy"))["rows"], 5);
  EXPECT_EQ(json_of(get(*show, "/api/series/heights_1"))["rows"], 4);
  EXPECT_EQ(get(*show, "/api/series/nothing").status, 404);
  // Begun anew it has rows of the new run alone.
  json_of(post(*show, "/api/restart", R"(["time.end=0.2"])"));
  until([&] { return json_of(get(*show, "/api/state"))["state"] == "finished"; });
  EXPECT_EQ(json_of(get(*show, "/api/series/how_many"))["rows"], 21);
}

TEST(ViewScene, TroubleOfTheRunIsTold) {
  const Folder folder;
  put(folder / "ball.toml", std::string(kBouncing) + "[domain]\nmin = [-2, -2]\nmax = [2, 2]\noutside = \"stop\"\n");
  const auto show = show_scene(folder / "ball.toml", {"body.0.position=[1.5, 1]", "time.end=10"}, 1);
  json_of(post(*show, "/api/pace", "0"));
  until([&] { return json_of(get(*show, "/api/state"))["state"] == "failed"; });
  EXPECT_NE(json_of(get(*show, "/api/state"))["trouble"].get<std::string>().find("domain"), std::string::npos);
  EXPECT_THROW(show_scene(folder / "ball.toml", {"time.end=-1"}, 1), base::InputError);
}

}  // namespace
}  // namespace moraine::view::testing
