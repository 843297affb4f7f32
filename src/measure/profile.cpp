// SPDX-License-Identifier: MIT
#include "measure/profile.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "measure/energy.hpp"

namespace moraine::measure {

namespace {

const char* const kAxes[] = {"x", "y", "z"};
const char* const kVelocities[] = {"u", "v", "w"};

// What is added up in each bin at a look, in this order; then, once for all bins, what is needed of all free bodies.
template <int D>
struct Sum {
  static constexpr int kSpins = D == 2 ? 1 : 3;
  static constexpr int kCovered = 0;                            // area or volume
  static constexpr int kMass = 1;                               // of free bodies
  static constexpr int kMomentum = 2;                           // m v
  static constexpr int kProducts = kMomentum + D;               // m v_i v_j, i <= j
  static constexpr int kContact = kProducts + D * (D + 1) / 2;  // -f_i l_j
  static constexpr int kSpin = kContact + D * D;                // m w
  static constexpr int kAll = kSpin + kSpins;
};
enum Total { kTotalMass, kTotalMomentum, kTotalSquare, kTotals };  // m, m u, m v^2

// Where a bin's columns stand in a row of the table, behind the coordinate.
template <int D>
struct Column {
  static constexpr int kConcentration = 0;
  static constexpr int kVelocity = 1;
  static constexpr int kTemperature = kVelocity + D;
  static constexpr int kStress = kTemperature + 1;
  static constexpr int kContact = kStress + D * D;
  static constexpr int kSpin = kContact + D * D;
  static constexpr int kAll = kSpin + Sum<D>::kSpins;
};

// Mean velocity of a bin, and what is left of the products of velocities beyond it.
template <int D>
struct Motion {
  std::array<double, D> mean{};
  std::array<std::array<double, D>, D> rest{};  // sum of m (v - mean) (x) (v - mean)

  explicit Motion(const double* sums) {
    const double mass = sums[Sum<D>::kMass];
    if (!(mass > 0)) return;
    for (std::size_t i = 0; i < D; ++i) mean[i] = sums[Sum<D>::kMomentum + static_cast<int>(i)] / mass;
    const double* product = sums + Sum<D>::kProducts;
    for (std::size_t i = 0; i < D; ++i) {
      for (std::size_t j = i; j < D; ++j) rest[i][j] = rest[j][i] = *product++ - mass * mean[i] * mean[j];
      rest[i][i] = std::max(0.0, rest[i][i]);  // rounding
    }
  }
  double trace() const {
    double sum = 0;
    for (std::size_t i = 0; i < D; ++i) sum += rest[i][i];
    return sum;
  }
};

double ratio(double sum, double of) { return of > 0 ? sum / of : 0; }

}  // namespace

template <int D>
ProfileProbe<D>::ProfileProbe(std::string name, ProfilePlan plan) : Probe<D>(std::move(name)), plan_(std::move(plan)) {
  const std::size_t channels = static_cast<std::size_t>(plan_.bins.count) * Sum<D>::kAll + kTotals;
  channels_.assign(channels, 0.0);
  since_row_.assign(channels, 0.0);
  for (const auto& [from, to] : plan_.windows) {
    windows_.emplace_back();
    windows_.back().from = from;
    windows_.back().to = to;
    windows_.back().averages = Blocks(channels);
  }
}

template <int D>
double* ProfileProbe<D>::channels_of(int bin) {
  return channels_.data() + static_cast<std::ptrdiff_t>(bin) * Sum<D>::kAll;
}

// --- a look

template <int D>
void ProfileProbe<D>::look_at_bodies(const World<D>& world) {
  const auto& bodies = world.bodies;
  clump_volume_.assign(world.clumps.size(), 0.0);
  for (std::size_t i = 0; i < bodies.size() && !clump_volume_.empty(); ++i) {
    if (bodies.clump[i] != world::kNoClump) clump_volume_[bodies.clump[i]] += ball<D>(bodies.place[i].radius);
  }
  double* totals = channels_of(plan_.bins.count);
  const world::Shear& shear = world.domain.shear;
  const double slide = shear.gradient == plan_.axis ? world.domain.slide_speed() : 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool moves = world::yields(bodies.moving[i].held);
    if (!moves && !plan_.held) continue;
    const world::Place<D>& place = bodies.place[i];
    math::Vec<D> v{};
    math::Vec3 w{};
    double density = 0;
    if (moves) {
      v = world.velocity(i);
      w = math::spin_as_vec3(world.spin(i));
      const std::uint32_t clump = bodies.clump[i];
      density = clump == world::kNoClump ? bodies.mass[i] / ball<D>(place.radius)
                                         : world.clumps.mass[clump] / clump_volume_[clump];
      const double mass = density * ball<D>(place.radius);
      totals[kTotalMass] += mass;
      totals[kTotalMomentum] += mass * v[0];
      totals[kTotalSquare] += mass * math::norm2(v);
    }
    const double filled = world.solid_number(i) == world::kNoSolid ? 1 : world.volume(i) / ball<D>(place.radius);
    plan_.bins.template cut_ball<D>(place.x[plan_.axis], place.radius, [&](int bin, double amount, int n) {
      double* sums = channels_of(bin);
      sums[Sum<D>::kCovered] += filled * amount;
      if (!moves) return;
      const double mass = density * amount;
      math::Vec<D> here = v;
      if (slide != 0) here[shear.flow] += n * slide;
      sums[Sum<D>::kMass] += mass;
      double* product = sums + Sum<D>::kProducts;
      for (int a = 0; a < D; ++a) {
        sums[Sum<D>::kMomentum + a] += mass * here[a];
        for (int b = a; b < D; ++b) *product++ += mass * here[a] * here[b];
      }
      for (int a = 0; a < Sum<D>::kSpins; ++a) sums[Sum<D>::kSpin + a] += mass * w[D == 2 ? 2 : a];
    });
  }
}

template <int D>
void ProfileProbe<D>::look_at_contacts(const Sight<D>& sight) {
  branches_.look_at(sight.world);
  for (const ContactRecord<D>& c : sight.contacts) {
    const Branch<D> branch = branches_.of(c);
    plan_.bins.cut_line(branch.from[plan_.axis], branch.along[plan_.axis], [&](int bin, double share) {
      double* stress = channels_of(bin) + Sum<D>::kContact;
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) *stress++ -= share * c.force[i] * branch.along[j];
      }
    });
  }
}

// A window takes the looks from its beginning on, that at its end no more.
template <int D>
void ProfileProbe<D>::add_to_windows(const World<D>& world, double collisions) {
  const double now = plan_.by == WindowBy::kTime    ? world.time
                     : plan_.by == WindowBy::kSteps ? static_cast<double>(world.step)
                                                    : collisions;
  const double slack = plan_.by == WindowBy::kTime ? 0.5 * world.dt : 0;  // steps are no round numbers
  changed_ = false;
  for (Window& w : windows_) {
    if (w.ended || now < w.from - slack) continue;
    w.ended = now >= w.to - slack;
    if (w.ended && !w.begun) continue;  // between two looks
    if (!w.begun) {
      w.begun = true;
      w.time_from = world.time;
      w.collisions_from = collisions;
    }
    w.time_to = world.time;
    w.collisions_to = collisions;
    if (w.ended) {
      changed_ = true;
    } else {
      w.averages.add(channels_);
    }
  }
}

template <int D>
bool ProfileProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  std::fill(channels_.begin(), channels_.end(), 0.0);
  look_at_bodies(sight.world);
  look_at_contacts(sight);
  const double collisions = collisions_per_body(sight.world);
  add_to_windows(sight.world, collisions);
  for (std::size_t k = 0; k < channels_.size(); ++k) since_row_[k] += channels_[k];
  ++looks_since_row_;
  if (!this->row_due(sight.world.step)) return false;
  for (double& sum : since_row_) sum /= static_cast<double>(looks_since_row_);
  const Overall o = overall(since_row_);
  row = {collisions, o.mean_u, o.max_u, o.temperature, o.concentration};
  std::fill(since_row_.begin(), since_row_.end(), 0.0);
  looks_since_row_ = 0;
  return true;
}

// --- what follows from the sums

template <int D>
std::vector<Quantity> ProfileProbe<D>::columns() const {
  return {{"collisions_per_body", ""},
          {"mean_u", "m/s"},
          {"max_u", "m/s"},
          {"temperature", "m^2/s^2"},
          {"concentration", ""}};
}

template <int D>
std::vector<Quantity> ProfileProbe<D>::profile_columns() const {
  std::vector<Quantity> out = {{"concentration", ""}};
  for (int i = 0; i < D; ++i) out.push_back({kVelocities[i], "m/s"});
  out.push_back({"temperature", "m^2/s^2"});
  for (const char* part : {"", "contact_"}) {
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) out.push_back({fmt::format("{}s{}{}", part, kAxes[i], kAxes[j]), "Pa"});
    }
  }
  if (D == 2) {
    out.push_back({"spin", "rad/s"});
  } else {
    for (const char* axis : kAxes) out.push_back({fmt::format("spin_{}", axis), "rad/s"});
  }
  return out;
}

template <int D>
std::vector<double> ProfileProbe<D>::profile(std::span<const double> means) const {
  using S = Sum<D>;
  using C = Column<D>;
  const double space = plan_.section * plan_.bins.width, volume = D == 2 ? space * plan_.thickness : space;
  std::vector<double> out(static_cast<std::size_t>(plan_.bins.count) * C::kAll);
  for (int bin = 0; bin < plan_.bins.count; ++bin) {
    const double* sums = means.data() + static_cast<std::ptrdiff_t>(bin) * S::kAll;
    double* values = out.data() + static_cast<std::ptrdiff_t>(bin) * C::kAll;
    const Motion<D> motion(sums);
    values[C::kConcentration] = sums[S::kCovered] / space;
    values[C::kTemperature] = ratio(motion.trace(), D * sums[S::kMass]);
    for (int i = 0; i < D; ++i) {
      const auto row = static_cast<std::size_t>(i);
      values[C::kVelocity + i] = motion.mean[row];
      for (int j = 0; j < D; ++j) {
        const double contact = sums[S::kContact + D * i + j];
        values[C::kContact + D * i + j] = contact / volume;
        values[C::kStress + D * i + j] = (contact + motion.rest[row][static_cast<std::size_t>(j)]) / volume;
      }
    }
    for (int i = 0; i < S::kSpins; ++i) values[C::kSpin + i] = ratio(sums[S::kSpin + i], sums[S::kMass]);
  }
  return out;
}

template <int D>
typename ProfileProbe<D>::Overall ProfileProbe<D>::overall(std::span<const double> means) const {
  using S = Sum<D>;
  const auto sums_of = [&](int bin) { return means.data() + static_cast<std::ptrdiff_t>(bin) * S::kAll; };
  double mass = 0, fullest = 0, rest = 0, covered = 0;
  for (int bin = 0; bin < plan_.bins.count; ++bin) {
    const double* sums = sums_of(bin);
    mass += sums[S::kMass];
    covered += sums[S::kCovered];
    fullest = std::max(fullest, sums[S::kMass]);
    rest += Motion<D>(sums).trace();
  }
  Overall out;
  for (int bin = 0; bin < plan_.bins.count; ++bin) {
    const double* sums = sums_of(bin);
    if (sums[S::kMass] < 0.01 * fullest) continue;  // a few bodies that came by are no flow
    const double u = ratio(sums[S::kMomentum], sums[S::kMass]);
    if (std::fabs(u) > std::fabs(out.max_u)) out.max_u = u;
  }
  const double* totals = sums_of(plan_.bins.count);
  out.mean_u = ratio(totals[kTotalMomentum], totals[kTotalMass]);
  out.kinetic = 0.5 * ratio(totals[kTotalSquare], totals[kTotalMass]);
  out.temperature = ratio(rest, D * mass);
  out.concentration = covered / (plan_.section * (plan_.bins.max - plan_.bins.min));
  return out;
}

template <int D>
std::vector<std::string> ProfileProbe<D>::table_parts() const {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < windows_.size(); ++k) parts.push_back(fmt::format("{}", k + 1));
  return parts;
}

// Windows that follow each other without a gap are one series: errors know of what changes from one to the next.
template <int D>
Blocks::Estimate ProfileProbe<D>::estimate(std::size_t window, const Blocks::Function& function) const {
  constexpr std::size_t kNear = 2;  // windows before and after
  const auto follows = [&](std::size_t k) {
    return windows_[k].from == windows_[k - 1].to && windows_[k].averages.blocks() >= Blocks::kFewest;
  };
  std::size_t first = window, last = window;
  while (first > 0 && window - first < kNear && follows(first)) --first;
  while (last + 1 < windows_.size() && last - window < kNear && follows(last + 1)) ++last;
  std::vector<const Blocks*> pieces;
  for (std::size_t k = first; k <= last; ++k) pieces.push_back(&windows_[k].averages);
  return windows_[window].averages.estimate(function, pieces);
}

template <int D>
std::vector<Table> ProfileProbe<D>::tables() const {
  const auto quantities = profile_columns();
  std::vector<Table> out;
  for (std::size_t k = 0; k < windows_.size(); ++k) {
    const Window& w = windows_[k];
    if (w.averages.count() == 0) continue;
    Table table{fmt::format("{}_{}", this->name(), k + 1), {{kAxes[plan_.axis], "m"}}, {}};
    table.columns.insert(table.columns.end(), quantities.begin(), quantities.end());
    for (const Quantity& q : quantities) table.columns.push_back({q.name + "_error", q.unit});
    const Blocks::Estimate all = estimate(k, [this](std::span<const double> means) { return profile(means); });
    const auto columns = static_cast<std::ptrdiff_t>(Column<D>::kAll);
    for (int bin = 0; bin < plan_.bins.count; ++bin) {
      std::vector<double> row = {plan_.bins.centre(bin)};
      for (const std::vector<double>* part : {&all.value, &all.error})
        row.insert(row.end(), part->begin() + bin * columns, part->begin() + (bin + 1) * columns);
      table.rows.push_back(std::move(row));
    }
    out.push_back(std::move(table));
  }
  return out;
}

template <int D>
std::map<std::string, double> ProfileProbe<D>::results() const {
  const auto numbers = [this](std::span<const double> means) {
    const Overall o = overall(means);
    return std::vector<double>{o.mean_u, o.temperature, o.max_u, o.concentration, o.kinetic};
  };
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < windows_.size(); ++k) {
    const Window& w = windows_[k];
    if (w.averages.count() == 0) continue;
    const Blocks::Estimate all = estimate(k, numbers);
    const double drift = w.averages.drift(numbers, 4);
    const auto put = [&](const char* name, double value) { out[fmt::format("window_{}_{}", k + 1, name)] = value; };
    put("from", w.time_from);
    put("to", w.time_to);
    put("samples", static_cast<double>(w.averages.count()));
    put("collisions_per_body", w.collisions_to - w.collisions_from);
    put("mean_u", all.value[0]);
    put("mean_u_error", all.error[0]);
    put("temperature", all.value[1]);
    put("temperature_error", all.error[1]);
    put("max_u", all.value[2]);
    put("max_u_error", all.error[2]);
    put("concentration", all.value[3]);
    put("concentration_error", all.error[3]);
    put("drift", drift);
    put("steady", w.averages.steady(drift) ? 1 : 0);
  }
  return out;
}

// --- checkpoints

template <int D>
void ProfileProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& numbers = record.reals["probe." + this->name()];
  numbers = since_row_;
  numbers.push_back(static_cast<double>(looks_since_row_));
  for (const Window& w : windows_) {
    numbers.insert(numbers.end(), {w.begun ? 1.0 : 0.0, w.ended ? 1.0 : 0.0, w.time_from, w.time_to, w.collisions_from,
                                   w.collisions_to});
    const auto saved = w.averages.saved();
    numbers.insert(numbers.end(), saved.begin(), saved.end());
  }
}

template <int D>
void ProfileProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  std::span<const double> numbers = record.real("probe." + this->name());
  const auto take = [&](std::size_t count) {
    if (numbers.size() < count) throw std::runtime_error("the profile of the checkpoint does not belong to this scene");
    const auto taken = numbers.first(count);
    numbers = numbers.subspan(count);
    return taken;
  };
  const auto sums = take(since_row_.size());
  since_row_.assign(sums.begin(), sums.end());
  looks_since_row_ = static_cast<std::int64_t>(take(1)[0]);
  changed_ = false;
  for (Window& w : windows_) {
    const auto state = take(6);
    w.begun = state[0] != 0;
    w.ended = state[1] != 0;
    w.time_from = state[2];
    w.time_to = state[3];
    w.collisions_from = state[4];
    w.collisions_to = state[5];
    w.averages.load(numbers);
    if (w.averages.channels() != channels_.size())
      throw std::runtime_error("the profile of the checkpoint does not belong to this scene");
  }
}

template class ProfileProbe<2>;
template class ProfileProbe<3>;

}  // namespace moraine::measure
