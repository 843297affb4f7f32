// SPDX-License-Identifier: MIT
#include "scene/probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "measure/contact_forces.hpp"
#include "measure/flow_probes.hpp"
#include "measure/flux.hpp"
#include "measure/impact.hpp"
#include "measure/link_probes.hpp"
#include "measure/overlaps.hpp"
#include "measure/probes.hpp"
#include "measure/profile.hpp"
#include "measure/stress.hpp"
#include "measure/traffic.hpp"
#include "measure/truss_probe.hpp"
#include "scene/probe_parts.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

namespace {

using measure::ProbePtr;
using world::World;

template <int D>
void check_id(const Known<D>& known, const Node& node, std::string_view key, double id, Problems& problems,
              bool clump = false) {
  const Node& scene = known.scene;
  const std::size_t count = clump ? known.world.clumps.size() : known.world.bodies.size();
  if (id != std::floor(id) || id < 0)
    return problems.add(node, key, fmt::format("{} is not an id: a whole number from 0", id));
  if (!known.bodies) return;
  for (const Node& fill : scene.tables("fill")) {
    if (fill.text("method") == "rain") return;
  }
  if (!scene.tables("inlet").empty()) return;
  const char* what = clump ? "clump" : "body";
  if (count == 0) {
    problems.add(node, key, fmt::format("there is no {} {}: the scene has none", what, id));
  } else if (id >= static_cast<double>(count)) {
    problems.add(node, key, fmt::format("there is no {} {}; ids go from 0 to {}", what, id, count - 1));
  }
}

template <int D>
ProbePtr<D> wall_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const std::vector<std::string> chosen = node.has("walls") ? node.texts("walls") : known.walls;
  if (chosen.empty()) problems.add(node, "kind", "\"walls\" needs a wall, and the scene has none");
  return std::make_unique<measure::WallProbe<D>>(name, find_all(known.walls, node, "walls", "wall", problems), chosen);
}

template <int D>
ProbePtr<D> contact_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  std::vector<typename measure::ContactProbe<D>::Pair> pairs;
  if (node.has("pairs")) {
    for (const auto& pair : node.points("pairs")) {
      for (const double id : pair) check_id(known, node, "pairs", id, problems);
      pairs.emplace_back(static_cast<std::int64_t>(pair[0]), static_cast<std::int64_t>(pair[1]));
    }
  }
  if (node.has("wall") != node.has("body")) problems.add(node, "'wall' and 'body' go together");
  if (node.has("wall") && node.has("body")) {
    check_id(known, node, "body", static_cast<double>(node.integer("body")), problems);
    pairs.emplace_back(node.integer("body"), -1 - find_wall(known.walls, node, "wall", node.text("wall"), problems));
  }
  if (pairs.empty()) problems.add(node, "which contact? Give 'pairs', or 'body' and 'wall'");
  return std::make_unique<measure::ContactProbe<D>>(name, pairs);
}

template <int D>
ProbePtr<D> impact_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  check_id(known, node, "body", static_cast<double>(node.integer("body")), problems);
  std::int64_t other = 0;
  if (node.has("other") == node.has("wall")) {
    problems.add(node, "give 'other' (id of a body) or 'wall' (name of a wall)");
  } else if (node.has("other")) {
    check_id(known, node, "other", static_cast<double>(node.integer("other")), problems);
    other = node.integer("other");
  } else {
    other = -1 - find_wall(known.walls, node, "wall", node.text("wall"), problems);
  }
  return std::make_unique<measure::ImpactProbe<D>>(name, node.integer("body"), other);
}

template <int D>
ProbePtr<D> stress_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  double space = 1;
  for (int k = 0; k < D; ++k) space *= known.world.domain.length(k);
  if (node.has("volume")) space = node.number("volume");
  if (!std::isfinite(space))
    problems.add(node,
                 "'volume' is missing: the domain has no bounds, so the volume that stress refers to must be given");
  auto probe =
      std::make_unique<measure::StressProbe<D>>(name, space, known.scene.number("thickness"), node.number("from"));
  probe->set_sheared(known.world.domain.shear.rate != 0);
  return probe;
}

// The size of a bin across the axis: area, or length in 2D.
template <int D>
double section_of(const Known<D>& known, const Node& node, int axis, Problems& problems) {
  if (node.has("section")) return node.number("section");
  double section = 1;
  for (int k = 0; k < D; ++k) {
    if (k != axis) section *= known.world.domain.length(k);
  }
  if (std::isfinite(section)) return section;
  problems.add(node,
               "'section' is missing: the domain has no bounds across the axis, so the area (2D: length) that the "
               "bins have there must be given");
  return 1;
}

template <int D>
measure::Bins bins_of(const Known<D>& known, const Node& node, int axis, Problems& problems) {
  const world::Domain<D>& domain = known.world.domain;
  const double min = node.number("min", domain.min[axis]), max = node.number("max", domain.max[axis]);
  const double period = domain.periodic[static_cast<std::size_t>(axis)] ? domain.length(axis) : 0;
  const char* key = node.given("max") ? "max" : "min";
  if (!std::isfinite(min) || !std::isfinite(max)) {
    problems.add(node,
                 fmt::format("'{}' is missing: the domain has no bound there", std::isfinite(min) ? "max" : "min"));
  } else if (!(min < max)) {
    problems.add(node, key,
                 fmt::format("the bins reach from min = {} m to max = {} m: min must be smaller than max",
                             number_text(min), number_text(max)));
  } else if (period > 0 && max - min > period * (1 + 1e-12)) {
    problems.add(
        node, key,
        fmt::format("the bins reach farther than the period of {} m: bodies would count twice", number_text(period)));
  } else {
    return measure::Bins(min, max, static_cast<int>(node.integer("bins")), period);
  }
  return measure::Bins();
}

template <int D>
ProbePtr<D> profile_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  measure::ProfilePlan plan;
  plan.axis = node.text("axis")[0] - 'x';
  if (plan.axis >= D) {
    problems.add(node, "axis", "there is no z axis in 2D");
    plan.axis = D - 1;
  }
  plan.bins = bins_of(known, node, plan.axis, problems);
  plan.section = section_of(known, node, plan.axis, problems);
  plan.thickness = known.scene.number("thickness");
  plan.held = node.boolean("held");
  const std::string& by = node.text("by");
  plan.by = by == "time"    ? measure::WindowBy::kTime
            : by == "steps" ? measure::WindowBy::kSteps
                            : measure::WindowBy::kCollisions;
  if (!node.has("windows")) plan.windows.push_back({0, std::numeric_limits<double>::infinity()});
  for (std::size_t k = 0; node.has("windows") && k < node.points("windows").size(); ++k) {
    const auto& window = node.points("windows")[k];
    if (window[0] < 0 || !(window[0] < window[1]))
      problems.add(node, fmt::format("windows[{}]", k),
                   fmt::format("[{}, {}] is no window: from 0 or later, to a larger number", number_text(window[0]),
                               number_text(window[1])));
    plan.windows.push_back({window[0], window[1]});
  }
  return std::make_unique<measure::ProfileProbe<D>>(name, plan);
}

template <int D>
ProbePtr<D> box_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const auto& names = node.texts("walls");
  if (names.size() != 2 * D)
    problems.add(node, "walls",
                 fmt::format("names {} walls; a box in {}D has {}: low and high along x, y{}", names.size(), D, 2 * D,
                             D == 2 ? "" : ", z"));
  std::vector<std::size_t> walls(2 * D, 0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::int64_t w = find_wall(known.walls, node, fmt::format("walls[{}]", k), names[k], problems);
    if (w >= 0 && k < walls.size()) walls[k] = static_cast<std::size_t>(w);
  }
  const int axis = node.text("axis")[0] - 'x';
  if (axis >= D) problems.add(node, "axis", "there is no z axis in 2D");
  return std::make_unique<measure::BoxProbe<D>>(name, walls, std::min(axis, D - 1), node.number("from"),
                                                known.scene.number("thickness"));
}

template <int D>
ProbePtr<D> flux_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const world::Domain<D>& domain = known.world.domain;
  measure::Gate<D> gate;
  gate.axis = node.text("axis")[0] - 'x';
  gate.at = node.number("at");
  gate.min = node.has("min") ? as_vec<D>(node.numbers("min")) : domain.unbounded(-1);
  gate.max = node.has("max") ? as_vec<D>(node.numbers("max")) : domain.unbounded(1);
  if (gate.axis >= D) {
    problems.add(node, "axis", "there is no z axis in 2D");
    gate.axis = D - 1;
  }
  const double low = domain.min[gate.axis], high = domain.max[gate.axis];
  if (gate.at < low || gate.at > high)
    problems.add(node, "at", fmt::format("{} m lies outside the domain, {} m to {} m", gate.at, low, high));
  if (domain.shear.rate != 0 && gate.axis == domain.shear.flow)
    problems.add(node, "axis", "in a sheared domain images slide along this axis: take one across the flow");
  for (int k = 0; k < D; ++k) {
    if (k != gate.axis && !(gate.max[k] > gate.min[k]))
      problems.add(node, "max", fmt::format("must be larger than min, {} m, not {} m", gate.min[k], gate.max[k]));
  }
  return std::make_unique<measure::FluxProbe<D>>(name, gate, node.number("from"));
}

template <int D>
ProbePtr<D> force_probe(const Node& node, const std::string& name, Problems& problems) {
  measure::ForceBins bins;
  bins.sizes = static_cast<std::size_t>(node.integer("bins"));
  bins.angles = static_cast<std::size_t>(node.integer("angles"));
  bins.walls = node.boolean("walls");
  const auto& plane = node.texts("plane");
  bins.first_axis = plane[0][0] - 'x';
  bins.second_axis = plane[1][0] - 'x';
  if (bins.first_axis == bins.second_axis)
    problems.add(node, "plane", fmt::format("names {} twice; two axes span a plane", plane[0]));
  if (std::max(bins.first_axis, bins.second_axis) >= D) problems.add(node, "plane", "there is no z axis in 2D");
  return std::make_unique<measure::ForceProbe<D>>(name, bins, node.number("from"));
}

template <int D>
ProbePtr<D> truss_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  measure::PackingPlan plan;
  plan.friction = node.boolean("friction");
  plan.law_stiffness = node.text("stiffness") == "law";
  const auto& laws = known.world.laws.all();
  if (plan.law_stiffness && known.scene.text("method") == "hard") {
    problems.add(node, "stiffness", "hard contacts have none: \"law\" needs method = \"soft\"");
  } else if (plan.law_stiffness &&
             !std::all_of(laws.begin(), laws.end(), [](const auto& law) { return measure::constant_stiffness(law); })) {
    problems.add(node, "stiffness", "\"law\" needs contacts of one stiffness: normal = \"linear\" or \"walton-braun\"");
  }
  if (node.has("shear_ratio")) plan.shear_ratio = node.number("shear_ratio");
  plan.loads = node.text("loads") == "motion" ? measure::TrussLoads::kMotion : measure::TrussLoads::kWeight;
  measure::TrussOptions options;
  options.peel = node.boolean("peel");
  options.limits = node.boolean("limits");
  options.tolerance = node.number("tolerance");
  return std::make_unique<measure::TrussProbe<D>>(name, plan, options);
}

template <int D>
void check_link(const Known<D>& known, const Node& node, std::string_view key, double link, Problems& problems) {
  const std::size_t count = known.world.links.size();
  if (known.scene.text("method") != "hard") {
    problems.add(node, "kind", fmt::format("\"{}\" needs method = \"hard\"", node.text("kind")));
  } else if (link != std::floor(link) || link < 0 || link >= static_cast<double>(count)) {
    problems.add(node, key,
                 count == 0 ? "there are no links"
                            : fmt::format("there is no link {}; links are counted from 0 to {}", link, count - 1));
  }
}

template <int D>
ProbePtr<D> tip_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const std::int64_t body = node.has("body") ? node.integer("body") : known.world.bodies.next_id - 1;
  check_id(known, node, "body", static_cast<double>(body), problems);
  check_link(known, node, "link", static_cast<double>(node.integer("link")), problems);
  return std::make_unique<measure::TipProbe<D>>(name, body, static_cast<std::size_t>(node.integer("link")));
}

template <int D>
ProbePtr<D> link_force_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  std::vector<std::size_t> links;
  for (const double link : node.numbers("links")) {
    check_link(known, node, "links", link, problems);
    links.push_back(static_cast<std::size_t>(std::max(0.0, link)));
  }
  return std::make_unique<measure::LinkForceProbe<D>>(name, links);
}

template <int D>
ProbePtr<D> centre_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const std::int64_t n = known.world.bodies.next_id;
  std::vector<std::int64_t> ids = {(n - 1) / 2, n / 2};
  if (node.has("bodies")) {
    for (const double id : node.numbers("bodies")) check_id(known, node, "bodies", id, problems);
    ids = {static_cast<std::int64_t>(node.numbers("bodies").front()),
           static_cast<std::int64_t>(node.numbers("bodies").back())};
  }
  return std::make_unique<measure::CentreProbe<D>>(name, ids[0], ids[1]);
}

// A field that could not be made has its own problem.
template <int D>
ProbePtr<D> flow_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const world::Field<D>* field = known.world.flow.get();
  if (!known.scene.has("flow"))
    problems.add(node, "kind", fmt::format("\"{}\" needs [flow], which the scene has not", node.text("kind")));
  if (node.text("kind") == "flow") {
    if (field != nullptr && field->report().empty())
      problems.add(node, "kind",
                   fmt::format("\"flow\" measures flows solved by panels, and flow.kind is \"{}\"",
                               known.scene.table("flow").text("kind")));
    if (field == nullptr) return std::make_unique<measure::CountProbe<D>>(name);
    return std::make_unique<measure::FlowProbe<D>>(name, *field);
  }
  typename measure::SectionProbe<D>::Line line;
  line.from = as_vec<D>(node.numbers("from"));
  line.to = as_vec<D>(node.numbers("to"));
  line.centre = node.has("centre") ? as_vec<D>(node.numbers("centre")) : line.from;
  line.points = static_cast<int>(node.integer("points"));
  if (!(math::norm(line.to - line.from) > 0))
    problems.add(node, "to", "is the same point as from: the section has no length");
  return std::make_unique<measure::SectionProbe<D>>(name, line, field != nullptr && field->has_pressure());
}

template <int D>
ProbePtr<D> make_probe(const Known<D>& known, const Node& node, const std::string& name, Problems& problems) {
  const std::string& kind = node.text("kind");
  if (kind == "energy") return std::make_unique<measure::EnergyProbe<D>>(name);
  if (kind == "counts") return std::make_unique<measure::CountProbe<D>>(name);
  if (kind == "bonds") return std::make_unique<measure::BondProbe<D>>(name);
  if (kind == "overlaps") return std::make_unique<measure::OverlapsProbe<D>>(name, node.number("from"));
  if (kind == "coordination") return std::make_unique<measure::CoordinationProbe<D>>(name);
  if (kind == "walls") return wall_probe(known, node, name, problems);
  if (kind == "contacts") return contact_probe(known, node, name, problems);
  if (kind == "impact") return impact_probe(known, node, name, problems);
  if (kind == "stress") return stress_probe(known, node, name, problems);
  if (kind == "box") return box_probe(known, node, name, problems);
  if (kind == "profile") return profile_probe(known, node, name, problems);
  if (kind == "displacement") {
    check_id(known, node, "body", static_cast<double>(node.integer("body")), problems);
    return std::make_unique<measure::DisplacementProbe<D>>(name, node.integer("body"));
  }
  if (kind == "flux") return flux_probe(known, node, name, problems);
  if (kind == "forces") return force_probe<D>(node, name, problems);
  if (kind == "tip") return tip_probe(known, node, name, problems);
  if (kind == "link_forces") return link_force_probe(known, node, name, problems);
  if (kind == "centre") return centre_probe(known, node, name, problems);
  if (kind == "stack") return std::make_unique<measure::StackProbe<D>>(name, node.number("limit"));
  if (kind == "truss-forces") return truss_probe(known, node, name, problems);
  if (kind == "traffic") return std::make_unique<measure::TrafficProbe<D>>(name, known.world.traffic);
  if (kind == "jam") return jam_probe(known, node, name, problems);
  if (kind == "accumulation") return accumulation_probe(known, node, name, problems);
  if (kind == "patches") return std::make_unique<measure::PatchProbe<D>>(name, node.number("from"));
  if (kind == "clusters") return std::make_unique<measure::ClusterProbe<D>>(name);
  if (kind == "momentum") return std::make_unique<measure::MomentumProbe<D>>(name);
  if (kind == "flow" || kind == "section") return flow_probe(known, node, name, problems);
  if (kind == "links") {
    check_link(known, node, "kind", 0, problems);
    return std::make_unique<measure::LinksProbe<D>>(name);
  }
  std::vector<std::int64_t> ids;
  for (const double id : node.numbers("ids")) {
    check_id(known, node, "ids", id, problems, kind == "clumps");
    ids.push_back(static_cast<std::int64_t>(id));
  }
  if (kind == "clumps") return std::make_unique<measure::ClumpProbe<D>>(name, ids);
  return std::make_unique<measure::BodyProbe<D>>(name, ids);
}

// Names become file names.
bool is_plain(const std::string& name) {
  return name != "." && name != ".." && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

}  // namespace

namespace {

// The files that a probe of this name writes, series/STEM.csv.
template <int D>
std::vector<std::string> stems_of(const measure::Probe<D>& probe, const std::string& name) {
  std::vector<std::string> stems;
  if (probe.has_series()) stems.push_back(name);
  for (const std::string& part : probe.table_parts()) stems.push_back(measure::table_name(name, part));
  return stems;
}

// The first of them that an earlier probe writes too, or nothing. `taken`: stem, and name of the probe.
std::string clash(const std::vector<std::string>& stems, const std::map<std::string, std::string>& taken) {
  for (const std::string& stem : stems) {
    if (taken.count(stem) > 0) return stem;
  }
  return "";
}

}  // namespace

template <int D>
void read_probes(const Node& scene, const World<D>& world, bool bodies_known, std::vector<ProbePtr<D>>& probes,
                 Problems& problems) {
  Known<D> known{scene, world, bodies_known, {}};
  for (const Node& wall : scene.tables("wall")) known.walls.push_back(wall.text("name"));
  std::map<std::string, std::string> taken;
  for (const Node& node : scene.tables("probe")) {
    std::string name = node.has("name") ? node.text("name") : node.text("kind");
    if (!is_plain(name))
      problems.add(node, "name", fmt::format("\"{}\" names a file: letters, digits, '_', '-' and '.' only", name));
    probes.push_back(make_probe(known, node, name, problems));
    measure::Probe<D>& probe = *probes.back();
    for (int more = 2; !node.has("name") && !clash(stems_of(probe, name), taken).empty(); ++more) {
      name = fmt::format("{}_{}", node.text("kind"), more);
    }
    probe.set_name(name);
    const auto stems = stems_of(probe, name);
    const std::string stem = clash(stems, taken);
    if (!stem.empty()) {
      problems.add(
          node, "name",
          stem == name && taken[stem] == name
              ? fmt::format("there is already a probe \"{}\"", name)
              : fmt::format("there is already a file series/{}.csv, of probe \"{}\"; give this one another name", stem,
                            taken[stem]));
    }
    for (const std::string& s : stems) taken.emplace(s, name);
    if (node.has("every") && node.has("every_steps"))
      problems.add(node, "every_steps", "'every' is given too; leave out one of the two");
  }
}

namespace {
std::int64_t steps_in(double interval, double step) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(std::min(9e15, interval / step))));
}

void warn_of_windows(const Node& node, std::size_t number, double end, double step,
                     std::vector<std::string>& warnings) {
  if (node.text("kind") != "profile") return;
  const std::string& by = node.text("by");
  if (!node.has("windows") || by == "collisions") return;
  const auto& windows = node.points("windows");
  const double unit = by == "steps" ? step : 1;
  for (std::size_t k = 0; k < windows.size(); ++k) {
    const char* what = windows[k][0] * unit >= end               ? "begins after the end of the run and stays empty"
                       : windows[k][1] * unit > end * (1 + 1e-9) ? "reaches beyond the end of the run and is cut there"
                                                                 : nullptr;
    if (what != nullptr) warnings.push_back(fmt::format("probe[{}].windows[{}] {}", number, k, what));
  }
}
}  // namespace

bool averages_looks(const Node& probe) {
  const std::string& kind = probe.text("kind");
  return kind == "profile" || kind == "flux" || kind == "accumulation";
}

template <int D>
void schedule_probes(const Node& scene, double step, double end, std::vector<ProbePtr<D>>& probes,
                     std::vector<std::string>& warnings) {
  const auto& nodes = scene.tables("probe");
  for (std::size_t k = 0; k < probes.size(); ++k) {
    measure::Probe<D>& probe = *probes[k];
    // A collision is over in a few steps: its probe sees each of them, and that of loads. Averages need many looks.
    const std::string& kind = nodes[k].text("kind");
    const bool averages = averages_looks(nodes[k]);
    const double usual = kind == "accumulation" ? step : averages ? 10 * step : end / 500;
    probe.every = kind == "impact"              ? base::Pace()
                  : nodes[k].has("every_steps") ? base::Pace::of_steps(nodes[k].integer("every_steps"))
                                                : base::Pace::of_time(nodes[k].number("every", usual), step);
    probe.cycles = nodes[k].boolean("cycles");
    if (!averages) continue;
    const double looks = probe.every.steps() * step;
    probe.row_every = steps_in(std::min(nodes[k].number("row_every", end / 200), 9e15 * step), looks);
    warn_of_windows(nodes[k], k, end, step, warnings);
  }
}

#define MORAINE_INSTANTIATE(D)                                                                            \
  template void read_probes<D>(const Node&, const World<D>&, bool, std::vector<ProbePtr<D>>&, Problems&); \
  template void schedule_probes<D>(const Node&, double, double, std::vector<ProbePtr<D>>&, std::vector<std::string>&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
