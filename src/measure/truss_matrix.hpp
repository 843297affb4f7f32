// SPDX-License-Identifier: MIT
// The stiffness matrix of some struts of a truss, sparse: a block of freedoms per node, in an order of few new entries.
// A strut's springs are a symmetric tensor that answers the relative displacement of the two surfaces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/ldl.hpp"
#include "measure/truss.hpp"

namespace moraine::measure {

template <int D>
struct Tensor {
  std::array<Vec<D>, D> row{};

  friend Vec<D> operator*(const Tensor& t, const Vec<D>& v) {
    Vec<D> out{};
    for (int r = 0; r < D; ++r) out[r] = math::dot(t.row[static_cast<std::size_t>(r)], v);
    return out;
  }
  friend Tensor operator+(Tensor a, const Tensor& b) {
    for (std::size_t r = 0; r < D; ++r) a.row[r] += b.row[r];
    return a;
  }
  friend Tensor operator*(Tensor a, double s) {
    for (Vec<D>& v : a.row) v *= s;
    return a;
  }
};
template <int D>
Tensor<D> outer(const Vec<D>& a, const Vec<D>& b) {
  Tensor<D> t;
  for (int r = 0; r < D; ++r) t.row[static_cast<std::size_t>(r)] = b * a[r];
  return t;
}
// Across a direction: 1 - n n.
template <int D>
Tensor<D> across(const Vec<D>& n) {
  Tensor<D> t = outer(n, n) * -1;
  for (int r = 0; r < D; ++r) t.row[static_cast<std::size_t>(r)][r] += 1;
  return t;
}

template <int D>
class TrussMatrix {
 public:
  // Of these struts, and the nodes that they join.
  TrussMatrix(const Truss<D>& truss, std::vector<std::uint32_t> struts);

  std::size_t size() const { return size_; }  // freedoms
  const std::vector<std::uint32_t>& struts() const { return struts_; }
  const std::vector<std::uint32_t>& nodes() const { return nodes_; }  // in the order of elimination
  std::size_t first(std::uint32_t node) const { return first_[node]; }
  std::size_t freedoms(std::uint32_t node) const { return D + (truss_.turns[node] != 0 ? kSpins : 0); }

  // Of the two surfaces at strut k, a's less b's; and what a force on a, and its opposite on b, do to the nodes.
  Vec<D> apart(std::size_t k, const std::vector<double>& u) const;
  void push(std::size_t k, const Vec<D>& force, std::vector<double>& f) const;

  void clear();
  void add(std::size_t k, const Tensor<D>& springs);
  // With `shift` on the diagonal; it grows until rounding no longer makes a pivot negative. Returns the last one.
  double factor(double shift);
  void solve(std::vector<double>& x) const { ldl_.solve(x.data()); }
  // Of each freedom, 1 where those before it and the springs do not hold it; they are as many as the motions that no
  // spring resists. Factors anew.
  std::vector<std::uint8_t> loose(double stiffest);

 private:
  static constexpr std::size_t kSpins = D == 2 ? 1 : 3, kMost = D + kSpins;
  // How the surface moves with each freedom of the node.
  using Motions = std::array<Vec<D>, kMost>;
  Motions motions(std::uint32_t node, const Vec<D>& arm) const;
  void arrange();
  void lay_out();

  const Truss<D>& truss_;
  std::vector<std::uint32_t> struts_, nodes_;
  std::vector<std::size_t> first_;       // of a node: its first freedom
  std::vector<std::uint32_t> place_;     // of a node, in nodes_
  std::vector<std::uint32_t> row_;       // of a freedom: where its entries begin
  std::vector<std::uint32_t> own_;       // of a node: where its own freedoms stand in its rows
  std::vector<std::uint32_t> crossing_;  // of a strut of two nodes: where the earlier one stands in the later's rows
  std::size_t size_ = 0;
  math::SparseLdl ldl_;
  std::vector<double> diagonal_, entries_, shifted_, least_;
};

}  // namespace moraine::measure
