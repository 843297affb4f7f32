// SPDX-License-Identifier: MIT
#include "measure/link_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"

namespace moraine::measure {

namespace {

template <int D>
std::size_t index_of(const World<D>& world, std::int64_t id) {
  const auto& ids = world.bodies.id;
  const auto guess = static_cast<std::size_t>(id);
  if (guess < ids.size() && ids[guess] == id) return guess;
  return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

template <int D>
Vec<D> down(const World<D>& world) {
  const double g = math::norm(world.gravity);
  if (g > 0) return world.gravity * (1 / g);
  Vec<D> d{};
  d[D - 1] = -1;
  return d;
}

// Velocity of the point where a link is fixed.
template <int D>
Vec<D> end_velocity(const World<D>& world, const world::LinkEnd<D>& end, const Vec<D>& at) {
  if (end.at != world::LinkEnd<D>::At::kBody) return {};
  const std::size_t i = index_of(world, end.id);
  const std::uint32_t c = world.bodies.clump[i];
  if (c != world::kNoClump) return world.clump_velocity(c) + math::cross(world.clump_spin(c), at - world.clumps.x[c]);
  return world.velocity(i) + math::cross(world.spin(i), at - world.bodies.place[i].x);
}

// What the angle of a link is that of: a vector, and its rate.
template <int D>
struct Needle {
  Vec<D> d{}, u{};
};

// From the end that is nearer to the support towards the body. The two ends of a joint are one point: there it is the
// body itself that turns, and its centre shows how; or where it is joined at its centre, the other body's, or its own
// first axis.
template <int D>
Needle<D> needle_of(const World<D>& world, const world::Link<D>& link) {
  const Needle<D> between{link.from - link.to,
                          end_velocity(world, link.a, link.from) - end_velocity(world, link.b, link.to)};
  if (link.kind != world::LinkKind::kJoint) return between;
  const auto arm = [&](const world::LinkEnd<D>& end, const Vec<D>& at) {
    const std::size_t i = index_of(world, end.id);
    const std::uint32_t c = world.bodies.clump[i];
    const Vec<D> d = (c == world::kNoClump ? world.bodies.place[i].x : world.clumps.x[c]) - at;
    return Needle<D>{d, math::cross(c == world::kNoClump ? world.spin(i) : world.clump_spin(c), d)};
  };
  if (math::norm2(link.a.point) > 0) return arm(link.a, link.to);
  if (link.b.at == world::LinkEnd<D>::At::kBody && math::norm2(link.b.point) > 0) {
    const Needle<D> other = arm(link.b, link.from);
    return {-other.d, -other.u};
  }
  const std::size_t i = index_of(world, link.a.id);
  const std::uint32_t c = world.bodies.clump[i];
  Vec<D> axis{};
  axis[0] = 1;
  axis = math::rotated(axis, c == world::kNoClump ? world.bodies.orientation[i] : world.clumps.orientation[c]);
  return {axis, math::cross(c == world::kNoClump ? world.spin(i) : world.clump_spin(c), axis)};
}

// Energy that is to stay: what there is, less what loads brought, plus what damping took.
template <int D>
double kept_energy(const World<D>& world) {
  return measure_energy(world).mechanical() - world.ledger.loads - world.ledger.walls + dissipated(world.ledger);
}

const char* const kAxes[3] = {"x", "y", "z"};

// Columns for the components of a vector: "vx", "vy", ...
template <int D>
void add_columns(std::vector<Quantity>& out, const std::string& prefix, const std::string& unit) {
  out.reserve(out.size() + D);
  for (int k = 0; k < D; ++k) out.push_back({prefix + kAxes[k], unit});
}

template <int D>
void add_vector(std::vector<double>& row, const Vec<D>& v) {
  for (int k = 0; k < D; ++k) row.push_back(v[k]);
}

template <int D>
std::map<std::string, double> named(const std::vector<Quantity>& columns, const std::vector<double>& values) {
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < std::min(columns.size(), values.size()); ++k) out[columns[k].name] = values[k];
  return out;
}

}  // namespace

// ---- tip

template <int D>
std::vector<Quantity> TipProbe<D>::columns() const {
  std::vector<Quantity> out;
  add_columns<D>(out, "", "m");
  add_columns<D>(out, "v", "m/s");
  out.push_back({"angle", "rad"});
  out.push_back({"energy", "J"});
  out.push_back({"angle_rate", "rad/s"});
  return out;
}

template <int D>
bool TipProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const std::size_t i = index_of(world, body_);
  if (i >= world.bodies.size() || link_ >= world.links.size()) return false;
  const world::Link<D>& link = world.links[link_];
  const Needle<D> needle = needle_of(world, link);
  const Vec<D>&d = needle.d, &u = needle.u, g = down(world);
  const double length = math::norm(d);
  double angle = 0, rate = 0;
  if constexpr (D == 2) {
    angle = math::atan2(math::cross(g, d), math::dot(g, d));
    rate = math::cross(d, u) / (length * length);
    if (!started_) last_angle_ = angle;
    if (angle - last_angle_ > math::kPi) turns_ -= 1;  // goes on counting beyond half a turn
    if (angle - last_angle_ < -math::kPi) turns_ += 1;
    last_angle_ = angle;
    angle += 2 * math::kPi * turns_;
  } else {
    const double along = math::dot(g, d);
    const Vec<D> aside = d - g * along;
    const double across = math::norm(aside);
    angle = math::atan2(across, along);
    rate = across > 0 ? (math::dot(aside, u) / across * along - math::dot(g, u) * across) / (length * length)
                      : math::norm(u) / length;
  }
  const double energy = kept_energy(world);
  if (!started_) first_energy_ = energy;
  started_ = true;
  worst_energy_ = std::max(worst_energy_, std::fabs(energy - first_energy_));
  row.clear();
  add_vector<D>(row, world.bodies.place[i].x);
  add_vector<D>(row, world.velocity(i));
  row.insert(row.end(), {angle, measure_energy(world).mechanical(), rate});
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> TipProbe<D>::results() const {
  auto out = named<D>(columns(), this->last_);
  out["energy_error"] = worst_energy_;
  return out;
}

template <int D>
void TipProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name() + ".tip"] = {started_ ? 1.0 : 0.0, first_energy_, worst_energy_, turns_,
                                                    last_angle_};
}
template <int D>
void TipProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& s = record.real("probe." + this->name() + ".tip");
  started_ = s.at(0) != 0;
  first_energy_ = s.at(1);
  worst_energy_ = s.at(2);
  turns_ = s.at(3);
  last_angle_ = s.at(4);
}

// ---- links

template <int D>
std::vector<Quantity> LinksProbe<D>::columns() const {
  return {{"position_violation", "m"},  {"velocity_violation", "m/s"},
          {"energy_error", "J"},        {"largest_tension", "N"},
          {"largest_compression", "N"}, {"iterations", ""},
          {"evaluations", ""},          {"steps", ""},
          {"shortest_step", "s"},       {"rejected", ""}};
}

template <int D>
bool LinksProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const double energy = kept_energy(world);
  if (!started_) first_energy_ = energy;
  started_ = true;
  double tension = 0, compression = 0;
  for (const world::Link<D>& link : world.links) {
    if (link.kind == world::LinkKind::kJoint) {
      tension = std::max(tension, math::norm(link.pull));
    } else {
      tension = std::max(tension, link.force[0]);
      compression = std::max(compression, -link.force[0]);
    }
  }
  const world::LinkReport& r = world.report;
  const double now[5] = {r.position, r.velocity, energy - first_energy_, tension, compression};
  for (std::size_t k = 0; k < 5; ++k) worst_[k] = std::max(worst_[k], std::fabs(now[k]));
  iterations_ += static_cast<double>(r.iterations);
  rejected_ += static_cast<double>(r.rejected);
  rows_ += 1;
  row.assign(now, now + 5);
  for (const std::int64_t n : {r.iterations, r.evaluations, r.steps}) row.push_back(static_cast<double>(n));
  row.push_back(r.shortest_step);
  row.push_back(static_cast<double>(r.rejected));
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> LinksProbe<D>::results() const {
  std::map<std::string, double> out = {{"position_violation", worst_[0]},
                                       {"velocity_violation", worst_[1]},
                                       {"energy_error", worst_[2]},
                                       {"largest_tension", worst_[3]},
                                       {"largest_compression", worst_[4]}};
  if (this->last_.size() >= 3) {
    out["final_position_violation"] = this->last_[0];
    out["final_velocity_violation"] = this->last_[1];
    out["final_energy_error"] = this->last_[2];
  }
  if (rows_ > 0) out["mean_iterations"] = iterations_ / rows_;
  return out;
}

template <int D>
void LinksProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& s = record.reals["probe." + this->name() + ".links"];
  s = {started_ ? 1.0 : 0.0, first_energy_, iterations_, rejected_, rows_};
  s.insert(s.end(), worst_.begin(), worst_.end());
}
template <int D>
void LinksProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& s = record.real("probe." + this->name() + ".links");
  started_ = s.at(0) != 0;
  first_energy_ = s.at(1);
  iterations_ = s.at(2);
  rejected_ = s.at(3);
  rows_ = s.at(4);
  for (std::size_t k = 0; k < worst_.size(); ++k) worst_[k] = s.at(5 + k);
}

// ---- forces of links

template <int D>
std::vector<Quantity> LinkForceProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (const std::size_t l : links_) out.push_back({fmt::format("{}.force", l), "N"});
  for (const std::size_t l : links_) add_columns<D>(out, fmt::format("{}.f", l), "N");
  return out;
}

template <int D>
bool LinkForceProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  row.clear();
  for (const std::size_t l : links_) {
    const world::Link<D>& link = sight.world.links.at(l);
    row.push_back(link.kind == world::LinkKind::kJoint ? math::norm(link.pull) : link.force[0]);
  }
  for (const std::size_t l : links_) add_vector<D>(row, sight.world.links[l].pull);
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> LinkForceProbe<D>::results() const {
  return named<D>(columns(), this->last_);
}

// ---- centre

template <int D>
std::vector<Quantity> CentreProbe<D>::columns() const {
  std::vector<Quantity> out;
  add_columns<D>(out, "", "m");
  add_columns<D>(out, "v", "m/s");
  return out;
}

template <int D>
bool CentreProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const std::size_t i = index_of(world, a_), j = index_of(world, b_);
  if (std::max(i, j) >= world.bodies.size()) return false;
  const Vec<D> x = (world.bodies.place[i].x + world.bodies.place[j].x) * 0.5;
  const Vec<D> v = (world.velocity(i) + world.velocity(j)) * 0.5;
  const double height = -math::dot(down(world), x), speed = -math::dot(down(world), v), time = world.time;
  if (!recent_.empty() && recent_[2] != 0 && (recent_[2] > 0) != (speed > 0)) {
    // The speed passes zero: where, by a straight line.
    const double part = recent_[2] / (recent_[2] - speed);
    turnings_.push_back(recent_[0] + part * (time - recent_[0]));
    turnings_.push_back(recent_[1] + part * (height - recent_[1]));
  }
  recent_ = {time, height, speed};
  row.clear();
  add_vector<D>(row, x);
  add_vector<D>(row, v);
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> CentreProbe<D>::results() const {
  auto out = named<D>(columns(), this->last_);
  const std::size_t count = turnings_.size() / 2;
  out["turnings"] = static_cast<double>(count);
  for (std::size_t k = 0; k + 1 < turnings_.size() && k < 20; k += 2) {
    out[fmt::format("turning_{}_time", k / 2 + 1)] = turnings_[k];
    out[fmt::format("turning_{}_height", k / 2 + 1)] = turnings_[k + 1];
  }
  return out;
}

template <int D>
void CentreProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name() + ".recent"] = recent_;
  record.reals["probe." + this->name() + ".turnings"] = turnings_;
}
template <int D>
void CentreProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  recent_ = record.real("probe." + this->name() + ".recent");
  turnings_ = record.real("probe." + this->name() + ".turnings");
}

// ---- stack

template <int D>
std::vector<Quantity> StackProbe<D>::columns() const {
  return {{"height", "m"}, {"shrunk", ""}, {"lean", "m"}};
}

template <int D>
bool StackProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const Vec<D> up = -down(world);
  double top = -1e300, lean = 0, ground = 0;
  bool grounded = false;
  for (const world::Link<D>& link : world.links) {
    if (link.b.at == world::LinkEnd<D>::At::kBody || grounded) continue;
    ground = math::dot(up, link.to);
    grounded = true;
  }
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Vec<D>& x = world.bodies.place[i].x;
    const double h = math::dot(up, x);
    top = std::max(top, h);
    lean = std::max(lean, std::sqrt(std::max(0.0, math::norm2(x - up * h))));
  }
  const double height = top - ground;
  if (height_ < 0) height_ = height;
  const double shrunk = (height_ - height) / height_;
  if (fell_ < 0 && shrunk >= limit_) {
    const double part = shrunk > before_shrunk_ ? (limit_ - before_shrunk_) / (shrunk - before_shrunk_) : 1;
    fell_ = before_ + part * (world.time - before_);
  }
  before_ = seen_ = world.time;
  before_shrunk_ = shrunk;
  row = {height, shrunk, lean};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> StackProbe<D>::results() const {
  // A stack that still stands: at least as long as it was watched.
  return {{"time_to_instability", fell_ >= 0 ? fell_ : seen_}, {"unstable", fell_ >= 0 ? 1.0 : 0.0}};
}

template <int D>
void StackProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name() + ".stack"] = {height_, fell_, seen_, before_, before_shrunk_};
}
template <int D>
void StackProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& s = record.real("probe." + this->name() + ".stack");
  height_ = s.at(0);
  fell_ = s.at(1);
  seen_ = s.at(2);
  before_ = s.at(3);
  before_shrunk_ = s.at(4);
}

// ---- momentum

template <int D>
std::vector<Quantity> MomentumProbe<D>::columns() const {
  std::vector<Quantity> out;
  add_columns<D>(out, "p", "kg m/s");
  if (D == 2) {
    out.push_back({"l", "kg m^2/s"});
  } else {
    add_columns<3>(out, "l", "kg m^2/s");
  }
  out.push_back({"energy", "J"});
  return out;
}

template <int D>
bool MomentumProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  const Vec<D> p = momentum(world);
  Spin<D> l{};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held != world::Held::kFree) continue;
    const Vec<D> x = world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time);
    l += math::cross(x, world.velocity(i) * world.bodies.mass[i]) + world.spin(i) * world.bodies.inertia[i];
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    const Vec<D> x = world.domain.unwrapped(world.clumps.x[c], world.clumps.image[c], world.time);
    l += math::cross(x, world.clump_velocity(c) * world.clumps.mass[c]) + world.clump_momentum(c);
  }
  row.clear();
  add_vector<D>(row, p);
  if constexpr (D == 2) {
    row.push_back(l);
  } else {
    add_vector<D>(row, l);
  }
  row.push_back(measure_energy(world).mechanical());
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> MomentumProbe<D>::results() const {
  return named<D>(columns(), this->last_);
}

#define MORAINE_INSTANTIATE(D)      \
  template class TipProbe<D>;       \
  template class LinksProbe<D>;     \
  template class LinkForceProbe<D>; \
  template class CentreProbe<D>;    \
  template class StackProbe<D>;     \
  template class MomentumProbe<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
