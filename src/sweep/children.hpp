// SPDX-License-Identifier: MIT
// Runs of the program itself as processes of their own, several at a time. They end with this process, whatever ends
// it. Knows nothing of sweeps.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "io/file.hpp"

namespace moraine::sweep {

struct ChildEnd {
  std::size_t job = 0;
  int status = -1;  // exit status, where no signal ended it
  int signal = 0;
  std::string errors;  // what it wrote to its standard error; of very much the end
  double seconds = 0;  // that it took
};

class Children {
 public:
  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children();  // kills what still runs

  // Starts this program with these arguments. Throws base::RunError if the system has no room for another process.
  void start(std::size_t job, const std::vector<std::string>& args);
  // Waits for ends, at most so many seconds or until a signal arrives, and gives those there are.
  std::vector<ChildEnd> wait(double seconds);
  void send(int signal) const;
  std::size_t running() const { return children_.size(); }

 private:
  struct Child {
    std::size_t job = 0;
    pid_t pid = 0;
    io::Descriptor errors;  // our end of a pipe; it closes when the process ends
    std::string text;
    double begin = 0;
  };
  // False: the pipe has closed.
  static bool read_some(Child& child);
  std::vector<Child> children_;
};

}  // namespace moraine::sweep
