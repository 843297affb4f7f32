// SPDX-License-Identifier: MIT
#include "measure/truss_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace moraine::measure {

namespace {
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
}

template <int D>
TrussMatrix<D>::TrussMatrix(const Truss<D>& truss, std::vector<std::uint32_t> struts)
    : truss_(truss), struts_(std::move(struts)), first_(truss.nodes(), 0), place_(truss.nodes(), kNowhere) {
  arrange();
  lay_out();
}

// Nodes in an order of few new entries.
template <int D>
void TrussMatrix<D>::arrange() {
  std::vector<std::uint32_t> local(truss_.nodes(), kNowhere), here;
  for (const std::uint32_t s : struts_) {
    for (const std::uint32_t node : {truss_.struts[s].a, truss_.struts[s].b}) {
      if (node != kGround) local[node] = 0;
    }
  }
  for (std::uint32_t node = 0; node < local.size(); ++node) {
    if (local[node] == kNowhere) continue;
    local[node] = static_cast<std::uint32_t>(here.size());
    here.push_back(node);
  }
  std::vector<std::vector<std::uint32_t>> near(here.size());
  for (const std::uint32_t s : struts_) {
    const Strut<D>& strut = truss_.struts[s];
    if (strut.b == kGround) continue;
    near[local[strut.a]].push_back(local[strut.b]);
    near[local[strut.b]].push_back(local[strut.a]);
  }
  std::vector<std::uint32_t> start{0}, other;
  for (auto& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    other.insert(other.end(), list.begin(), list.end());
    start.push_back(static_cast<std::uint32_t>(other.size()));
  }
  for (const std::uint32_t k : math::elimination_order(start, other)) nodes_.push_back(here[k]);
  for (std::uint32_t p = 0; p < nodes_.size(); ++p) {
    place_[nodes_[p]] = p;
    first_[nodes_[p]] = size_;
    size_ += freedoms(nodes_[p]);
  }
}

// The pattern: in the rows of a node first the freedoms of earlier neighbours, then its own.
template <int D>
void TrussMatrix<D>::lay_out() {
  std::vector<std::vector<std::uint32_t>> earlier(nodes_.size());  // places
  for (const std::uint32_t s : struts_) {
    const Strut<D>& strut = truss_.struts[s];
    if (strut.b == kGround) continue;
    const auto [low, high] = std::minmax(place_[strut.a], place_[strut.b]);
    earlier[high].push_back(low);
  }
  std::vector<std::uint32_t> start{0}, column;
  std::vector<std::vector<std::uint32_t>> offset(nodes_.size());
  own_.resize(truss_.nodes());
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    auto& list = earlier[p];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t q : list) {
      offset[p].push_back(static_cast<std::uint32_t>(columns.size()));
      for (std::size_t c = 0; c < freedoms(nodes_[q]); ++c)
        columns.push_back(static_cast<std::uint32_t>(first_[nodes_[q]] + c));
    }
    own_[nodes_[p]] = static_cast<std::uint32_t>(columns.size());
    for (std::size_t r = 0; r < freedoms(nodes_[p]); ++r) {
      column.insert(column.end(), columns.begin(), columns.end());
      start.push_back(static_cast<std::uint32_t>(column.size()));
      columns.push_back(static_cast<std::uint32_t>(first_[nodes_[p]] + r));
    }
  }
  crossing_.assign(struts_.size(), 0);
  for (std::size_t k = 0; k < struts_.size(); ++k) {
    const Strut<D>& strut = truss_.struts[struts_[k]];
    if (strut.b == kGround) continue;
    const auto [low, high] = std::minmax(place_[strut.a], place_[strut.b]);
    const auto at = std::lower_bound(earlier[high].begin(), earlier[high].end(), low);
    crossing_[k] = offset[high][static_cast<std::size_t>(at - earlier[high].begin())];
  }
  row_ = start;
  entries_.assign(column.size(), 0);
  diagonal_.assign(size_, 0);
  least_.assign(size_, 0);
  ldl_.analyse(std::move(start), std::move(column));
}

template <int D>
typename TrussMatrix<D>::Motions TrussMatrix<D>::motions(std::uint32_t node, const Vec<D>& arm) const {
  Motions m{};
  for (std::size_t c = 0; c < D; ++c) m[c][static_cast<int>(c)] = 1;
  if (truss_.turns[node] == 0) return m;
  for (std::size_t c = 0; c < kSpins; ++c) {
    Spin<D> w{};
    if constexpr (D == 2) {
      w = 1 / truss_.size[node];
    } else {
      w[static_cast<int>(c)] = 1 / truss_.size[node];
    }
    m[D + c] = math::cross(w, arm);
  }
  return m;
}

template <int D>
Vec<D> TrussMatrix<D>::apart(std::size_t k, const std::vector<double>& u) const {
  const Strut<D>& strut = truss_.struts[struts_[k]];
  Vec<D> out{};
  const auto add = [&](std::uint32_t node, const Vec<D>& arm, double sign) {
    if (node == kGround) return;
    const Motions m = motions(node, arm);
    for (std::size_t c = 0; c < freedoms(node); ++c) out += m[c] * (sign * u[first_[node] + c]);
  };
  add(strut.a, strut.arm_a, 1);
  add(strut.b, strut.arm_b, -1);
  return out;
}

template <int D>
void TrussMatrix<D>::push(std::size_t k, const Vec<D>& force, std::vector<double>& f) const {
  const Strut<D>& strut = truss_.struts[struts_[k]];
  const auto add = [&](std::uint32_t node, const Vec<D>& arm, double sign) {
    if (node == kGround) return;
    const Motions m = motions(node, arm);
    for (std::size_t c = 0; c < freedoms(node); ++c) f[first_[node] + c] += sign * math::dot(m[c], force);
  };
  add(strut.a, strut.arm_a, 1);
  add(strut.b, strut.arm_b, -1);
}

template <int D>
void TrussMatrix<D>::clear() {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(entries_.begin(), entries_.end(), 0.0);
}

template <int D>
void TrussMatrix<D>::add(std::size_t k, const Tensor<D>& springs) {
  const Strut<D>& strut = truss_.struts[struts_[k]];
  const Motions of_a = motions(strut.a, strut.arm_a);
  const Motions of_b = strut.b == kGround ? Motions{} : motions(strut.b, strut.arm_b);
  const auto on_itself = [&](std::uint32_t node, const Motions& m) {
    for (std::size_t r = 0; r < freedoms(node); ++r) {
      const Vec<D> answer = springs * m[r];
      diagonal_[first_[node] + r] += math::dot(m[r], answer);
      for (std::size_t c = 0; c < r; ++c) entries_[row_[first_[node] + r] + own_[node] + c] += math::dot(m[c], answer);
    }
  };
  on_itself(strut.a, of_a);
  if (strut.b == kGround) return;
  on_itself(strut.b, of_b);
  const bool a_later = place_[strut.a] > place_[strut.b];
  const std::uint32_t later = a_later ? strut.a : strut.b, earlier = a_later ? strut.b : strut.a;
  const Motions& of_later = a_later ? of_a : of_b;
  const Motions& of_earlier = a_later ? of_b : of_a;
  for (std::size_t r = 0; r < freedoms(later); ++r) {
    const Vec<D> answer = springs * of_later[r];
    for (std::size_t c = 0; c < freedoms(earlier); ++c)
      entries_[row_[first_[later] + r] + crossing_[k] + c] -= math::dot(of_earlier[c], answer);
  }
}

template <int D>
double TrussMatrix<D>::factor(double shift) {
  for (;; shift *= 10) {
    shifted_ = diagonal_;
    for (double& d : shifted_) d += shift;
    if (ldl_.factor(shifted_.data(), entries_.data(), least_.data())) return shift;
    if (!std::isfinite(shift)) throw std::logic_error("the stiffness matrix of a truss is not a number");
  }
}

// Pivots that stand for a motion that nothing resists grow with the shift, others do not.
template <int D>
std::vector<std::uint8_t> TrussMatrix<D>::loose(double stiffest) {
  const double shift = factor(1e-11 * stiffest);
  std::vector<double> pivots(size_);
  for (std::size_t r = 0; r < size_; ++r) pivots[r] = ldl_.pivot(r);
  factor(10 * shift);
  std::vector<std::uint8_t> out(size_);
  for (std::size_t r = 0; r < size_; ++r) out[r] = ldl_.pivot(r) > 3 * pivots[r] ? 1 : 0;
  return out;
}

template class TrussMatrix<2>;
template class TrussMatrix<3>;

}  // namespace moraine::measure
