// SPDX-License-Identifier: MIT
/// @file
/// The two kinds of trouble a user can meet: bad input (found before anything is written) and trouble in a run. Our own
/// bugs are asserts and never come through here.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace moraine {

/// One mistake in an input: where it stands and what would be right.
struct Problem {
  std::string file;  ///< the file, or what else the value came from, such as "--set"
  int line = 0;      ///< 0: the whole file, or a value that is in none
  std::string key;   ///< dotted path such as "body[2].radius", empty where there is none
  std::string text;  ///< what is wrong, the value found, what is allowed

  /// All of it in one line, as in "scene.toml:9: material[0].density: is missing".
  std::string str() const;
};

/// Bad input: every problem found, together.
class InputError : public std::runtime_error {
 public:
  /// Several problems; what() has a line for each.
  explicit InputError(std::vector<Problem> problems);
  /// One problem.
  InputError(std::string file, int line, std::string key, std::string text);
  /// Every problem found.
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Trouble while running: what happened, and what the user can change.
class RunError : public std::runtime_error {
 public:
  /// What happened, and what to do about it.
  RunError(const std::string& what, const std::string& advice)
      : std::runtime_error(advice.empty() ? what : what + "\n  what to do: " + advice) {}
};

}  // namespace moraine
