// SPDX-License-Identifier: MIT
// What the folder of a sweep holds: each run's own folder, and beside it a note of which run it is. A run counts as
// done if its summary.json says so and the note has the fingerprint of the run that is asked for.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan.hpp"

namespace moraine::sweep {

enum class State {
  kAbsent,  // nothing of it, or nothing to go on from
  kBroken,  // begun: there is a checkpoint
  kDone,
  kForeign,  // there is something, of another scene or of other values
};

// A run as it stands on the disk.
struct Standing {
  State state = State::kAbsent;
  std::string status;                          // of the summary: "finished", "at rest", "failed"
  std::vector<std::optional<double>> numbers;  // one for each result; none: not in the summary
  double seconds = 0;                          // of computing
};

std::filesystem::path run_folder(const std::filesystem::path& out, const Run& run);

Standing look_at(const std::filesystem::path& out, const Run& run, const std::string& fingerprint,
                 const std::vector<std::string>& results);

// Makes the folder ready for a run that begins anew: what an earlier run left is no longer taken for its result.
void note_run(const std::filesystem::path& out, const Run& run, const std::string& fingerprint);

// The number at a path such as "probes.jam.time"; names may hold points. true is 1. Nothing if there is none.
std::optional<double> number_in(const nlohmann::ordered_json& summary, const std::string& path);
// All paths that have one.
std::vector<std::string> numbers_in(const nlohmann::ordered_json& summary);
std::vector<std::string> numbers_of_run(const std::filesystem::path& folder);
// Among the numbers that are there: a run without a jam has no time of it, and the path is right all the same.
bool may_be_missing(const std::string& path, const std::vector<std::string>& there);

}  // namespace moraine::sweep
