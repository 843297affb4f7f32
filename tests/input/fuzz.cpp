// SPDX-License-Identifier: MIT
// Light fuzzing: each example, damaged at random (always the same random), is a good scene or bad input, and never a
// crash, an internal error or an endless wait.
#include <gtest/gtest.h>

#include <random>

#include "support/program.hpp"
#include "support/sanitized.hpp"
#include "support/scenes.hpp"

using namespace moraine::testing;

namespace {

constexpr int kTries = 40;  // of each of more than fifty scenes; starting the program is what takes time

std::uint64_t seed_of(const std::string& name) {
  std::uint64_t seed = 1469598103934665603ULL;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return seed;
}

std::string damaged(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
  for (std::size_t times = 1 + below(4); times > 0 && !text.empty(); --times) {
    const std::size_t at = below(text.size());
    const std::size_t length = below(4) == 0 ? below(60) + 1 : below(3) + 1;
    switch (below(5)) {
      case 0:  // one bit
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << below(8)));
        break;
      case 1:  // another character that looks as if it belonged there
        text[at] = "0123456789.-+e\"'[]{}=#,\n _amxyz"[below(31)];
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:  // twice
        text.insert(at, text.substr(at, length));
        break;
      default:  // elsewhere
        text.insert(below(text.size()), text.substr(at, length));
    }
  }
  return text;
}

class Fuzz : public ::testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Fuzz, NeverCrashes) {
  std::string good = get(examples_folder() / (GetParam() + ".toml"));
  ASSERT_FALSE(good.empty());
  // Squeezing takes its time, above all when damage makes more grains.
  if (GetParam() == "triaxial_3d") good = replaced(good, "count = 600", "count = 70");
  std::mt19937_64 random(seed_of(GetParam()));
  const Folder folder;
  int accepted = 0, refusals = 0, failures = 0;
  for (int k = 0; k < kTries && failures < 5; ++k) {
    const std::string text = damaged(good, random);
    put(folder / "scene.toml", text);
    const Ended end = run_moraine({"check", "scene.toml"}, folder.path(), {60, 4ULL << 30});
    const bool sound = !end.late && end.signal == 0 && (end.status == 0 || (end.status == 2 && !end.errors().empty()));
    EXPECT_TRUE(sound) << "try " << k << "\n" << end.told() << "\nscene:\n" << text;
    failures += sound ? 0 : 1;
    (end.status == 0 ? accepted : refusals) += 1;
  }
  // Both must happen, or the damage is too much or too little to tell anything.
  EXPECT_GT(accepted, kTries / 50);
  EXPECT_GT(refusals, kTries / 5);
}

INSTANTIATE_TEST_SUITE_P(Example, Fuzz, ::testing::ValuesIn(example_names()),
                         [](const auto& instance) { return instance.param; });
