// SPDX-License-Identifier: MIT
#include "hard/contact_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hard/show_links.hpp"

namespace moraine::hard {

namespace {
constexpr double kTolerance = 1e-9;  // of events, in steps
constexpr double kNoSpeed = 1e-10;   // over the fastest
}  // namespace

template <int D>
bool ContactStep<D>::take_loads(const typename Outer<D>::Loads& loads) {
  loads_ = &loads;
  return true;
}

template <int D>
void ContactStep<D>::assemble(World<D>& world) {
  std::vector<Contact<D>> before;
  if (contacts_) before = std::move(contacts_->all);
  for (world::Wall<D>& wall : world.walls) world::place_wall(wall, world.time, world.dt);
  system_ = std::make_unique<System<D>>(world, true);
  contacts_ = std::make_unique<ContactForces<D>>(world, *system_, settings_);
  outer_ = std::make_unique<Outer<D>>(world, *system_, team_, loads_, contacts_.get());
  formulation_ = make_newton_euler(world, *system_, *outer_, settings_);
  integrator_ = make_integrator(*formulation_, *system_, *outer_, settings_);
  finder_ = std::make_unique<PairFinder<D>>(world, *system_);
  contacts_->all = std::move(before);
  slope_.assign(formulation_->size(), 0);
  tolerance_ = settings_.contact.event_tolerance > 0 ? settings_.contact.event_tolerance : kTolerance * world.dt;
  system_->read(world, k_);
  changed_ = false;
}

template <int D>
void ContactStep<D>::begin(World<D>& world, const base::Record* resumed) {
  take_walls_away(world);
  assemble(world);
  if (resumed == nullptr) {
    list_pairs(world, world.time, world.dt);
    contacts_->push_apart(world.time, k_);
    system_->write(k_, world);
    make_bonds(world);
    unsettled_ = true;
    return;
  }
  const auto& whole = resumed->integer("contacts.whole");
  const auto& real = resumed->real("contacts.real");
  constexpr std::size_t kWhole = 6, kReal = 3 + 2 * D;
  for (std::size_t c = 0; c < whole.size() / kWhole; ++c) {
    Contact<D> contact;
    const std::int64_t* w = whole.data() + c * kWhole;
    const double* r = real.data() + c * kReal;
    contact.id_a = w[0];
    contact.id_b = w[1];
    contact.mode = static_cast<Mode>(w[2]);
    contact.bonded = w[3] != 0;
    contact.spent = w[4] != 0;
    contact.idle = w[5] != 0;
    contact.age = r[0];
    contact.rest = r[1];
    contact.normal = r[2];
    for (int d = 0; d < D; ++d) {
      contact.friction[d] = r[3 + d];
      contact.along[d] = r[3 + D + d];
    }
    contacts_->all.push_back(contact);
  }
  unsettled_ = resumed->count("contacts.unsettled") != 0;
  events_ = resumed->count("contacts.events");
  list_pairs(world, world.time, world.dt);
}

template <int D>
void ContactStep<D>::save(base::Record& record) const {
  auto& whole = record.ints["contacts.whole"];
  auto& real = record.reals["contacts.real"];
  whole.clear();
  real.clear();
  for (const Contact<D>& c : contacts_->all) {
    if (!c.has_state()) continue;
    for (const std::int64_t w : {c.id_a, c.id_b, static_cast<std::int64_t>(c.mode), std::int64_t{c.bonded},
                                 std::int64_t{c.spent}, std::int64_t{c.idle}})
      whole.push_back(w);
    for (const double r : {c.age, c.rest, c.normal}) real.push_back(r);
    for (int d = 0; d < D; ++d) real.push_back(c.friction[d]);
    for (int d = 0; d < D; ++d) real.push_back(c.along[d]);
  }
  record.set("contacts.unsettled", std::int64_t{unsettled_ ? 1 : 0});
  record.set("contacts.events", events_);
}

template <int D>
void ContactStep<D>::take_walls_away(World<D>& world) {
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    world::Wall<D>& wall = world.walls[w];
    if (wall.gone || world.time < wall.until) continue;
    wall.gone = true;
    wall.force = {};
    wall.torque = {};
    if (contacts_) std::erase_if(contacts_->all, [&](const Contact<D>& c) { return c.wall() && c.wall_number() == w; });
    unsettled_ = true;
  }
}

template <int D>
void ContactStep<D>::list_pairs(const World<D>& world, double t, double h) {
  const double g = math::norm(world.gravity);
  reach_.assign(system_->nodes(), 0);
  for (std::uint32_t i = 0; i < system_->nodes(); ++i) {
    const double speed = math::norm(k_.v[i]) + math::norm(k_.w[i]) * finder_->arm(i);
    reach_[i] = reach_factor_ * (speed * h + 0.5 * (i < system_->movable() ? g : 0) * h * h) + 1e-3 * finder_->arm(i);
  }
  std::vector<double> wall_reach(world.walls.size(), 0);
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    const world::Motion<D>& m = world.walls[w].motion;
    wall_reach[w] = 2 * (math::norm(m.velocity(t)) * h + math::norm(m.acceleration(t)) * h * h) +
                    2 * math::norm(m.shift(t + h) - m.shift(t));
  }
  contacts_->all = finder_->find(k_, reach_, wall_reach, t, std::move(contacts_->all));
  listed_x_ = k_.x;
  contacts_->look(t, k_);
  contacts_->forces.assign(contacts_->all.size(), {});
}

// What counts as nothing, for the present speeds.
template <int D>
void ContactStep<D>::set_scales(const World<D>& world) {
  const double g = math::norm(world.gravity);
  double speed = std::sqrt(g * finder_->smallest());
  for (std::size_t i = 0; i < system_->nodes(); ++i)
    speed = std::max(speed, math::norm(k_.v[i]) + math::norm(k_.w[i]) * finder_->arm(static_cast<std::uint32_t>(i)));
  contacts_->no_speed = kNoSpeed * speed;
  force_scale_ = system_->total_mass * g;
}

// Beyond what the list of pairs was made for.
template <int D>
bool ContactStep<D>::went_too_far(const Kinematics<D>& k) const {
  for (std::size_t i = 0; i < system_->movable(); ++i) {
    if (math::norm(k.x[i] - listed_x_[i]) > reach_[i]) return true;
  }
  return false;
}

template <int D>
void ContactStep<D>::make_bonds(World<D>& world) {
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    Contact<D>& contact = contacts_->all[c];
    const world::Bond& bond = contact.law->bond;
    if (!bond.on || contacts_->meetings[c].gap > bond.gap * contact.smaller() + contacts_->gap_of_nothing(c)) continue;
    contact.bonded = true;
    contact.rest = contacts_->meetings[c].gap;
    ++world.bonds.intact;
  }
}

template <int D>
std::int64_t ContactStep<D>::contacts() const {
  std::int64_t n = 0;
  if (!contacts_) return n;
  for (const Contact<D>& c : contacts_->all) n += c.mode != Mode::kOpen ? 1 : 0;
  return n + static_cast<std::int64_t>(system_->arcs.size());
}

// Looking changes nothing: forces with the modes that there are.
template <int D>
void ContactStep<D>::forces(World<D>& world, bool /*keep_energy*/, bool looked_at, bool /*keep_records*/) {
  for (world::Wall<D>& wall : world.walls) {
    if (wall.moves() && !wall.gone) world::place_wall(wall, world.time, world.dt);
  }
  take_walls_away(world);
  if (changed_) {
    assemble(world);
    list_pairs(world, world.time, world.dt);
  }
  if (!looked_at) return;
  const auto lap = stopwatch_.lap("link forces");
  show(world, world.time);
}

template <int D>
void ContactStep<D>::show(World<D>& world, double t) {
  const std::vector<double> guess = formulation_->forces();
  Kinematics<D> k = k_;
  system_->read(world, k);
  std::vector<double> y, slope(formulation_->size());
  formulation_->pack(k, y);
  formulation_->derivative(t, y.data(), slope.data());
  world.time = t;
  records_.clear();
  show_links(*system_, k, formulation_->forces(), world, records_);
  const Violation v = formulation_->violation(t, y.data());
  world.report.position = v.position;
  world.report.velocity = v.velocity;
  formulation_->set_forces(guess);
  for (world::Wall<D>& wall : world.walls) {
    wall.force = {};
    wall.torque = {};
  }
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    const Contact<D>& contact = contacts_->all[c];
    if (contact.mode == Mode::kOpen) continue;
    const Meeting<D>& m = contacts_->meetings[c];
    const auto& f = contacts_->forces[c];
    world.report.position = std::max(world.report.position, std::fabs(m.gap - contact.rest));
    world.report.velocity = std::max(world.report.velocity, std::fabs(m.rate));
    world::ContactRecord<D> r{};
    r.a = contact.id_a;
    r.b = contact.id_b;
    r.point = k.x[contact.a] + m.touch_a;
    r.normal = m.n;
    r.force = -(m.n * f.normal + f.friction);
    r.overlap = -m.gap;
    r.distance = contact.radius_a + contact.radius_b + m.gap;
    r.rate = -m.rate;
    r.normal_force = f.normal;
    records_.push_back(r);
    if (!contact.wall()) continue;
    world::Wall<D>& wall = world.walls[contact.wall_number()];
    wall.force -= r.force;
    wall.torque -= math::cross(r.point - wall.reference, r.force);
  }
  sort_records(records_);
}

template <int D>
void ContactStep<D>::advance(World<D>& world, bool /*keep_energy*/) {
  const double t = static_cast<double>(world.step) * world.dt, h = world.dt;
  if (changed_) assemble(world);
  world.report = {.position = world.report.position, .velocity = world.report.velocity};
  const std::int64_t sweeps = formulation_->iterations();
  system_->read(world, k_);
  reach_factor_ = 1.2;
  list_pairs(world, t, h);
  set_scales(world);
  for (Contact<D>& c : contacts_->all) c.bounces = 0;
  if (settings_.contact.friction == Friction::kLagged) {
    contacts_->lag_friction();
    unsettled_ = true;
  }
  if (unsettled_) settle(world, t);
  if (settings_.contacts == ContactMode::kEvents) {
    follow(world, t, h);
  } else {
    whole_step(world, t, h);
  }
  world.report.iterations += formulation_->iterations() - sweeps;
  ++world.step;
  world.time = static_cast<double>(world.step) * world.dt;
  check_state(world);
  const double now = world.time;
  system_->write(k_, world);
  world.time = now;
}

template <int D>
void ContactStep<D>::check_state(const World<D>& world) const {
  for (std::size_t i = 0; i < system_->movable(); ++i) {
    if (!math::is_finite(k_.x[i]) || !math::is_finite(k_.v[i]) || !math::is_finite(k_.w[i])) {
      throw base::RunError(
          fmt::format("body {} has a position or velocity that is no longer a number at time {:.6g} s (step {})",
                      system_->id_of(i), world.time, world.step),
          "make the step shorter (time.step)");
    }
    if (world.domain.contains(k_.x[i])) continue;
    throw base::RunError(
        fmt::format("body {} left the domain at time {:.6g} s (step {})", system_->id_of(i), world.time, world.step),
        "make the domain larger or close it with walls, or leave out its bounds");
  }
}

template class ContactStep<2>;
template class ContactStep<3>;

}  // namespace moraine::hard
