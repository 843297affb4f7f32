// SPDX-License-Identifier: MIT
#include "world/traffic.hpp"

namespace moraine::world {

template <int D>
void Traffic<D>::save(base::Record& record) const {
  record.set("traffic.counted", std::int64_t{counted ? 1 : 0});
  begun.save("traffic.begun", record);
  came.save("traffic.came", record);
  went.save("traffic.went", record);
  for (const Arrivals& inlet : inlets) {
    const std::string name = "inlet." + inlet.name;
    record.ints[name + ".counts"] = {inlet.due, inlet.skipped, inlet.held};
    record.set(name + ".held_since", inlet.held_since);
    inlet.came.save(name + ".came", record);
  }
  for (const Outlet<D>& outlet : outlets) outlet.went.save("outlet." + outlet.name + ".went", record);
}

template <int D>
void Traffic<D>::load(const base::Record& record) {
  counted = record.count("traffic.counted") != 0;
  begun.load("traffic.begun", record);
  came.load("traffic.came", record);
  went.load("traffic.went", record);
  for (Arrivals& inlet : inlets) {
    const std::string name = "inlet." + inlet.name;
    const auto& counts = record.integer(name + ".counts");
    inlet.due = counts.at(0);
    inlet.skipped = counts.at(1);
    inlet.held = counts.at(2);
    inlet.held_since = record.number(name + ".held_since");
    inlet.came.load(name + ".came", record);
  }
  for (Outlet<D>& outlet : outlets) outlet.went.load("outlet." + outlet.name + ".went", record);
}

template struct Traffic<2>;
template struct Traffic<3>;

}  // namespace moraine::world
