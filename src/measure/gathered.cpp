// SPDX-License-Identifier: MIT
// What gathers: at walls, and in clusters of contacts.
#include <algorithm>
#include <cmath>
#include <span>

#include "measure/joined.hpp"
#include "measure/traffic.hpp"

namespace moraine::measure {

template <int D>
std::vector<Quantity> AccumulationProbe<D>::columns() const {
  std::vector<Quantity> out{{"number", ""}, {D == 2 ? "area" : "volume", D == 2 ? "m^2" : "m^3"}, {"load", "N"}};
  for (int k = 0; k < D; ++k) out.push_back({std::string("load_") + "xyz"[k], "N"});
  out.push_back({"peak", "N"});
  return out;
}

template <int D>
bool AccumulationProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  Vec<D> now{};
  for (const std::size_t w : walls_) now += sight.world.walls[w].force;
  pushed_ += now;
  looks_ += 1;
  peak_ = std::max(peak_, math::norm(now));
  if (!this->row_due(sight.world.step)) return false;

  const Joined<D> joined(sight);
  std::vector<std::uint8_t> at_walls(joined.clusters(), 0);
  for (const auto& c : sight.contacts) {
    if (c.b >= 0) continue;
    const auto wall = static_cast<std::size_t>(-1 - c.b);
    if (std::find(walls_.begin(), walls_.end(), wall) == walls_.end()) continue;
    const std::uint32_t unit = joined.unit(c.a);
    if (unit != Joined<D>::kHeld) at_walls[joined.cluster(unit)] = 1;
  }
  world::Tally tally;
  for (std::uint32_t u = 0; u < joined.units(); ++u) {
    if (at_walls[joined.cluster(u)] != 0 && joined.speed(u) < slower_than_) joined.count(u, tally);
  }
  const Vec<D> load = pushed_ * (1 / looks_);
  const double size = math::norm(load);
  row = {static_cast<double>(tally.number), tally.size.value(), size};
  for (int k = 0; k < D; ++k) row.push_back(load[k]);
  row.push_back(peak_);
  this->last_ = row;
  if (sight.world.time >= from_) {
    const double values[] = {row[0], row[1], size};
    averages_.add(std::span<const double>(values));
    largest_ = std::max(largest_, row[0]);
    heaviest_ = std::max(heaviest_, size);
    hardest_ = std::max(hardest_, peak_);
  }
  pushed_ = {};
  looks_ = peak_ = 0;
  return true;
}

template <int D>
std::map<std::string, double> AccumulationProbe<D>::results() const {
  std::map<std::string, double> out = this->last_row();
  const auto mean = averages_.estimate();
  const char* const of[] = {"mean_number", D == 2 ? "mean_area" : "mean_volume", "mean_load"};
  for (std::size_t k = 0; k < 3; ++k) {
    out[of[k]] = mean.value[k];
    out[std::string(of[k]) + "_error"] = mean.error[k];
  }
  out["most"] = largest_;
  out["largest_load"] = heaviest_;
  out["largest_peak"] = hardest_;
  return out;
}

template <int D>
void AccumulationProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  std::vector<double>& sums = record.reals["probe." + this->name() + ".sums"];
  sums = {largest_, heaviest_, hardest_, looks_, peak_};
  for (int k = 0; k < D; ++k) sums.push_back(pushed_[k]);
  record.reals["probe." + this->name() + ".averages"] = averages_.saved();
}

template <int D>
void AccumulationProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& sums = record.real("probe." + this->name() + ".sums");
  largest_ = sums.at(0);
  heaviest_ = sums.at(1);
  hardest_ = sums.at(2);
  looks_ = sums.at(3);
  peak_ = sums.at(4);
  for (int k = 0; k < D; ++k) pushed_[k] = sums.at(5 + static_cast<std::size_t>(k));
  std::span<const double> numbers(record.real("probe." + this->name() + ".averages"));
  averages_.load(numbers);
}

template <int D>
std::vector<Quantity> PatchProbe<D>::columns() const {
  return {{"clusters", ""}, {"mean_size", ""}, {"largest", ""}, {"alone", ""}};
}

template <int D>
bool PatchProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const Joined<D> joined(sight);
  std::vector<std::uint32_t> size(joined.clusters(), 0);
  for (std::uint32_t u = 0; u < joined.units(); ++u) ++size[joined.cluster(u)];
  const auto bodies = static_cast<double>(joined.units());
  double clusters = 0, largest = 0, alone = 0;
  const bool counts = sight.world.time >= from_;
  for (const std::uint32_t n : size) {
    clusters += 1;
    largest = std::max(largest, static_cast<double>(n));
    alone += n == 1 ? 1 : 0;
    std::size_t bin = 0;
    while ((std::uint32_t{1} << bin) < n && bin + 1 < kBins) ++bin;
    if (counts) clusters_[bin] += 1;
  }
  row = {clusters, clusters > 0 ? bodies / clusters : 0, largest, alone};
  this->last_ = row;
  if (counts) {
    looks_ += 1;
    const double values[] = {row[0], row[1], row[2], clusters > 0 ? 1.0 : 0.0};
    averages_.add(std::span<const double>(values));
  }
  return true;
}

template <int D>
std::map<std::string, double> PatchProbe<D>::results() const {
  std::map<std::string, double> out;
  // Without bodies there is no size: such looks do not count.
  const auto mean = averages_.estimate([](std::span<const double> of) {
    return std::vector<double>{of[0], of[3] > 0 ? of[1] / of[3] : 0, of[2]};
  });
  const char* const of[] = {"clusters", "mean_size", "largest"};
  for (std::size_t k = 0; k < 3; ++k) {
    out[of[k]] = mean.value[k];
    out[std::string(of[k]) + "_error"] = mean.error[k];
  }
  return out;
}

template <int D>
std::vector<Table> PatchProbe<D>::tables() const {
  Table table{this->name() + "_sizes", {{"from", ""}, {"to", ""}, {"clusters", ""}}, {}};
  for (std::size_t k = 0; k < kBins; ++k) {
    if (clusters_[k] == 0) continue;
    const double to = std::ldexp(1.0, static_cast<int>(k));
    table.rows.push_back({k == 0 ? 1 : to / 2 + 1, to, looks_ > 0 ? clusters_[k] / looks_ : 0});
  }
  return {table};
}

template <int D>
void PatchProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.set("probe." + this->name() + ".looks", looks_);
  record.reals["probe." + this->name() + ".clusters"] = clusters_;
  record.reals["probe." + this->name() + ".averages"] = averages_.saved();
}

template <int D>
void PatchProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  looks_ = record.number("probe." + this->name() + ".looks");
  clusters_ = record.real("probe." + this->name() + ".clusters");
  std::span<const double> numbers(record.real("probe." + this->name() + ".averages"));
  averages_.load(numbers);
}

#define MORAINE_INSTANTIATE(D)         \
  template class AccumulationProbe<D>; \
  template class PatchProbe<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
