// SPDX-License-Identifier: MIT
// The potential flow about obstacles, or through a channel, whose boundary are walls of the scene: solved by source
// panels when it is made, again when walls move, and asked at every body by a tree of cells or by the whole sum.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/boundary.hpp"
#include "flow/leakage.hpp"
#include "world/world.hpp"

namespace moraine::flow {

struct PanelPlan {
  Vec2 stream{};  // far away; zero in a channel
  // Of each open end: mean speed into the channel. At most one is not given: it takes what balances the others.
  std::vector<std::optional<double>> ends;
  Condition condition = Condition::kNetFlow;
  std::size_t panels = 100, most_panels = 2000;
  double tolerance = 0;  // of seepage over flux; 0: panels are not refined
  bool exact = false;    // the whole sum for each body, instead of the tree
  bool bodies = false;   // they act back, each as a doublet
  double density = 1000;
};

class PanelField final : public world::Field<2> {
 public:
  // `boundary` must be joined.
  PanelField(PanelPlan plan, Boundary boundary, const world::World<2>& world);

  void update(const world::World<2>& world, base::Team& team) override;
  Vec2 velocity(const Vec2& x) const override;
  bool has_pressure() const override { return true; }
  double pressure(const Vec2& x) const override;
  std::map<std::string, double> report() const override;

  bool in_channel() const { return boundary_.channel; }
  bool wet(const Vec2& x) const { return enclosed(panels_, x) == boundary_.channel; }
  const std::string& nearest_piece(const Vec2& x) const;  // its name: "wall \"pier\""
  const std::vector<Panel>& panels() const { return panels_; }
  Vec2 exact_velocity(const Vec2& x) const;  // by the whole sum
  double reference_speed() const { return speed_; }
  bool refined_enough() const { return plan_.tolerance <= 0 || seepage_ <= plan_.tolerance; }
  double seepage() const { return seepage_; }

 private:
  // A round body that moves against the stream: u - v of it, and where.
  struct Doublet {
    Vec2 x{}, past{};
    double radius = 0;
  };

  void place_walls(const world::World<2>& world);
  bool stands_as_at_start() const;
  bool refine();
  void set_up(PanelSystem& system, base::Team& team) const;
  void find_scales(const std::vector<double>& across);
  void measure(base::Team& team);
  std::vector<double> wanted() const;  // mean flow into the fluid through each panel, that panels shall make
  void solve_with_bodies(const world::World<2>& world, const PanelSystem& system, base::Team& team);
  void check_sampling();
  Vec2 doublets_at(const Vec2& x) const;

  PanelPlan plan_;
  Boundary boundary_;
  std::vector<bool> moves_;  // pieces
  bool any_moves_ = false;
  std::vector<Panel> panels_;
  std::vector<Vec2> wall_velocity_;  // of panels
  std::vector<double> strength_;
  PanelSystem system_, moved_system_;  // as walls stand at the start; as they do now
  std::vector<Piece> at_start_;
  PanelTree tree_;
  std::vector<Doublet> doublets_;
  std::vector<Seepage> seepage_of_;  // panels
  // What is told.
  double speed_ = 0, flux_ = 0, surplus_ = 0;
  double leakage_ = 0, leakage_panel_ = 0, seepage_ = 0, sampling_error_ = 0, flux_in_ = 0, flux_out_ = 0;
  int sweeps_ = 0;
};

}  // namespace moraine::flow
