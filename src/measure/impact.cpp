// SPDX-License-Identifier: MIT
#include "measure/impact.hpp"

#include <algorithm>
#include <cmath>

#include "world/near_wall.hpp"

namespace moraine::measure {

template <int D>
std::vector<Quantity> ImpactProbe<D>::columns() const {
  return {{"normal_force", "N"},
          {"shear_force", "N"},
          {"overlap", "m"},
          {"normal_velocity", "m/s"},
          {"slip_velocity", "m/s"}};
}

namespace {
template <int D>
std::optional<std::size_t> find_body(const World<D>& world, std::int64_t id) {
  const auto at = std::find(world.bodies.id.begin(), world.bodies.id.end(), id);
  if (at == world.bodies.id.end()) return std::nullopt;
  return static_cast<std::size_t>(at - world.bodies.id.begin());
}
}  // namespace

template <int D>
auto ImpactProbe<D>::meeting(const World<D>& world, math::Vec<D>& k) const -> std::optional<Meeting> {
  using math::Vec3;
  const auto i = find_body(world, a_);
  if (!i) return std::nullopt;
  const auto& a = world.bodies.place[*i];
  Vec3 v = math::as_vec3(world.velocity(*i));
  Vec3 arm_spin = math::spin_as_vec3(world.spin(*i)) * a.radius;
  if (b_ >= 0) {
    const auto j = find_body(world, b_);
    if (!j) return std::nullopt;
    const auto& b = world.bodies.place[*j];
    k = b.x - a.x;
    k *= 1 / math::norm(k);
    v -= math::as_vec3(world.velocity(*j));
    arm_spin += math::spin_as_vec3(world.spin(*j)) * b.radius;
  } else {
    const auto& wall = world.walls[static_cast<std::size_t>(-1 - b_)];
    bool at_end = false;
    const math::Vec<D> point = world::nearest_point(wall.now, a.x, at_end);
    k = point - a.x;
    k *= 1 / math::norm(k);
    v -= math::as_vec3<D>(wall.velocity + math::cross(wall.spin, point - wall.reference));
  }
  const Vec3 k3 = math::as_vec3(k);
  const double closing = math::dot(v, k3);
  return Meeting{closing, v - k3 * closing + math::cross(arm_spin, k3)};
}

template <int D>
bool ImpactProbe<D>::may_pull(const World<D>& world) const {
  const auto material = [&](std::int64_t id) { return world.bodies.moving[*find_body(world, id)].material; };
  const std::uint32_t other = b_ >= 0 ? material(b_) : world.walls[static_cast<std::size_t>(-1 - b_)].material;
  return !world.laws(material(a_), other).no_tension;
}

template <int D>
bool ImpactProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const double time = sight.world.time, dt = sight.world.dt;
  math::Vec<D> k{};
  const auto now = meeting(sight.world, k);
  if (!now || parted_) return false;
  const ContactRecord<D>* contact = nullptr;
  for (const auto& c : sight.contacts) {
    if ((c.a == a_ && c.b == b_) || (c.a == b_ && c.b == a_)) contact = &c;
  }
  if (contact == nullptr) {
    if (opened_) {  // the contact's last push has been dealt with
      parted_ = true;
      after_ = *now;
    } else if (touched_) {  // parted within the last step, at the rate of then
      opened_ = true;
      part_time_ = last_rate_ < 0 ? time - dt - last_overlap_ / last_rate_ : time;
      if (!force_ended_) end_time_ = pulls_ ? part_time_ : std::min(part_time_, time - dt + remaining(dt));
    } else {
      before_ = *now;
    }
    return false;
  }
  opened_ = false;
  if (!touched_) {
    touched_ = true;
    pulls_ = may_pull(sight.world);
    touch_time_ = before_.closing > 0 ? time - contact->overlap / before_.closing : time;
  } else {
    end_of_force(time, dt, contact->normal_force, contact->overlap, contact->rate);
  }
  last_overlap_ = contact->overlap;
  last_rate_ = contact->rate;
  force2_ = force1_;
  force1_ = contact->normal_force;
  largest_overlap_ = std::max(largest_overlap_, contact->overlap);
  largest_force_ = std::max(largest_force_, contact->normal_force);
  const math::Vec<D> shear = contact->force - contact->normal * math::dot(contact->force, contact->normal);
  double slip = math::norm(now->slip), shear_force = math::norm(shear);
  if constexpr (D == 2) {  // signed along t, k turned by 90 degrees
    slip = math::cross(k, math::Vec<2>{now->slip[0], now->slip[1]});
    const double sign = contact->a == a_ ? 1 : -1;
    shear_force = -sign * math::cross(k, shear);
  }
  row = {contact->normal_force, shear_force, contact->overlap, now->closing, slip};
  return true;
}

// A law that never pulls lets go while the bodies still overlap: the collision is over when the force has fallen to
// zero, which is read off the line through the last two values.
template <int D>
void ImpactProbe<D>::end_of_force(double time, double dt, double force, double /*overlap*/, double rate) {
  if (force_ended_ || force > 0 || rate >= 0 || force1_ <= 0) return;
  force_ended_ = force == 0;
  if (!force_ended_) return;
  end_time_ = time - dt + remaining(dt);
}

// How long after its last positive value the force falls to zero, read off the line through the last two.
template <int D>
double ImpactProbe<D>::remaining(double dt) const {
  const double slope = force2_ - force1_;
  return force1_ > 0 && slope > 0 ? std::min(dt, dt * force1_ / slope) : dt;
}

template <int D>
std::map<std::string, double> ImpactProbe<D>::results() const {
  if (!parted_) return {};
  std::map<std::string, double> out;
  out["restitution"] = -after_.closing / before_.closing;
  const double slip2 = math::norm2(before_.slip);
  // A head-on impact has no slip to give back: 0.
  const bool slips = slip2 > 1e-18 * before_.closing * before_.closing;
  out["angular_restitution"] = slips ? -math::dot(after_.slip, before_.slip) / slip2 : 0;
  out["duration"] = end_time_ - touch_time_;
  out["overlap_duration"] = part_time_ - touch_time_;
  out["largest_overlap"] = largest_overlap_;
  out["largest_force"] = largest_force_;
  out["closing_speed"] = before_.closing;
  return out;
}

template <int D>
void ImpactProbe<D>::save(base::Record& record) const {
  auto& v = record.reals["probe." + this->name()];
  v = {touched_ ? 1.0 : 0.0,
       parted_ ? 1.0 : 0.0,
       force_ended_ ? 1.0 : 0.0,
       before_.closing,
       before_.slip[0],
       before_.slip[1],
       before_.slip[2],
       after_.closing,
       after_.slip[0],
       after_.slip[1],
       after_.slip[2],
       touch_time_,
       end_time_,
       part_time_,
       force1_,
       force2_,
       last_overlap_,
       last_rate_,
       largest_overlap_,
       largest_force_,
       opened_ ? 1.0 : 0.0,
       pulls_ ? 1.0 : 0.0};
}

template <int D>
void ImpactProbe<D>::load(const base::Record& record) {
  const auto& v = record.real("probe." + this->name());
  touched_ = v.at(0) != 0;
  parted_ = v.at(1) != 0;
  force_ended_ = v.at(2) != 0;
  before_ = {v.at(3), {v.at(4), v.at(5), v.at(6)}};
  after_ = {v.at(7), {v.at(8), v.at(9), v.at(10)}};
  touch_time_ = v.at(11);
  end_time_ = v.at(12);
  part_time_ = v.at(13);
  force1_ = v.at(14);
  force2_ = v.at(15);
  last_overlap_ = v.at(16);
  last_rate_ = v.at(17);
  largest_overlap_ = v.at(18);
  largest_force_ = v.at(19);
  opened_ = v.at(20) != 0;
  pulls_ = v.at(21) != 0;
}

template class ImpactProbe<2>;
template class ImpactProbe<3>;

}  // namespace moraine::measure
