// SPDX-License-Identifier: MIT
// The hard step: bodies and links as one system, on a topology that stands.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "hard/formulation.hpp"
#include "hard/integrators.hpp"
#include "hard/settings.hpp"
#include "world/stepper.hpp"

namespace moraine::hard {

template <int D>
class HardStep final : public world::Stepper<D> {
 public:
  HardStep(const Settings& settings, base::Team& team) : settings_(settings), team_(team) {}

  void begin(World<D>& world, const base::Record* resumed) override;
  void save(base::Record& record) const override;
  void forces(World<D>& world, bool keep_energy, bool looked_at, bool keep_records) override;
  void advance(World<D>& world, bool keep_energy) override;
  void bodies_changed() override { changed_ = true; }
  void list_anew(World<D>& /*world*/) override { changed_ = true; }
  void velocities_changed() override { changed_ = true; }
  bool take_loads(const typename Outer<D>::Loads& loads) override;
  std::int64_t contacts() const override { return links_; }
  void gather_records(std::vector<world::ContactRecord<D>>& records) const override { records = records_; }

 private:
  using world::Stepper<D>::stopwatch_;
  void assemble(World<D>& world);
  void mark_base(const World<D>& world);
  void integrate(World<D>& world);
  bool worth_correcting(const World<D>& world, const Violation& violation, double energy) const;
  void correct(World<D>& world, double kinetic, const std::vector<Vec<D>>& from);
  void check_together(const World<D>& world, double gap, double most) const;
  void check_state(const World<D>& world) const;

  Settings settings_;
  base::Team& team_;
  const typename Outer<D>::Loads* loads_ = nullptr;
  std::unique_ptr<System<D>> system_;
  std::unique_ptr<Outer<D>> outer_;
  std::unique_ptr<Formulation<D>> formulation_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> y_, slope_;
  std::vector<double> base_y_;  // multistep methods: where the present history began ...
  std::vector<double> base_forces_;
  std::int64_t base_step_ = 0;  // ... and when
  Kinematics<D> k_;
  std::vector<world::ContactRecord<D>> records_;
  std::int64_t links_ = 0;
  bool changed_ = false;
};

}  // namespace moraine::hard
