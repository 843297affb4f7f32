// SPDX-License-Identifier: MIT
// Kills the program right before its n-th change of the file system: each moment at which a crash could leave another
// state on the disk, one by one and always the same.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/program.hpp"

namespace moraine::testing {

struct Traced {
  bool possible = true;  // false: this system does not let us trace
  bool killed = false;
  int status = -1;     // if it ended by itself
  int operations = 0;  // changes of the file system it began
};

inline bool changes_files(const __ptrace_syscall_info& call) {
  switch (call.entry.nr) {
    case SYS_openat:
      return (call.entry.args[2] & O_CREAT) != 0;
    case SYS_write:
      return call.entry.args[0] > 2;  // not what it says to the user
    case SYS_pwrite64:
    case SYS_ftruncate:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_mkdirat:
#ifdef SYS_open  // the older calls, where the processor has them
    case SYS_open:
    case SYS_rename:
    case SYS_unlink:
    case SYS_mkdir:
    case SYS_rmdir:
#endif
      return true;
    default:
      return false;
  }
}

// Runs the program with one thread; `kill_before` 0: to its end.
inline Traced run_and_kill(const Args& args, const fs::path& folder, int kill_before) {
#if MORAINE_SANITIZED
  // The sanitizers make changes of their own, and not always the same ones: moments do not repeat.
  if (kill_before >= 0) return {false};
#endif
  const Args all = with_program(args + Args{"--quiet", "--threads", "1"});
  std::vector<char*> argv;
  for (const std::string& arg : all) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  const std::string where = folder.string();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int descriptor : {0, 1, 2}) ::dup2(nothing, descriptor);
    if (::chdir(where.c_str()) != 0 || ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(125);
    if (MORAINE_SANITIZED) ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // does not go with tracing
    ::raise(SIGSTOP);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Traced result;
  int status = 0;
  const auto wait = [&] { return ::waitpid(pid, &status, 0) == pid && WIFSTOPPED(status); };
  const auto option = [](auto value) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)); };
  if (!wait() || ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, option(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) != 0) {
    result.possible = false;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
    return result;
  }
  int pass_on = 0;
  while (::ptrace(PTRACE_SYSCALL, pid, nullptr, option(pass_on)) == 0 && wait()) {
    const int signal = WSTOPSIG(status);
    pass_on = signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
    if (signal != (SIGTRAP | 0x80)) continue;
    __ptrace_syscall_info call{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, pid, option(sizeof call), &call) <= 0) {
      result.possible = false;
      break;
    }
    if (call.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(call)) continue;
    if (++result.operations == kill_before) {
      result.killed = true;
      break;
    }
  }
  if (WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  } else {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
  }
  return result;
}

}  // namespace moraine::testing
