// SPDX-License-Identifier: MIT
#include "measure/contact_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "math/principal.hpp"

namespace moraine::measure {

using math::Vec;

namespace {
const char* const kAxes[] = {"x", "y", "z"};
constexpr double kDegrees = 180 / math::kPi;

double ratio(double a, double b) { return b != 0 ? a / b : 0; }

// Where component i, j (i <= j) stands in xx, xy, (xz), yy, (yz, zz).
template <int D>
std::size_t fabric_index(int i, int j) {
  if (i > j) std::swap(i, j);
  return static_cast<std::size_t>(i * D - i * (i - 1) / 2 + j - i);
}

// Largest less smallest principal value.
template <int D>
double anisotropy(std::span<const double> fabric) {
  const auto f = [&](int i, int j) { return fabric[fabric_index<D>(i, j)]; };
  if constexpr (D == 2) {
    const double difference = f(0, 0) - f(1, 1);
    return std::sqrt(difference * difference + 4 * f(0, 1) * f(0, 1));
  } else {
    const math::Vec3 values = math::principal_axes({f(0, 0), f(1, 1), f(2, 2), f(0, 1), f(0, 2), f(1, 2)}).values;
    return values[2] - values[0];
  }
}

}  // namespace

template <int D>
ForceProbe<D>::ForceProbe(std::string name, const ForceBins& bins, double from)
    : Probe<D>(std::move(name)), bins_(bins), from_(from), averages_(channels()) {}

template <int D>
std::vector<Quantity> ForceProbe<D>::columns() const {
  std::vector<Quantity> out{{"contacts", ""}, {"mean_normal", "N"}, {"mean_shear", "N"}, {"mobilised", ""}};
  for (int i = 0; i < D; ++i) {
    for (int j = i; j < D; ++j) out.push_back({fmt::format("F{}{}", kAxes[i], kAxes[j]), ""});
  }
  out.push_back({"anisotropy", ""});
  out.push_back({"direction", "deg"});
  return out;
}

// Direction in the plane of the largest principal value of the fabric's part there, in degrees from 0 to 180.
template <int D>
double ForceProbe<D>::direction_of(std::span<const double> sums) const {
  const auto f = [&](int i, int j) { return sums[kFirstFabric + fabric_index<D>(i, j)]; };
  const int p = bins_.first_axis, q = bins_.second_axis;
  const double angle = 0.5 * kDegrees * math::atan2(2 * f(p, q), f(p, p) - f(q, q));
  return angle < 0 ? angle + 180 : angle;
}

// The columns, from sums over contacts or from means of such sums.
template <int D>
std::vector<double> ForceProbe<D>::row_of(std::span<const double> sums) const {
  std::vector<double> out{sums[kCount], ratio(sums[kNormal], sums[kCount]), ratio(sums[kShear], sums[kCount]),
                          ratio(sums[kShear], sums[kLimit])};
  for (std::size_t k = 0; k < kFabric; ++k) out.push_back(ratio(sums[kFirstFabric + k], sums[kCount]));
  out.push_back(anisotropy<D>(std::span(out).subspan(4, kFabric)));
  out.push_back(direction_of(sums));
  return out;
}

// The direction of the normal in the plane, and the force along it turned anticlockwise by 90 degrees that the first
// body puts on the second: the same whichever of the two is called first.
template <int D>
void ForceProbe<D>::add_direction(const ContactRecord<D>& contact, double normal) {
  const int p = bins_.first_axis, q = bins_.second_axis;
  const double x = contact.normal[p], y = contact.normal[q], in_plane = std::sqrt(x * x + y * y);
  if (in_plane == 0) return;  // straight across
  const double shear = (contact.force[p] * y - contact.force[q] * x) / in_plane;
  const auto n = static_cast<double>(bins_.angles);
  const double place = std::floor(math::atan2(y, x) / math::kPi * n + 0.5);  // -n .. n
  const auto k = static_cast<std::size_t>(place < 0 ? place + n : place) % bins_.angles;
  double* sums = &sums_[angles_at() + 3 * k];
  sums[0] += 1;
  sums[1] += normal;
  sums[2] += shear;
}

// Normal and shear forces, each over its mean at this look.
template <int D>
void ForceProbe<D>::add_sizes(const std::vector<Force>& forces) {
  const double normal = ratio(sums_[kNormal], sums_[kCount]), shear = ratio(sums_[kShear], sums_[kCount]);
  const auto add = [&](double force, double mean, std::size_t at) {
    if (!(mean > 0)) return;
    const double place = std::floor(force / mean / ForceBins::kLargest * static_cast<double>(bins_.sizes));
    if (place >= 0 && place < static_cast<double>(bins_.sizes)) sums_[at + static_cast<std::size_t>(place)] += 1;
  };
  for (const Force& f : forces) {
    add(f.normal, normal, sizes_at());
    add(f.shear, shear, sizes_at() + bins_.sizes);
  }
}

template <int D>
bool ForceProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const World<D>& world = sight.world;
  std::vector<std::uint32_t> material(static_cast<std::size_t>(world.bodies.next_id), 0);
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    material[static_cast<std::size_t>(world.bodies.id[i])] = world.bodies.moving[i].material;
  sums_.assign(channels(), 0.0);
  std::vector<Force> forces;
  for (const ContactRecord<D>& c : sight.contacts) {
    if ((c.b < 0 && !bins_.walls) || math::norm2(c.force) == 0) continue;
    const double normal = -math::dot(c.force, c.normal);
    double shear = math::norm(c.force + c.normal * normal);
    if (shear <= 1e-12 * std::fabs(normal)) shear = 0;  // what rounding leaves where there is no friction
    const std::uint32_t other =
        c.b < 0 ? world.walls[static_cast<std::size_t>(-1 - c.b)].material : material[static_cast<std::size_t>(c.b)];
    sums_[kCount] += 1;
    sums_[kNormal] += normal;
    sums_[kShear] += shear;
    sums_[kLimit] += world.laws(material[static_cast<std::size_t>(c.a)], other).mu * std::max(0.0, normal);
    for (int i = 0; i < D; ++i) {
      for (int j = i; j < D; ++j) sums_[kFirstFabric + fabric_index<D>(i, j)] += c.normal[i] * c.normal[j];
    }
    add_direction(c, normal);
    forces.push_back({normal, shear});
  }
  add_sizes(forces);
  row = row_of(sums_);
  if (world.time >= from_) averages_.add(sums_);
  return true;
}

template <int D>
std::map<std::string, double> ForceProbe<D>::results() const {
  std::map<std::string, double> out;
  if (averages_.count() == 0) return out;
  // The direction as it differs from that of all, lest an error about 0 becomes one of 180 degrees.
  const double all = direction_of(averages_.means());
  const auto estimate = averages_.estimate([&](std::span<const double> means) {
    std::vector<double> values = row_of(means);
    double& direction = values.back();
    if (direction - all > 90) direction -= 180;
    if (direction - all < -90) direction += 180;
    return values;
  });
  const auto names = columns();
  for (std::size_t k = 0; k < names.size(); ++k) {
    out[names[k].name] = estimate.value[k];
    out[names[k].name + "_error"] = estimate.error[k];
  }
  return out;
}

template <int D>
std::vector<Table> ForceProbe<D>::tables() const {
  if (averages_.count() == 0) return {};
  const std::size_t sizes = bins_.sizes, angles = bins_.angles;
  const double wide = ForceBins::kLargest / static_cast<double>(sizes);
  Table distribution{
      this->name() + "_distribution",
      {{"force_over_mean", ""}, {"normal", ""}, {"normal_error", ""}, {"shear", ""}, {"shear_error", ""}},
      {}};
  const auto density = averages_.estimate([&](std::span<const double> means) {
    std::vector<double> values(2 * sizes);
    for (std::size_t k = 0; k < 2 * sizes; ++k) values[k] = ratio(means[sizes_at() + k], means[kCount] * wide);
    return values;
  });
  for (std::size_t k = 0; k < sizes; ++k)
    distribution.rows.push_back({(static_cast<double>(k) + 0.5) * wide, density.value[k], density.error[k],
                                 density.value[sizes + k], density.error[sizes + k]});

  Table directions{this->name() + "_directions",
                   {{"angle", "deg"},
                    {"contacts", "1/rad"},
                    {"contacts_error", "1/rad"},
                    {"normal", ""},
                    {"normal_error", ""},
                    {"shear", ""},
                    {"shear_error", ""}},
                   {}};
  const auto turned = averages_.estimate([&](std::span<const double> means) {
    std::vector<double> values;
    double count = 0;
    for (std::size_t k = 0; k < angles; ++k) count += means[angles_at() + 3 * k];
    const double mean = ratio(means[kNormal], means[kCount]);
    for (std::size_t k = 0; k < angles; ++k) {
      const auto here = means.subspan(angles_at() + 3 * k, 3);
      values.push_back(ratio(here[0] * static_cast<double>(angles), count * math::kPi));
      values.push_back(ratio(here[1], here[0] * mean));
      values.push_back(ratio(here[2], here[0] * mean));
    }
    return values;
  });
  for (std::size_t k = 0; k < angles; ++k) {
    std::vector<double> line{static_cast<double>(k) * 180 / static_cast<double>(angles)};
    for (std::size_t c = 3 * k; c < 3 * k + 3; ++c) line.insert(line.end(), {turned.value[c], turned.error[c]});
    directions.rows.push_back(line);
  }
  return {distribution, directions};
}

template <int D>
void ForceProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name()] = averages_.saved();
}

template <int D>
void ForceProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  std::span<const double> numbers = record.real("probe." + this->name());
  averages_.load(numbers);
}

template class ForceProbe<2>;
template class ForceProbe<3>;

}  // namespace moraine::measure
