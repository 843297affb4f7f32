// SPDX-License-Identifier: MIT
#include "measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.hpp"
#include "measure/bins.hpp"
#include "measure/branch.hpp"

namespace moraine::measure {

using math::Vec;
using world::Held;

namespace {
const char* const kAxes[] = {"x", "y", "z"};

template <int D>
using Tensor = std::array<std::array<double, D>, D>;

template <int D>
void add_product(Tensor<D>& t, const Vec<D>& a, const Vec<D>& b, double factor) {
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) t[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += factor * a[i] * b[j];
  }
}

// -1/V sum f (x) l over contacts: f on A, l from the centre of A to that of B, or to the wall.
template <int D>
Tensor<D> contact_part(const Sight<D>& sight) {
  Branches<D> branches;
  branches.look_at(sight.world);
  Tensor<D> t{};
  for (const ContactRecord<D>& c : sight.contacts) add_product<D>(t, c.force, branches.of(c).along, -1);
  return t;
}

// What the bodies are like: of all, the area or volume that they cover; the rest of the free ones.
struct Crowd {
  double covered = 0, mass = 0;
  double flow_energy = 0;             // kinetic energy beyond that of the motion against the mean flow
  double count = 0;                   // clumps count once
  double volume = 0;                  // of disks and spheres, area in 2D
  double diameters = 0, members = 0;  // sum over disks and spheres, and their number
  double mean_mass() const { return count > 0 ? mass / count : 0; }
  double mean_diameter() const { return members > 0 ? diameters / members : 0; }
  double density() const { return volume > 0 ? mass / volume : 0; }  // 2D: per area
};

// Sum of m c (x) c with the velocities against the mean flow, which is linear in a sheared domain.
template <int D>
Tensor<D> kinetic_part(const World<D>& world, Crowd& crowd) {
  struct Mass {
    double m;
    Vec<D> v;
  };
  std::vector<Mass> masses;
  const world::Shear& shear = world.domain.shear;
  const auto flow_at = [&](const Vec<D>& x) {
    Vec<D> u{};
    if (shear.rate != 0)
      u[shear.flow] = shear.rate *
                      (x[shear.gradient] - 0.5 * (world.domain.min[shear.gradient] + world.domain.max[shear.gradient]));
    return u;
  };
  const auto add = [&](double mass, const Vec<D>& v, const Vec<D>& x) {
    masses.push_back({mass, v - flow_at(x)});
    crowd.flow_energy += 0.5 * mass * (math::norm2(v) - math::norm2(masses.back().v));
  };
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const double r = world.bodies.place[i].radius, volume = world.volume(i);
    crowd.covered += volume;
    if (!world::yields(world.bodies.moving[i].held)) continue;
    crowd.volume += volume;
    crowd.diameters += 2 * r;
    crowd.members += 1;
    if (world.bodies.moving[i].held != Held::kFree) continue;
    add(world.bodies.mass[i], world.velocity(i), world.bodies.place[i].x);
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c)
    add(world.clumps.mass[c], world.clump_velocity(c), world.clumps.x[c]);
  crowd.count = static_cast<double>(masses.size());
  Vec<D> mean{};
  for (const Mass& m : masses) {
    crowd.mass += m.m;
    mean += m.v * m.m;
  }
  if (crowd.mass > 0) mean *= 1 / crowd.mass;
  Tensor<D> t{};
  for (const Mass& m : masses) add_product<D>(t, m.v - mean, m.v - mean, m.m);
  return t;
}

// Where in a row the pressure stands; behind it shear stress, temperature and fraction. The averages have three more
// channels: mean mass, mean diameter, density.
template <int D>
constexpr std::size_t kPressure = 2 * D* D;
constexpr std::size_t kSizes = 3;

template <int D>
double trace(const Tensor<D>& t) {
  double sum = 0;
  for (std::size_t k = 0; k < D; ++k) sum += t[k][k];
  return sum;
}

}  // namespace

template <int D>
std::vector<Quantity> StressProbe<D>::columns() const {
  std::vector<Quantity> out;
  for (const char* part : {"", "contact_"}) {
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) out.push_back({fmt::format("{}s{}{}", part, kAxes[i], kAxes[j]), "Pa"});
    }
  }
  out.push_back({"pressure", "Pa"});
  out.push_back({"shear_stress", "Pa"});
  out.push_back({"temperature", "m^2/s^2"});
  out.push_back({"fraction", ""});
  return out;
}

template <int D>
bool StressProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  Crowd crowd;
  const Tensor<D> contact = contact_part(sight), kinetic = kinetic_part(world, crowd);
  row.clear();
  for (const double with : {1.0, 0.0}) {
    for (std::size_t i = 0; i < D; ++i) {
      for (std::size_t j = 0; j < D; ++j) row.push_back((contact[i][j] + with * kinetic[i][j]) / volume_);
    }
  }
  row.push_back((trace<D>(contact) + trace<D>(kinetic)) / (D * volume_));
  // Positive where it drives the flow: what moves faster above pulls along.
  const auto f = static_cast<std::size_t>(world.domain.shear.flow),
             g = static_cast<std::size_t>(world.domain.shear.gradient);
  row.push_back(-(contact[f][g] + kinetic[f][g]) / volume_);
  row.push_back(crowd.mass > 0 ? trace<D>(kinetic) / (D * crowd.mass) : 0);
  row.push_back(crowd.covered / space_);
  this->last_ = row;
  if (world.time >= from_) {
    if (!begun_) {
      averages_ = Blocks(row.size() + kSizes);
      begun_ = true;
      rate_ = world.domain.shear.rate;
      work_from_ = world.ledger.shear - crowd.flow_energy;
      time_from_ = world.time;
    }
    std::vector<double> channels = row;
    channels.insert(channels.end(), {crowd.mean_mass(), crowd.mean_diameter(), crowd.density()});
    averages_.add(channels);
    work_to_ = world.ledger.shear - crowd.flow_energy;
    time_to_ = world.time;
  }
  return true;
}

// Numbers without a unit that follow from the averages. I compares the time in which the pressure pushes a body over
// its own size with that of the shear: rate d sqrt(rho / P), and in 2D rate sqrt(m / (P thickness)).
template <int D>
std::map<std::string, Blocks::Function> StressProbe<D>::numbers_of_flow() const {
  constexpr std::size_t kShear = kPressure<D> + 1, kMass = kPressure<D> + 4, kDiameter = kMass + 1,
                        kDensity = kMass + 2;
  using Means = std::span<const double>;
  std::map<std::string, Blocks::Function> out;
  out["friction"] = [](Means m) { return std::vector{m[kPressure<D>] != 0 ? m[kShear] / m[kPressure<D>] : 0.0}; };
  if (rate_ == 0) return out;
  out["inertial_number"] = [rate = std::fabs(rate_), thickness = volume_ / space_](Means m) {
    const double pressure = m[kPressure<D>];
    if (!(pressure > 0)) return std::vector{0.0};
    return std::vector{D == 2 ? rate * std::sqrt(m[kMass] / (pressure * thickness))
                              : rate * m[kDiameter] * std::sqrt(m[kDensity] / pressure)};
  };
  return out;
}

template <int D>
std::map<std::string, double> StressProbe<D>::results() const {
  std::map<std::string, double> out;
  if (!begun_) return out;
  const auto names = columns();
  const Blocks::Estimate all = averages_.estimate();
  for (std::size_t k = 0; k < names.size(); ++k) {
    out[names[k].name] = all.value[k];
    out[names[k].name + "_error"] = all.error[k];
  }
  for (const auto& [name, number] : numbers_of_flow()) {
    const Blocks::Estimate one = averages_.estimate(number);
    out[name] = one.value[0];
    out[name + "_error"] = one.error[0];
  }
  const double drift = averages_.drift([](std::span<const double> m) { return std::vector{m[kPressure<D>]}; });
  out["pressure_drift"] = drift;
  out["pressure_steady"] = averages_.steady(drift) ? 1 : 0;
  // The same shear stress from the work that the sliding images do: power = stress * rate * volume. What goes into the
  // flow itself is no part of it: bodies that happen to be faster where the flow is fast.
  if (rate_ != 0 && time_to_ > time_from_)
    out["shear_stress_by_work"] = (work_to_ - work_from_) / (rate_ * volume_ * (time_to_ - time_from_));
  return out;
}

template <int D>
void StressProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& numbers = record.reals["probe." + this->name()];
  numbers = {rate_, work_from_, time_from_, work_to_, time_to_, begun_ ? 1.0 : 0.0};
  const auto saved = averages_.saved();
  numbers.insert(numbers.end(), saved.begin(), saved.end());
}

template <int D>
void StressProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& numbers = record.real("probe." + this->name());
  rate_ = numbers.at(0);
  work_from_ = numbers.at(1);
  time_from_ = numbers.at(2);
  work_to_ = numbers.at(3);
  time_to_ = numbers.at(4);
  begun_ = numbers.at(5) != 0;
  std::span<const double> rest = std::span(numbers).subspan(6);
  averages_.load(rest);
}

// --- box of walls

template <int D>
std::vector<Quantity> BoxProbe<D>::columns() const {
  std::vector<Quantity> out;
  out.reserve(3 * D + 5);
  for (int k = 0; k < D; ++k) out.push_back({fmt::format("size_{}", kAxes[k]), "m"});
  for (int k = 0; k < D; ++k) out.push_back({fmt::format("stress_{}", kAxes[k]), "Pa"});
  for (int k = 0; k < D; ++k) out.push_back({fmt::format("strain_{}", kAxes[k]), ""});
  out.push_back({"volumetric_strain", ""});
  out.push_back({"mean_stress", "Pa"});
  out.push_back({"deviator", "Pa"});
  out.push_back({"lateral_stress", "Pa"});
  out.push_back({"stress_ratio", ""});
  return out;
}

template <int D>
bool BoxProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  std::array<double, D> size, stress;
  double volume = D == 2 ? thickness_ : 1;
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    size[k] = world.walls[walls_[2 * k + 1]].now.a[axis] - world.walls[walls_[2 * k]].now.a[axis];
    volume *= size[k];
  }
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    const double push = world.walls[walls_[2 * k + 1]].force[axis] - world.walls[walls_[2 * k]].force[axis];
    stress[k] = 0.5 * push / (volume / size[k]);
  }
  const bool loading = world.time >= from_;
  if (!begun_ && loading) {
    begun_ = true;
    start_.assign(size.begin(), size.end());
    lowest_volume_ = 0;
  }
  row.assign(size.begin(), size.end());
  row.insert(row.end(), stress.begin(), stress.end());
  row.reserve(3 * D + 5);
  double volumetric = 0, mean = 0, lateral = 0;
  const auto l = static_cast<std::size_t>(loaded_);
  for (std::size_t k = 0; k < D; ++k) {
    const double strain = begun_ ? -math::log(size[k] / start_[k]) : 0;  // compression positive
    row.push_back(strain);
    volumetric += strain;
    mean += stress[k] / D;
    if (k != l) lateral += stress[k] / (D - 1);
  }
  const double axial_strain = row[2 * D + l], ratio = lateral > 0 ? stress[l] / lateral : 0;
  row.push_back(volumetric);
  row.push_back(mean);
  row.push_back(stress[l] - lateral);
  row.push_back(lateral);
  row.push_back(ratio);
  if (begun_) {
    lateral_sum_ += lateral;
    lateral_square_ += lateral * lateral;
    rows_ += 1;
    lowest_volume_ = std::max(lowest_volume_, volumetric);
    if (ratio > peak_ratio_) {
      peak_ratio_ = ratio;
      peak_strain_ = axial_strain;
      peak_volume_ = volumetric;
    }
  }
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> BoxProbe<D>::results() const {
  if (this->last_.empty()) return {};
  std::map<std::string, double> out = this->last_row();
  if (rows_ == 0) return out;
  // Coulomb: sin phi = (s1 - s3) / (s1 + s3).
  const auto angle = [](double ratio) {
    return ratio > 0 ? 0.5 * math::kPi - math::acos((ratio - 1) / (ratio + 1)) : 0;
  };
  out["peak_friction_angle"] = angle(peak_ratio_);
  out["final_friction_angle"] = angle(out["stress_ratio"]);
  out["peak_strain"] = peak_strain_;
  out["peak_volumetric_strain"] = peak_volume_;
  out["largest_compaction"] = lowest_volume_;
  out["dilation"] = lowest_volume_ - out["volumetric_strain"];
  const double mean = lateral_sum_ / rows_;
  out["lateral_stress_mean"] = mean;
  out["lateral_stress_deviation"] = std::sqrt(std::max(0.0, lateral_square_ / rows_ - mean * mean));
  return out;
}

template <int D>
void BoxProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& numbers = record.reals["probe." + this->name()];
  numbers = {begun_ ? 1.0 : 0.0, peak_ratio_,  peak_strain_,    peak_volume_,
             lowest_volume_,     lateral_sum_, lateral_square_, rows_};
  numbers.insert(numbers.end(), start_.begin(), start_.end());
}

template <int D>
void BoxProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& n = record.real("probe." + this->name());
  begun_ = n.at(0) != 0;
  peak_ratio_ = n.at(1);
  peak_strain_ = n.at(2);
  peak_volume_ = n.at(3);
  lowest_volume_ = n.at(4);
  lateral_sum_ = n.at(5);
  lateral_square_ = n.at(6);
  rows_ = n.at(7);
  for (std::size_t k = 0; k < D; ++k) start_[k] = n.at(8 + k);
}

template class StressProbe<2>;
template class StressProbe<3>;
template class BoxProbe<2>;
template class BoxProbe<3>;

}  // namespace moraine::measure
