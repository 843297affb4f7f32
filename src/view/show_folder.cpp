// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/stat.h>

#include <deque>
#include <fstream>
#include <mutex>

#include "base/error.hpp"
#include "io/trajectory.hpp"
#include "scene/keys.hpp"
#include "scene/reader.hpp"
#include "view/answers.hpp"
#include "view/frame_bytes.hpp"
#include "view/show.hpp"

namespace moraine::view {

namespace fs = std::filesystem;

namespace {

using measure::Frame;

class FolderShow : public Show {
 public:
  FolderShow(fs::path folder, std::string title);
  Response answer(const Request& request) override;

 private:
  std::shared_ptr<const Frame> frame(std::int64_t index);
  void look_anew();
  Response run();
  Response series(const std::string& name) const;
  std::vector<std::string> series_names() const;

  fs::path folder_;
  std::string title_;
  std::mutex mutex_;  // of the reader and what was read
  io::TrajectoryReader reader_;
  std::uint64_t file_ = 0;  // its number on the disk: another one when the run has been made anew
  std::deque<std::pair<std::int64_t, std::shared_ptr<const Frame>>> kept_;
};

fs::path trajectory_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw base::InputError(folder.string(), 0, "", "is not a folder; give the output folder of a run, or a scene");
  const fs::path file = folder / "trajectory.h5";
  if (fs::exists(file, error)) return file;
  const bool is_run = fs::exists(folder / "scene.toml", error);
  throw base::InputError(folder.string(), 0, "",
                         is_run ? "has no trajectory.h5 and so no frames to show (output.trajectory)"
                                : "is not the output folder of a Moraine run: it holds no trajectory.h5");
}

std::uint64_t number_of(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

// Whether the run was written with its contacts; what cannot be read was.
bool has_contacts(const fs::path& folder) {
  try {
    const fs::path file = folder / "scene.toml";
    return !fs::exists(file) || scene::read_scene(scene::scene_schema(), file).table("output").boolean("contacts");
  } catch (const base::InputError&) {
    return true;
  }
}

FolderShow::FolderShow(fs::path folder, std::string title)
    : folder_(std::move(folder)), title_(std::move(title)), reader_(trajectory_of(folder_)) {
  file_ = number_of(trajectory_of(folder_));
  if (title_.empty()) title_ = fs::absolute(folder_ / ".").lexically_normal().parent_path().filename().string();
  if (reader_.count() > 0) frame(0);  // what is damaged is told before anybody looks
}

// Under the lock: the run may have gone on, begun anew, or been resumed from further back.
void FolderShow::look_anew() {
  const fs::path path = trajectory_of(folder_);
  if (const std::uint64_t now = number_of(path); now != file_) {
    reader_ = io::TrajectoryReader(path);
    file_ = now;
    kept_.clear();
  }
  const std::int64_t before = reader_.count();
  if (reader_.refresh() < before) kept_.clear();
}

std::shared_ptr<const Frame> FolderShow::frame(std::int64_t index) {
  constexpr std::size_t kKept = 12;
  const std::lock_guard lock(mutex_);
  if (number_of(folder_ / "trajectory.h5") != file_) look_anew();
  for (const auto& [k, f] : kept_) {
    if (k == index) return f;
  }
  if (index >= reader_.count()) look_anew();
  if (index < 0 || index >= reader_.count()) return nullptr;
  auto read = std::make_shared<const Frame>(reader_.read(index));
  kept_.emplace_back(index, read);
  if (kept_.size() > kKept) kept_.pop_front();
  return read;
}

std::vector<std::string> FolderShow::series_names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder_ / "series", error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".csv") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Response FolderShow::series(const std::string& name) const {
  const std::vector<std::string> names = series_names();  // so no name leads out of the folder
  if (std::find(names.begin(), names.end(), name) == names.end()) return not_there("there is no such series");
  return json_answer(series_json(io::read_series(folder_ / "series" / (name + ".csv"))));
}

Response FolderShow::run() {
  std::vector<double> times;
  {
    const std::lock_guard lock(mutex_);
    look_anew();
    times = reader_.times();
  }
  std::ifstream file(folder_ / "summary.json");
  Json summary = file ? Json::parse(file, nullptr, false) : Json();
  if (summary.is_discarded()) summary = {{"status", "summary.json is damaged"}};
  return json_answer({{"title", title_},
                      {"live", false},
                      {"times", times},
                      {"series", series_names()},
                      {"summary", summary},
                      {"contacts", has_contacts(folder_)}});
}

Response FolderShow::answer(const Request& request) {
  if (request.method != "GET") return {405, "text/plain; charset=utf-8", "a run in a folder is only looked at\n"};
  const std::vector<std::string> parts = path_parts(request.path);
  const auto number = [&](std::size_t k) { return k < parts.size() ? to_number(parts[k]) : std::nullopt; };
  const std::string what = parts.size() > 1 ? parts[1] : "";
  if (what == "run" && parts.size() == 2) return run();
  if (what == "series" && parts.size() == 3) return series(parts[2]);
  if (what == "frame" && parts.size() == 3 && number(2)) {
    const auto f = frame(*number(2));
    return f ? Response{200, "application/octet-stream", frame_bytes(*f)} : not_there("there is no such frame");
  }
  if (what == "body" && parts.size() == 4 && number(2) && number(3)) {
    const auto f = frame(*number(2));
    return f ? Response{200, "application/json", body_json(*f, *number(3))} : not_there("there is no such frame");
  }
  if (what == "history" && parts.size() == 3 && number(2)) {
    std::int64_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      count = reader_.count();
    }
    return json_answer(history_json(*number(2), count, [&](std::int64_t k) { return frame(k); }));
  }
  return not_there("there is no such thing");
}

}  // namespace

std::unique_ptr<Show> show_folder(const fs::path& folder, const std::string& title) {
  return std::make_unique<FolderShow>(folder, title);
}

}  // namespace moraine::view
