// SPDX-License-Identifier: MIT
#include "measure/overlaps.hpp"

#include <algorithm>
#include <cmath>

namespace moraine::measure {

namespace {
constexpr double kForEver = 1e300;  // s
}

template <int D>
std::vector<Quantity> OverlapsProbe<D>::columns() const {
  return {{"contacts", ""}, {"mean_overlap", "R"}, {"max_overlap", "R"}, {"kinetic", "m g R"},
          {"moved", "R"},   {"cone", ""},          {"iterations", ""},   {"residual", "m/s"}};
}

// Of any body against its radius.
template <int D>
double OverlapsProbe<D>::farthest_move(const World<D>& world) {
  const double tiny = 1e-9 * world.dt;
  if (world.time < from_ - tiny) return 0;
  double farthest = 0;
  const bool first = start_.empty();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (!world::yields(world.bodies.moving[i].held)) continue;
    const math::Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
    if (first) start_[world.bodies.id[i]] = x;
    const auto at = start_.find(world.bodies.id[i]);
    if (at != start_.end()) farthest = std::max(farthest, math::norm(x - at->second) / world.bodies.place[i].radius);
  }
  return farthest;
}

template <int D>
bool OverlapsProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  std::unordered_map<std::int64_t, std::size_t> at;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) at[world.bodies.id[i]] = i;
  double sum = 0, most = 0, cone = 0, largest_force = 0;
  for (const ContactRecord<D>& c : sight.contacts) largest_force = std::max(largest_force, c.normal_force);
  for (const ContactRecord<D>& c : sight.contacts) {
    const std::size_t a = at.at(c.a);
    double radius = world.bodies.place[a].radius;
    std::uint32_t material = 0;
    if (c.b >= 0) {
      radius = std::min(radius, world.bodies.place[at.at(c.b)].radius);
      material = world.bodies.moving[at.at(c.b)].material;
    } else {
      material = world.walls[static_cast<std::size_t>(-1 - c.b)].material;
    }
    const double overlap = std::max(0.0, c.overlap) / radius;
    sum += overlap;
    most = std::max(most, overlap);
    const world::PairLaw& law = world.laws(world.bodies.moving[a].material, material);
    if (law.bond.on || !(largest_force > 0)) continue;  // what a bond holds is no friction
    const double friction = math::norm(c.force - c.normal * math::dot(c.force, c.normal));
    // Of soft contacts the size of the force counts, of hard ones the force over what cohesion holds, at its largest:
    // how old the contact is is not known here.
    double normal = std::fabs(c.normal_force);
    if (law.cohesion.on) {
      const double section = D == 2 ? radius : radius * radius;
      normal = std::max(normal, c.normal_force + law.cohesion.strength(section, kForEver));
    }
    cone = std::max(cone, (friction - law.mu * normal) / largest_force);
  }
  double kinetic = 0, unit = 0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (!world::yields(world.bodies.moving[i].held)) continue;
    const double m = world.bodies.mass[i];
    kinetic += 0.5 * m * math::norm2(world.velocity(i)) + 0.5 * world.bodies.inertia[i] * math::norm2(world.spin(i));
    unit += m * math::norm(world.gravity) * world.bodies.place[i].radius;
  }
  const auto n = static_cast<double>(sight.contacts.size());
  row = {n,
         n > 0 ? sum / n : 0,
         most,
         unit > 0 ? kinetic / unit : 0,
         farthest_move(world),
         cone,
         static_cast<double>(world.report.iterations),
         world.report.velocity};
  largest_ = std::max(largest_, most);
  largest_cone_ = std::max(largest_cone_, cone);
  last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> OverlapsProbe<D>::results() const {
  if (last_.empty()) return {};
  return {{"mean_overlap", last_[1]}, {"max_overlap", last_[2]},         {"kinetic", last_[3]},
          {"moved", last_[4]},        {"largest_max_overlap", largest_}, {"largest_cone", largest_cone_},
          {"residual", last_[7]}};
}

template <int D>
void OverlapsProbe<D>::save(base::Record& record) const {
  auto& ids = record.ints["probe." + this->name() + ".id"];
  auto& places = record.reals["probe." + this->name() + ".x"];
  ids.clear();
  places.clear();
  for (const auto& [id, x] : start_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const std::int64_t id : ids) {
    for (int k = 0; k < D; ++k) places.push_back(start_.at(id)[k]);
  }
  record.reals["probe." + this->name() + ".last"] = last_;
  record.reals["probe." + this->name() + ".largest"] = {largest_, largest_cone_};
}

template <int D>
void OverlapsProbe<D>::load(const base::Record& record) {
  const auto& ids = record.integer("probe." + this->name() + ".id");
  const auto& places = record.real("probe." + this->name() + ".x");
  start_.clear();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    math::Vec<D> x;
    for (int d = 0; d < D; ++d) x[d] = places.at(D * k + static_cast<std::size_t>(d));
    start_[ids[k]] = x;
  }
  last_ = record.real("probe." + this->name() + ".last");
  largest_ = record.real("probe." + this->name() + ".largest").at(0);
  largest_cone_ = record.real("probe." + this->name() + ".largest").at(1);
}

template class OverlapsProbe<2>;
template class OverlapsProbe<3>;

}  // namespace moraine::measure
