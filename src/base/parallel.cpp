// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <limits>

namespace moraine::base {

namespace {
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
// Steps follow each other within microseconds, so a thread spins a little before it sleeps. With more threads than
// cores spinning only steals time from the one that has work.
int spins(int threads) { return threads <= static_cast<int>(std::thread::hardware_concurrency()) ? 4000 : 0; }

template <class T>
void await_change(const std::atomic<T>& value, T old, int spin) {
  for (int k = 0; k < spin; ++k) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}
}  // namespace

Team::Team(int threads) : size_(std::max(1, threads)) {
  const auto n = static_cast<std::size_t>(size_);
  ranges_ = std::make_unique<Range[]>(n);
  failures_ = std::make_unique<std::exception_ptr[]>(n);
  failed_chunk_ = std::make_unique<std::size_t[]>(n);
  for (std::size_t t = 1; t < n; ++t) workers_.emplace_back([this, t] { loop(t); });
}

Team::~Team() {
  stop_.store(true);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& w : workers_) w.join();
}

void Team::loop(std::size_t self) {
  unsigned seen = 0;
  for (;;) {
    await_change(round_, seen, spins(size()));
    seen = round_.load(std::memory_order_acquire);
    if (stop_.load()) return;
    help(self);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

void Team::help(std::size_t self) {
  const auto n = static_cast<std::size_t>(size());
  for (std::size_t k = 0; k < n; ++k) {
    Range& range = ranges_[(self + k) % n];
    for (;;) {
      const std::size_t c = range.next.fetch_add(1, std::memory_order_relaxed);
      if (c >= range.end) break;
      try {
        call_(work_, c);
      } catch (...) {
        if (c < failed_chunk_[self]) {
          failed_chunk_[self] = c;
          failures_[self] = std::current_exception();
        }
      }
    }
  }
}

void Team::run(std::size_t chunks, Call call, const void* work) {
  const auto n = static_cast<std::size_t>(size());
  for (std::size_t t = 0; t < n; ++t) {
    ranges_[t].next.store(chunks * t / n, std::memory_order_relaxed);
    ranges_[t].end = chunks * (t + 1) / n;
    failures_[t] = nullptr;
    failed_chunk_[t] = kNone;
  }
  call_ = call;
  work_ = work;
  busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  help(0);
  for (int left = busy_.load(std::memory_order_acquire); left != 0; left = busy_.load(std::memory_order_acquire)) {
    await_change(busy_, left, spins(size()));
  }
  std::size_t first = 0;
  for (std::size_t t = 1; t < n; ++t) {
    if (failed_chunk_[t] < failed_chunk_[first]) first = t;
  }
  if (failures_[first]) std::rethrow_exception(failures_[first]);
}

}  // namespace moraine::base
