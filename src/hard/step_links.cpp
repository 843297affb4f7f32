// SPDX-License-Identifier: MIT
#include "hard/step_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hard/show_links.hpp"

namespace moraine::hard {

namespace {

template <int D>
void check_ends(const World<D>& world) {
  std::vector<bool> there(static_cast<std::size_t>(world.bodies.next_id), false);
  for (const std::int64_t id : world.bodies.id) there[static_cast<std::size_t>(id)] = true;
  for (std::size_t l = 0; l < world.links.size(); ++l) {
    for (const world::LinkEnd<D>* end : {&world.links[l].a, &world.links[l].b}) {
      if (end->at != world::LinkEnd<D>::At::kBody || there[static_cast<std::size_t>(end->id)]) continue;
      throw base::RunError(fmt::format("body {}, an end of link {}, has left the domain or was taken out by an outlet "
                                       "before time {:.6g} s (step {})",
                                       end->id, l, world.time, world.step),
                           "make the domain larger or leave out its bounds, and keep what is linked from outlets: "
                           "links do not end there");
    }
  }
}

}  // namespace

template <int D>
void StepLinks<D>::list(const World<D>& world) {
  if (world.links.empty()) return;
  check_ends(world);
  matrix_.reset();
  rows_.reset();
  system_ = std::make_unique<System<D>>(world, false);
  rows_ = std::make_unique<Rows<D>>(*system_);
  matrix_ = std::make_unique<LinkMatrix<D>>(*system_);
  mover_.clear();
  for (std::size_t node = 0; node < system_->movable(); ++node) {
    const std::size_t at = system_->index_of(node) + (system_->is_clump(node) ? world.bodies.size() : 0);
    mover_.push_back(static_cast<std::uint32_t>(at));
  }
  linked_.clear();
  for (const world::Link<D>& link : world.links) {
    if (link.b.at == world::LinkEnd<D>::At::kBody)
      linked_.emplace_back(std::min(link.a.id, link.b.id), std::max(link.a.id, link.b.id));
  }
  std::sort(linked_.begin(), linked_.end());
  impulse_.resize(system_->row_count(), 0);
}

template <int D>
bool StepLinks<D>::linked(std::int64_t a, std::int64_t b) const {
  return std::binary_search(linked_.begin(), linked_.end(), std::make_pair(std::min(a, b), std::max(a, b)));
}

template <int D>
void StepLinks<D>::place(const World<D>& world, const Movers<D>& movers, double t, double h) {
  h_ = h;
  system_->read(world, k_);
  system_->guide(world, t, k_);
  middle_ = k_;
  system_->guide(world, t + 0.5 * h, middle_);
  for (std::size_t node = 0; node < mover_.size(); ++node) {
    k_.v[node] = movers.all[mover_[node]].v;
    k_.w[node] = movers.all[mover_[node]].w;
  }
  for (std::size_t node = mover_.size(); node < system_->nodes(); ++node) {
    k_.v[node] = middle_.v[node];
    k_.w[node] = middle_.w[node];
  }
  rows_->update(*system_, k_);
  matrix_->assemble(*rows_, k_);
  matrix_->factor();
  target_.resize(impulse_.size());
  for (std::size_t r = 0; r < target_.size(); ++r) target_[r] = -rows_->gap[r] / h - 0.5 * h * rows_->bend[r];
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
}

// `with_held`: also what fixed and prescribed ends do.
template <int D>
double StepLinks<D>::rate(const Movers<D>& movers, std::size_t row, bool with_held) const {
  double sum = 0;
  const auto end = [&](std::uint32_t node, double sign, const std::vector<Spin<D>>& turn) {
    const bool held = node >= mover_.size();
    if (held && !with_held) return;
    const Vec<D>& v = held ? middle_.v[node] : movers.all[mover_[node]].v;
    sum += sign * math::dot(rows_->n[row], v);
    if (turn.empty() || (!held && system_->turns[node] == 0)) return;
    sum += sign * math::dot(turn[row], held ? middle_.w[node] : movers.all[mover_[node]].w);
  };
  end(system_->row_b[row], 1, rows_->turn_b);
  end(system_->row_a[row], -1, rows_->turn_a);
  return sum;
}

// What b_ along the rows does to the movers.
template <int D>
void StepLinks<D>::apply(Movers<D>& movers) {
  matrix_->solve(b_);
  system_->clear(moves_);
  for (std::size_t r = 0; r < b_.size(); ++r) matrix_->add(moves_, r, b_[r]);
  for (std::size_t node = 0; node < mover_.size(); ++node) {
    Mover<D>& m = movers.all[mover_[node]];
    m.v += moves_.x[node];
    if (system_->turns[node] != 0) m.w += moves_.turn[node];
  }
}

template <int D>
double StepLinks<D>::solve(Movers<D>& movers) {
  double worst = 0;
  b_.resize(impulse_.size());
  for (std::size_t r = 0; r < b_.size(); ++r) {
    b_[r] = rate(movers, r, true) - target_[r];
    worst = std::max(worst, std::fabs(b_[r]));
  }
  apply(movers);
  for (std::size_t r = 0; r < b_.size(); ++r) impulse_[r] += b_[r];
  return worst;
}

template <int D>
const std::vector<double>& StepLinks<D>::kicks(std::size_t movers) {
  kicks_.assign(movers, 0.0);
  if (empty()) return kicks_;
  system_->clear(moves_);
  for (std::size_t r = 0; r < impulse_.size(); ++r) matrix_->add(moves_, r, impulse_[r]);
  for (std::size_t node = 0; node < mover_.size(); ++node) kicks_[mover_[node]] = math::norm(moves_.x[node]);
  return kicks_;
}

template <int D>
void StepLinks<D>::keep_apart(Movers<D>& apart) {
  b_.resize(impulse_.size());
  for (std::size_t r = 0; r < b_.size(); ++r) b_[r] = rate(apart, r, false);
  apply(apart);
}

template <int D>
void StepLinks<D>::book(const Movers<D>& before, const Movers<D>& after, world::Ledger& ledger) const {
  for (std::size_t r = 0; r < impulse_.size(); ++r) {
    const double moving = 0.5 * (rate(before, r, false) + rate(after, r, false));
    const double held = rate(after, r, true) - rate(after, r, false);
    ledger.walls += impulse_[r] * held;
    ledger.normal_dashpot += impulse_[r] * (moving + held);
  }
}

template <int D>
double StepLinks<D>::show(World<D>& world, std::vector<world::ContactRecord<D>>& records) const {
  std::vector<double> force = impulse_;
  for (double& f : force) f = h_ > 0 ? f / h_ : 0;
  Kinematics<D> k;
  system_->read(world, k);
  show_links(*system_, k, force, world, records);
  Rows<D> rows(*system_);
  rows.update(*system_, k);
  return rows.worst().position;
}

template <int D>
void StepLinks<D>::save(base::Record& record) const {
  if (empty()) return;
  record.reals["stepping.links"] = impulse_;
  record.set("stepping.links_part", h_);
}

template <int D>
void StepLinks<D>::load(const base::Record& record) {
  if (empty()) return;
  impulse_ = record.real("stepping.links");
  h_ = record.number("stepping.links_part");
}

template class StepLinks<2>;
template class StepLinks<3>;

}  // namespace moraine::hard
