// SPDX-License-Identifier: MIT
#include "measure/traffic.hpp"

#include <algorithm>
#include <span>

namespace moraine::measure {

namespace {

const char* size_unit(int dimension) { return dimension == 2 ? "m^2" : "m^3"; }

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
bool JamProbe<D>::sample(const Sight<D>& sight, std::vector<double>& row) {
  const world::Traffic<D>& traffic = sight.world.traffic;
  const double now = sight.world.time;
  Count count{now, 0, 0, 0};
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
  past_.push_back(count);
  // The oldest that is kept is a whole window ago.
  while (past_.size() > 1 && past_[1].time <= now - rule_.window * (1 - 1e-9)) past_.pop_front();
  const Count& first = past_.front();
  const double lasted = now - first.time, due = count.due - first.due, skipped = count.skipped - first.skipped,
               went = count.went - first.went, part = covered(sight.world);
  const bool whole = lasted >= rule_.window * (1 - 1e-9) && due >= 1;
  if (time_ < 0) {
    if (held) {
      sign_ = 1;
      time_ = held_since;
    } else if (whole && rule_.discharge > 0 && first.went > 0 && went <= rule_.discharge * due) {
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
  row = {count.due,
         count.skipped,
         count.went,
         static_cast<double>(sight.world.inside().number),
         lasted > 0 ? went / lasted : 0,
         part,
         time_ >= 0 ? 1.0 : 0.0};
  this->last_ = row;
  return true;
}

template <int D>
std::map<std::string, double> JamProbe<D>::results() const {
  std::map<std::string, double> out = this->last_row();
  out["jammed"] = time_ >= 0 ? 1 : 0;
  out["time"] = time_;
  out["sign"] = sign_;
  return out;
}

template <int D>
void JamProbe<D>::save(base::Record& record) const {
  Probe<D>::save(record);
  auto& numbers = record.reals["probe." + this->name() + ".jam"];
  numbers = {time_, sign_};
  for (const Count& c : past_) numbers.insert(numbers.end(), {c.time, c.due, c.skipped, c.went});
}

template <int D>
void JamProbe<D>::load(const base::Record& record) {
  Probe<D>::load(record);
  const auto& numbers = record.real("probe." + this->name() + ".jam");
  time_ = numbers.at(0);
  sign_ = numbers.at(1);
  past_.clear();
  for (std::size_t k = 2; k + 3 < numbers.size(); k += 4)
    past_.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
}

#define MORAINE_INSTANTIATE(D)    \
  template class TrafficProbe<D>; \
  template class JamProbe<D>;
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::measure
