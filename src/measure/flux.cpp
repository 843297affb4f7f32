// SPDX-License-Identifier: MIT
#include "measure/flux.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace moraine::measure {

template <int D>
std::vector<Quantity> FluxProbe<D>::columns() const {
  return {{"passed", ""}, {"mass", "kg"}, {"number_rate", "1/s"}, {"mass_rate", "kg/s"}};
}

// Which side of the gate: -1 below, 0 above; along a periodic axis, how many gates are below.
template <int D>
std::int64_t FluxProbe<D>::side(double x, double period) const {
  if (period > 0) return static_cast<std::int64_t>(std::floor((x - gate_.at) / period));
  return x < gate_.at ? -1 : 0;
}

template <int D>
bool FluxProbe<D>::in_window(const World<D>& world, Vec<D> crossing) const {
  std::array<std::int32_t, D> turns{};
  world.domain.wrap(crossing, turns, world.time);
  for (int k = 0; k < D; ++k) {
    if (k != gate_.axis && (crossing[k] < gate_.min[k] || crossing[k] > gate_.max[k])) return false;
  }
  return true;
}

// Compares the place of a body or clump with that at the last look; who is new was nowhere before.
template <int D>
void FluxProbe<D>::follow(const World<D>& world, Places& places, std::int64_t id, const Vec<D>& now, double mass) {
  const auto at = static_cast<std::size_t>(id);
  if (at >= places.known.size()) {
    places.x.resize(at + 1);
    places.known.resize(at + 1, 0);
  }
  const Vec<D> before = places.x[at];
  places.x[at] = now;
  if (places.known[at] == 0) {
    places.known[at] = 1;
    return;
  }
  const int axis = gate_.axis;
  const double period = world.domain.periodic[static_cast<std::size_t>(axis)] ? world.domain.length(axis) : 0;
  const std::int64_t from = side(before[axis], period), through = side(now[axis], period) - from;
  if (through == 0) return;
  // Where it went through, as if straight; of several gates in one go, the first.
  const double gate = gate_.at + period * static_cast<double>(through > 0 ? from + 1 : from);
  const Vec<D> crossing = before + (now - before) * ((gate - before[axis]) / (now[axis] - before[axis]));
  if (!in_window(world, crossing)) return;
  passed_.number += static_cast<double>(through);
  passed_.mass += static_cast<double>(through) * mass;
}

template <int D>
bool FluxProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held != world::Held::kFree) continue;
    follow(world, bodies_, world.bodies.id[i],
           world.domain.unwrapped(world.bodies.place[i].x, world.bodies.image[i], world.time), world.bodies.mass[i]);
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c)
    follow(world, clumps_, world.clumps.id[c],
           world.domain.unwrapped(world.clumps.x[c], world.clumps.image[c], world.time), world.clumps.mass[c]);
  if (!this->row_due(world.step)) return false;

  const double elapsed = world.time - row_time_;
  const auto rate = [&](double now, double before) { return elapsed > 0 ? (now - before) / elapsed : 0; };
  row = {passed_.number, passed_.mass, rate(passed_.number, at_row_.number), rate(passed_.mass, at_row_.mass)};
  if (begun_) {
    rates_.add(std::span(row).subspan(2));
  } else if (world.time >= from_) {
    begun_ = true;
  }
  at_row_ = passed_;
  row_time_ = world.time;
  return true;
}

// It may have passed since the last look.
template <int D>
void FluxProbe<D>::body_left(const World<D>& world, std::size_t body) {
  const std::uint32_t c = world.bodies.clump[body];
  const std::int64_t id = world.bodies.id[body];
  if (c != world::kNoClump) {
    if (id != world.clumps.first_member[c]) return;  // once for all its members
    const std::int64_t clump = world.clumps.id[c];
    follow(world, clumps_, clump, world.domain.unwrapped(world.clumps.x[c], world.clumps.image[c], world.time),
           world.clumps.mass[c]);
    clumps_.known[static_cast<std::size_t>(clump)] = 0;
  } else if (world.bodies.moving[body].held == world::Held::kFree) {
    follow(world, bodies_, id, world.domain.unwrapped(world.bodies.place[body].x, world.bodies.image[body], world.time),
           world.bodies.mass[body]);
    bodies_.known[static_cast<std::size_t>(id)] = 0;
  }
}

template <int D>
std::map<std::string, double> FluxProbe<D>::results() const {
  std::map<std::string, double> out{{"passed", passed_.number}, {"mass", passed_.mass}};
  if (rates_.count() == 0) return out;
  const auto rates = rates_.estimate();
  out["number_rate"] = rates.value[0];
  out["number_rate_error"] = rates.error[0];
  out["mass_rate"] = rates.value[1];
  out["mass_rate_error"] = rates.error[1];
  return out;
}

template <int D>
void FluxProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  const std::string key = "probe." + this->name();
  auto& numbers = record.reals[key];
  numbers = {passed_.number, passed_.mass, at_row_.number, at_row_.mass, row_time_, begun_ ? 1.0 : 0.0};
  const auto rates = rates_.saved();
  numbers.insert(numbers.end(), rates.begin(), rates.end());
  const auto save_places = [&](const std::string& of, const Places& places) {
    auto& ids = record.ints[of + ".ids"];
    auto& x = record.reals[of + ".x"];
    ids.clear();
    x.clear();
    for (std::size_t k = 0; k < places.known.size(); ++k) {
      if (places.known[k] == 0) continue;
      ids.push_back(static_cast<std::int64_t>(k));
      for (int d = 0; d < D; ++d) x.push_back(places.x[k][d]);
    }
  };
  save_places(key + ".bodies", bodies_);
  save_places(key + ".clumps", clumps_);
}

template <int D>
void FluxProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const std::string key = "probe." + this->name();
  const auto& numbers = record.real(key);
  passed_ = {numbers.at(0), numbers.at(1)};
  at_row_ = {numbers.at(2), numbers.at(3)};
  row_time_ = numbers.at(4);
  begun_ = numbers.at(5) != 0;
  std::span<const double> rest = std::span(numbers).subspan(6);
  rates_.load(rest);
  const auto load_places = [&](const std::string& of, Places& places) {
    places = {};
    const auto& ids = record.integer(of + ".ids");
    const auto& x = record.real(of + ".x");
    if (ids.empty()) return;
    places.x.resize(static_cast<std::size_t>(ids.back()) + 1);
    places.known.resize(places.x.size(), 0);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const auto id = static_cast<std::size_t>(ids[k]);
      places.known[id] = 1;
      for (std::size_t d = 0; d < D; ++d) places.x[id][static_cast<int>(d)] = x.at(k * D + d);
    }
  };
  load_places(key + ".bodies", bodies_);
  load_places(key + ".clumps", clumps_);
}

template class FluxProbe<2>;
template class FluxProbe<3>;

}  // namespace moraine::measure
