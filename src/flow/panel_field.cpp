// SPDX-License-Identifier: MIT
#include "flow/panel_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/random.hpp"

namespace moraine::flow {

namespace {

using math::cross;
using math::dot;

constexpr double kBalance = 1e-6;  // of flows in and out, over the flux
constexpr int kMostRounds = 30;    // of refinement
constexpr int kMostSweeps = 60;    // bodies and walls in turn
constexpr double kSweepEnd = 1e-10;

// A circle that moves against the stream with -past: u - i v = -past R^2 / z^2, past as u + i v.
Vec2 doublet_velocity(const Vec2& away, const Vec2& past, double radius) {
  const double r2 = math::norm2(away), scale = radius * radius / (r2 * r2);
  const double re = (away[0] * away[0] - away[1] * away[1]) * scale, im = -2 * away[0] * away[1] * scale;  // R^2 / z^2
  return {-(past[0] * re - past[1] * im), past[0] * im + past[1] * re};
}

// Of its stream function past R^2 / z.
double doublet_stream(const Vec2& away, const Vec2& past, double radius) {
  const double scale = radius * radius / math::norm2(away);
  return scale * (past[1] * away[0] - past[0] * away[1]);
}

}  // namespace

PanelField::PanelField(PanelPlan plan, Boundary boundary, const world::World<2>& world)
    : plan_(std::move(plan)), boundary_(std::move(boundary)) {
  for (const Piece& p : boundary_.pieces) {
    moves_.push_back(!p.is_end() && world.walls[p.source].moves());
    any_moves_ = any_moves_ || moves_.back();
  }
  if (any_moves_ || plan_.bodies) plan_.exact = true;
  base::Team alone(1);
  boundary_.cut(plan_.panels);
  for (int round = 0;; ++round) {
    place_walls(world);
    set_up(system_, alone);
    strength_ = system_.solve(wanted(), surplus_);
    measure(alone);
    if (refined_enough() || round == kMostRounds || !refine()) break;
  }
  at_start_ = boundary_.pieces;
  check_sampling();
}

// Where walls are now, and how fast panels move with them.
void PanelField::place_walls(const world::World<2>& world) {
  std::vector<world::Wall<2>> now(boundary_.pieces.size());
  for (std::size_t i = 0; i < boundary_.pieces.size(); ++i) {
    Piece& p = boundary_.pieces[i];
    if (p.is_end()) continue;
    now[i] = world.walls[p.source];
    world::place_wall(now[i], world.time, world.dt);
    if (!moves_[i]) continue;
    p.a = now[i].now.a;
    if (p.kind == Piece::Kind::kCircle) continue;
    p.b = now[i].now.b;
    if (p.reversed) std::swap(p.a, p.b);
  }
  panels_ = boundary_.panels();
  wall_velocity_.assign(panels_.size(), Vec2{});
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    const std::size_t i = panels_[j].piece;
    if (!boundary_.pieces[i].is_end() && moves_[i])
      wall_velocity_[j] = now[i].velocity + cross(now[i].spin, panels_[j].mid - now[i].reference);
  }
}

void PanelField::set_up(PanelSystem& system, base::Team& team) const {
  if (system.set_up(panels_, plan_.condition, boundary_.channel && plan_.condition == Condition::kNetFlow, team))
    return;
  throw base::RunError("the flow about the walls cannot be solved: the equations of its panels are singular",
                       "see that walls do not lie on each other, or take another number of panels (flow.panels)");
}

// (5.24), its right side. What the ends take must balance, of a net-flow condition exactly.
std::vector<double> PanelField::wanted() const {
  std::vector<double> out(panels_.size());
  double known = 0, scale = 0, open = 0;
  std::size_t free_end = plan_.ends.size();
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    const Panel& p = panels_[j];
    const Piece& piece = boundary_.pieces[p.piece];
    double across = dot(wall_velocity_[j], p.n);
    if (piece.is_end()) {
      if (!plan_.ends[piece.source]) {
        free_end = piece.source;
        open += p.length();
        continue;
      }
      across = *plan_.ends[piece.source];
    }
    known += across * p.length();
    scale += std::fabs(across) * p.length();
    out[j] = across - dot(plan_.stream, p.n);
  }
  if (!boundary_.channel) return out;
  if (free_end == plan_.ends.size() && std::fabs(known) > kBalance * scale) {
    throw base::RunError(
        fmt::format("walls of the channel move so that {:.4g} m^2/s more flow in than out, and no end is free to "
                    "take them",
                    known),
        "leave out the speed of one [[flow.end]]");
  }
  for (std::size_t j = 0; j < panels_.size() && open > 0; ++j) {
    const Piece& piece = boundary_.pieces[panels_[j].piece];
    if (piece.is_end() && piece.source == free_end) out[j] = -known / open;
  }
  return out;
}

// Halves panels through which too much seeps, those with most first, as long as there may be more. Circles stay
// regular.
bool PanelField::refine() {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    if (seepage_of_[j].range > plan_.tolerance * flux_) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return seepage_of_[a].range > seepage_of_[b].range; });
  std::size_t count = panels_.size();
  std::vector<std::size_t> first(boundary_.pieces.size(), panels_.size());  // panel of each piece
  for (std::size_t j = panels_.size(); j-- > 0;) first[panels_[j].piece] = j;
  const std::vector<Piece> before = boundary_.pieces;
  for (const std::size_t j : order) {
    const std::size_t i = panels_[j].piece;
    Piece& p = boundary_.pieces[i];
    const std::size_t more = p.kind == Piece::Kind::kCircle ? static_cast<std::size_t>(before[i].count) : 1;
    if (p.count != before[i].count && p.kind == Piece::Kind::kCircle) continue;  // done
    if (count + more > plan_.most_panels) continue;
    count += more;
    if (p.kind == Piece::Kind::kCircle) {
      p.count *= 2;
    } else {
      const std::size_t k = j - first[i];
      p.cuts.push_back(0.5 * (before[i].cuts[k] + before[i].cuts[k + 1]));
    }
  }
  for (Piece& p : boundary_.pieces) std::sort(p.cuts.begin(), p.cuts.end());
  return count > panels_.size();
}

// What flows and seeps is measured against: the flow into a channel, or that of the stream over the width of the
// obstacles (of walls alone that move, of the fastest over all their extent).
void PanelField::find_scales(const std::vector<double>& across) {
  double in = 0, inlet = 0, fastest = math::norm(plan_.stream);
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    fastest = std::max(fastest, math::norm(wall_velocity_[j]));
    if (!(across[j] > 0)) continue;
    in += across[j] * panels_[j].length();
    inlet += panels_[j].length();
  }
  if (boundary_.channel) {
    flux_ = in;
    speed_ = inlet > 0 ? in / inlet : 0;
    return;
  }
  const double stream = math::norm(plan_.stream);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Panel& p : panels_) {
    const double at = cross(plan_.stream, p.a);
    low = std::min(low, at);
    high = std::max(high, at);
  }
  speed_ = fastest;
  flux_ = fastest * (stream > 0 ? (high - low) / stream : boundary_.extent());
}

void PanelField::measure(base::Team& team) {
  const std::vector<double> across = wanted();
  find_scales(across);
  tree_.build(panels_, strength_, boundary_.channel);
  seepage_of_ = measure_seepage(tree_, panels_, strength_, across, team);
  leakage_ = leakage_panel_ = seepage_ = flux_in_ = flux_out_ = 0;
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    const Piece& piece = boundary_.pieces[panels_[j].piece];
    seepage_ = std::max(seepage_, seepage_of_[j].range);
    if (piece.is_end()) {
      const double through = seepage_of_[j].net + across[j] * panels_[j].length();
      (through > 0 ? flux_in_ : flux_out_) += std::fabs(through);
      continue;
    }
    leakage_ += std::fabs(seepage_of_[j].net);
    leakage_panel_ = std::max(leakage_panel_, std::fabs(seepage_of_[j].net));
  }
  const double scale = flux_ > 0 ? 1 / flux_ : 0;
  leakage_ *= scale;
  leakage_panel_ *= scale;
  seepage_ *= scale;
}

// The tree against the whole sum, at random places.
void PanelField::check_sampling() {
  sampling_error_ = 0;
  if (plan_.exact || !(speed_ > 0)) return;
  Vec2 low = panels_.front().a, high = low;
  for (const Panel& p : panels_) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p.a[k]);
      high[k] = std::max(high[k], p.a[k]);
    }
  }
  const Vec2 margin = boundary_.channel ? Vec2{} : (high - low);
  base::Stream random(1, "flow.sampling");
  for (int k = 0; k < 1000; ++k) {
    Vec2 x{};
    for (int c = 0; c < 2; ++c) x[c] = random.uniform(low[c] - margin[c], high[c] + margin[c]);
    sampling_error_ = std::max(sampling_error_, math::norm(velocity(x) - exact_velocity(x)) / speed_);
  }
}

void PanelField::update(const world::World<2>& world, base::Team& team) {
  if (!any_moves_ && !plan_.bodies) return;
  if (any_moves_) {
    place_walls(world);
    std::size_t piece = 0;
    if (boundary_.widest_gap(piece) > 1e-4 * boundary_.extent()) {
      const Piece& p = boundary_.pieces[piece];
      throw base::RunError(
          fmt::format("the boundary of the flow has come apart: {} and {} no longer meet at ({:.6g}, "
                      "{:.6g}) at time {:.6g} s",
                      p.name, boundary_.pieces[boundary_.next[piece]].name, p.b[0], p.b[1], world.time),
          "let walls of the flow that meet move together, or leave those that move out of flow.walls");
    }
  }
  // The matrix depends on how the walls stand to each other. If that is no longer as at the start it is made anew at
  // each step, never kept from an earlier one: what comes out must follow from the world alone.
  const bool as_at_start = stands_as_at_start();
  if (!as_at_start) set_up(moved_system_, team);
  const PanelSystem& system = as_at_start ? system_ : moved_system_;
  if (plan_.bodies) {
    solve_with_bodies(world, system, team);
  } else {
    strength_ = system.solve(wanted(), surplus_);
  }
}

// But for a shift of all.
bool PanelField::stands_as_at_start() const {
  const Vec2 shift = boundary_.pieces[0].a - at_start_[0].a;
  const double same = 1e-13 * boundary_.extent();
  for (std::size_t i = 0; i < at_start_.size(); ++i) {
    const Piece &p = boundary_.pieces[i], &q = at_start_[i];
    if (math::norm(p.a - q.a - shift) > same) return false;
    if (p.kind != Piece::Kind::kCircle && math::norm(p.b - q.b - shift) > same) return false;
  }
  return true;
}

// Bodies and walls in turn, each in the flow that the others make, until nothing changes.
void PanelField::solve_with_bodies(const world::World<2>& world, const PanelSystem& system, base::Team& team) {
  const auto& bodies = world.bodies;
  doublets_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec2 past = plan_.stream - bodies.moving[i].v_now;
    doublets_.push_back({bodies.place[i].x, past, bodies.place[i].radius});
  }
  const std::vector<double> without = wanted();
  std::vector<Vec2> found(doublets_.size());
  for (sweeps_ = 1; sweeps_ <= kMostSweeps; ++sweeps_) {
    std::vector<double> across = without;
    team.for_chunks(panels_.size(), [&](std::size_t j) {
      const Panel& p = panels_[j];
      double flow = 0;
      for (const Doublet& d : doublets_) {
        if (math::norm2(p.mid - d.x) <= d.radius * d.radius) continue;  // pressed into the wall
        flow += doublet_stream(p.a - d.x, d.past, d.radius) - doublet_stream(p.b - d.x, d.past, d.radius);
      }
      across[j] -= flow / p.length();
    });
    strength_ = system.solve(std::move(across), surplus_);
    team.for_chunks(base::chunk_count(doublets_.size()), [&](std::size_t chunk) {
      const std::size_t end = std::min(doublets_.size(), (chunk + 1) * base::kChunkBodies);
      for (std::size_t i = chunk * base::kChunkBodies; i < end; ++i)
        found[i] = exact_velocity(doublets_[i].x) - bodies.moving[i].v_now;
    });
    double change = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      change = std::max(change, math::norm(found[i] - doublets_[i].past));
      doublets_[i].past = found[i];
    }
    if (change <= kSweepEnd * speed_) break;
  }
}

// A point within a body sees all others: so a body does not see itself.
Vec2 PanelField::doublets_at(const Vec2& x) const {
  Vec2 u{};
  for (const Doublet& d : doublets_) {
    const Vec2 away = x - d.x;
    if (math::norm2(away) > d.radius * d.radius) u += doublet_velocity(away, d.past, d.radius);
  }
  return u;
}

Vec2 PanelField::exact_velocity(const Vec2& x) const {
  if (enclosed(panels_, x) != boundary_.channel) return Vec2{};
  Vec2 u = plan_.stream;
  for (std::size_t j = 0; j < panels_.size(); ++j) u += panel_velocity(panels_[j], x) * strength_[j];
  return u + doublets_at(x);
}

Vec2 PanelField::velocity(const Vec2& x) const {
  if (plan_.exact) return exact_velocity(x);
  bool wet = false;
  const Vec2 u = tree_.velocity(x, wet);
  return wet ? u + plan_.stream : Vec2{};
}

const std::string& PanelField::nearest_piece(const Vec2& x) const {
  const auto apart = [&](const Panel& p) {
    return math::norm2(x - p.mid - p.t * std::clamp(dot(x - p.mid, p.t), -p.half, p.half));
  };
  const auto nearest = std::min_element(panels_.begin(), panels_.end(),
                                        [&](const Panel& p, const Panel& q) { return apart(p) < apart(q); });
  return boundary_.pieces[nearest->piece].name;
}

double PanelField::pressure(const Vec2& x) const {
  return 0.5 * plan_.density * (speed_ * speed_ - math::norm2(velocity(x)));
}

std::map<std::string, double> PanelField::report() const {
  std::map<std::string, double> out{{"panels", static_cast<double>(panels_.size())},
                                    {"leakage", leakage_},
                                    {"leakage_panel", leakage_panel_},
                                    {"seepage", seepage_},
                                    {"sampling_error", sampling_error_},
                                    {"flux", flux_},
                                    {"speed", speed_}};
  if (boundary_.channel) {
    out["flux_in"] = flux_in_;
    out["flux_out"] = flux_out_;
  }
  if (!plan_.exact) out["cells"] = static_cast<double>(tree_.cells());
  if (plan_.bodies) out["sweeps"] = sweeps_;
  return out;
}

}  // namespace moraine::flow
