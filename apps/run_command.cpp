// SPDX-License-Identifier: MIT
#include "run_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "hard/topology.hpp"
#include "io/checkpoint.hpp"
#include "io/file.hpp"
#include "io/outputs.hpp"
#include "measure/energy.hpp"
#include "progress.hpp"
#include "run_folder.hpp"
#include "scene/build.hpp"
#include "scene/keys.hpp"
#include "scene/writer.hpp"

namespace moraine::app {

namespace {

std::atomic<int> interrupted{0};
void on_signal(int signal) { interrupted.store(signal); }

int thread_count(int asked) {
  if (asked > 0) return asked;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string scene_text(const scene::Scene& scene, const scene::StepChoice& choice) {
  return fmt::format("{} (Moraine {}); run it again with: moraine run scene.toml\n{}\n", kSceneMark, MORAINE_VERSION,
                     choice.automatic ? step_mark(choice.step) + "\n" : "") +
         scene::write_complete(scene::scene_schema(), scene.node);
}

// A run with its output folder: built once, then stepped to its end.
template <int D>
class Job {
 public:
  Job(scene::Scene scene, scene::Built<D> built, fs::path folder, const RunOptions& options)
      : scene_(scene::spelled_out(scene, built)),
        choice_(built.choice),
        warnings_(built.warnings),
        folder_(std::move(folder)),
        options_(options),
        checkpoint_every_(built.checkpoint_every),
        run_(std::move(built.world), built.ending, thread_count(options.threads)) {
    scene::hook_up(built, run_);
    for (auto& probe : built.probes) {
      auto watch = std::make_unique<io::SeriesWatch<D>>(std::move(probe), folder_);
      series_.push_back(watch.get());
      run_.add(std::move(watch));
    }
    const scene::Node& output = scene_.node.table("output");
    const io::FrameFormats formats{output.boolean("trajectory"), output.boolean("vtk"), output.boolean("contacts"),
                                   output.boolean("dump")};
    if (formats.trajectory || formats.vtk || formats.dump) {
      run_.add(std::make_unique<io::FrameWatch<D>>(folder_, formats, built.frame_every));
    }
  }

  int run(const base::Record* resumed);

 private:
  void loop();
  void lock_folder();
  void checkpoint(const char* name = "checkpoint.h5");
  void write_summary(const std::string& status);
  void tell(const std::string& status) const;
  std::vector<std::string> all_warnings() const;

  scene::Scene scene_;
  scene::StepChoice choice_;
  std::vector<std::string> warnings_;
  fs::path folder_;
  RunOptions options_;
  std::optional<base::Pace> checkpoint_every_;
  sim::Simulation<D> run_;
  std::vector<io::SeriesWatch<D>*> series_;
  double loop_seconds_ = 0, body_steps_ = 0;  // of earlier sessions
  double loop_begin_ = 0, session_seconds_ = 0, session_body_steps_ = 0, last_checkpoint_ = 0;
  io::Descriptor lock_;
};

template <int D>
int Job<D>::run(const base::Record* resumed) {
  if (resumed != nullptr) {
    loop_seconds_ = resumed->number("run.loop_seconds");
    body_steps_ = resumed->number("run.body_steps");
    choice_.contact_time = resumed->number("run.contact_time");
    choice_.longest_stable = resumed->number("run.longest_stable");
    choice_.automatic = resumed->count("run.automatic") != 0;
    lock_folder();
  } else {
    io::ensure_folder(folder_);
    lock_folder();
    clear_run(folder_);
    io::write_file_atomically(folder_ / "scene.toml", scene_text(scene_, choice_));
  }
  run_.begin(resumed);
  if (resumed == nullptr) checkpoint();
  last_checkpoint_ = base::seconds_now();
  try {
    loop();
  } catch (const base::RunError&) {
    // What there is may help to see what went wrong; the last good checkpoint stays.
    try {
      checkpoint("checkpoint_failed.h5");
      for (const auto* s : series_) s->write_tables();
      write_summary("failed");
    } catch (const std::exception&) {  // the disk may be what failed
    }
    throw;
  }
  return 0;
}

// Two runs in one folder would spoil each other's files. The lock goes with the process.
template <int D>
void Job<D>::lock_folder() {
  lock_ = io::Descriptor(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock_.is_open() && flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw base::InputError(folder_.string(), 0, "", "another run is going on in this folder");
  }
}

template <int D>
void Job<D>::loop() {
  Progress progress(run_, options_.quiet);
  const double patience = 60 * scene_.node.table("output").number("checkpoint_minutes");
  loop_begin_ = base::seconds_now();
  std::int64_t steps = 0;
  while (!run_.finished() && interrupted.load(std::memory_order_relaxed) == 0) {
    run_.step();
    session_body_steps_ += static_cast<double>(run_.world().bodies.size());
    const bool by_time = checkpoint_every_ && checkpoint_every_->due(run_.world().step);
    const bool by_clock = ++steps % 64 == 0 && base::seconds_now() - last_checkpoint_ > patience;
    if (by_time || by_clock) checkpoint();
    progress.update(run_);
  }
  session_seconds_ = base::seconds_now() - loop_begin_;
  progress.done();
  checkpoint();
  if (!run_.finished()) {
    for (const auto* s : series_) s->write_tables();
    write_summary("interrupted");
    fmt::print("stopped at time {:.6g} s (step {}); go on with: moraine resume {}\n", run_.world().time,
               run_.world().step, folder_.string());
    return;
  }
  run_.finish();
  for (auto* s : series_) {
    s->close();
    s->write_tables();
  }
  const std::string status = run_.at_rest() ? "at rest" : "finished";
  write_summary(status);
  if (!options_.quiet) tell(status);
}

template <int D>
void Job<D>::checkpoint(const char* name) {
  base::Record record;
  run_.save(record);
  record.texts["scene"] = scene_text(scene_, choice_);
  const double session = loop_begin_ > 0 ? base::seconds_now() - loop_begin_ : 0;
  record.set("run.loop_seconds", loop_seconds_ + session);
  record.set("run.body_steps", body_steps_ + session_body_steps_);
  record.set("run.contact_time", choice_.contact_time);
  record.set("run.longest_stable", choice_.longest_stable);
  record.set("run.automatic", std::int64_t{choice_.automatic ? 1 : 0});
  io::write_checkpoint(folder_ / name, std::move(record));
  last_checkpoint_ = base::seconds_now();
}

template <int D>
void Job<D>::write_summary(const std::string& status) {
  nlohmann::ordered_json j;
  const world::World<D>& world = run_.world();
  const sim::Status s = run_.status();
  j["program"] = "Moraine";
  j["version"] = MORAINE_VERSION;
  j["title"] = scene_.node.text("title");
  j["status"] = status;
  j["dimension"] = D;
  j["seed"] = scene_.node.integer("seed");
  j["threads"] = run_.threads();
  j["time"] = world.time;
  j["steps"] = world.step;
  j["bodies"] = world.bodies.size();
  if (world.clumps.size() > 0) j["clumps"] = world.clumps.size();
  j["contacts"] = s.contacts;
  j["removed"] = world.removed;
  const auto traffic = [](const world::Tally& t) {
    return nlohmann::ordered_json{
        {"number", t.number}, {"mass", t.mass.value()}, {D == 2 ? "area" : "volume", t.size.value()}};
  };
  const world::Tally inside = world.inside();
  auto& flows = j["traffic"];
  flows = {{"begun", traffic(world.traffic.begun)},
           {"came", traffic(world.traffic.came)},
           {"went", traffic(world.traffic.went)},
           {"inside", traffic(inside)},
           {"balanced", world.traffic.balance(inside).is_zero()}};
  for (const auto& inlet : world.traffic.inlets) {
    auto& entry = flows["inlets"][inlet.name];
    entry = traffic(inlet.came);
    entry["due"] = inlet.due;
    entry["skipped"] = inlet.skipped;
    entry["held"] = inlet.held;
  }
  for (const auto& outlet : world.traffic.outlets) flows["outlets"][outlet.name] = traffic(outlet.went);
  auto& left = j["left_domain"] = nlohmann::ordered_json::array();
  for (const sim::Left& l : run_.left_domain()) {
    if (left.size() == 1000) break;
    left.push_back({{"id", l.id}, {"time", l.time}});
  }
  const measure::Energy e = measure::measure_energy(world);
  j["energy"] = nlohmann::ordered_json::object();
  for (const auto& [name, joules] : {std::pair{"kinetic", e.kinetic()},
                                     {"translational", e.translation},
                                     {"rotational", e.rotation},
                                     {"potential", e.potential}}) {
    if (std::isfinite(joules)) j["energy"][name] = joules;  // a run that failed may have none
  }
  j["step"] = {{"size", choice_.step}, {"automatic", choice_.automatic}, {"neighbour_finds", s.neighbour_finds}};
  if (std::isfinite(choice_.contact_time)) {
    j["step"]["contact_time"] = choice_.contact_time;
    j["step"]["steps_per_contact"] = choice_.steps_per_contact();
    j["step"]["longest_stable"] = choice_.longest_stable;
  }
  // What a set-up has worked out, "name = value" each.
  for (const std::string& d : scene_.node.texts("derived")) {
    const std::size_t equals = d.find(" = ");
    if (equals != std::string::npos) j["derived"][d.substr(0, equals)] = std::strtod(d.c_str() + equals + 3, nullptr);
  }
  j["warnings"] = all_warnings();
  auto& t = j["timings"];
  t["loop"] = session_seconds_;
  t["loop_with_earlier_sessions"] = loop_seconds_ + session_seconds_;
  for (const auto& [phase, seconds] : run_.timings()) t["phases"][phase] = seconds;
  j["particle_steps_per_second"] = session_seconds_ > 0 ? session_body_steps_ / session_seconds_ : 0.0;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  j["memory"] = {{"peak_bytes", static_cast<std::int64_t>(usage.ru_maxrss) * 1024}};
  j["state_hash"] = fmt::format("{:016x}", run_.state_hash());
  j["probes"] = nlohmann::ordered_json::object();
  for (const auto* s2 : series_) {
    auto& probe = j["probes"][s2->probe().name()] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : s2->probe().results()) probe[name] = value;
  }
  io::write_file_atomically(folder_ / "summary.json", j.dump(2) + "\n");
}

// Those of the scene, and what the run has shown.
template <int D>
std::vector<std::string> Job<D>::all_warnings() const {
  std::vector<std::string> all = warnings_;
  for (const world::Wall<D>& wall : run_.world().walls) {
    if (wall.drive.swings < 20) continue;
    all.push_back(
        fmt::format("the servo of wall \"{}\" went {} times from one limit of speed to the other: it "
                    "oscillates; lower wall.servo.gain (now {:.3g}) or wall.servo.fastest",
                    wall.name, wall.drive.swings, wall.drive.gain));
  }
  return all;
}

template <int D>
void Job<D>::tell(const std::string& status) const {
  const world::World<D>& world = run_.world();
  fmt::print("{}: {} bodies, {} steps of {:.4g} s to {:.6g} s in {} ({:.3g} M particle-steps/s, {} thread{})\n", status,
             world.bodies.size(), world.step, world.dt, world.time, duration_text(session_seconds_),
             session_seconds_ > 0 ? session_body_steps_ / session_seconds_ * 1e-6 : 0, run_.threads(),
             run_.threads() == 1 ? "" : "s");
  if (world.removed > 0) {
    fmt::print("{} bod{} left the domain{} and {} removed (summary.json: left_domain)\n", world.removed,
               world.removed == 1 ? "y" : "ies", world.traffic.outlets.empty() ? "" : " or went through an outlet",
               world.removed == 1 ? "was" : "were");
  }
  const auto all = all_warnings();
  for (std::size_t k = warnings_.size(); k < all.size(); ++k) fmt::print(stderr, "warning: {}\n", all[k]);
  for (const auto* s : series_) {
    for (const auto& [name, value] : s->probe().results()) {
      if (s->probe().results().size() <= 12) fmt::print("  {}.{} = {:.6g}\n", s->probe().name(), name, value);
    }
  }
  fmt::print("results in {}; pictures with: moraine plot {}\n", folder_.string(), folder_.string());
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& w : warnings) fmt::print(stderr, "warning: {}\n", w);
}

template <int D>
void tell_step(const scene::Built<D>& built) {
  if (!std::isfinite(built.choice.contact_time)) return;
  fmt::print("step {:.4g} s ({}): {:.1f} steps per shortest contact ({:.4g} s); the longest stable step is {:.4g} s\n",
             built.choice.step, built.choice.automatic ? "automatic" : "given", built.choice.steps_per_contact(),
             built.choice.contact_time, built.choice.longest_stable);
}

template <int D>
int start(const scene::Scene& scene, const fs::path& path, const RunOptions& options) {
  const std::string name = path.stem().string();
  scene::Built<D> built = scene::build<D>(scene);
  if (step_was_chosen(path, built.choice.step)) built.choice.automatic = true;
  print_warnings(built.warnings);
  const fs::path folder = choose_folder(options.out, name, options.overwrite);
  if (!options.quiet) {
    fmt::print("{}: {} bodies ({} free), {} walls, {} steps -> {}\n", name, built.world.bodies.size(),
               built.free_bodies, built.world.walls.size(), built.ending.steps, folder.string());
    tell_step(built);
  }
  return Job<D>(scene, std::move(built), folder, options).run(nullptr);
}

template <int D>
int go_on(const scene::Scene& scene, const fs::path& folder, const base::Record& record, const RunOptions& options) {
  scene::Built<D> built = scene::build<D>(scene, true);
  return Job<D>(scene, std::move(built), folder, options).run(&record);
}

void catch_signals() {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then an error of the write, which is told
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

}  // namespace

int run_scene(const RunOptions& options) {
  const fs::path path = find_scene(options.scene);
  const scene::Scene scene = scene::load_scene(path, options.sets);
  catch_signals();
  return scene.dimension() == 2 ? start<2>(scene, path, options) : start<3>(scene, path, options);
}

int resume_run(const fs::path& folder, const RunOptions& options) {
  if (!fs::is_directory(folder))
    throw base::InputError(folder.string(), 0, "", "is not a folder; give the output folder of a run");
  if (!is_run_folder(folder))
    throw base::InputError(folder.string(), 0, "", "is not the output folder of a Moraine run (no scene.toml of one)");
  for (const std::string& set : options.sets) {
    if (set.rfind("time.end", 0) != 0 && set.rfind("output.checkpoint", 0) != 0) {
      throw base::InputError("--set", 0, set, "a run that goes on can only change time.end and output.checkpoint_*");
    }
  }
  catch_signals();
  if (!fs::exists(folder / "checkpoint.h5")) {  // killed before it began: begin
    RunOptions again = options;
    again.scene = (folder / "scene.toml").string();
    again.out = folder;
    again.overwrite = true;
    return run_scene(again);
  }
  const base::Record record = io::read_checkpoint(folder / "checkpoint.h5");
  const scene::Scene scene =
      scene::load_scene_text(record.text("scene"), (folder / "checkpoint.h5").string(), folder, options.sets);
  return scene.dimension() == 2 ? go_on<2>(scene, folder, record, options) : go_on<3>(scene, folder, record, options);
}

namespace {

// How the bodies of a hard system hang together.
template <int D>
void tell_links(const world::World<D>& world) {
  const hard::System<D> system(world, false);
  const hard::Graph graph = hard::graph_of(system);
  const hard::Clusters clusters(graph);
  const hard::Forest forest(graph);
  std::size_t rooted = 0, alone = 0;
  for (std::size_t c = 0; c < clusters.count(); ++c) {
    rooted += clusters.rooted[c] != 0 ? 1 : 0;
    alone += clusters.rooted[c] == 0 && clusters.start[c + 1] - clusters.start[c] == 1 ? 1 : 0;
  }
  fmt::print("  links         {} ({} equations): {} clusters of linked bodies, {} of them grounded; {} loops\n",
             world.links.size(), system.row_count(), clusters.count() - alone, rooted, forest.cut.size());
  if (system.row_count() > 1000) return;  // the rank takes the cube of it
  hard::Kinematics<D> k;
  system.read(world, k);
  std::size_t freedoms = 0, redundant = 0, rigid = 0;
  for (std::size_t c = 0; c < clusters.count(); ++c) {
    const hard::Rigidity r = hard::rigidity(system, k, clusters, c);
    freedoms += r.freedoms - r.rank;
    redundant += r.redundant();
    rigid += r.rigid() && r.equations > 0 ? 1 : 0;
  }
  fmt::print("  freedoms      {} left by the links; {} rigid clusters; {}\n", freedoms, rigid,
             redundant == 0 ? "no link depends on others"
                            : fmt::format("{} equations depend on others: forces of least norm", redundant));
}

template <int D>
int check(const scene::Scene& scene, const std::string& name) {
  const scene::Built<D> built = scene::build<D>(scene);
  const world::World<D>& w = built.world;
  print_warnings(built.warnings);
  double mass = 0, lightest = 0, heaviest = 0, smallest = 0, largest = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const double m = w.bodies.mass[i], r = w.bodies.place[i].radius;
    mass += m;
    lightest = i == 0 ? m : std::min(lightest, m);
    heaviest = std::max(heaviest, m);
    smallest = i == 0 ? r : std::min(smallest, r);
    largest = std::max(largest, r);
  }
  fmt::print("{}: a good scene, {}D, method {}\n", name, D, scene.node.text("method"));
  fmt::print("  bodies        {} ({} free), {} walls, {} more to come\n", w.bodies.size(), built.free_bodies,
             w.walls.size(), [&] {
               std::int64_t n = 0;
               for (const auto& p : built.rain) n += p.count;
               return n;
             }());
  for (const auto& plan : built.inlets) {
    if (plan.kind == inflow::InletKind::kBatch) {
      fmt::print("  inlet         {}: {} bodies every {:.6g} s\n", plan.name, plan.points.size(), plan.every);
    } else {
      fmt::print("  inlet         {}: {:.6g} arrivals per second, radius {:.6g} to {:.6g} m, mean {:.6g} m\n",
                 plan.name, plan.waiting.rate(), plan.size.min(), plan.size.max(), plan.size.mean());
    }
  }
  if (w.bodies.size() > 0) {
    fmt::print("  mass          {:.6g} kg in all, {:.6g} to {:.6g} kg each; radius {:.6g} to {:.6g} m\n", mass,
               lightest, heaviest, smallest, largest);
  }
  if (built.hard && !w.links.empty()) tell_links(w);
  if (std::isfinite(built.choice.contact_time)) {
    fmt::print("  contact time  {:.6g} s (shortest collision of two)\n", built.choice.contact_time);
    fmt::print("  step          {:.6g} s, {}: {:.1f} steps per contact, longest stable {:.6g} s\n", built.choice.step,
               built.choice.automatic ? "automatic" : "given", built.choice.steps_per_contact(),
               built.choice.longest_stable);
  } else {
    fmt::print("  step          {:.6g} s ({})\n", built.choice.step,
               !built.hard              ? "no contacts possible"
               : built.choice.automatic ? "automatic"
                                        : "given");
  }
  fmt::print("  run           {} steps to {:.6g} s; a frame every {:.6g} steps; neighbours listed up to {:.4g} m\n",
             built.ending.steps, static_cast<double>(built.ending.steps) * built.choice.step, built.frame_every.steps(),
             w.skin);
  for (const std::string& d : scene.node.texts("derived")) fmt::print("  of the set-up {}\n", d);
  fmt::print("  memory        about {:.1f} MB\n",
             1e-6 * static_cast<double>(w.bodies.size()) * (D == 2 ? 500 : 850) + 10);
  return 0;
}

}  // namespace

int check_scene(const RunOptions& options) {
  const fs::path path = find_scene(options.scene);
  const scene::Scene scene = scene::load_scene(path, options.sets);
  const std::string name = path.stem().string();
  return scene.dimension() == 2 ? check<2>(scene, name) : check<3>(scene, name);
}

}  // namespace moraine::app
