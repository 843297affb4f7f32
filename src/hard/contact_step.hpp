// SPDX-License-Identifier: MIT
// Hard bodies whose contacts come and go while an integrator follows the motion. In event mode the moment of each
// change is found: two surfaces meet (distance), a contact pulls harder than it can (force), a slip begins or ends
// (friction), the world is changed between steps (body). In step mode contacts are looked at once, at the end of each
// step. Between two changes contacts keep their modes, and the motion is that of a system with links.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "hard/contact_forces.hpp"
#include "hard/formulation.hpp"
#include "hard/settings.hpp"
#include "world/stepper.hpp"

namespace moraine::hard {

template <int D>
class ContactStep final : public world::Stepper<D> {
 public:
  ContactStep(const Settings& settings, base::Team& team) : settings_(settings), team_(team) {}

  void begin(World<D>& world, const base::Record* resumed) override;
  void save(base::Record& record) const override;
  void forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) override;
  void advance(World<D>& world, bool keep_energy) override;
  void bodies_changed() override { changed_ = unsettled_ = true; }
  void list_anew(World<D>& /*world*/) override { bodies_changed(); }
  void velocities_changed() override { unsettled_ = true; }
  bool take_loads(const typename Outer<D>::Loads& loads) override;
  std::int64_t contacts() const override;
  void gather_records(std::vector<world::ContactRecord<D>>& records) const override { records = records_; }

  std::int64_t events() const { return events_; }

 private:
  using world::Stepper<D>::stopwatch_;
  using Margins = std::array<double, 2>;  // of a contact's gap or normal force, and of its friction; negative: a change

  void assemble(World<D>& world);
  void take_walls_away(World<D>& world);
  void list_pairs(const World<D>& world, double t, double h);
  void set_scales(const World<D>& world);
  bool went_too_far(const Kinematics<D>& k) const;
  void make_bonds(World<D>& world);

  void follow(World<D>& world, double t, double h);
  void whole_step(World<D>& world, double t, double h);
  double first_piece(const World<D>& world, double rest) const;
  void go(World<D>& world, double t, double piece);
  double dip(double piece) const;
  double find_event(World<D>& world, double t, double piece);
  double next_guess(double lo, double hi, int round, double tolerance) const;
  void accept(World<D>& world, double t, double passed);
  void settle(World<D>& world, double t);
  void open_who_pulls(double t);
  void note_broken(World<D>& world, double t);
  void note_approach(std::size_t c, double t, double h);

  void evaluate(double t, const std::vector<double>& y);
  void set_least_gaps();
  Margins margins(std::size_t c) const;
  bool changes_now() const;
  void check_state(const World<D>& world) const;
  void show(World<D>& world, double t);

  Settings settings_;
  base::Team& team_;
  const typename Outer<D>::Loads* loads_ = nullptr;
  std::unique_ptr<System<D>> system_;
  std::unique_ptr<ContactForces<D>> contacts_;
  std::unique_ptr<Outer<D>> outer_;
  std::unique_ptr<Formulation<D>> formulation_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<PairFinder<D>> finder_;
  Kinematics<D> k_;
  std::vector<double> start_, y_, slope_;  // states: at the start of a piece, at its end
  std::vector<Vec<D>> listed_x_;
  std::vector<double> reach_;
  double reach_factor_ = 1.2;
  std::vector<double> least_gap_;       // below which a pair that is not closed meets
  std::vector<Meeting<D>> meetings0_;   // at the start of a piece
  std::vector<Margins> at_lo_, at_hi_;  // of all contacts at the two ends of the search
  double force_scale_ = 0, noise_ = 0;  // of forces: their size, and what is only rounding
  double tolerance_ = 0;                // s
  std::vector<world::ContactRecord<D>> records_;
  std::int64_t events_ = 0;
  bool changed_ = true, unsettled_ = true;
};

}  // namespace moraine::hard
