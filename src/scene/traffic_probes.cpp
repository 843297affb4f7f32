// SPDX-License-Identifier: MIT
// Names of walls and gates in [[probe]], and the probes of what comes and goes.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "measure/traffic.hpp"
#include "scene/probe_parts.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

std::int64_t find_wall(const std::vector<std::string>& names, const Node& node, std::string_view key,
                       const std::string& name, Problems& problems) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return at - names.begin();
  problems.add(node, key, no_such("wall", name, names));
  return -1;
}

std::vector<std::size_t> find_all(const std::vector<std::string>& names, const Node& node, const char* key,
                                  const char* what, Problems& problems) {
  std::vector<std::size_t> found;
  const std::vector<std::string>& wanted = node.has(key) ? node.texts(key) : names;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto at = std::find(names.begin(), names.end(), wanted[k]);
    if (at != names.end()) {
      found.push_back(static_cast<std::size_t>(at - names.begin()));
    } else {
      problems.add(node, fmt::format("{}[{}]", key, k), no_such(what, wanted[k], names));
    }
  }
  return found;
}

namespace {

template <class Gates>
std::vector<std::string> names_of(const Gates& gates) {
  std::vector<std::string> names;
  names.reserve(gates.size());
  for (const auto& gate : gates) names.push_back(gate.name);
  return names;
}

}  // namespace

template <int D>
measure::ProbePtr<D> jam_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  measure::JamRule<D> rule;
  rule.inlets = find_all(names_of(known.world.traffic.inlets), node, "inlets", "inlet", problems);
  if (node.has("outlets"))
    rule.outlets = find_all(names_of(known.world.traffic.outlets), node, "outlets", "outlet", problems);
  rule.discharge = node.number("discharge");
  const auto& inlets = known.scene.tables("inlet");
  for (const std::size_t k : rule.inlets) {
    if (k < inlets.size() && inlets[k].has("every"))
      rule.shortest = std::max(rule.shortest, 2 * inlets[k].number("every"));
  }
  const Node& time = known.scene.table("time");
  if (node.has("window")) {
    rule.window = node.number("window");
    if (rule.discharge > 0 && rule.window < rule.shortest * (1 - 1e-9))
      problems.add(node, "window",
                   fmt::format("{} s must be two periods of the batches at least, {} s: between two nothing may leave",
                               rule.window, rule.shortest));
  } else if (time.has("end")) {
    rule.window = std::max(rule.shortest, time.number("end") / 20);
  } else if (time.has("steps")) {
    rule.window_steps = static_cast<double>(time.integer("steps")) / 20;  // the step may not be known yet
  }
  rule.blocked = node.number("blocked");
  rule.stop = node.boolean("stop");
  if (known.world.traffic.inlets.empty())
    problems.add(node, "kind", "\"jam\" needs an [[inlet]]: without arrivals nothing jams");
  int given = 0;
  for (const char* key : {"min", "max", "full"}) given += node.has(key) ? 1 : 0;
  if (given == 0) return std::make_unique<measure::JamProbe<D>>(name, rule);
  if (given < 3) {
    problems.add(node, "'min', 'max' and 'full' go together: a region, and its covered part at which it is a jam");
    return std::make_unique<measure::JamProbe<D>>(name, rule);
  }
  rule.region.min = as_vec<D>(node.numbers("min"));
  rule.region.max = as_vec<D>(node.numbers("max"));
  rule.full = node.number("full");
  for (int k = 0; k < D; ++k) {
    if (!(rule.region.max[k] > rule.region.min[k]))
      problems.add(
          node, "max",
          fmt::format("must lie above min along {}: {} against {}", "xyz"[k], rule.region.max[k], rule.region.min[k]));
  }
  return std::make_unique<measure::JamProbe<D>>(name, rule);
}

template <int D>
measure::ProbePtr<D> accumulation_probe(const Known<D>& known, const Node& node, const std::string& name,
                                        Problems& problems) {
  return std::make_unique<measure::AccumulationProbe<D>>(
      name, find_all(known.walls, node, "walls", "wall", problems),
      node.number("slower_than", std::numeric_limits<double>::infinity()), node.number("from"));
}

#define MORAINE_INSTANTIATE(D)                                                                             \
  template measure::ProbePtr<D> jam_probe<D>(const Known<D>&, const Node&, const std::string&, Problems&); \
  template measure::ProbePtr<D> accumulation_probe<D>(const Known<D>&, const Node&, const std::string&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
