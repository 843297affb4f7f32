// SPDX-License-Identifier: MIT
#include "sweep_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/stopwatch.hpp"
#include "io/file.hpp"
#include "io/numbers.hpp"
#include "plot/canvas.hpp"
#include "progress.hpp"
#include "run_command.hpp"
#include "scene/values.hpp"
#include "sweep/check.hpp"
#include "sweep/children.hpp"
#include "sweep/outcome.hpp"
#include "sweep/picture.hpp"
#include "sweep/plan.hpp"
#include "sweep/tables.hpp"
#include "sweep_progress.hpp"

namespace moraine::app {

namespace fs = std::filesystem;

namespace {

// The first line of a sweep.toml that Moraine wrote; a folder with one is ours to go on in.
constexpr const char* kSweepMark = "# Moraine: the sweep of this folder";
constexpr double kCheckSeconds = 20;  // for building scenes before the first run

// Before what the command line set of the sweep file, one a line behind the first.
constexpr const char* kSetMark = "# --set sweep.";

std::atomic<int> signals{0};
void on_signal(int) { signals.fetch_add(1); }

// The --set values for the sweep file itself, without "sweep.", and those for all runs.
void split_sets(const std::vector<std::string>& sets, std::vector<std::string>& common, std::vector<std::string>& own) {
  for (const std::string& set : sets) {
    if (set.rfind("sweep.", 0) == 0) {
      own.push_back(set.substr(6));
    } else {
      common.push_back(set);
    }
  }
}

}  // namespace

bool is_sweep_folder(const fs::path& folder) {
  std::ifstream file(folder / "sweep.toml");
  std::string line;
  return std::getline(file, line) && line.rfind(kSweepMark, 0) == 0;
}

std::optional<plot::Picture> picture_of_sweep(const fs::path& folder) {
  std::ifstream file(folder / "sweep.toml");
  std::string line;
  std::vector<std::string> own;
  for (bool first = true; std::getline(file, line) && (first || line.starts_with(kSetMark)); first = false)
    if (!first) own.push_back(line.substr(std::strlen(kSetMark)));
  sweep::Plan plan = sweep::read_plan(folder / "sweep.toml", {}, own);
  const fs::path table = folder / "table.csv";
  std::error_code error;
  if (!fs::exists(table, error))
    throw base::InputError(folder.string(), 0, "", "has no table.csv yet: moraine sweep writes it when it ends");
  const auto runs = plan.runs();
  const auto rows = sweep::read_table(table, plan, runs);
  return sweep::picture(plan, sweep::summarise(plan, runs, rows));
}

namespace {

fs::path choose_sweep_folder(const SweepRequest& request, const sweep::Plan& plan) {
  fs::path folder = !request.out.empty() ? request.out
                    : !plan.out.empty()  ? plan.out
                                         : fs::path("out") / fs::path(plan.file).stem();
  std::error_code error;
  if (!fs::exists(folder, error)) return folder;
  if (!fs::is_directory(folder, error)) throw base::InputError("--out", 0, folder.string(), "is a file, not a folder");
  if (is_sweep_folder(folder)) return folder;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".part") continue;  // of a sweep that was killed before it had begun
    throw base::InputError("--out", 0, folder.string(),
                           "holds files that are not of a Moraine sweep; choose another folder");
  }
  return folder;
}

// Of a folder that nobody runs in. Runs of a sweep that was killed take a moment to end.
void wait_until_free(const fs::path& folder) {
  const io::Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int tries = 0; lock.is_open() && tries < 500 && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::uint64_t hash_of_file(const fs::path& path) {
  base::Hash hash;
  hash.add(std::string_view(io::read_text_file(path)));
  return hash.value();
}

// What a run that failed has said, in one line.
std::string message_of(const sweep::ChildEnd& end) {
  if (end.signal != 0) return fmt::format("ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  std::string_view rest = end.errors;
  std::string out;
  for (bool ended = true; !rest.empty();) {
    std::string_view line = io::trimmed(io::take_line(rest, ended));
    if (line.empty() || line.starts_with("warning: ")) continue;
    if (line.starts_with("error: ")) line.remove_prefix(7);
    out += (out.empty() ? "" : "; ") + std::string(line);
  }
  return out.empty() ? fmt::format("ended with status {}", end.status) : out;
}

class Sweep {
 public:
  Sweep(const SweepRequest& request, sweep::Plan plan, fs::path scene);
  int run();

 private:
  void look();
  void begin_folder();
  void start(std::size_t job);
  void take(const sweep::ChildEnd& end);
  void stop(const std::string& why, const sweep::ChildEnd* end);
  void warn_of_missing(std::size_t job);
  void write_results() const;
  int finish();
  std::string command() const;
  std::string told(std::size_t job) const;
  bool stopping() const { return !stopped_.empty() || signals.load() > 0; }

  SweepRequest request_;
  sweep::Plan plan_;
  fs::path scene_, out_;
  std::vector<std::uint64_t> cells_;
  std::vector<sweep::Cell> cell_places_;
  std::vector<sweep::Run> runs_;
  std::vector<std::string> fingerprints_;
  std::vector<sweep::Standing> standing_;
  std::vector<sweep::Row> rows_;
  std::vector<std::size_t> queue_;  // jobs to do, the next one last
  std::vector<char> resumed_, started_;
  std::vector<base::Problem> stopped_;  // why no further run is started
  std::set<std::string> warned_;
  std::uint64_t scene_hash_ = 0;
  std::size_t failures_ = 0;
  sweep::Children children_;
  io::Descriptor lock_;
  SweepProgress progress_;
};

Sweep::Sweep(const SweepRequest& request, sweep::Plan plan, fs::path scene)
    : request_(request),
      plan_(std::move(plan)),
      scene_(std::move(scene)),
      cells_(sweep::check_cells(plan_, scene_)),
      cell_places_(plan_.cells()),
      runs_(plan_.runs()),
      rows_(runs_.size()),
      resumed_(runs_.size(), 0),
      started_(runs_.size(), 0),
      scene_hash_(hash_of_file(scene_)),
      progress_(request.quiet) {
  out_ = choose_sweep_folder(request_, plan_);
  for (const sweep::Run& one : runs_) fingerprints_.push_back(sweep::fingerprint(cells_[one.cell], plan_, one));
  look();
}

std::string Sweep::told(std::size_t job) const {
  const sweep::Run& one = runs_[job];
  std::string out = plan_.text_of(cell_places_[one.cell]);
  if (one.seed) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", plan_.seed_key, *one.seed);
  return out;
}

// What there is, what is to do, and whether it can be done: before anything is written.
void Sweep::look() {
  std::size_t foreign = 0, first_foreign = 0;
  std::set<std::size_t> cells;
  std::vector<std::pair<std::int64_t, std::size_t>> order;  // all cells with the first seed come first
  for (std::size_t j = 0; j < runs_.size(); ++j) {
    standing_.push_back(sweep::look_at(out_, runs_[j], fingerprints_[j], plan_.results));
    if (standing_[j].state == sweep::State::kDone) continue;
    if (standing_[j].state == sweep::State::kForeign && foreign++ == 0) first_foreign = j;
    cells.insert(runs_[j].cell);
    order.emplace_back(static_cast<std::int64_t>(j % std::max<std::size_t>(plan_.seeds.size(), 1)), j);
  }
  if (foreign > 0 && !request_.overwrite) {
    throw base::InputError(
        sweep::run_folder(out_, runs_[first_foreign]).string(), 0, "",
        fmt::format("is of another scene, or of other values for all runs: since {} run{} of this folder {} made, the "
                    "scene, [set] or --set has changed; choose another --out, or replace what has changed with "
                    "--overwrite",
                    foreign, foreign == 1 ? "" : "s", foreign == 1 ? "was" : "were"));
  }
  sweep::build_cells(plan_, scene_, {cells.begin(), cells.end()}, kCheckSeconds);
  std::sort(order.rbegin(), order.rend());
  for (const auto& one : order) queue_.push_back(one.second);
}

void Sweep::begin_folder() {
  io::ensure_folder(out_ / "runs");
  lock_ = io::Descriptor(::open(out_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock_.is_open() && ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw base::InputError(out_.string(), 0, "", "another sweep is going on in this folder");
  std::string text = fmt::format("{} (Moraine {}), as it was when last called\n", kSweepMark, MORAINE_VERSION);
  std::vector<std::string> common, own;
  split_sets(request_.sets, common, own);
  for (std::string& set : own) {
    std::replace_if(
        set.begin(), set.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    text += kSetMark + set + "\n";
  }
  io::write_file_atomically(out_ / "sweep.toml", text + io::read_text_file(plan_.file));
}

void Sweep::start(std::size_t job) {
  const fs::path folder = sweep::run_folder(out_, runs_[job]);
  std::vector<std::string> args;
  wait_until_free(folder);
  if (standing_[job].state == sweep::State::kBroken) {
    resumed_[job] = 1;
    args = {"resume", folder.string()};
  } else {
    sweep::note_run(out_, runs_[job], fingerprints_[job]);
    args = {"run", scene_.string(), "--out", folder.string(), "--overwrite"};
    for (const auto* sets : {&plan_.common, &runs_[job].sets}) {
      for (const std::string& set : *sets) args.insert(args.end(), {"--set", set});
    }
  }
  args.insert(args.end(), {"--threads", "1", "--quiet"});
  started_[job] = 1;
  children_.start(job, args);
}

// No further run is started, and those that run write a checkpoint and end.
void Sweep::stop(const std::string& why, const sweep::ChildEnd* end) {
  if (end == nullptr) {
    stopped_.push_back({plan_.file, plan_.scene_line, "scene", why});
  } else {
    stopped_.push_back({plan_.file, 0, "", fmt::format("the run with {}: {}", told(end->job), why)});
  }
  children_.send(SIGTERM);
}

void Sweep::take(const sweep::ChildEnd& end) {
  const std::size_t job = end.job;
  standing_[job] = sweep::look_at(out_, runs_[job], fingerprints_[job], plan_.results);
  const bool done = end.status == 0 && end.signal == 0 && standing_[job].state == sweep::State::kDone;
  if (done) {
    progress_.ended(end.seconds);
    warn_of_missing(job);
    return;
  }
  if (stopping() && (end.status == 0 || end.signal != 0)) return;  // it has ended, as it was told to
  if (end.status == 2 && resumed_[job] != 0) {
    // Its checkpoint is of no use, damaged perhaps: from the beginning, once.
    progress_.say(fmt::format("note: {}: cannot go on ({}): begins again", runs_[job].name, message_of(end)));
    resumed_[job] = 0;
    standing_[job].state = sweep::State::kAbsent;
    queue_.push_back(job);
    return;
  }
  if (end.status == 2) return stop(message_of(end), &end);
  rows_[job].status = "failed";
  rows_[job].message = end.status == 0 ? "was interrupted" : message_of(end);
  progress_.ended(end.seconds);
  progress_.failed();
  constexpr std::size_t kMostTold = 10;
  if (++failures_ <= kMostTold)
    progress_.say(fmt::format("failed: the run with {}: {}", told(job), rows_[job].message));
  if (failures_ == kMostTold) progress_.say("failed: further ones are told in table.csv alone");
}

// A result that is in no summary is most likely misspelt. It may also be one that not every run has.
void Sweep::warn_of_missing(std::size_t job) {
  for (std::size_t r = 0; r < plan_.results.size(); ++r) {
    const std::string& path = plan_.results[r];
    if (standing_[job].numbers[r] || warned_.contains(path)) continue;
    const auto there = sweep::numbers_of_run(sweep::run_folder(out_, runs_[job]));
    if (sweep::may_be_missing(path, there)) continue;
    warned_.insert(path);
    progress_.say(fmt::format("warning: {}: there is no number '{}' in the summary.json of {}{}", plan_.file, path,
                              runs_[job].name, scene::did_you_mean(path, there)));
  }
}

void Sweep::write_results() const {
  io::write_file_atomically(out_ / "table.csv", sweep::table_csv(plan_, runs_, rows_));
  const auto cells = sweep::summarise(plan_, runs_, rows_);
  io::write_file_atomically(out_ / "cells.csv", sweep::cells_csv(plan_, cells));
  if (const auto picture = sweep::picture(plan_, cells)) {
    io::write_file_atomically(out_ / "map.svg", plot::svg_of(*picture));
    io::write_file_atomically(out_ / "map.png", plot::png_of(*picture));
  }
}

int Sweep::run() {
  begin_folder();
  const std::size_t before = runs_.size() - queue_.size();
  const auto jobs = static_cast<std::size_t>(
      request_.jobs > 0 ? request_.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  progress_.begin(runs_.size(), before, jobs);
  bool told_children = false;
  while (children_.running() > 0 || (!queue_.empty() && !stopping())) {
    while (!queue_.empty() && !stopping() && children_.running() < jobs) {
      if (hash_of_file(scene_) != scene_hash_) {
        stop(fmt::format("{} has changed while the sweep was going on", scene_.string()), nullptr);
        break;
      }
      const std::size_t job = queue_.back();
      queue_.pop_back();
      start(job);
    }
    progress_.update(children_.running());
    if (signals.load() > 0 && !told_children) children_.send(SIGTERM);
    told_children = signals.load() > 0;
    if (signals.load() > 1) children_.send(SIGKILL);
    for (const sweep::ChildEnd& end : children_.wait(0.5)) take(end);
  }
  progress_.done();
  return finish();
}

int Sweep::finish() {
  std::size_t done = 0, failed = 0;
  for (std::size_t j = 0; j < runs_.size(); ++j) {
    const sweep::Standing& s = standing_[j];
    if (s.state == sweep::State::kDone) {
      rows_[j] = {s.status, s.numbers, s.seconds, ""};
      ++done;
    } else if (rows_[j].status == "failed") {
      rows_[j].seconds = s.seconds;
      ++failed;
    } else if (s.state == sweep::State::kBroken || started_[j] != 0) {
      rows_[j].status = "unfinished";
    }
  }
  write_results();
  if (!stopped_.empty()) throw base::InputError(stopped_);
  if (done + failed < runs_.size()) {
    fmt::print("stopped: {} of {} runs are done; go on with: {}\n", done, runs_.size(), command());
    return 0;
  }
  if (!request_.quiet) {
    fmt::print("{} runs done{}; {} in {}\n", done, failed > 0 ? fmt::format(", {} failed", failed) : "",
               fs::exists(out_ / "map.png") ? "table.csv, cells.csv, map.svg and map.png" : "table.csv and cells.csv",
               out_.string());
  }
  return failed > 0 ? 3 : 0;
}

// As it can be typed again.
std::string Sweep::command() const {
  std::string out = fmt::format("moraine sweep {} --out {}", request_.file, out_.string());
  for (const std::string& set : request_.sets) out += fmt::format(" --set '{}'", set);
  return out + (request_.jobs > 0 ? fmt::format(" --jobs {}", request_.jobs) : "");
}

// The scene of a sweep: beside the sweep file, or a shipped example.
fs::path scene_of(const sweep::Plan& plan) {
  std::error_code error;
  const fs::path beside = fs::path(plan.file).parent_path() / plan.scene;
  for (const fs::path& path : {beside, fs::path(beside.string() + ".toml")})
    if (fs::is_regular_file(path, error)) return path;
  if (plan.scene.find('/') != std::string::npos || fs::path(plan.scene).extension() == ".toml") {
    const fs::path above = fs::path(plan.scene).is_absolute() ? fs::path(plan.scene) : beside;
    throw base::InputError(plan.file, plan.scene_line, "scene", fmt::format("there is no file '{}'", above.string()));
  }
  try {
    return find_scene(plan.scene);
  } catch (const base::InputError& e) {
    throw base::InputError(plan.file, plan.scene_line, "scene", e.problems()[0].str());
  }
}

}  // namespace

CLI::App* add_sweep_command(CLI::App& app, SweepRequest& request) {
  CLI::App* command =
      app.add_subcommand("sweep", "run a scene with many values and seeds; goes on where it was stopped");
  command->add_option("SWEEP", request.file, "sweep file or name of a shipped sweep")->required();
  command
      ->add_option("--set", request.sets,
                   "set a scene key for all runs; sweep.KEY: a key of the sweep file (again and again)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", request.out, "folder for the results (default: out/NAME)");
  command->add_option("--jobs", request.jobs, "runs at a time, each on one thread (default: one per core)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", request.quiet, "no progress and no summary on the terminal");
  command->add_flag("--overwrite", request.overwrite, "replace runs that were made with another scene");
  return command;
}

int run_sweep(const SweepRequest& request) {
  const fs::path file = find_sweep(request.file);
  std::vector<std::string> common, own;
  split_sets(request.sets, common, own);
  sweep::Plan plan = sweep::read_plan(file, common, own);
  const fs::path scene = scene_of(plan);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return Sweep(request, std::move(plan), scene).run();
}

}  // namespace moraine::app
