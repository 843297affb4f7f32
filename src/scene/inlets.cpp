// SPDX-License-Identifier: MIT
#include "scene/inlets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "flow/fields.hpp"
#include "scene/inlet_room.hpp"

namespace moraine::scene {

namespace {

using inflow::Distribution;
using inflow::InletKind;
using inflow::InletPlan;
using inflow::Waiting;
using math::Vec;
using world::World;

// The densest packing of equal disks and spheres.
constexpr double kDensest2 = 0.9068996821171089, kDensest3 = 0.7404804896930610;

std::optional<Distribution> read_list(const Node& node, bool density, Problems& problems) {
  const auto& values = node.numbers("values");
  const auto& weights = node.numbers("weights");
  const std::size_t before = problems.size();
  if (values.size() != weights.size())
    problems.add(node, "weights", fmt::format("has {} numbers, values has {}", weights.size(), values.size()));
  if (std::accumulate(weights.begin(), weights.end(), 0.0) <= 0)
    problems.add(node, "weights", "are all zero: nothing can come");
  for (std::size_t k = 1; density && k < values.size(); ++k) {
    if (values[k] > values[k - 1]) continue;
    problems.add(node, fmt::format("values[{}]", k),
                 fmt::format("{} m does not lie above the one before, {} m", values[k], values[k - 1]));
  }
  if (problems.size() > before) return std::nullopt;
  return density ? Distribution::density(values, weights) : Distribution::table(values, weights);
}

std::optional<Distribution> read_size(const Node& node, Problems& problems) {
  const std::string& kind = node.text("kind");
  std::optional<Distribution> size;
  if (kind == "constant") {
    size = Distribution::constant(node.number("radius"));
  } else if (kind == "table" || kind == "density") {
    size = read_list(node, kind == "density", problems);
  } else {
    const double min = node.number("min"), max = node.number("max");
    if (!(max > min)) {
      problems.add(node, "max", fmt::format("{} m must lie above min, {} m", max, min));
    } else if (kind == "uniform") {
      size = Distribution::uniform(min, max);
    } else {
      const double mean = node.number("mean"), deviation = node.number("deviation");
      const double off = std::max({min - mean, mean - max, 0.0});
      if (off > 8 * deviation) {
        problems.add(
            node, "mean",
            fmt::format("{} m lies {:.3g} deviations outside [min, max], {} to {} m: nothing is left of the bell", mean,
                        off / deviation, min, max));
      } else {
        size = Distribution::gaussian(mean, deviation, min, max);
      }
    }
  }
  if (!size) return size;
  const std::string& sampler = node.text("sampler");
  size->use(sampler == "rejection"        ? inflow::Sampler::kRejection
            : sampler == "discretisation" ? inflow::Sampler::kDiscretisation
                                          : inflow::Sampler::kInversion,
            static_cast<std::size_t>(node.integer("intervals")));
  return size;
}

// Mean size (area, volume) of an arrival: of clumps, of all their shapes alike.
template <int D>
double mean_size(const InletPlan<D>& plan) {
  const double moment = plan.size.moment(D);
  if (plan.clumps.empty()) return (D == 2 ? 1.0 : 4.0 / 3) * math::kPi * moment;
  double sum = 0;
  for (const auto& shape : plan.clumps)
    sum += shape.volume / (shape.radius * shape.radius * (D == 2 ? 1 : shape.radius));
  return moment * sum / static_cast<double>(plan.clumps.size());
}

template <int D>
double mean_mass(const InletPlan<D>& plan) {
  if (plan.as_spheres && plan.clumps.empty()) return 4.0 / 3 * math::kPi * plan.size.moment(3) * plan.density;
  return mean_size(plan) * plan.density * (D == 2 ? plan.thickness : 1);
}

// How fast arrivals sweep over area (2D) or volume (3D): the integral of their velocity across the line or patch.
double swept(const InletPlan<2>& plan, const World<2>& world) {
  constexpr int kPieces = 256;
  double sum = 0;
  for (std::size_t k = 0; k + 1 < plan.line.size(); ++k) {
    const Vec<2> d = plan.line[k + 1] - plan.line[k];
    if (!plan.with_flow || !world.flow) {
      sum += std::fabs(math::cross(plan.velocity, d));
      continue;
    }
    for (int i = 0; i < kPieces; ++i)
      sum += std::fabs(math::cross(plan.velocity + world.flow->velocity(plan.line[k] + d * ((i + 0.5) / kPieces)), d)) /
             kPieces;
  }
  return sum;
}
double swept(const InletPlan<3>& plan, const World<3>& world) {
  constexpr int kPieces = 32;
  const Vec<3> area = math::cross(plan.side_a, plan.side_b);
  if (!plan.with_flow || !world.flow) return std::fabs(math::dot(plan.velocity, area));
  double sum = 0;
  for (int i = 0; i < kPieces; ++i) {
    for (int j = 0; j < kPieces; ++j) {
      const Vec<3> x = plan.corner + plan.side_a * ((i + 0.5) / kPieces) + plan.side_b * ((j + 0.5) / kPieces);
      sum += std::fabs(math::dot(plan.velocity + world.flow->velocity(x), area));
    }
  }
  return sum / (kPieces * kPieces);
}

// Arrivals per time; 0 and a problem if it cannot be told.
template <int D>
double read_rate(const Node& node, const InletPlan<D>& plan, const World<D>& world, std::vector<std::string>& warnings,
                 Problems& problems) {
  const char* part = D == 2 ? "surface_density" : "volume_fraction";
  int given = 0;
  for (const char* key : {"rate", "mass_rate", part}) given += node.has(key) ? 1 : 0;
  if (given != 1) {
    problems.add(node, fmt::format("{} of 'rate', 'mass_rate' and '{}' {} given; give one of them",
                                   given == 0   ? "none"
                                   : given == 2 ? "two"
                                                : "all",
                                   part, given == 0 ? "is" : "are"));
    return 0;
  }
  if (node.has("rate")) return node.number("rate");
  if (node.has("mass_rate")) return node.number("mass_rate") / mean_mass(plan);
  const double densest = D == 2 ? kDensest2 : kDensest3, wanted = node.number(part);
  if (wanted > densest) {
    problems.add(node, part,
                 fmt::format("{} is more than can be packed: {:.4g} at most, of equal {}", wanted, densest,
                             D == 2 ? "disks" : "spheres"));
    return 0;
  }
  const auto* formula = dynamic_cast<const flow::FormulaField<D>*>(world.flow.get());
  if (plan.with_flow && formula != nullptr && formula->changes()) {
    problems.add(node, part,
                 "with_flow = true, and the formulas of [flow] change with t: there is no one rate; give 'rate' or "
                 "'mass_rate'");
    return 0;
  }
  const double sweeps = swept(plan, world);
  if (!(sweeps > 0)) {
    problems.add(
        node, part,
        fmt::format("needs arrivals that move away: their velocity across the {} is zero", D == 2 ? "line" : "patch"));
    return 0;
  }
  if (wanted > 0.5)
    warnings.push_back(
        fmt::format("{}.{} = {}: single arrivals at random reach about 0.5; expect some to be skipped "
                    "(a batch packs denser)",
                    node.path(), part, wanted));
  return wanted * sweeps / mean_size(plan);
}

const char* rate_key(const Node& node, int dimension) {
  for (const char* key : {"rate", "mass_rate", "every"}) {
    if (node.has(key)) return key;
  }
  return dimension == 2 ? "surface_density" : "volume_fraction";
}

template <int D>
void read_waiting(const Node& node, const World<D>& world, InletPlan<D>& plan, std::vector<std::string>& warnings,
                  Problems& problems) {
  const std::size_t before = problems.size();
  const double rate = read_rate(node, plan, world, warnings, problems);
  if (problems.size() > before) return;
  if (!(rate > 0 && std::isfinite(1 / rate) && std::isfinite(rate)))
    return problems.add(node, rate_key(node, D),
                        fmt::format("gives {} arrivals per second, of a mean size of {:.4g} {} and a mean mass of "
                                    "{:.4g} kg: a number above zero is needed",
                                    rate, mean_size(plan), D == 2 ? "m^2" : "m^3", mean_mass(plan)));
  const bool constant = node.text("waiting") == "constant";
  plan.waiting = constant ? Waiting::constant(rate) : Waiting::exponential(rate);
  if (!node.has("longest_wait")) return;
  const double longest = node.number("longest_wait");
  if (constant) {
    problems.add(node, "longest_wait", "is for waiting = \"exponential\"");
  } else if (!(rate * longest > 1)) {
    problems.add(node, "longest_wait",
                 fmt::format("{} s must be longer than the mean wait, 1/rate = {:.6g} s", longest, 1 / rate));
  } else {
    plan.waiting = Waiting::cut(rate, longest);
  }
}

template <int D>
void read_batch(const Node& node, InletPlan<D>& plan, Problems& problems) {
  const auto& points = node.points("points");
  if (node.has("radii") == node.has("size"))
    return problems.add(node, node.has("radii") ? "'radii' and 'size' are both given; leave out one of the two"
                                                : "give 'radii', one for each point, or 'size'");
  if (node.has("radii") && node.numbers("radii").size() != points.size())
    return problems.add(node, "radii",
                        fmt::format("has {} numbers, points has {} points: one radius for each",
                                    node.numbers("radii").size(), points.size()));
  for (std::size_t k = 0; k < points.size(); ++k)
    plan.points.push_back({as_vec<D>(points[k]), node.has("radii") ? node.numbers("radii")[k] : 0});
  if (node.has("velocities")) {
    for (const auto& v : node.points("velocities")) plan.velocities.push_back(as_vec<D>(v));
    if (plan.velocities.size() != points.size())
      problems.add(
          node, "velocities",
          fmt::format("has {} vectors, points has {} points: one for each", plan.velocities.size(), points.size()));
  }
  plan.jitter = as_vec<D>(node.numbers("jitter"));
  for (int k = 0; k < D; ++k) {
    if (plan.jitter[k] < 0) problems.add(node, "jitter", fmt::format("{} m: widths are not below 0", plan.jitter[k]));
  }
  plan.radius_jitter = node.number("radius_jitter");
  const double smallest = node.has("radii")
                              ? std::min_element(plan.points.begin(), plan.points.end(),
                                                 [](const auto& a, const auto& b) { return a.radius < b.radius; })
                                    ->radius
                              : plan.size.min();
  if (!(0.5 * plan.radius_jitter < smallest))
    problems.add(node, "radius_jitter",
                 fmt::format("{} m takes the smallest radius, {} m, below zero", plan.radius_jitter, smallest));
  plan.every = node.number("every");
  plan.waits = node.text("without_room") == "wait";
  plan.area.min = plan.area.max = plan.points.front().x;
  for (const auto& p : plan.points) {
    for (int k = 0; k < D; ++k) {
      plan.area.min[k] = std::min(plan.area.min[k], p.x[k]);
      plan.area.max[k] = std::max(plan.area.max[k], p.x[k]);
    }
  }
  if (node.has("clear_min")) plan.area.min = as_vec<D>(node.numbers("clear_min"));
  if (node.has("clear_max")) plan.area.max = as_vec<D>(node.numbers("clear_max"));
  for (int k = 0; k < D; ++k) {
    if (plan.area.max[k] < plan.area.min[k])
      problems.add(node, node.has("clear_max") ? "clear_max" : "clear_min",
                   fmt::format("the area ends before it begins along {}: {} to {}", "xyz"[k], plan.area.min[k],
                               plan.area.max[k]));
  }
}

template <int D>
void read_mouth(const Node& node, InletPlan<D>& plan, Problems& problems) {
  if constexpr (D == 2) {
    for (const auto& point : node.points("line")) plan.line.push_back(as_vec<2>(point));
    for (std::size_t k = 1; k < plan.line.size(); ++k) {
      if (math::norm(plan.line[k] - plan.line[k - 1]) > 0) continue;
      problems.add(node, fmt::format("line[{}]", k), "is the same point as the one before");
    }
  } else {
    plan.corner = as_vec<3>(node.numbers("corner"));
    plan.side_a = as_vec<3>(node.numbers("side_a"));
    plan.side_b = as_vec<3>(node.numbers("side_b"));
    plan.tries = static_cast<int>(node.integer("tries"));
    if (!(math::norm(math::cross(plan.side_a, plan.side_b)) > 0))
      problems.add(node, "side_b", "the sides span no area: they must not be parallel or zero");
  }
}

template <int D>
void read_numbers(const FillContext& c, const Node& node, InletPlan<D>& plan, Problems& problems) {
  plan.seed = c.seed;
  const std::string& generator = node.text("generator");
  plan.generator = generator == "wierzba" ? inflow::Generator::kCongruential
                   : generator == "sun"   ? inflow::Generator::kShuffled
                                          : inflow::Generator::kPhilox;
  const auto first = static_cast<std::int64_t>(c.seed & 0x7fffffff);
  plan.starts = {first, first + 1, first + 2};
  if (!node.has("generator_starts")) return;
  if (generator == "philox") problems.add(node, "generator_starts", "is for the generators of the sources");
  const auto& starts = node.numbers("generator_starts");
  for (std::size_t k = 0; k < 3; ++k) {
    if (starts[k] != std::floor(starts[k]) || starts[k] < 0 || starts[k] >= 0x1p32) {
      problems.add(node, fmt::format("generator_starts[{}]", k),
                   fmt::format("{} is not a whole number from 0 to 4294967295", starts[k]));
    } else {
      plan.starts[k] = static_cast<std::int64_t>(starts[k]);
    }
  }
}

// All but where there is room: false if something is wrong.
template <int D>
bool read_inlet(const FillContext& c, const ClumpShapes<D>& shapes, const Node& node, bool sound, const World<D>& world,
                InletPlan<D>& plan, std::vector<std::string>& warnings, Problems& problems) {
  const std::size_t before = problems.size();
  const std::string& kind = node.text("kind");
  const int material = c.laws.find(node, "material", false, problems);
  plan.name = node.text("name");
  plan.kind = kind == "line" ? InletKind::kLine : kind == "patch" ? InletKind::kPatch : InletKind::kBatch;
  if (kind != "batch" && (kind == "line") != (D == 2)) {
    problems.add(node, "kind", fmt::format("\"{}\" is for {}D", kind, 5 - D));
    return false;
  }
  if (node.has("clump") || node.has("solid")) {
    const auto* found = find_clump(node, shapes, problems);
    if (found != nullptr) plan.clumps = *found;
  }
  plan.turned = node.boolean("turned");
  plan.as_spheres = node.text("mass") == "sphere";
  if (plan.as_spheres && (D == 3 || node.has("clump") || node.has("solid")))
    problems.add(node, "mass", "\"sphere\" is for single disks (2D)");
  plan.velocity = as_vec<D>(node.numbers("velocity"));
  plan.with_flow = node.boolean("with_flow");
  const bool no_flow = plan.with_flow && !world.flow;  // what is wrong with one that is there has been told
  if (no_flow && !c.scene.node.has("flow")) problems.add(node, "with_flow", "there is no [flow] in this scene");
  plan.from = node.number("from");
  if (node.has("to")) plan.to = node.number("to");
  if (!(plan.to > plan.from))
    problems.add(node, "to", fmt::format("{} s must be later than from, {} s", plan.to, plan.from));
  if (node.has("count")) plan.count = node.integer("count");
  read_numbers(c, node, plan, problems);
  if (node.has("size")) {
    if (const auto size = read_size(node.table("size"), problems)) plan.size = *size;
  }
  if (material < 0 || problems.size() > before) return false;
  plan.material = static_cast<std::uint32_t>(material);
  plan.density = c.laws.materials[plan.material].density;
  plan.thickness = c.thickness;
  if (plan.kind == InletKind::kBatch) {
    read_batch(node, plan, problems);
  } else {
    read_mouth(node, plan, problems);
  }
  // Before its rate: that of a place without fluid would be called zero.
  if (problems.size() > before || no_flow || (sound && !check_wet(node, world, plan, problems))) return false;
  if (plan.kind != InletKind::kBatch) read_waiting(node, world, plan, warnings, problems);
  return problems.size() == before;
}

}  // namespace

template <int D>
void read_inlets(const FillContext& c, const ClumpShapes<D>& shapes, bool sound, World<D>& world,
                 std::vector<InletPlan<D>>& plans, std::vector<std::string>& warnings, Problems& problems) {
  for (const Node& node : c.scene.node.tables("inlet")) {
    InletPlan<D> plan;
    const bool good = read_inlet(c, shapes, node, sound, world, plan, warnings, problems);
    for (const world::Arrivals& other : world.traffic.inlets) {
      if (other.name == plan.name)
        problems.add(node, "name", fmt::format("there is already an inlet \"{}\"", plan.name));
    }
    world.traffic.inlets.emplace_back().name = plan.name;
    if (good && sound) {
      check_room(node, world, plan, problems);
      warn_of_ways_out(node, world, plan, warnings);
    }
    if (good) plans.push_back(std::move(plan));
  }
}

template <int D>
void check_waits(const Node& scene, const std::vector<InletPlan<D>>& plans, double step, Problems& problems) {
  // More than this in a step find no room, and would only take time.
  constexpr double kMostInAStep = 1000;
  const auto& nodes = scene.tables("inlet");
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const bool batch = plans[k].kind == InletKind::kBatch;
    const double mean = batch ? plans[k].every : 1 / plans[k].waiting.rate(),
                 least = batch ? step : step / kMostInAStep;
    if (mean >= least * (1 - 1e-9)) continue;
    problems.add(nodes[k], rate_key(nodes[k], D),
                 batch ? fmt::format("{} s is shorter than the step of the run, {:.6g} s: one batch in a step at most",
                                     mean, step)
                       : fmt::format("gives {:.4g} arrivals per second; at most {:.4g} are done, {} in a step of "
                                     "{:.6g} s",
                                     1 / mean, 1 / least, kMostInAStep, step));
  }
}

template <int D>
void read_outlets(const Node& scene, World<D>& world, Problems& problems) {
  for (const Node& node : scene.tables("outlet")) {
    world::Outlet<D> outlet;
    outlet.name = node.text("name");
    outlet.at = as_vec<D>(node.numbers("at"));
    outlet.direction = as_direction<D>(node.numbers("direction"));
    if (node.has("min")) outlet.window.min = as_vec<D>(node.numbers("min"));
    if (node.has("max")) outlet.window.max = as_vec<D>(node.numbers("max"));
    for (int k = 0; k < D; ++k) {
      if (!(outlet.window.max[k] > outlet.window.min[k]))
        problems.add(node, node.has("max") ? "max" : "min",
                     fmt::format("the window ends before it begins along {}: {} to {}", "xyz"[k], outlet.window.min[k],
                                 outlet.window.max[k]));
    }
    for (const world::Outlet<D>& other : world.traffic.outlets) {
      if (other.name == outlet.name)
        problems.add(node, "name", fmt::format("there is already an outlet \"{}\"", outlet.name));
    }
    world.traffic.outlets.push_back(outlet);
  }
}

#define MORAINE_INSTANTIATE(D)                                                                                         \
  template void read_inlets<D>(const FillContext&, const ClumpShapes<D>&, bool, World<D>&, std::vector<InletPlan<D>>&, \
                               std::vector<std::string>&, Problems&);                                                  \
  template void check_waits<D>(const Node&, const std::vector<InletPlan<D>>&, double, Problems&);                      \
  template void read_outlets<D>(const Node&, World<D>&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
