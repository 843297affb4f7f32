// SPDX-License-Identifier: MIT
// A team of threads that works through numbered chunks. What a chunk computes must not depend on who runs it, so every
// result is the same for any number of threads. Own threads instead of OpenMP, because the thread sanitizer can see
// through them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace moraine::base {

class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }

  // Calls work(chunk) once for each chunk in [0, chunks), on all threads, and returns when all are done. An exception
  // in a chunk is rethrown here; of several, the one of the lowest chunk, whatever the number of threads.
  template <class Work>
  void for_chunks(std::size_t chunks, const Work& work) {
    // A handful of chunks is done sooner than another thread is woken.
    if (workers_.empty() || chunks < kWorthSharing) {
      for (std::size_t c = 0; c < chunks; ++c) work(c);
      return;
    }
    run(
        chunks, [](const void* w, std::size_t c) { (*static_cast<const Work*>(w))(c); }, &work);
  }

 private:
  static constexpr std::size_t kWorthSharing = 6;
  using Call = void (*)(const void*, std::size_t);
  void run(std::size_t chunks, Call call, const void* work);
  void help(std::size_t self);
  void loop(std::size_t self);

  // Each thread first takes the chunks of its own range (the same memory step after step), then helps the others.
  struct alignas(64) Range {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  const int size_;  // known before the first thread starts, which reads it
  std::vector<std::thread> workers_;
  std::unique_ptr<Range[]> ranges_;
  std::unique_ptr<std::exception_ptr[]> failures_;
  std::unique_ptr<std::size_t[]> failed_chunk_;
  Call call_ = nullptr;
  const void* work_ = nullptr;
  alignas(64) std::atomic<unsigned> round_{0};
  alignas(64) std::atomic<int> busy_{0};
  std::atomic<bool> stop_{false};
};

// Chunks of a fixed number of bodies: a function of the number of bodies alone, never of the number of threads.
inline constexpr std::size_t kChunkBodies = 512;
inline std::size_t chunk_count(std::size_t bodies) { return (bodies + kChunkBodies - 1) / kChunkBodies; }

}  // namespace moraine::base
