// SPDX-License-Identifier: MIT
// What the tests of whole runs share: short versions of every example, and the comparison of two output folders.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/program.hpp"

namespace moraine::testing {

using Json = nlohmann::ordered_json;

// Strict: NaN is no JSON.
Json summary_of(const fs::path& run);
std::string hash_of(const fs::path& run);
Args set(const Args& values);

// "  run           33333 steps to 0.1 s; ..." of moraine check.
std::pair<double, double> steps_and_end(const std::string& checked);

// --set values for a version of the example of at most so many steps. For some scenes we know better what is short and
// still has everything in it.
Args shortened(const std::string& example, double most_steps = 1000);

std::map<std::string, std::string> files_of(const fs::path& folder);
void expect_same_files(const fs::path& run, const fs::path& other, const std::string& what);
void expect_same_trajectory(const fs::path& run, const fs::path& other);
// All of the state, down to what contacts remember; only the clock on the wall may differ.
void expect_same_checkpoint(const fs::path& run, const fs::path& other);
void expect_nothing_half_done(const fs::path& run);
// The same run, whatever happened on the way.
void expect_same_run(const fs::path& run, const fs::path& other);

}  // namespace moraine::testing
