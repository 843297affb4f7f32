// SPDX-License-Identifier: MIT
#include "hard/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "world/clump_motion.hpp"

namespace moraine::hard {

using world::Moving;

namespace {

constexpr double kWorthPushing = 1e-5;  // overlap over the smaller radius
constexpr int kPushSweeps = 4;
constexpr double kLift = 25;  // over the layers of a pile: the part of an overlap that can be taken back in a step
constexpr double kFollowed = 0.01;  // smallest radii that bodies may come until contacts are looked for anew
// g h^2 over the smallest radius, h a part of a step: what the solver can follow in a pile of some hundred layers
// (docs/hard-contacts.md). And parts where nothing falls.
constexpr double kFall = 5.3e-6, kLeastParts = 2;
constexpr std::int64_t kFirstEffort = 1250;
constexpr double kFirstTolerance = 1e-6;
constexpr int kMostParts = 10000;  // of a step; more are needed only where something is wrong

template <class Each>
void for_chunks_of(base::Team& team, std::size_t n, const Each& each) {
  team.for_chunks(base::chunk_count(n),
                  [&](std::size_t c) { each(c, c * base::kChunkBodies, std::min(n, (c + 1) * base::kChunkBodies)); });
}

// Of any part of a body's surface; round ones only count by their centres.
template <int D>
double square_of_speed(const World<D>& world, std::size_t i, const Vec<D>& v) {
  if (world.solids.empty() || world.solid_of(i) == nullptr) return math::norm2(v);
  const double speed = math::norm(v) + math::norm(world.bodies.moving[i].w_now) * world.bodies.place[i].radius;
  return speed * speed;
}

}  // namespace

template <int D>
void TimeStepping<D>::begin(World<D>& world, const base::Record* resumed) {
  for (world::Wall<D>& wall : world.walls) world::place_wall(wall, world.time, world.dt);
  bool extras = false;
  strengths_ = false;
  for (const world::PairLaw& law : world.laws.all()) {
    extras = extras || law.has_extras();
    strengths_ = strengths_ || law.cohesion.on || law.bond.on;
  }
  memory_.lay_out(world.contacts, extras);
  if (!world.solids.empty()) lay_out_points(world.contacts);
  lists_old_ = true;
  velocities_old_ = false;
  farthest2_ = 0;
  times_found_ = known_ids_ = contacts_ = 0;
  part_ = world.dt;
  pushes_.assign(world.walls.size(), {});
  if (resumed == nullptr || resumed->count("stepping.times_found") == 0) return;
  search_.list_slots(world);
  world.load_contacts(*resumed);
  sort_into_groups(world);
  list_links(world);
  links_.load(*resumed);
  farthest2_ = resumed->number("stepping.farthest2");
  lists_old_ = resumed->count("stepping.lists_old") != 0;
  velocities_old_ = resumed->count("stepping.velocities_old") != 0;
  times_found_ = resumed->count("stepping.times_found");
  known_ids_ = resumed->count("stepping.known_ids");
  contacts_ = resumed->count("stepping.contacts");
  part_ = resumed->number("stepping.part");
  const std::vector<double>& pushes = resumed->real("stepping.pushes");
  for (std::size_t w = 0; w < pushes_.size(); ++w) {
    const auto number = [&](int k) { return pushes.at(w * (D + 3) + static_cast<std::size_t>(k)); };
    for (int k = 0; k < D; ++k) pushes_[w].impulse[k] = number(k);
    pushes_[w].turn = math::spin_from_vec3<D>({number(D), number(D + 1), number(D + 2)});
  }
}

template <int D>
void TimeStepping<D>::save(base::Record& record) const {
  record.set("stepping.farthest2", farthest2_);
  record.set("stepping.lists_old", std::int64_t{lists_old_ ? 1 : 0});
  record.set("stepping.velocities_old", std::int64_t{velocities_old_ ? 1 : 0});
  record.set("stepping.times_found", times_found_);
  record.set("stepping.known_ids", known_ids_);
  record.set("stepping.contacts", contacts_);
  record.set("stepping.part", part_);
  links_.save(record);
  std::vector<double>& pushes = record.reals["stepping.pushes"];
  for (const Push& p : pushes_) {
    const math::Vec3 turn = math::spin_as_vec3(p.turn);
    for (int k = 0; k < D; ++k) pushes.push_back(p.impulse[k]);
    for (int k = 0; k < 3; ++k) pushes.push_back(turn[k]);
  }
}

// Contacts act by impulses between the whole steps: what is looked at are the forces of the step before.
template <int D>
void TimeStepping<D>::forces(World<D>& world, bool /*keep_energy*/, bool looked_at, bool keep_records) {
  for (world::Wall<D>& wall : world.walls) {
    if (wall.moves() && !wall.gone) world::place_wall(wall, world.time, world.dt);
  }
  take_walls_away(world);
  if (lists_old_) find_neighbours(world);
  if (memory_.extras && world.step == 0) make_bonds(world);
  std::fill(world.bodies.force.begin(), world.bodies.force.end(), Vec<D>{});
  std::fill(world.bodies.torque.begin(), world.bodies.torque.end(), Spin<D>{});
  std::fill(world.clumps.force.begin(), world.clumps.force.end(), Vec<D>{});
  std::fill(world.clumps.torque.begin(), world.clumps.torque.end(), Spin<D>{});
  if (looked_at) show(world, keep_records);
}

template <int D>
void TimeStepping<D>::take_walls_away(World<D>& world) {
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    world::Wall<D>& wall = world.walls[w];
    if (wall.gone || world.time < wall.until) continue;
    wall.gone = true;
    wall.force = {};
    wall.torque = {};
    pushes_[w] = {};
    lists_old_ = true;
    for (std::size_t i = 0; i < world.bodies.size() && !world.guided.empty(); ++i) {
      const std::uint32_t motion = world.bodies.motion[i];
      if (motion != world::kNoMotion && world.guided[motion].wall == static_cast<int>(w))
        world.bodies.moving[i].gone = true;
    }
  }
}

template <int D>
void TimeStepping<D>::find_neighbours(World<D>& world) {
  const auto lap = stopwatch_.lap("find neighbours");
  greet_new_bodies(world);
  search_.find_neighbours(world);
  world.clumps.drop_gone(world.bodies);
  world.clumps.find_members(world.bodies);
  sort_into_groups(world);
  list_links(world);
  lists_old_ = false;
  farthest2_ = 0;
  ++times_found_;
}

template <int D>
void TimeStepping<D>::list_links(const World<D>& world) {
  links_.list(world);
  if (!links_.empty()) solver_.links = [this](Movers<D>& movers) { return links_.solve(movers); };
}

template <int D>
void TimeStepping<D>::list_anew(World<D>& world) {
  for (world::Wall<D>& wall : world.walls) {
    if (wall.moves() && !wall.gone) world::place_wall(wall, world.time, world.dt);
  }
  find_neighbours(world);
}

// Bodies come with their velocity at a whole step: half a part earlier it was less what gravity has added since.
template <int D>
void TimeStepping<D>::greet_new_bodies(World<D>& world) {
  const Vec<D> added = world.gravity * (0.5 * part_);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    Moving<D>& m = world.bodies.moving[i];
    if (!velocities_old_ && world.bodies.id[i] < known_ids_) continue;
    if (m.held == Held::kFree) {
      m.v_now = m.v - added;
      m.w_now = m.w;
      m.fresh = true;
    }
  }
  world::Clumps<D>& clumps = world.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    if (!velocities_old_ && clumps.first_member[c] < known_ids_) continue;
    clumps.v_now[c] = clumps.v[c] - added;
    clumps.fresh[c] = 1;
  }
  known_ids_ = world.bodies.next_id;
  velocities_old_ = false;
}

template <int D>
void TimeStepping<D>::advance(World<D>& world, bool keep_energy) {
  if (velocities_old_) greet_new_bodies(world);
  chunks_.resize(base::chunk_count(world.bodies.size()));
  for (Chunk& chunk : chunks_) {
    chunk.outside.clear();
    chunk.lost = -1;
  }
  const double start = world.time;
  world.report = {};
  pushes_.assign(world.walls.size(), {});
  const int parts = parts_of_step(world);
  const double h = world.dt / parts;
  world.report.shortest_step = h;
  change_part(world, h);
  slow_ = settings_.impact_speed >= 0 ? settings_.impact_speed : 2 * math::norm(world.gravity) * world.dt;
  const bool guided = strengths_ || anything_guided(world);
  for (int part = 0; part < parts; ++part) {
    world.time = start + part * h;
    for (world::Wall<D>& wall : world.walls) {
      if (part > 0 && wall.moves() && !wall.gone) world::place_wall(wall, world.time, h);
    }
    part_of_step(world, {world.time, h, part == 0, part == parts - 1, part == 0 || guided, 1.0 / parts}, keep_energy);
  }
  keep(world, h, since_touch_);
  ++world.step;
  world.time = static_cast<double>(world.step) * world.dt;
  look_back(world);
}

// Nothing may pass what is not in its list: fast bodies take the step in parts.
template <int D>
int TimeStepping<D>::parts_of_step(World<D>& world) {
  const double dt = world.dt;
  for_chunks_of(team_, world.bodies.size(), [&](std::size_t c, std::size_t begin, std::size_t end) {
    double fastest2 = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Moving<D>& m = world.bodies.moving[i];
      Vec<D> v = m.v_now;
      if (m.held == Held::kFree) v += (world.gravity + world.bodies.force[i] * m.inverse_mass) * dt;
      fastest2 = std::max(fastest2, square_of_speed(world, i, v));
    }
    chunks_[c].fastest = std::sqrt(fastest2);
  });
  double fastest = 0;
  for (const Chunk& chunk : chunks_) fastest = std::max(fastest, chunk.fastest);
  const double parts = touching_ ? std::ceil(fastest * dt / (0.4 * world.skin)) : 1;
  if (!(parts <= kMostParts)) {
    throw base::RunError(
        fmt::format("bodies move at {:.3g} m/s at time {:.6g} s (step {}): {:.3g} m in a step, too far "
                    "against their size",
                    fastest, world.time, world.step, fastest * dt),
        "make the step shorter (time.step or hard.step), or the motion slower");
  }
  std::int64_t least = settings_.stepping.substeps;
  if (least == 0 && !touching_) {
    least = 1;
  } else if (least == 0) {
    const double wanted = std::ceil(dt * std::sqrt(math::norm(world.gravity) / (kFall * smallest_)) * (1 - 1e-9));
    least = static_cast<std::int64_t>(std::clamp(wanted, kLeastParts, static_cast<double>(kMostParts)));
  }
  return std::max(static_cast<int>(least), static_cast<int>(parts));
}

// Half a part of another length before the whole step.
template <int D>
void TimeStepping<D>::change_part(World<D>& world, double h) {
  if (h == part_) return;
  const double ratio = h / part_;
  part_ = h;
  for (Moving<D>& m : world.bodies.moving) {
    if (m.held != Held::kFree) continue;
    m.v_now = m.v - (m.v - m.v_now) * ratio;
    m.w_now = m.w - (m.w - m.w_now) * ratio;
  }
  world::Clumps<D>& clumps = world.clumps;
  for (std::size_t c = 0; c < clumps.size(); ++c)
    clumps.v_now[c] = clumps.v[c] - (clumps.v[c] - clumps.v_now[c]) * ratio;
}

// Nothing is known of the impulses of the first step: all that is needed is done for them.
template <int D>
StepSettings TimeStepping<D>::effort(const World<D>& world) const {
  StepSettings s = settings_.stepping;
  if (s.wide_motions && wide_.active()) s.contact_solver = ContactSolver::kGaussSeidel;  // what is left is not wide
  if (world.step == 0) s.most_iterations *= kFirstEffort;
  return s;
}

// Against what gravity gives in the part of a step; where there is none, against a small part of the smallest radius.
template <int D>
double TimeStepping<D>::tolerance(const World<D>& world, double h) const {
  const double g = math::norm(world.gravity), fall = g > 0 ? g * h : kFall * smallest_ / h;
  return settings_.stepping.residual * fall * (world.step == 0 ? kFirstTolerance : 1);
}

// In this step.
template <int D>
bool TimeStepping<D>::anything_guided(const World<D>& world) const {
  const auto moving = [&](const world::Motion<D>& m) {
    for (const double t : {world.time, world.time + 0.5 * world.dt, world.time + world.dt}) {
      if (math::norm2(m.velocity(t)) + math::norm2(m.spin(t)) + math::norm2(m.slide(t)) > 0) return true;
    }
    return false;
  };
  return world.domain.shear.rate != 0 ||
         std::any_of(world.guided.begin(), world.guided.end(), [&](const auto& g) { return moving(g.motion); }) ||
         std::any_of(world.walls.begin(), world.walls.end(), [&](const auto& wall) { return moving(wall.motion); });
}

// The first part also stops wide motions, the last one takes overlaps back.
template <int D>
void TimeStepping<D>::part_of_step(World<D>& world, const Part& part, bool keep_energy) {
  const double t = part.t, h = part.h;
  {
    const auto lap = stopwatch_.lap("kick");
    kick(world, h);
    kick_clumps(world, h);
  }
  double reach = 0;
  for (const Chunk& chunk : chunks_) reach = std::max(reach, chunk.fastest * h);
  // Walls count by how far they have come, as bodies do.
  const double room = 0.5 * world.skin - reach;
  const bool lists_old =
      lists_old_ || (touching_ && (!(farthest2_ < room * room) || room < 0 || find::lists_are_old(world, farthest2_)));
  const bool followed = !part.afresh && !lists_old && (!touching_ || way_ + reach < kFollowed * smallest_);
  if (followed) {
    const auto lap = stopwatch_.lap("follow");
    follow(world, h);
    way_ += reach;
  } else {
    if (since_touch_ > 0) keep(world, h, since_touch_);
    if (lists_old) {
      find_neighbours(world);
      chunks_.resize(base::chunk_count(world.bodies.size()));
      kick(world, h);
      kick_clumps(world, h);
    }
    if (touching_) {
      const auto lap = stopwatch_.lap("touch");
      touch(world, t, h);
      check_depth(world);
    }
    way_ = reach;
  }
  since_touch_ += h;
  const bool stops = part.first && settings_.stepping.wide_motions && links_.empty();
  {
    const auto lap = stopwatch_.lap("solve");
    start_from_impulses(followed);
    if (!links_.empty()) links_.place(world, movers_, t, h);
    if (stops) wide_.stop(world, solver_, movers_, h);
    const Solved solved = solver_.solve(movers_, effort(world), tolerance(world, h));
    world.report.iterations += solved.iterations;
    world.report.velocity = std::max(world.report.velocity, solved.residual);
    ++world.report.steps;
  }
  pushed_ = false;
  if (part.last) {
    const auto lap = stopwatch_.lap("push out");
    push_out(h);
  }
  add_pushes(world);
  if (keep_energy) book(world);
  if (stops) wide_.forget(solver_, part.kept, kicked_);
  const auto lap = stopwatch_.lap("move");
  move(world, t, h, part.last);
  move_clumps(world, t, h, part.last);
  farthest2_ = 0;
  for (const Chunk& chunk : chunks_) farthest2_ = std::max(farthest2_, chunk.farthest2);
}

template <int D>
void TimeStepping<D>::kick(World<D>& world, double h) {
  const std::size_t n = world.bodies.size();
  movers_.all.resize(n + world.clumps.size());
  before_.all.resize(n + world.clumps.size());
  reach_.resize(n + world.clumps.size());
  const double damping = math::exp(-world.global_damping * h);
  for_chunks_of(team_, n, [&](std::size_t c, std::size_t begin, std::size_t end) {
    double fastest2 = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Moving<D>& b = world.bodies.moving[i];
      Mover<D>& m = movers_.all[i];
      before_.all[i].v = b.v_now;
      before_.all[i].w = b.w_now;
      if (b.held != Held::kFree) {
        m = {b.v_now, 0, 0, b.w_now};
        const double v2 = square_of_speed(world, i, b.v_now);
        reach_[i] = h * std::sqrt(v2);
        if (b.held != Held::kFixed) fastest2 = std::max(fastest2, v2);
        continue;
      }
      const double inverse_inertia = 1 / world.bodies.inertia[i];
      m.v = b.v_now * damping + (world.bodies.force[i] * b.inverse_mass + world.gravity) * h;
      m.w = b.w_now * damping + world.bodies.torque[i] * (inverse_inertia * h);
      m.inverse_mass = b.inverse_mass;
      m.inverse_inertia = inverse_inertia;
      const double v2 = math::norm2(m.v);
      fastest2 = std::max(fastest2, v2);
      reach_[i] = h * std::sqrt(v2);
    }
    chunks_[c].fastest = std::sqrt(fastest2);
  });
}

template <int D>
void TimeStepping<D>::kick_clumps(World<D>& world, double h) {
  const world::Clumps<D>& clumps = world.clumps;
  const std::size_t n = world.bodies.size();
  solver_.coupled = clumps.size() > 0;
  movers_.tensors.resize(D == 3 ? clumps.size() : 0);
  const double damping = math::exp(-world.global_damping * h);
  for_chunks_of(team_, clumps.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      Mover<D>& m = movers_.all[n + c];
      before_.all[n + c].v = clumps.v_now[c];
      before_.all[n + c].w = clumps.spin_of(c, clumps.momentum[c]);
      m.v = clumps.v_now[c] * damping + (clumps.force[c] * (1 / clumps.mass[c]) + world.gravity) * h;
      m.w = clumps.spin_of(c, clumps.momentum[c] * damping + clumps.torque[c] * h);
      m.inverse_mass = 1 / clumps.mass[c];
      if constexpr (D == 2) {
        m.inverse_inertia = 1 / clumps.inertia[c];
      } else {
        m.inverse_inertia = -1 - static_cast<double>(c);
        Tensor& t = movers_.tensors[c];
        t = {};
        for (int k = 0; k < 3; ++k) {
          math::Vec3 axis{};
          axis[k] = 1;
          axis = math::rotated(axis, clumps.orientation[c]);
          const double inverse = 1 / clumps.inertia[c][k];
          t[0] += inverse * axis[0] * axis[0];
          t[1] += inverse * axis[0] * axis[1];
          t[2] += inverse * axis[0] * axis[2];
          t[3] += inverse * axis[1] * axis[1];
          t[4] += inverse * axis[1] * axis[2];
          t[5] += inverse * axis[2] * axis[2];
        }
      }
      reach_[n + c] = h * (math::norm(m.v) + math::norm(m.w) * clumps.radius[c]);
    }
  });
}

// What the impulses of contacts in the part before do. Where contacts are followed they have done it
// once already: between the kick and the end of that part. A clump has turned since, and so have links.
template <int D>
void TimeStepping<D>::start_from_impulses(bool followed) {
  kicked_.all.resize(movers_.all.size());
  const bool again = followed && !solver_.coupled && links_.empty();
  for_chunks_of(team_, movers_.all.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Mover<D>& m = movers_.all[i];
      const Mover<D> now = m;
      if (again && m.inverse_mass > 0) {
        m.v += before_.all[i].v - kicked_.all[i].v;
        m.w += before_.all[i].w - kicked_.all[i].w;
      }
      kicked_.all[i] = now;
    }
  });
  if (!again) solver_.warm_start(movers_);
}

// Overlaps that are worth it are taken back, by velocities that end with the step.
template <int D>
void TimeStepping<D>::push_out(double h) {
  double worst = 0;
  for (const Chunk& chunk : chunks_) worst = std::max(worst, chunk.deepest);
  pushed_ = worst > kWorthPushing && settings_.stepping.push_out > 0;
  if (!pushed_) return;
  apart_.all.resize(movers_.all.size());
  apart_.tensors = movers_.tensors;
  for (std::size_t i = 0; i < movers_.all.size(); ++i)
    apart_.all[i] = {{}, movers_.all[i].inverse_mass, movers_.all[i].inverse_inertia, {}};
  double part = settings_.stepping.push_out;
  if (settings_.stepping.wide_motions && wide_.active()) part = std::min(part, kLift / wide_.layers());
  solver_.push_out(movers_, apart_, part, h, kPushSweeps);
  if (!links_.empty()) links_.keep_apart(apart_);
}

// The velocity at the whole step is half a step further than the last one of the middle, unless something has hit.
// Who leaves the domain goes at the end of the step, when it is counted.
template <int D>
void TimeStepping<D>::move(World<D>& world, double t, double h, bool last) {
  const double next = t + h, g = math::norm(world.gravity);
  const double* by_links = links_.empty() ? nullptr : links_.kicks(movers_.all.size()).data();
  for_chunks_of(team_, world.bodies.size(), [&](std::size_t c, std::size_t begin, std::size_t end) {
    Chunk& chunk = chunks_[c];
    chunk.farthest2 = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Moving<D>& b = world.bodies.moving[i];
      if (b.held == Held::kFixed || b.held == Held::kMember || b.gone) continue;
      Vec<D>& x = world.bodies.place[i].x;
      if (b.held == Held::kPrescribed) {
        const auto& guided = world.guided[world.bodies.motion[i]];
        x = guided.motion.place(guided.start, next) - world.domain.unwrapped(Vec<D>{}, world.bodies.image[i], next);
        b.v = b.v_now = guided.motion.velocity_of(guided.start, next);
        b.w = b.w_now = guided.motion.spin(next);
        if (guided.solid != world::kNoSolid) {
          world.bodies.orientation[i] = guided.orientation(next);
        } else {
          math::turn(world.bodies.orientation[i], b.w, h);
        }
      } else {
        const Mover<D>& m = movers_.all[i];
        const Vec<D> dv = m.v - b.v_now;
        double smooth = 2 * h * (g + math::norm(world.bodies.force[i]) * b.inverse_mass);
        if (by_links != nullptr) smooth += 2 * by_links[i];
        const double on = math::norm2(dv) <= smooth * smooth ? 0.5 : 0;
        b.v = m.v + dv * on;
        b.w = m.w + (m.w - b.w_now) * on;
        b.v_now = m.v;
        b.w_now = m.w;
        x += m.v * h;
        if (pushed_) x += apart_.all[i].v * h;
        if (pushed_ && by_links != nullptr) math::turn(world.bodies.orientation[i], apart_.all[i].w, h);
        math::turn(world.bodies.orientation[i], b.w_now, h);
      }
      const double moved2 = math::norm2(x - world.bodies.x_found[i]);
      if (!(moved2 < std::numeric_limits<double>::infinity())) [[unlikely]]
        chunk.lost = world.bodies.id[i];
      chunk.farthest2 = std::max(chunk.farthest2, moved2);
      if (last && !world.domain.contains(x)) [[unlikely]] {
        b.gone = true;
        chunk.outside.push_back(static_cast<std::uint32_t>(i));
      }
    }
  });
}

template <int D>
void TimeStepping<D>::move_clumps(World<D>& world, double t, double h, bool last) {
  world::Clumps<D>& clumps = world.clumps;
  const double g = math::norm(world.gravity);
  const double* by_links = links_.empty() ? nullptr : links_.kicks(movers_.all.size()).data() + world.bodies.size();
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    const Mover<D>& m = movers_.all[world.bodies.size() + c];
    Chunk& chunk = chunks_[clump_home_[c]];
    const Vec<D> dv = m.v - clumps.v_now[c];
    double smooth = 2 * h * (g + math::norm(clumps.force[c]) / clumps.mass[c]);
    if (by_links != nullptr) smooth += 2 * by_links[c];
    clumps.v[c] = m.v + dv * (math::norm2(dv) <= smooth * smooth ? 0.5 : 0);
    clumps.v_now[c] = m.v;
    clumps.momentum[c] = clumps.momentum_of(c, m.w);
    clumps.x[c] += m.v * h;
    if (pushed_) {
      const Mover<D>& apart = apart_.all[world.bodies.size() + c];
      clumps.x[c] += apart.v * h;
      math::turn(clumps.orientation[c], apart.w, h);
    }
    world::turn_freely(clumps, c, h);
    clumps.w[c] = clumps.w_now[c] = clumps.spin_of(c, clumps.momentum[c]);
    clumps.fresh[c] = 1;
    const double moved2 = world::place_members(world, c, t + h);
    if (!(moved2 < std::numeric_limits<double>::infinity())) chunk.lost = clumps.id[c];
    chunk.farthest2 = std::max(chunk.farthest2, moved2);
    for (std::uint32_t k = clumps.start[c]; k < clumps.start[c + 1]; ++k) {
      const std::uint32_t i = clumps.member[k];
      Moving<D>& b = world.bodies.moving[i];
      const Vec<D> arm = clumps.arm(c, k), drift = world::member_drift(world, c, i);
      b.v = clumps.v[c] + math::cross(clumps.w[c], arm) - drift;
      b.v_now = clumps.v_now[c] + math::cross(clumps.w[c], arm) - drift;
      b.w = b.w_now = clumps.w[c];
      b.fresh = true;
    }
    if (last && !world.domain.contains(clumps.x[c])) clumps.gone[c] = 1;
  }
}

// Who left the domain, and whether all is still a number.
template <int D>
void TimeStepping<D>::look_back(World<D>& world) {
  this->left_domain.clear();
  for (const Chunk& chunk : chunks_) {
    if (chunk.lost >= 0) {
      throw base::RunError(fmt::format("body {} has a position that is no longer a number at time {:.6g} s (step {})",
                                       chunk.lost, world.time, world.step),
                           "make the step shorter (time.step or hard.step)");
    }
    for (const std::uint32_t i : chunk.outside) this->left_domain.push_back(world.bodies.id[i]);
  }
  for (std::size_t c = 0; c < world.clumps.size(); ++c) {
    if (world.clumps.gone[c] == 0) continue;
    this->left_domain.push_back(world.clumps.first_member[c]);
    for (std::uint32_t m = world.clumps.start[c]; m < world.clumps.start[c + 1]; ++m)
      world.bodies.moving[world.clumps.member[m]].gone = true;
  }
  if (!this->left_domain.empty()) lists_old_ = true;
}

template <int D>
void TimeStepping<D>::check_depth(const World<D>& world) const {
  const Chunk* worst = nullptr;
  for (const Chunk& chunk : chunks_) {
    if (worst == nullptr || chunk.deepest > worst->deepest) worst = &chunk;
  }
  if (worst == nullptr || !(worst->deepest > deepest)) return;
  const std::string other =
      worst->deepest_b >= 0
          ? fmt::format("body {}", worst->deepest_b)
          : fmt::format("wall '{}'", world.walls[static_cast<std::size_t>(-1 - worst->deepest_b)].name);
  throw base::RunError(fmt::format("body {} and {} overlap by {:.3g} of the smaller radius at time {:.6g} s (step {}); "
                                   "the limit is {:.3g}",
                                   worst->deepest_a, other, worst->deepest, world.time, world.step, deepest),
                       "make the step shorter (time.step or hard.step) or allow more iterations "
                       "(hard.most_iterations); time.max_overlap sets the limit");
}

template class TimeStepping<2>;
template class TimeStepping<3>;

}  // namespace moraine::hard
