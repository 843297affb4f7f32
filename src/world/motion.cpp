// SPDX-License-Identifier: MIT
#include "world/motion.hpp"

#include <algorithm>

namespace moraine::world {

namespace {
// How much of [from, to) lies before t.
template <class I>
double elapsed(const I& i, double t) {
  return std::max(0.0, std::min(t, i.to) - i.from);
}
}  // namespace

template <int D>
Vec<D> Motion<D>::shift(double t) const {
  Vec<D> s{};
  for (const Interval& i : intervals) s += i.velocity * elapsed(i, t);
  if (frequency > 0) s += amplitude * (math::sin(2 * math::kPi * frequency * t + phase) - math::sin(phase));
  return s;
}

template <int D>
Vec<D> Motion<D>::velocity(double t) const {
  Vec<D> v{};
  for (const Interval& i : intervals) {
    if (t >= i.from && t < i.to) v += i.velocity;
  }
  if (frequency > 0) {
    const double omega = 2 * math::kPi * frequency;
    v += amplitude * (omega * math::cos(omega * t + phase));
  }
  return v;
}

template <int D>
Vec<D> Motion<D>::acceleration(double t) const {
  if (!(frequency > 0)) return {};
  const double omega = 2 * math::kPi * frequency;
  return amplitude * (-omega * omega * math::sin(omega * t + phase));
}

template <int D>
Spin<D> Motion<D>::spin(double t) const {
  Spin<D> w{};
  for (const Interval& i : intervals) {
    if (t >= i.from && t < i.to) w += i.spin;
  }
  return w;
}

template <int D>
Vec<D> Motion<D>::slide(double t) const {
  Vec<D> v{};
  for (const Interval& i : intervals) {
    if (t >= i.from && t < i.to) v += i.slide;
  }
  return v;
}

template <int D>
Vec<D> Motion<D>::turned(const Vec<D>& direction, double t) const {
  if constexpr (D == 2) {
    double angle = 0;
    for (const Interval& i : intervals) angle += i.spin * elapsed(i, t);
    return angle == 0 ? direction : math::rotated(direction, angle);
  } else {
    Vec<D> r = direction;  // rotations in 3D do not commute: one interval after the other
    for (const Interval& i : intervals) r = math::rotated(r, i.spin * elapsed(i, t));
    return r;
  }
}

template <int D>
math::Orientation<D> Motion<D>::orientation(double t) const {
  math::Orientation<D> q{};
  for (const Interval& i : intervals) {
    if constexpr (D == 2) {
      q += i.spin * elapsed(i, t);
    } else {
      if (elapsed(i, t) > 0) q = math::normalised(math::from_rotation(i.spin * elapsed(i, t)) * q);
    }
  }
  return q;
}

template <int D>
Vec<D> Motion<D>::place(const Vec<D>& x0, double t) const {
  return about + shift(t) + turned(x0 - about, t);
}

template <int D>
Vec<D> Motion<D>::velocity_of(const Vec<D>& x0, double t) const {
  return velocity(t) + math::cross(spin(t), place(x0, t) - (about + shift(t)));
}

template <int D>
void Motion<D>::count_in_steps(double dt) {
  for (Interval& i : intervals) {
    if (i.from_step >= 0) i.from = static_cast<double>(i.from_step) * dt;
    if (i.to_step >= 0) i.to = static_cast<double>(i.to_step) * dt;
    if (i.by_shift) i.velocity = i.shift * (1 / (i.to - i.from));
  }
}

template <int D>
bool Motion<D>::moves() const {
  for (const Interval& i : intervals) {
    if (math::norm2(i.velocity) > 0 || math::norm2(i.spin) > 0 || math::norm2(i.slide) > 0) return true;
  }
  return frequency > 0 && math::norm2(amplitude) > 0;
}

template <int D>
Motion<D> Motion<D>::with_slide() const {
  Motion m = *this;
  for (Interval& i : m.intervals) {
    i.velocity += i.slide;
    i.slide = {};
  }
  return m;
}

template struct Motion<2>;
template struct Motion<3>;

}  // namespace moraine::world
