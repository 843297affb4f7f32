// SPDX-License-Identifier: MIT
#include "measure/truss_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace moraine::measure {

namespace {

// Sizes of the forces, and how far they are from those of the run.
struct Sums {
  double sum = 0, largest = 0, own = 0, run = 0, apart = 0;

  template <int D>
  void add(const Vec<D>& force, const Vec<D>& of_run) {
    const double size = math::norm(force);
    sum += size;
    largest = std::max(largest, size);
    own += size * size;
    run += math::norm2(of_run);
    apart += math::norm2(force - of_run);
  }
  // Over the larger ones: of a run that shows no forces yet the difference is 1.
  double difference() const {
    const double whole = std::max(run, own);
    return whole > 0 ? std::sqrt(apart / whole) : 0;
  }
};

const char* const kAxes[] = {"x", "y", "z"};

}  // namespace

template <int D>
std::vector<Quantity> TrussProbe<D>::columns() const {
  return {{"bodies", ""},     {"contacts", ""},   {"peeled", ""},      {"truss", ""},          {"dropped", ""},
          {"sliding", ""},    {"loose", ""},      {"mean_force", "N"}, {"largest_force", "N"}, {"residual", ""},
          {"unbalanced", ""}, {"difference", ""}, {"iterations", ""},  {"settled", ""},        {"least_energy", ""}};
}

template <int D>
bool TrussProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const Packing<D> packing = packing_of(sight, plan_);
  const TrussForces<D> found = solve_truss(packing.truss, options_);
  std::array<double, 4> states{};
  Sums sums;
  rows_.clear();
  for (std::size_t s = 0; s < found.force.size(); ++s) {
    const ContactRecord<D>& contact = sight.contacts[packing.record[s]];
    const Vec<D> force = packing.swapped[s] != 0 ? -found.force[s] : found.force[s];
    ++states[static_cast<std::size_t>(found.state[s])];
    sums.add(force, contact.force);
    // As the body of the lower id sees it.
    const double sign = contact.b >= 0 && contact.b < contact.a ? -1 : 1;
    std::vector<double> line{static_cast<double>(sign < 0 ? contact.b : contact.a),
                             static_cast<double>(sign < 0 ? contact.a : contact.b)};
    for (int c = 0; c < D; ++c) line.push_back(contact.point[c]);
    for (int c = 0; c < D; ++c) line.push_back(sign * contact.normal[c]);
    for (const Vec<D>& f : {force, contact.force}) {
      for (int c = 0; c < D; ++c) line.push_back(sign * f[c]);
    }
    line.push_back(-math::dot(force, contact.normal));
    line.push_back(-math::dot(contact.force, contact.normal));
    line.push_back(static_cast<double>(found.state[s]));
    rows_.push_back(std::move(line));
  }
  looked_ = true;
  const auto number = [](auto n) { return static_cast<double>(n); };
  const double contacts = number(found.force.size());
  row = {number(packing.truss.nodes()),
         contacts,
         states[0],
         states[1] + states[2],
         states[3],
         states[2],
         number(found.loose),
         contacts > 0 ? sums.sum / contacts : 0,
         sums.largest,
         found.residual,
         number(found.unbalanced),
         sums.difference(),
         number(found.iterations),
         found.settled ? 1.0 : 0.0,
         found.least_energy ? 1.0 : 0.0};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> TrussProbe<D>::results() const {
  return this->last_row();
}

template <int D>
std::vector<Table> TrussProbe<D>::tables() const {
  if (!looked_) return {};
  Table table{this->name() + "_contacts", {{"a", ""}, {"b", ""}}, rows_};
  const auto vector = [&](const std::string& name, const std::string& unit) {
    for (int c = 0; c < D; ++c) table.columns.push_back({name + kAxes[c], unit});
  };
  vector("", "m");
  vector("n", "");
  vector("f", "N");
  vector("run_f", "N");
  table.columns.insert(table.columns.end(), {{"normal", "N"}, {"run_normal", "N"}, {"state", ""}});
  return {table};
}

template class TrussProbe<2>;
template class TrussProbe<3>;

}  // namespace moraine::measure
