// SPDX-License-Identifier: MIT
// The two kinds of trouble a user can meet: bad input (found before anything is written) and trouble in a run.
// Our own bugs are asserts and never come through here.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace moraine::base {

// One mistake in an input: where it stands and what would be right.
struct Problem {
  std::string file;
  int line = 0;      // 0: the whole file, or a value given on the command line
  std::string key;   // dotted path such as "body[2].radius", empty where there is none
  std::string text;  // what is wrong, the value found, what is allowed

  std::string str() const;
};

// Bad input: every problem found, together. The program prints them and exits with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(std::string file, int line, std::string key, std::string text);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

// Trouble while running: what happened, and what the user can change. Exit status 3.
class RunError : public std::runtime_error {
 public:
  RunError(const std::string& what, const std::string& advice)
      : std::runtime_error(advice.empty() ? what : what + "\n  what to do: " + advice) {}
};

}  // namespace moraine::base
