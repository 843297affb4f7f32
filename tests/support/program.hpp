// SPDX-License-Identifier: MIT
// Runs the program as a user would: its own process, with its output, exit status and the signal that ended it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/sanitized.hpp"
#include "unit/io_samples.hpp"

namespace moraine::testing {

namespace fs = std::filesystem;
using Args = std::vector<std::string>;
using io::testing::Folder;
using io::testing::get;
using io::testing::put;

double seconds_now();

struct Limits {
  double seconds = 60;                      // then it is killed, and the outcome is `late`
  std::uint64_t memory = 0, file_size = 0;  // bytes; 0: no limit
  uid_t user = 0;                           // runs as this user; 0: as the test does
};

struct Ended {
  int status = -1;  // exit status, where no signal ended it
  int signal = 0;
  bool late = false;
  std::string out, err;
  std::string command;

  std::string told() const;                 // for the message of a failed test
  std::vector<std::string> errors() const;  // the problems it named, one line each, without "error: "
};

// A process with its output caught in memory, so that it leaves nothing in the folder it runs in.
class Process {
 public:
  Process(const Args& args, const fs::path& folder, Limits limits = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void send(int signal);
  bool running();
  Ended wait();

 private:
  [[noreturn]] void become(std::vector<char*>& argv, const std::string& folder) const;

  Limits limits_;
  double began_;
  std::string command_;
  int out_ = -1, err_ = -1, wait_status_ = 0;
  pid_t pid_ = -1;
  bool reaped_ = false;
};

Args with_program(const Args& args);
Ended run_moraine(const Args& args, const fs::path& folder, Limits limits = {});
Args operator+(Args a, const Args& b);
bool contains(const std::string& text, const std::string& part);

// Ended by itself, in time, with this status.
::testing::AssertionResult ended_with(const Ended& end, int status);
// One of the problems it named holds all of these.
::testing::AssertionResult names_problem(const Ended& end, const std::vector<std::string>& parts);
// Refused as bad input: exit status 2 and at least one line that says why.
::testing::AssertionResult refused(const Ended& end, const std::vector<std::string>& parts = {});

// The names of everything below a folder, sorted.
std::vector<std::string> everything_in(const fs::path& folder);
fs::path examples_folder();
std::vector<std::string> example_names();

}  // namespace moraine::testing
