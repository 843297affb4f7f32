// SPDX-License-Identifier: MIT
// The velocity that many panels make, at a cost that does not depend on how many they are. In a plane potential flow
// u_x - i u_y is an analytic function of x + i y, so that within a cell a Taylor polynomial stands for all panels that
// are far from it; the few near ones are summed as they are, so that the field is as exact beside a wall as elsewhere.
// Cells are those of a quadtree that is finer near panels. Far from all panels there is one series for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "flow/panels.hpp"

namespace moraine::flow {

class PanelTree {
 public:
  static constexpr int kOrder = 16;    // of the polynomials
  static constexpr double kFar = 2.5;  // a panel is far if it is farther from the centre than so many radii of the cell

  // `inside`: the fluid is within the boundary, and elsewhere nothing moves.
  void build(const std::vector<Panel>& panels, const std::vector<double>& strength, bool inside);

  // The velocity of all panels, and whether there is fluid (if not, it is zero).
  Vec2 velocity(const Vec2& x, bool& wet) const;
  // At a point of a panel, without that panel.
  Vec2 velocity_beside(std::size_t panel, const Vec2& x) const;

  std::size_t cells() const { return cells_.size(); }
  std::size_t most_near() const { return most_near_; }  // panels that are summed one by one, at most

 private:
  struct Number {  // complex
    double re = 0, im = 0;
    friend Number operator+(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
    friend Number operator-(Number a, Number b) { return {a.re - b.re, a.im - b.im}; }
    friend Number operator*(Number a, Number b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend Number operator*(Number a, double s) { return {a.re * s, a.im * s}; }
  };
  using Series = std::array<Number, kOrder + 1>;
  struct Cell {
    Vec2 centre{};
    double half = 0;
    std::uint32_t children = 0;            // the first of four, or 0: a leaf
    std::uint32_t series = 0;              // its number
    std::uint32_t near = 0, near_end = 0;  // panels that count one by one; those that cut the cell come first
    std::uint32_t cut_end = 0;
    Vec2 reference{};  // a point of the cell of which is known whether there is fluid
    bool wet = false;
  };

  static Number inverse(Number z);
  Vec2 evaluate(const Cell& cell, const Vec2& x, std::size_t without) const;
  const Cell* leaf_at(const Vec2& x) const;
  bool is_wet(const Cell& cell, const Vec2& x) const;
  void divide(std::size_t at, const std::vector<std::uint32_t>& candidates, const Series& parent, int depth);
  void add_far(std::uint32_t panel, const Vec2& centre, Series& series) const;
  void make_leaf(std::size_t at, const std::vector<std::uint32_t>& near, const Series& series);
  bool fluid_at(const Vec2& x) const { return enclosed(panels_, x) == inside_; }

  std::vector<Panel> panels_;
  std::vector<double> strength_;
  bool inside_ = false;
  Vec2 middle_{};      // of all panels
  double radius_ = 0;  // outside of which the series of all holds
  Series outer_{};
  std::vector<Cell> cells_;
  std::vector<Series> series_;
  std::vector<std::uint32_t> near_;
  std::size_t most_near_ = 0;
};

}  // namespace moraine::flow
