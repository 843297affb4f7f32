// SPDX-License-Identifier: MIT
// A run that is made while it is looked at. It goes at the pace that the page asks for: that of time, or as fast as it
// can. The page gets the newest frame when it asks; whatever lies between two questions is skipped, the run does not
// wait. Frames at the scene's own intervals are kept, so that one can go back.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "api/engine.hpp"
#include "base/error.hpp"
#include "scene/load.hpp"
#include "view/answers.hpp"
#include "view/frame_bytes.hpp"
#include "view/show.hpp"

namespace moraine::view {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using measure::Frame;
using FramePointer = std::shared_ptr<const Frame>;
const std::string kEnergy = "energy";

std::size_t size_of(const Frame& f) {
  return 300 * f.id.size() + 120 * f.contact_a.size() + 60 * f.line_from.size() + 1000;
}

// The rows of a series so far; of very many every second, every fourth and so on.
struct Rows {
  io::Series series;
  std::int64_t every = 1, seen = 0;

  void add(const std::vector<double>& row) {
    constexpr std::size_t kMostNumbers = 2 << 20;
    if (seen++ % every != 0 || row.size() != series.columns.size()) return;
    for (std::size_t c = 0; c < row.size(); ++c) series.values[c].push_back(row[c]);
    if (series.values[0].size() * row.size() < kMostNumbers) return;
    for (std::vector<double>& column : series.values) {
      std::size_t left = 0;
      for (std::size_t k = 0; k < column.size(); k += 2) column[left++] = column[k];
      column.resize(left);
    }
    every *= 2;
  }
};

io::Series empty_series(const std::vector<measure::Quantity>& columns) {
  io::Series series;
  for (const measure::Quantity& q : columns) series.columns.push_back({q.name, q.unit});
  series.values.resize(columns.size());
  return series;
}

class SceneShow : public Show {
 public:
  SceneShow(fs::path scene, const std::vector<std::string>& sets, int threads);
  SceneShow(const SceneShow&) = delete;
  SceneShow& operator=(const SceneShow&) = delete;
  ~SceneShow() override;
  Response answer(const Request& request) override;

 private:
  std::unique_ptr<api::Engine> build(const std::vector<std::string>& sets) const;
  void work();
  void play();
  void look(bool keep);
  bool idle() const { return paused_ || state_ == "finished" || state_ == "failed"; }
  Response command(const std::string& what, const std::string& body);
  Response run();
  Response state();
  FramePointer frame(const std::string& which);
  Response series(const std::string& name);
  void take_table(const measure::Table& table);
  void start_anew(std::unique_ptr<api::Engine> engine, std::vector<std::string> sets);

  fs::path scene_;
  int threads_;
  std::unique_ptr<api::Engine> engine_;  // touched by the working thread alone, once it runs

  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::string state_ = "running", trouble_, title_;
  std::vector<std::string> sets_;
  std::unique_ptr<api::Engine> next_;  // to start anew with
  bool paused_ = false, stopping_ = false, newest_wanted_ = false;
  std::int64_t steps_wanted_ = 0;  // while paused
  double pace_ = 1;                // simulated per real time; 0: as fast as it can
  double every_ = 0, next_kept_ = 0;
  std::vector<FramePointer> kept_;
  std::size_t kept_size_ = 0;
  FramePointer newest_;
  std::map<std::string, Rows> series_;  // those of the probes, their tables, and the energy at the frames kept
  bool own_energy_ = true;              // no probe is called energy
  Clock::time_point begun_;             // when time_begun_ was shown
  double time_begun_ = 0, looking_ = 0, stepping_ = 0, rate_ = 0;
  std::int64_t generation_ = 0;  // how often it has been started anew
  std::thread thread_;
};

SceneShow::SceneShow(fs::path scene, const std::vector<std::string>& sets, int threads)
    : scene_(std::move(scene)), threads_(threads) {
  start_anew(build(sets), sets);
  engine_ = std::move(next_);
  look(true);
  thread_ = std::thread([this] { work(); });
}

SceneShow::~SceneShow() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::unique_ptr<api::Engine> SceneShow::build(const std::vector<std::string>& sets) const {
  Options options;
  options.threads = threads_;
  return api::make_engine(scene::load_scene(scene_, sets), options, nullptr);
}

// Under the lock, or before there is a thread.
void SceneShow::start_anew(std::unique_ptr<api::Engine> engine, std::vector<std::string> sets) {
  const scene::Node& node = engine->tree().node;
  title_ = node.text("title").empty() ? scene_.stem().string() : node.text("title");
  const scene::Node& output = node.table("output");
  const double end = node.table("time").has("end")
                         ? node.table("time").number("end")
                         : static_cast<double>(node.table("time").integer("steps")) * engine->dt();
  every_ = output.has("every")         ? output.number("every")
           : output.has("every_steps") ? static_cast<double>(output.integer("every_steps")) * engine->dt()
                                       : end / 50;
  next_ = std::move(engine);
  sets_ = std::move(sets);
  kept_.clear();
  series_.clear();
  for (const auto& [name, columns] : next_->series()) series_[name].series = empty_series(columns);
  own_energy_ = !series_.contains(kEnergy);
  if (own_energy_)
    series_[kEnergy].series = empty_series({{"time", "s"}, {"kinetic", "J"}, {"potential", "J"}, {"elastic", "J"}});
  next_->on_row = [this](const std::string& probe, const std::vector<double>& row) {
    const std::lock_guard lock(mutex_);
    if (!next_) series_[probe].add(row);  // else it is of the run before
  };
  next_->on_table = [this](const measure::Table& table) { take_table(table); };
  kept_size_ = 0;
  next_kept_ = 0;
  newest_.reset();
  state_ = "running";
  trouble_.clear();
  looking_ = stepping_ = rate_ = 0;
  begun_ = Clock::now();
  time_begun_ = 0;
  ++generation_;
}

// The frame of this instant. Not under the lock: it takes as long as some steps.
void SceneShow::look(bool keep) {
  const auto begin = Clock::now();
  auto f = std::make_shared<const Frame>(engine_->look());
  const Energy energy = engine_->energy();
  const double took = Seconds(Clock::now() - begin).count();
  const std::lock_guard lock(mutex_);
  if (next_) return;  // it is of the run before
  looking_ += took;
  newest_ = f;
  newest_wanted_ = false;
  if (!keep) return;
  constexpr std::size_t kMostBytes = 512U << 20;
  kept_.push_back(f);
  kept_size_ += size_of(*f);
  if (own_energy_) series_[kEnergy].add({f->time, energy.kinetic(), energy.potential, energy.elastic});
  while (next_kept_ <= f->time * (1 + 1e-12)) next_kept_ += every_;
  if (kept_size_ <= kMostBytes || kept_.size() < 4) return;
  // Every second one goes, and from now on half as many are kept.
  std::size_t left = 0;
  for (std::size_t k = 0; k < kept_.size(); k += 2) kept_[left++] = kept_[k];
  kept_.resize(left);
  kept_size_ /= 2;
  every_ *= 2;
}

void SceneShow::work() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || next_ || steps_wanted_ > 0 || !idle(); });
      if (stopping_) return;
      if (next_) engine_ = std::move(next_);
    }
    try {
      play();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      if (next_) continue;  // it was the run before
      state_ = "failed";
      trouble_ = error.what();
      steps_wanted_ = 0;
    }
  }
}

// Steps until something is to be decided anew.
void SceneShow::play() {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = kept_.empty();
  }
  if (first) look(true);
  for (;;) {
    double ahead = 0;
    bool show = false, keep = false, paused = false;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || next_ || state_ != "running") return;
      paused = paused_ && steps_wanted_ == 0;
      if (paused && !newest_wanted_) return;
      const double wall = Seconds(Clock::now() - begun_).count(), simulated = engine_->time() - time_begun_;
      rate_ = wall > 0.2 ? simulated / wall : rate_;
      if (pace_ > 0 && !paused_) ahead = simulated / pace_ - wall;
    }
    if (paused) return look(false);  // where it has stopped
    if (ahead > 0.002) {             // the page asked for this pace
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, Seconds(std::min(ahead, 0.05)));
      continue;
    }
    const auto begin = Clock::now();
    engine_->step();
    const bool finished = engine_->finished();
    {
      const std::lock_guard lock(mutex_);
      stepping_ += Seconds(Clock::now() - begin).count();
      if (steps_wanted_ > 0) show = --steps_wanted_ == 0;
      keep = finished || engine_->time() >= next_kept_ * (1 - 1e-12);
      show = show || newest_wanted_;
    }
    if (show || keep) look(keep);
    if (!finished) continue;
    for (const measure::Table& table : engine_->tables()) take_table(table);
    const std::lock_guard lock(mutex_);
    if (next_) return;  // it was the end of the run before
    state_ = "finished";
    steps_wanted_ = 0;
    return;
  }
}

Response SceneShow::state() {
  const std::lock_guard lock(mutex_);
  const double all = looking_ + stepping_;
  return json_answer({{"state", state_ == "running" && paused_ ? "paused" : state_},
                      {"trouble", trouble_},
                      {"time", newest_ ? newest_->time : 0},
                      {"step", newest_ ? newest_->step : 0},
                      {"frames", kept_.size()},
                      {"pace", pace_},
                      {"rate", rate_},
                      {"looking", all > 0 ? looking_ / all : 0},
                      {"sets", sets_},
                      {"generation", generation_}});
}

Response SceneShow::run() {
  const std::lock_guard lock(mutex_);
  std::vector<double> times;
  std::vector<std::string> names;
  for (const FramePointer& f : kept_) times.push_back(f->time);
  for (const auto& [name, rows] : series_) names.push_back(name);
  return json_answer({{"title", title_},
                      {"live", true},
                      {"times", times},
                      {"series", names},
                      {"summary", Json()},
                      {"contacts", true}});
}

void SceneShow::take_table(const measure::Table& table) {
  io::Series whole = empty_series(table.columns);
  for (const std::vector<double>& row : table.rows) {
    for (std::size_t c = 0; c < row.size() && c < whole.values.size(); ++c) whole.values[c].push_back(row[c]);
  }
  const std::lock_guard lock(mutex_);
  if (!next_) series_[table.name].series = std::move(whole);
}

Response SceneShow::series(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto it = series_.find(name);
  return it == series_.end() ? not_there("there is no such series") : json_answer(series_json(it->second.series));
}

FramePointer SceneShow::frame(const std::string& which) {
  const std::lock_guard lock(mutex_);
  if (which == "newest") {
    newest_wanted_ = true;
    return newest_;
  }
  const auto k = to_number(which);
  if (!k || *k < 0 || static_cast<std::size_t>(*k) >= kept_.size()) return nullptr;
  return kept_[static_cast<std::size_t>(*k)];
}

Response SceneShow::command(const std::string& what, const std::string& body) {
  if (what == "restart") {
    const Json sets = Json::parse(body, nullptr, false);
    if (!sets.is_array() || !std::all_of(sets.begin(), sets.end(), [](const Json& s) { return s.is_string(); }))
      return {400, "text/plain; charset=utf-8", "a list of texts such as \"time.end=2\" is needed\n"};
    auto values = sets.get<std::vector<std::string>>();
    std::unique_ptr<api::Engine> engine;
    try {
      engine = build(values);
    } catch (const base::InputError& error) {  // what runs goes on
      std::string words;
      for (const base::Problem& problem : error.problems()) words += problem.str() + "\n";
      return {400, "text/plain; charset=utf-8", words};
    }
    const std::lock_guard lock(mutex_);
    start_anew(std::move(engine), std::move(values));
    paused_ = false;
    steps_wanted_ = 0;
    changed_.notify_all();
    return json_answer({{"generation", generation_}});
  }
  const std::lock_guard lock(mutex_);
  if (what == "pause") {
    paused_ = true;
    newest_wanted_ = true;
    steps_wanted_ = 0;
  } else if (what == "go" || what == "pace") {
    const Json pace = what == "pace" ? Json::parse(body, nullptr, false) : Json(pace_);
    if (!pace.is_number() || !(pace.get<double>() >= 0) || pace.get<double>() > 1e9)
      return {400, "text/plain; charset=utf-8", "a number >= 0 is needed: simulated over real time, or 0\n"};
    pace_ = pace.get<double>();
    if (what == "go") paused_ = false;
    begun_ = Clock::now();
    time_begun_ = newest_ ? newest_->time : 0;
  } else if (what == "step") {
    const Json count = body.empty() ? Json(1) : Json::parse(body, nullptr, false);
    if (!count.is_number_integer() || count.get<std::int64_t>() < 1 || count.get<std::int64_t>() > 1000000)
      return {400, "text/plain; charset=utf-8", "a whole number from 1 to 1000000 is needed\n"};
    if (state_ != "running") return {409, "text/plain; charset=utf-8", "the run has ended: start it anew\n"};
    if (!paused_) return {409, "text/plain; charset=utf-8", "pause first\n"};
    steps_wanted_ += count.get<std::int64_t>();
  } else {
    return not_there("there is no such command");
  }
  changed_.notify_all();
  return json_answer({{"done", what}});
}

Response SceneShow::answer(const Request& request) {
  const std::vector<std::string> parts = path_parts(request.path);
  const std::string what = parts.size() > 1 ? parts[1] : "";
  if (request.method == "POST") return parts.size() == 2 ? command(what, request.body) : not_there("no such command");
  if (what == "run" && parts.size() == 2) return run();
  if (what == "state" && parts.size() == 2) return state();
  if (what == "series" && parts.size() == 3) return series(parts[2]);
  const auto no_frame = [] { return not_there("there is no such frame"); };
  if (what == "frame" && parts.size() == 3) {
    const FramePointer f = frame(parts[2]);
    return f ? Response{200, "application/octet-stream", frame_bytes(*f)} : no_frame();
  }
  if (what == "body" && parts.size() == 4 && to_number(parts[3])) {
    const FramePointer f = frame(parts[2]);
    return f ? Response{200, "application/json", body_json(*f, *to_number(parts[3]))} : no_frame();
  }
  if (what == "history" && parts.size() == 3 && to_number(parts[2])) {
    std::vector<FramePointer> kept;
    {
      const std::lock_guard lock(mutex_);
      kept = kept_;
    }
    return json_answer(history_json(*to_number(parts[2]), static_cast<std::int64_t>(kept.size()),
                                    [&](std::int64_t k) { return kept[static_cast<std::size_t>(k)]; }));
  }
  return not_there("there is no such thing");
}

}  // namespace

std::unique_ptr<Show> show_scene(const fs::path& scene, const std::vector<std::string>& sets, int threads) {
  return std::make_unique<SceneShow>(scene, sets, threads);
}

}  // namespace moraine::view
