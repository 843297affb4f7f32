// SPDX-License-Identifier: MIT
#include "find/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace moraine::find {

namespace {
// Boxes are wider by a little than what they hold, which is more than their ends are rounded by.
constexpr double kSlack = 1e-9, kRounding = 1e-15;
constexpr std::uint32_t kSmallestNumber = 64;
}  // namespace

template <int D>
void Sweep<D>::update(const world::World<D>& world, const Sizes<D>& sizes, const Shifts<D>& shifts,
                      const std::vector<std::uint32_t>& place) {
  widest_ = (sizes.all.largest + 0.5 * world.skin) * (1 + 10 * kSlack);
  swaps_ = 0;
  follow_bodies(world, shifts, place);
  add_boxes(world, shifts);
  start_anew_if_many_are_new();
  opened_.clear();
  sort_ends();
  pair_new_boxes();
  settle_pairs();
  hand_out(world, sizes, shifts);
}

template <int D>
void Sweep<D>::partners(std::uint32_t i, std::vector<Hit>& hits) const {
  hits.insert(hits.end(), hits_.begin() + start_[i], hits_.begin() + start_[i + 1]);
}

// The box of an image of a body. False if it is not needed: nobody in the domain can reach it.
template <int D>
bool Sweep<D>::measure(const world::World<D>& world, const Shifts<D>& shifts, std::uint32_t body, int image,
                       Box& box) const {
  const Vec<D> x = world.bodies.x_found[body] + shifts[static_cast<std::size_t>(image)];
  const double half = (world.bodies.place[body].radius + 0.5 * world.skin) * (1 + kSlack);
  for (int k = 0; k < D; ++k) {
    const double rounding = kRounding * std::fabs(x[k]);
    box.low[k] = x[k] - half - rounding;
    box.high[k] = x[k] + half + rounding;
    if (image == world::kSameImage<D> || !world.domain.periodic[k]) continue;
    if (box.low[k] > world.domain.max[k] + widest_ || box.high[k] < world.domain.min[k] - widest_) return false;
  }
  return true;
}

// Boxes go where their bodies went. Those of bodies that left, or of images no longer needed, are dropped; one that
// moved by more than its width (the body was wrapped) is taken out and put in again.
template <int D>
void Sweep<D>::follow_bodies(const world::World<D>& world, const Shifts<D>& shifts,
                             const std::vector<std::uint32_t>& place) {
  images_of_.assign(world.bodies.size(), 0);
  new_boxes_ = 0;
  for (Box& box : boxes_) {
    if (box.state == State::kUnused) continue;
    const Vec<D> before = box.low;
    const std::uint32_t body = box.body < place.size() ? place[box.body] : ~0U;
    if (body >= world.bodies.size() || world.bodies.id[body] != box.id ||
        !measure(world, shifts, body, box.image, box)) {
      box.state = State::kDropped;
      continue;
    }
    box.body = body;
    box.state = State::kKept;
    images_of_[body] |= 1U << box.image;
    for (int k = 0; k < D; ++k) {
      if (std::fabs(box.low[k] - before[k]) > box.high[k] - box.low[k]) box.state = State::kNew;
    }
    new_boxes_ += box.state == State::kNew;
  }
}

// Of two opposite images one is enough: what meets it meets the body in the other.
template <int D>
void Sweep<D>::add_boxes(const world::World<D>& world, const Shifts<D>& shifts) {
  for (int image = world::kSameImage<D>; image < world::kImages<D>; ++image) {
    if (!has_image(world.domain, image)) continue;
    for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
      if ((images_of_[body] >> image) % 2 == 1) continue;
      Box box;
      if (!measure(world, shifts, body, image, box)) continue;
      box.id = world.bodies.id[body];
      box.body = body;
      box.image = static_cast<std::uint8_t>(image);
      box.state = State::kNew;
      ++new_boxes_;
      if (unused_.empty()) {
        boxes_.push_back(box);
      } else {
        boxes_[unused_.back()] = box;
        unused_.pop_back();
      }
    }
  }
}

template <int D>
void Sweep<D>::start_anew_if_many_are_new() {
  if (new_boxes_ < kSmallestNumber || 4 * new_boxes_ < boxes_.size()) return;
  for (Box& box : boxes_) {
    if (box.state != State::kKept) continue;
    box.state = State::kNew;
    ++new_boxes_;
  }
}

template <int D>
void Sweep<D>::sort_ends() {
  for (int k = 0; k < D; ++k) {
    std::vector<End>& ends = ends_[static_cast<std::size_t>(k)];
    std::erase_if(ends, [&](const End& e) { return boxes_[e.box()].state != State::kKept; });
    for (End& e : ends) e.at = e.is_high() ? boxes_[e.box()].high[k] : boxes_[e.box()].low[k];
    insert_sort(ends);
    if (new_boxes_ > 0) add_ends(k);
  }
}

template <int D>
void Sweep<D>::insert_sort(std::vector<End>& ends) {
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const End end = ends[k];
    std::size_t at = k;
    for (; at > 0 && ends[at - 1].at > end.at; --at) {
      ends[at] = ends[at - 1];
      if (!end.is_high() && ends[at].is_high()) open(end.box(), ends[at].box());
    }
    ends[at] = end;
    swaps_ += k - at;
  }
}

template <int D>
void Sweep<D>::add_ends(int axis) {
  std::vector<End>& ends = ends_[static_cast<std::size_t>(axis)];
  const auto sorted = static_cast<std::ptrdiff_t>(ends.size());
  for (std::uint32_t b = 0; b < boxes_.size(); ++b) {
    if (boxes_[b].state != State::kNew) continue;
    ends.push_back({boxes_[b].low[axis], 2 * b});
    ends.push_back({boxes_[b].high[axis], 2 * b + 1});
  }
  const auto before = [](const End& a, const End& b) { return a.at < b.at; };
  std::sort(ends.begin() + sorted, ends.end(), before);
  std::inplace_merge(ends.begin(), ends.begin() + sorted, ends.end(), before);
}

// Goes along the longest axis with all boxes that are open there, and holds the new ones against them.
template <int D>
void Sweep<D>::pair_new_boxes() {
  if (new_boxes_ == 0) return;
  std::size_t axis = 0;
  const auto length = [&](std::size_t k) { return ends_[k].back().at - ends_[k].front().at; };
  for (std::size_t k = 1; k < D; ++k) axis = length(k) > length(axis) ? k : axis;
  std::array<std::vector<std::uint32_t>, 2> on;  // kept boxes, new boxes
  std::vector<std::uint32_t> where(boxes_.size());
  for (const End& end : ends_[axis]) {
    const std::uint32_t b = end.box();
    const bool is_new = boxes_[b].state == State::kNew;
    std::vector<std::uint32_t>& mine = on[is_new ? 1 : 0];
    if (end.is_high()) {
      where[mine.back()] = where[b];
      mine[where[b]] = mine.back();
      mine.pop_back();
      continue;
    }
    for (const std::uint32_t other : on[1]) open(b, other);
    if (is_new) {
      for (const std::uint32_t other : on[0]) open(b, other);
    }
    where[b] = static_cast<std::uint32_t>(mine.size());
    mine.push_back(b);
  }
}

template <int D>
bool Sweep<D>::overlap(const Box& a, const Box& b) const {
  for (int k = 0; k < D; ++k) {
    if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
  }
  return true;
}

template <int D>
void Sweep<D>::open(std::uint32_t a, std::uint32_t b) {
  if (!overlap(boxes_[a], boxes_[b]) || (boxes_[a].ghost() && boxes_[b].ghost())) return;
  opened_.push_back((Pair{std::min(a, b)} << 32) | std::max(a, b));
}

// Pairs that no longer overlap are closed, those that began to are added.
template <int D>
void Sweep<D>::settle_pairs() {
  std::erase_if(pairs_, [&](Pair p) {
    const Box &a = boxes_[p >> 32], &b = boxes_[p & ~0U];
    return a.state != State::kKept || b.state != State::kKept || !overlap(a, b);
  });
  const auto sorted = static_cast<std::ptrdiff_t>(pairs_.size());
  std::sort(opened_.begin(), opened_.end());
  pairs_.insert(pairs_.end(), opened_.begin(), opened_.end());
  std::inplace_merge(pairs_.begin(), pairs_.begin() + sorted, pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (std::uint32_t b = 0; b < boxes_.size(); ++b) {
    if (boxes_[b].state != State::kDropped) continue;
    boxes_[b].state = State::kUnused;
    unused_.push_back(b);
  }
}

template <int D>
void Sweep<D>::hand_out(const world::World<D>& world, const Sizes<D>& sizes, const Shifts<D>& shifts) {
  struct Owned {
    std::uint32_t owner;
    Hit hit;
  };
  std::vector<Owned> all;
  start_.assign(world.bodies.size() + 2, 0);
  for (const Pair p : pairs_) {
    const Box *a = &boxes_[p >> 32], *b = &boxes_[p & ~0U];
    if (a->ghost()) std::swap(a, b);
    if (a->body == b->body) continue;
    const bool first = sizes.owns(a->body, b->body);
    const std::uint32_t owner = first ? a->body : b->body, other = first ? b->body : a->body;
    const int image = first ? b->image : opposite<D>(b->image);
    if (!meets(world, owner, world.bodies.x_found[owner] - shifts[static_cast<std::size_t>(image)], other)) continue;
    all.push_back({owner, {other, static_cast<std::uint8_t>(image)}});
    ++start_[owner + 2];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  hits_.resize(all.size());
  for (const Owned& o : all) hits_[start_[o.owner + 1]++] = o.hit;
}

template class Sweep<2>;
template class Sweep<3>;

}  // namespace moraine::find
