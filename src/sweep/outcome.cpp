// SPDX-License-Identifier: MIT
#include "sweep/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/file.hpp"

namespace moraine::sweep {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path note_of(const fs::path& out, const Run& run) { return out / "runs" / (run.name + ".json"); }

// Nothing if the file is missing or not whole.
std::optional<Json> read_json(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  Json json = Json::parse(io::read_text_file(path), nullptr, false);
  if (json.is_discarded() || !json.is_object()) return {};
  return json;
}

std::string text_at(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : "";
}

void collect(const Json& json, const std::string& prefix, std::vector<std::string>& out) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() || value.is_boolean()) out.push_back(prefix + name);
    if (value.is_object()) collect(value, prefix + name + ".", out);
  }
}

}  // namespace

fs::path run_folder(const fs::path& out, const Run& run) { return out / "runs" / run.name; }

std::optional<double> number_in(const Json& summary, const std::string& path) {
  if (const auto it = summary.find(path); it != summary.end()) {
    if (it->is_boolean()) return it->get<bool>() ? 1 : 0;
    if (it->is_number() && std::isfinite(it->get<double>())) return it->get<double>();
  }
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    const auto it = summary.find(path.substr(0, dot));
    if (it == summary.end() || !it->is_object()) continue;
    if (const auto found = number_in(*it, path.substr(dot + 1))) return found;
  }
  return {};
}

std::vector<std::string> numbers_in(const Json& summary) {
  std::vector<std::string> out;
  collect(summary, "", out);
  return out;
}

std::vector<std::string> numbers_of_run(const fs::path& folder) {
  const auto summary = read_json(folder / "summary.json");
  return summary ? numbers_in(*summary) : std::vector<std::string>();
}

bool may_be_missing(const std::string& path, const std::vector<std::string>& there) {
  constexpr std::string_view kTime = ".time";
  if (!path.ends_with(kTime)) return false;
  const std::string verdict = path.substr(0, path.size() - kTime.size()) + ".jammed";
  return std::find(there.begin(), there.end(), verdict) != there.end();
}

Standing look_at(const fs::path& out, const Run& run, const std::string& fingerprint,
                 const std::vector<std::string>& results) {
  Standing standing;
  std::error_code error;
  const fs::path folder = run_folder(out, run);
  const auto summary = read_json(folder / "summary.json");
  const bool checkpoint = fs::exists(folder / "checkpoint.h5", error);
  if (!summary && !checkpoint) return standing;
  const auto note = read_json(note_of(out, run));
  if (!note || text_at(*note, "fingerprint") != fingerprint) {
    standing.state = State::kForeign;
    return standing;
  }
  standing.state = checkpoint ? State::kBroken : State::kAbsent;
  if (!summary) return standing;
  standing.status = text_at(*summary, "status");
  standing.seconds = number_in(*summary, "timings.loop_with_earlier_sessions").value_or(0);
  const bool done = !standing.status.empty() && standing.status != "interrupted" && standing.status != "failed";
  if (!done) return standing;
  standing.state = State::kDone;
  for (const std::string& path : results) standing.numbers.push_back(number_in(*summary, path));
  return standing;
}

void note_run(const fs::path& out, const Run& run, const std::string& fingerprint) {
  std::error_code error;
  // In this order: a kill between any two of these leaves no result under the wrong fingerprint.
  const fs::path folder = run_folder(out, run);
  for (const char* name : {"summary.json", "checkpoint.h5"}) {
    fs::remove(folder / name, error);
    if (error) io::throw_write_error(folder / name, "remove", error.value());
  }
  Json note;
  note["fingerprint"] = fingerprint;
  note["set"] = run.sets;
  io::write_file_atomically(note_of(out, run), note.dump(1) + "\n");
}

}  // namespace moraine::sweep
