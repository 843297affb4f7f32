// SPDX-License-Identifier: MIT
#include "measure/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace moraine::measure {

using world::Held;

namespace {
const char* const kAxes[] = {"x", "y", "z"};

template <class Columns>
std::map<std::string, double> by_name(const Columns& columns, const std::vector<double>& values) {
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < values.size(); ++k) out[columns[k].name] = values[k];
  return out;
}
}  // namespace

// --- energy

template <int D>
std::vector<Quantity> EnergyProbe<D>::columns() const {
  return {{"kinetic", "J"},        {"rotational", "J"},    {"potential", "J"},  {"elastic", "J"},
          {"normal_damping", "J"}, {"shear_damping", "J"}, {"friction", "J"},   {"global_damping", "J"},
          {"wall_work", "J"},      {"load_work", "J"},     {"shear_work", "J"}, {"added", "J"},
          {"balance", "J"}};
}

template <int D>
bool EnergyProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const Energy e = measure_energy(sight.world);
  const world::Ledger& l = sight.world.ledger;
  const double account = e.mechanical() + dissipated(l) - l.walls - l.loads - l.shear - l.added;
  if (!started_) {
    started_ = true;
    at_start_ = account;
  }
  const double balance = account - at_start_;
  const double turnover = e.kinetic() + e.elastic + dissipated(l);
  worst_ = std::max(worst_, std::fabs(balance));
  row = {e.kinetic(),      e.rotation, e.potential, e.elastic, l.normal_dashpot, l.shear_dashpot, l.friction,
         l.global_damping, l.walls,    l.loads,     l.shear,   l.added,          balance};
  this->last_ = row;
  this->last_.push_back(turnover);
  return true;
}

template <int D>
std::map<std::string, double> EnergyProbe<D>::results() const {
  if (this->last_.empty()) return {};
  auto out = by_name(columns(), std::vector<double>(this->last_.begin(), this->last_.end() - 1));
  const double turnover = this->last_.back();
  out["turnover"] = turnover;  // energy put in: what moves, what is stored and what was lost
  // Where nothing moves there is no turnover to compare with: a balance that is rounding of the potential energy is
  // none.
  const bool rounding = std::fabs(out["balance"]) <= 1e-14 * std::fabs(out["potential"]);
  out["relative_balance"] = turnover > 0 && !rounding ? std::fabs(out["balance"]) / turnover : 0;
  out["worst_balance"] = worst_;
  return out;
}

template <int D>
void EnergyProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& values = record.reals["probe." + this->name()];
  values = {started_ ? 1.0 : 0.0, at_start_, worst_};
}

template <int D>
void EnergyProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& values = record.real("probe." + this->name());
  started_ = values.at(0) != 0;
  at_start_ = values.at(1);
  worst_ = values.at(2);
}

// --- counts

template <int D>
std::vector<Quantity> CountProbe<D>::columns() const {
  return {{"bodies", ""},  {"free", ""},       {"contacts", ""},
          {"removed", ""}, {"collisions", ""}, {"collisions_per_body", ""}};
}

template <int D>
bool CountProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row = {static_cast<double>(sight.world.bodies.size()), static_cast<double>(free_bodies(sight.world)),
         static_cast<double>(sight.contact_count),       static_cast<double>(sight.world.removed),
         static_cast<double>(sight.world.collisions),    collisions_per_body(sight.world)};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> CountProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

// --- bonds

template <int D>
std::vector<Quantity> BondProbe<D>::columns() const {
  return {{"intact", ""}, {"broken", ""}};
}

template <int D>
bool BondProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const world::BondCount& bonds = sight.world.bonds;
  row = {static_cast<double>(bonds.intact), static_cast<double>(bonds.broken)};
  this->last_ = row;
  this->last_.push_back(bonds.first_break);
  return true;
}

template <int D>
std::map<std::string, double> BondProbe<D>::results() const {
  if (this->last_.empty()) return {};
  std::map<std::string, double> out{{"intact", this->last_[0]}, {"broken", this->last_[1]}};
  if (this->last_[1] > 0) out["first_break"] = this->last_[2];
  return out;
}

// --- walls

template <int D>
std::vector<Quantity> WallProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (const std::string& name : names_) {
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.force_{}", name, kAxes[k]), "N"});
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) out.push_back({fmt::format("{}.torque_{}", name, kAxes[k]), "N m"});
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.{}", name, kAxes[k]), "m"});
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.v{}", name, kAxes[k]), "m/s"});
  }
  return out;
}

template <int D>
bool WallProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  for (const std::size_t w : walls_) {
    const world::Wall<D>& wall = sight.world.walls[w];
    for (int k = 0; k < D; ++k) row.push_back(wall.force[k]);
    const math::Vec3 torque = math::spin_as_vec3(wall.torque);
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) row.push_back(torque[k]);
    for (int k = 0; k < D; ++k) row.push_back(wall.reference[k]);
    for (int k = 0; k < D; ++k) row.push_back(wall.velocity[k]);
  }
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> WallProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

// --- tracked bodies

template <int D>
std::vector<Quantity> BodyProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (const std::int64_t id : ids_) {
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.{}", id, kAxes[k]), "m"});
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.v{}", id, kAxes[k]), "m/s"});
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) out.push_back({fmt::format("{}.w{}", id, kAxes[k]), "rad/s"});
  }
  return out;
}

template <int D>
bool BodyProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  const World<D>& world = sight.world;
  for (const std::int64_t id : ids_) {
    const auto at = std::find(world.bodies.id.begin(), world.bodies.id.end(), id);
    if (at == world.bodies.id.end()) return false;
    const auto i = static_cast<std::size_t>(at - world.bodies.id.begin());
    const Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
    for (int k = 0; k < D; ++k) row.push_back(x[k]);
    const Vec<D> v = world.velocity(i);
    for (int k = 0; k < D; ++k) row.push_back(v[k]);
    const math::Vec3 w = math::spin_as_vec3(world.spin(i));
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) row.push_back(w[k]);
  }
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> BodyProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

// --- tracked clumps

template <int D>
std::vector<Quantity> ClumpProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (const std::int64_t id : ids_) {
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.{}", id, kAxes[k]), "m"});
    for (int k = 0; k < D; ++k) out.push_back({fmt::format("{}.v{}", id, kAxes[k]), "m/s"});
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) out.push_back({fmt::format("{}.w{}", id, kAxes[k]), "rad/s"});
    if (D == 2) {
      out.push_back({fmt::format("{}.angle", id), "rad"});
    } else {
      for (const char* q : {"qw", "qx", "qy", "qz"}) out.push_back({fmt::format("{}.{}", id, q), ""});
      for (const char* axis : kAxes) out.push_back({fmt::format("{}.body_w{}", id, axis), "rad/s"});
    }
    for (int k = D == 2 ? 2 : 0; k < 3; ++k) out.push_back({fmt::format("{}.L{}", id, kAxes[k]), "kg m^2/s"});
    out.push_back({fmt::format("{}.rotational_energy", id), "J"});
    if (D == 2) continue;
    for (const char* axis : kAxes) out.push_back({fmt::format("{}.kardan_{}", id, axis), "rad"});
  }
  return out;
}

template <int D>
bool ClumpProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  const World<D>& world = sight.world;
  const auto put = [&row](const auto& v, int from, int to) {
    for (int k = from; k < to; ++k) row.push_back(v[k]);
  };
  constexpr int kFirst = D == 2 ? 2 : 0;
  for (const std::int64_t id : ids_) {
    const auto at = std::find(world.clumps.id.begin(), world.clumps.id.end(), id);
    if (at == world.clumps.id.end()) return false;
    const auto c = static_cast<std::size_t>(at - world.clumps.id.begin());
    put(world.domain.unwrapped(world.clumps.x[c], world.clumps.image[c], world.time), 0, D);
    put(world.clump_velocity(c), 0, D);
    const auto spin = world.clump_spin(c), L = world.clump_momentum(c);
    put(math::spin_as_vec3(spin), kFirst, 3);
    // A solid's own frame lies along its principal axes; it is told as it was given.
    math::Orientation<D> given = world.clumps.orientation[c];
    if constexpr (D == 2) {
      row.push_back(given);
    } else {
      const std::uint32_t solid = world.clumps.solid[c];
      if (solid != world::kNoSolid) given = given * math::inverse(world.solids[solid]->axes);
      row.insert(row.end(), {given.w, given.x, given.y, given.z});
      put(math::rotated(spin, math::inverse(world.clumps.orientation[c])), 0, 3);
    }
    put(math::spin_as_vec3(L), kFirst, 3);
    row.push_back(0.5 * math::dot(L, spin));
    if constexpr (D == 3) put(math::kardan_of(given), 0, 3);
  }
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> ClumpProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

// --- displacement

template <int D>
std::vector<Quantity> DisplacementProbe<D>::columns() const {
  std::vector<Quantity> out;
  out.reserve(D + 1);
  for (int k = 0; k < D; ++k) out.push_back({kAxes[k], "m"});
  out.push_back({"distance", "m"});
  return out;
}

template <int D>
bool DisplacementProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const auto at = std::find(world.bodies.id.begin(), world.bodies.id.end(), id_);
  if (at == world.bodies.id.end()) return false;
  const auto i = static_cast<std::size_t>(at - world.bodies.id.begin());
  Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
  if (start_.empty()) start_.assign(x.c, x.c + D);
  for (int k = 0; k < D; ++k) x[k] -= start_[static_cast<std::size_t>(k)];
  row.assign(x.c, x.c + D);
  row.push_back(math::norm(x));
  this->last_ = row;
  return true;
}

template <int D>
void DisplacementProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name() + ".start"] = start_;
}
template <int D>
void DisplacementProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  start_ = record.real("probe." + this->name() + ".start");
}

// --- tracked contacts

template <int D>
std::vector<Quantity> ContactProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const std::string prefix = pairs_.size() == 1 ? "" : fmt::format("{}.", k);
    out.push_back({prefix + "normal_force", "N"});
    out.push_back({prefix + "shear_force", "N"});
    out.push_back({prefix + "overlap", "m"});
  }
  return out;
}

template <int D>
bool ContactProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.assign(3 * pairs_.size(), 0);
  for (const ContactRecord<D>& c : sight.contacts) {
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const bool same = c.a == pairs_[k].first && c.b == pairs_[k].second;
      if (!same && !(c.a == pairs_[k].second && c.b == pairs_[k].first)) continue;
      const double normal = -math::dot(c.force, c.normal);
      const Vec<D> shear = c.force + c.normal * normal;
      row[3 * k] = normal;
      // 2D: positive along t, the normal turned by 90 degrees; 3D: the size.
      if constexpr (D == 2) {
        row[3 * k + 1] = -math::cross(c.normal, shear);
      } else {
        row[3 * k + 1] = math::norm(shear);
      }
      row[3 * k + 2] = c.overlap;
    }
  }
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> ContactProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

// --- coordination

template <int D>
std::vector<Quantity> CoordinationProbe<D>::columns() const {
  return {{"mean", ""}, {"mean_without_rattlers", ""}, {"rattlers", ""}};
}

template <int D>
bool CoordinationProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  std::unordered_map<std::int64_t, int> contacts;
  for (const ContactRecord<D>& c : sight.contacts) {
    if (math::norm2(c.force) == 0) continue;
    ++contacts[c.a];
    if (c.b >= 0) ++contacts[c.b];
  }
  std::int64_t bodies = 0, carrying = 0, all = 0, of_carrying = 0;
  const auto count = [&](std::int64_t z) {
    ++bodies;
    all += z;
    if (z < D) return;
    ++carrying;
    of_carrying += z;
  };
  std::vector<std::int64_t> of_clump(sight.world.clumps.size(), 0);
  for (std::size_t i = 0; i < sight.world.bodies.size(); ++i) {
    const Held held = sight.world.bodies.moving[i].held;
    if (!world::yields(held)) continue;
    const auto at = contacts.find(sight.world.bodies.id[i]);
    const int z = at == contacts.end() ? 0 : at->second;
    if (held == Held::kMember) {
      of_clump[sight.world.bodies.clump[i]] += z;
    } else {
      count(z);
    }
  }
  for (const std::int64_t z : of_clump) count(z);
  const auto ratio = [](std::int64_t a, std::int64_t b) {
    return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 0;
  };
  row = {ratio(all, bodies), ratio(of_carrying, carrying), ratio(bodies - carrying, bodies)};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> CoordinationProbe<D>::results() const {
  return by_name(columns(), this->last_);
}

#define MORAINE_INSTANTIATE(D)         \
  template class EnergyProbe<D>;       \
  template class CountProbe<D>;        \
  template class BondProbe<D>;         \
  template class WallProbe<D>;         \
  template class BodyProbe<D>;         \
  template class ClumpProbe<D>;        \
  template class DisplacementProbe<D>; \
  template class ContactProbe<D>;      \
  template class CoordinationProbe<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
