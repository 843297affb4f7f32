// SPDX-License-Identifier: MIT
// The search by sweep and prune (Schinner's linked linear list, as Muth & Eberhard use it): the ends of all bounding
// boxes sorted on each axis, kept sorted by insertion from one finding to the next. Two boxes can only begin to overlap
// when on some axis the low end of one passes the high end of the other, and that is when the pair is looked at.
// A body near the end of a periodic axis has further boxes, one for each image that reaches into the domain.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "find/meeting.hpp"
#include "find/sizes.hpp"

namespace moraine::find {

template <int D>
class Sweep {
 public:
  // Brings all up to date with where bodies are. `place[old]` is the number of a body that was `old` at the last
  // update.
  void update(const world::World<D>& world, const Sizes<D>& sizes, const Shifts<D>& shifts,
              const std::vector<std::uint32_t>& place);
  // The partners of body i whose slots it owns, in no order.
  void partners(std::uint32_t i, std::vector<Hit>& hits) const;

  std::uint64_t candidates() const { return pairs_.size(); }  // boxes that overlap
  std::uint64_t swaps() const { return swaps_; }              // of ends, in the last update

 private:
  enum class State : std::uint8_t { kUnused, kKept, kNew, kDropped };
  struct Box {
    Vec<D> low{}, high{};
    std::int64_t id = -1;
    std::uint32_t body = 0;
    std::uint8_t image = 0;
    State state = State::kUnused;
    bool ghost() const { return image != world::kSameImage<D>; }
  };
  struct End {
    double at;
    std::uint32_t which;  // twice the box, and one more if it is the high end
    std::uint32_t box() const { return which / 2; }
    bool is_high() const { return which % 2 == 1; }
  };
  using Pair = std::uint64_t;  // lower box, higher box

  bool measure(const world::World<D>& world, const Shifts<D>& shifts, std::uint32_t body, int image, Box& box) const;
  void follow_bodies(const world::World<D>& world, const Shifts<D>& shifts, const std::vector<std::uint32_t>& place);
  void add_boxes(const world::World<D>& world, const Shifts<D>& shifts);
  void start_anew_if_many_are_new();
  void sort_ends();
  void insert_sort(std::vector<End>& ends);
  void add_ends(int axis);
  void pair_new_boxes();
  void settle_pairs();
  void hand_out(const world::World<D>& world, const Sizes<D>& sizes, const Shifts<D>& shifts);
  bool overlap(const Box& a, const Box& b) const;
  void open(std::uint32_t a, std::uint32_t b);

  std::vector<Box> boxes_;
  std::vector<std::uint32_t> unused_;  // boxes
  std::array<std::vector<End>, D> ends_;
  std::vector<Pair> pairs_, opened_;      // boxes that overlap, sorted; and those that began to
  std::vector<std::uint32_t> images_of_;  // of each body: one bit for each image that has a box
  double widest_ = 0;                     // half width of the widest box
  std::size_t new_boxes_ = 0;
  std::uint64_t swaps_ = 0;

  std::vector<std::uint32_t> start_;  // the partners of body i are hits_[start_[i]] .. hits_[start_[i+1]-1]
  std::vector<Hit> hits_;
};

}  // namespace moraine::find
