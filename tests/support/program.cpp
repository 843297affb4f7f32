// SPDX-License-Identifier: MIT
#include "support/program.hpp"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace moraine::testing {

namespace {

// Temporary folders in memory: thousands of runs that each wait for the disk would take minutes.
[[maybe_unused]] const bool kTemporaryInMemory = [] {
  return ::access("/dev/shm", W_OK | X_OK) == 0 && ::setenv("TMPDIR", "/dev/shm", 0) == 0;
}();

std::string text_of(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(file, 0, SEEK_END))), '\0');
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return text;
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string Ended::told() const {
  return "command: " + command + "\nexit status " + std::to_string(status) +
         (signal != 0 ? ", ended by signal " + std::to_string(signal) : "") + (late ? ", took too long" : "") +
         "\nstdout: " + out.substr(0, 3000) + "\nstderr: " + err.substr(0, 6000);
}

std::vector<std::string> Ended::errors() const {
  std::vector<std::string> found;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("error: ", 0) == 0) found.push_back(line.substr(7));
  }
  return found;
}

Process::Process(const Args& args, const fs::path& folder, Limits limits) : limits_(limits), began_(seconds_now()) {
  for (const std::string& arg : args) command_ += (command_.empty() ? "" : " ") + arg;
  out_ = ::memfd_create("out", MFD_CLOEXEC);
  err_ = ::memfd_create("err", MFD_CLOEXEC);
  if (out_ < 0 || err_ < 0) throw std::runtime_error("no memory files");
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  const std::string where = folder.string();
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) become(argv, where);
}

Process::~Process() {
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_);
  ::close(err_);
}

void Process::send(int signal) {
  if (!reaped_) ::kill(pid_, signal);
}

bool Process::running() {
  if (!reaped_ && ::waitpid(pid_, &wait_status_, WNOHANG) == pid_) reaped_ = true;
  return !reaped_;
}

Ended Process::wait() {
  Ended end;
  while (running()) {
    if (seconds_now() - began_ > limits_.seconds * (MORAINE_SANITIZED ? 10 : 1)) {
      end.late = true;
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &wait_status_, 0);
      reaped_ = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  end.command = command_;
  if (WIFEXITED(wait_status_)) end.status = WEXITSTATUS(wait_status_);
  if (WIFSIGNALED(wait_status_)) end.signal = WTERMSIG(wait_status_);
  end.out = text_of(out_);
  end.err = text_of(err_);
  return end;
}

void Process::become(std::vector<char*>& argv, const std::string& folder) const {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, 0);
  ::dup2(out_, 1);
  ::dup2(err_, 2);
  const auto limit = [](int what, std::uint64_t bytes) {
    const rlimit value{bytes, bytes};
    if (bytes > 0) ::setrlimit(static_cast<__rlimit_resource>(what), &value);
  };
  if (!MORAINE_SANITIZED) limit(RLIMIT_AS, limits_.memory);
  limit(RLIMIT_FSIZE, limits_.file_size);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (::chdir(folder.c_str()) != 0) ::_exit(125);
  if (limits_.user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(limits_.user) != 0 || ::setuid(limits_.user) != 0))
    ::_exit(126);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

Args with_program(const Args& args) {
  Args all = {MORAINE_PROGRAM};
  all.insert(all.end(), args.begin(), args.end());
  return all;
}

Ended run_moraine(const Args& args, const fs::path& folder, Limits limits) {
  return Process(with_program(args), folder, limits).wait();
}

Args operator+(Args a, const Args& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Ended by itself, in time, with this status.
::testing::AssertionResult ended_with(const Ended& end, int status) {
  if (end.status == status && end.signal == 0 && !end.late) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "exit status " << status << " expected\n" << end.told();
}

// One of the problems it named holds all of these.
::testing::AssertionResult names_problem(const Ended& end, const std::vector<std::string>& parts) {
  const auto errors = end.errors();
  for (const std::string& error : errors) {
    if (std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return contains(error, part); }))
      return ::testing::AssertionSuccess();
  }
  std::string wanted;
  for (const std::string& part : parts) wanted += " '" + part + "'";
  return ::testing::AssertionFailure() << "no error with" << wanted << " in:\n" << end.told();
}

// Refused as bad input: exit status 2 and at least one line that says why.
::testing::AssertionResult refused(const Ended& end, const std::vector<std::string>& parts) {
  if (auto status = ended_with(end, 2); !status) return status;
  return names_problem(end, parts);
}

// The names of everything below a folder, sorted.
std::vector<std::string> everything_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.push_back(fs::relative(entry.path(), folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path examples_folder() { return fs::path(MORAINE_SOURCE_DIR) / "examples"; }

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(examples_folder())) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace moraine::testing
