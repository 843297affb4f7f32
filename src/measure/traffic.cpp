// SPDX-License-Identifier: MIT
#include "measure/traffic.hpp"

#include <algorithm>
#include <span>

namespace moraine::measure {

namespace {

const char* size_unit(int dimension) { return dimension == 2 ? "m^2" : "m^3"; }

// Arrivals and departures of a free flow are independent events of the same rate: of n arrivals and k departures each
// came first with a chance of 1/2, and k or fewer have a chance of at most exp(-(n - k)^2 / (2 (n + k))) (Hoeffding).
// A jam is told where this is below 1e-6, from 28 arrivals on if nothing leaves.
constexpr double kSure = 2 * 13.815510557964274;  // 2 ln 1e6

}  // namespace

template <int D>
TrafficProbe<D>::TrafficProbe(std::string name, const world::Traffic<D>& traffic) : Probe<D>(std::move(name)) {
  for (const auto& inlet : traffic.inlets) inlets_.push_back(inlet.name);
  for (const auto& outlet : traffic.outlets) outlets_.push_back(outlet.name);
}

template <int D>
std::vector<Quantity> TrafficProbe<D>::columns() const {
  const std::string unit = size_unit(D), size = D == 2 ? "area" : "volume";
  std::vector<Quantity> out;
  const auto tally = [&](const std::string& name) {
    out.insert(out.end(), {{name, ""}, {name + "_mass", "kg"}, {name + "_" + size, unit}});
  };
  for (const std::string& inlet : inlets_) {
    out.insert(out.end(), {{inlet + "_due", ""}, {inlet + "_skipped", ""}});
    tally(inlet + "_came");
  }
  for (const std::string& outlet : outlets_) tally(outlet + "_went");
  tally("came");
  tally("went");
  tally("inside");
  tally("balance");
  return out;
}

template <int D>
bool TrafficProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const world::Traffic<D>& traffic = sight.world.traffic;
  row.clear();
  const auto tell = [&](const world::Tally& t) {
    row.insert(row.end(), {static_cast<double>(t.number), t.mass.value(), t.size.value()});
  };
  for (const auto& inlet : traffic.inlets) {
    row.insert(row.end(), {static_cast<double>(inlet.due), static_cast<double>(inlet.skipped)});
    tell(inlet.came);
  }
  for (const auto& outlet : traffic.outlets) tell(outlet.went);
  tell(traffic.came);
  tell(traffic.went);
  const world::Tally inside = sight.world.inside();
  tell(inside);
  tell(traffic.balance(inside));
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> TrafficProbe<D>::results() const {
  return this->last_row();
}

template <int D>
std::vector<Quantity> JamProbe<D>::columns() const {
  return {{"due", ""},          {"skipped", ""}, {"went", ""},  {"inside", ""},
          {"discharge", "1/s"}, {"covered", ""}, {"jammed", ""}};
}

template <int D>
double JamProbe<D>::covered(const World<D>& world) const {
  if (!(rule_.full > 0)) return 0;
  world::Tally tally;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies.moving[i].held == world::Held::kFree && rule_.region.contains(world.bodies.place[i].x))
      world.count_body(i, tally);
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    if (rule_.region.contains(world.clumps.x[c])) world.count_clump(c, tally);
  }
  return tally.size.value() / rule_.region.volume();
}

template <int D>
double JamProbe<D>::window(const World<D>& world) const {
  return rule_.window > 0 ? rule_.window : std::max(rule_.shortest, rule_.window_steps * world.dt);
}

// Arrivals that make a verdict sure while the part `discharge` of them leaves.
template <int D>
double JamProbe<D>::enough() const {
  const double part = std::min(rule_.discharge, 0.5);  // of more hardly anything can be sure
  return kSure * (1 + part) / ((1 - part) * (1 - part));
}

template <int D>
bool JamProbe<D>::nothing_leaves(const Count& first, const Count& last) const {
  const double due = last.due - first.due, went = last.went - first.went;
  if (!(first.went > 0) || went > rule_.discharge * due) return false;
  if (!(due > went && (due - went) * (due - went) >= kSure * (due + went))) return false;
  // More are inside than ever while the flow was free, or there is no more room for them: who passes on his way, or
  // leaves where nobody looks, is not held.
  return last.inside - first.most + last.skipped - first.skipped >= 0.5 * due;
}

template <int D>
bool JamProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const world::Traffic<D>& traffic = sight.world.traffic;
  const double now = sight.world.time;
  Count count{now, 0, 0, 0, 0, 0};
  bool held = false;
  double held_since = now;
  for (const std::size_t k : rule_.inlets) {
    const world::Arrivals& inlet = traffic.inlets[k];
    count.due += static_cast<double>(inlet.due);
    count.skipped += static_cast<double>(inlet.skipped);
    if (inlet.held == 0) continue;
    held_since = held ? std::min(held_since, inlet.held_since) : inlet.held_since;
    held = true;
  }
  for (const std::size_t k : rule_.outlets) count.went += static_cast<double>(traffic.outlets[k].went.number);
  if (rule_.outlets.empty()) count.went = static_cast<double>(traffic.went.number);
  count.inside = static_cast<double>(sight.world.inside().number);
  count.most = std::max(count.inside, past_.empty() ? 0 : past_.back().most);
  past_.push_back(count);
  const double begin = now - window(sight.world) * (1 - 1e-9), needed = enough();
  // What is kept begins a whole window ago, or earlier: where enough has been due for a verdict.
  while (past_.size() > 1 && past_[1].time <= begin && count.due - past_[1].due >= needed) past_.pop_front();
  const Count& first = past_.front();
  const double due = count.due - first.due, skipped = count.skipped - first.skipped, part = covered(sight.world);
  const bool whole = first.time <= begin && due >= kSure;
  if (time_ < 0) {
    if (held) {
      sign_ = 1;
      time_ = held_since;
    } else if (whole && rule_.discharge > 0 && nothing_leaves(first, count)) {
      sign_ = 2;
      time_ = now;
    } else if (whole && rule_.blocked < 1 && skipped > rule_.blocked * due) {
      sign_ = 3;
      time_ = now;
    } else if (rule_.full > 0 && part >= rule_.full) {
      sign_ = 4;
      time_ = now;
    }
  }
  // Of the last window alone.
  auto since = std::partition_point(past_.begin(), past_.end(), [&](const Count& c) { return c.time <= begin; });
  if (since != past_.begin()) --since;
  const double lasted = now - since->time;
  row = {
      count.due, count.skipped,         count.went, count.inside, lasted > 0 ? (count.went - since->went) / lasted : 0,
      part,      time_ >= 0 ? 1.0 : 0.0};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> JamProbe<D>::results() const {
  std::map<std::string, double> out = this->last_row();
  out["jammed"] = time_ >= 0 ? 1 : 0;
  if (time_ >= 0) out["time"] = time_;  // no time of what was not: it would go into the means of sweeps
  out["sign"] = sign_;
  return out;
}

template <int D>
void JamProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  record.reals["probe." + this->name() + ".jam"] = {time_, sign_};
  auto& looks = record.reals["probe." + this->name() + ".looks"];
  for (const Count& c : past_) looks.insert(looks.end(), {c.time, c.due, c.skipped, c.went, c.inside, c.most});
}

template <int D>
void JamProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& verdict = record.real("probe." + this->name() + ".jam");
  time_ = verdict.at(0);
  sign_ = verdict.at(1);
  past_.clear();
  const auto& looks = record.real("probe." + this->name() + ".looks");
  for (std::size_t k = 0; k + 5 < looks.size(); k += 6)
    past_.push_back({looks[k], looks[k + 1], looks[k + 2], looks[k + 3], looks[k + 4], looks[k + 5]});
}

#define MORAINE_INSTANTIATE(D)    \
  template class TrafficProbe<D>; \
  template class JamProbe<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
