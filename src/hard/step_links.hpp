// SPDX-License-Identifier: MIT
// Links in the time-stepping method: equations of velocity like those of contacts, but two-sided, and all solved at
// once by the sparse matrix of the link forces, after each sweep through the contacts. A part of a step of length h
// ends with every link at its length:
//   rate = -gap / h - bend h / 2
// where the rows of the links (rows.hpp) stand as at its start, and `bend` is what the motion across the link adds.
// For links alone this is the method of Verlet with constraints (SHAKE), of second order.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/record.hpp"
#include "hard/blocks.hpp"
#include "hard/link_matrix.hpp"

namespace moraine::hard {

template <int D>
class StepLinks {
 public:
  // For the order in which bodies are in memory now.
  void list(const World<D>& world);
  bool empty() const { return system_ == nullptr; }
  bool linked(std::int64_t id_a, std::int64_t id_b) const;  // by a link of their own: they do not touch

  // At the start of a part of a step, at time t.
  void place(const World<D>& world, const Movers<D>& movers, double t, double h);
  // The impulses that bring all links to their rates. Returns what the worst was off by, in m/s.
  double solve(Movers<D>& movers);
  // How much links have changed the velocity of each mover in this part, in m/s.
  const std::vector<double>& kicks(std::size_t movers);
  // Takes out what changes the links, of velocities that move bodies apart.
  void keep_apart(Movers<D>& apart);
  // What the impulses have done to the energy.
  void book(const Movers<D>& before, const Movers<D>& after, world::Ledger& ledger) const;
  // Into the links of the world and as records; returns by how much the worst link is not as long as it should be.
  double show(World<D>& world, std::vector<world::ContactRecord<D>>& records) const;

  void save(base::Record& record) const;
  void load(const base::Record& record);

 private:
  double rate(const Movers<D>& movers, std::size_t row, bool with_held) const;
  void apply(Movers<D>& movers);

  std::unique_ptr<System<D>> system_;
  std::unique_ptr<Rows<D>> rows_;
  std::unique_ptr<LinkMatrix<D>> matrix_;
  std::vector<std::uint32_t> mover_;                           // of each movable node
  std::vector<std::pair<std::int64_t, std::int64_t>> linked_;  // ids
  Kinematics<D> k_, middle_;                                   // at the start of the part; what is held, in its middle
  Moves<D> moves_;
  std::vector<double> target_, impulse_, b_, kicks_;
  double h_ = 0;
};

}  // namespace moraine::hard
