// SPDX-License-Identifier: MIT
// What the frames to be drawn have in common: the piece of space they fill, the speeds, the materials in use. All
// pictures of one call share it, so that they can be laid side by side. Reads frames; draws nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "measure/frame.hpp"
#include "plot/view.hpp"

namespace moraine::plot {

using measure::Frame;

class Survey {
 public:
  void add(const Frame& frame);

  int dimension() const { return dimension_; }
  // What the pictures show: all bodies and the walls around them. A few strays far away are left out, and so are the
  // ends of walls that go on for long: they would make the rest too small to see.
  Box box() const;
  // In m, how far bodies may stick out of the box: half over a periodic boundary.
  double overhang() const;
  // What is no faster than this is at rest.
  double rest_speed() const;
  // The speed at the top of the colours, 0 if nothing moves; larger ones exist if speeds_cut().
  double top_speed() const;
  bool speeds_cut() const { return top_speed() < fastest_; }
  const std::set<std::int32_t>& materials() const { return materials_; }  // of free bodies
  const std::vector<std::string>& material_names() const { return material_names_; }
  bool any_held() const { return any_held_; }
  bool any_walls() const { return any_walls_; }
  bool any_links() const { return any_links_; }
  double largest_radius() const { return largest_radius_; }
  bool any_periodic() const { return periodic_[0] || periodic_[1] || periodic_[2]; }

 private:
  void add_bodies(const Frame& frame);
  void add_walls(const Frame& frame);
  Box body_box() const;

  int dimension_ = 2;
  Box all_, most_;  // of bodies: every one; without the outermost
  Box walls_, domain_;
  std::array<std::vector<double>, 3> planes_;  // 3D: where planes across an axis stand
  std::array<bool, 3> periodic_{};
  double largest_radius_ = 0, fastest_ = 0, usual_speed_ = 0;
  std::set<std::int32_t> materials_;
  std::vector<std::string> material_names_;
  bool any_held_ = false, any_walls_ = false, any_links_ = false;
};

}  // namespace moraine::plot
