// SPDX-License-Identifier: MIT
// The boundary of a plane flow: walls and open ends joined to closed lines, with the fluid on a known side, and cut
// into panels. Knows positions and names; the scene says where they come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/panels.hpp"

namespace moraine::flow {

struct Piece {
  enum class Kind { kSegment, kCircle, kEnd };  // an open end, through which fluid comes or goes
  Kind kind = Kind::kSegment;
  std::size_t source = 0;  // number of the wall, or of the end
  std::string name;        // "wall \"pier\""
  Vec2 a{}, b{};           // ends; a circle: its centre is a
  double radius = 0;
  bool reversed = false;           // a and b are swapped, so that the fluid is to the left
  int count = 0;                   // circle: panels
  std::vector<double> cuts{0, 1};  // others: where panels begin and end, as parts of the length
  bool is_end() const { return kind == Kind::kEnd; }
  double length() const;
  std::size_t panels() const { return kind == Kind::kCircle ? static_cast<std::size_t>(count) : cuts.size() - 1; }
};

// What is wrong with a boundary, and with which of its pieces.
struct Fault {
  std::size_t piece;
  std::string text;
  std::size_t other = 0;  // that it crosses
};

struct Boundary {
  bool channel = false;  // the fluid is inside
  std::vector<Piece> pieces;
  std::vector<std::size_t> next;  // the piece that begins where this one ends; a circle: itself

  // Joins the pieces, checks them and turns them so that the fluid is to their left. True if all is well.
  bool join(std::vector<Fault>& faults);
  // So many panels in all, or as many as there are pieces at least, of lengths as equal as can be.
  void cut(std::size_t wanted);
  std::vector<Panel> panels() const;
  // Where joined pieces are farthest apart, after they have moved; and which.
  double widest_gap(std::size_t& piece) const;
  double extent() const;

 private:
  bool link(const std::vector<bool>& crossed, std::vector<Fault>& faults);
  void check_crossings(std::vector<Fault>& faults) const;
  void check_nesting(std::vector<Fault>& faults);
  std::vector<std::vector<std::size_t>> loops() const;
};

}  // namespace moraine::flow
