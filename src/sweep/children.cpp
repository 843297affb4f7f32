// SPDX-License-Identifier: MIT
#include "sweep/children.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>

#include "base/error.hpp"
#include "base/stopwatch.hpp"

namespace moraine::sweep {

namespace {

constexpr const char* kThisProgram = "/proc/self/exe";
constexpr std::size_t kMostText = 1 << 16;

[[noreturn]] void cannot_start(int error) {
  throw base::RunError("cannot start another process: " + io::system_reason(error),
                       "run fewer at a time with --jobs; what is finished is kept");
}

// Between fork and exec: only what is safe there.
[[noreturn]] void become(char* const* argv, int errors, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(125);  // the parent was gone before the line above
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  ::dup2(nothing, 1);
  ::dup2(errors, 2);
  ::execv(kThisProgram, argv);
  ::_exit(127);
}

}  // namespace

Children::~Children() {
  send(SIGKILL);
  for (const Child& child : children_) ::waitpid(child.pid, nullptr, 0);
}

void Children::start(std::size_t job, const std::vector<std::string>& args) {
  std::vector<std::string> words = {"moraine"};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(errno);
  io::Descriptor ours(ends[0]);
  const io::Descriptor theirs(ends[1]);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) cannot_start(errno);
  if (pid == 0) become(argv.data(), theirs.get(), parent);
  children_.push_back({job, pid, std::move(ours), "", base::seconds_now()});
}

bool Children::read_some(Child& child) {
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count = ::read(child.errors.get(), block.data(), block.size());
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    child.text.append(block.data(), static_cast<std::size_t>(count));
    if (child.text.size() > 2 * kMostText) child.text.erase(0, child.text.size() - kMostText);
  }
}

std::vector<ChildEnd> Children::wait(double seconds) {
  std::vector<pollfd> pipes;
  for (const Child& child : children_) pipes.push_back({child.errors.get(), POLLIN, 0});
  std::vector<ChildEnd> ends;
  if (pipes.empty() || ::poll(pipes.data(), pipes.size(), static_cast<int>(std::ceil(seconds * 1000))) <= 0)
    return ends;
  for (std::size_t i = children_.size(); i-- > 0;) {
    Child& child = children_[i];
    if (pipes[i].revents == 0 || read_some(child)) continue;
    ChildEnd end{child.job, -1, 0, std::move(child.text), 0};
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    end.seconds = base::seconds_now() - child.begin;
    if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    ends.push_back(std::move(end));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return ends;
}

void Children::send(int signal) const {
  for (const Child& child : children_) ::kill(child.pid, signal);
}

}  // namespace moraine::sweep
