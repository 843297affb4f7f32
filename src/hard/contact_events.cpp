// SPDX-License-Identifier: MIT
// From change to change: how a step is followed, where its events are, and what becomes of contacts there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "hard/contact_step.hpp"

namespace moraine::hard {

namespace {
constexpr double kForceNoise =
    1e-9;  // over the weight of everything and the largest force: more than modes are decided by
constexpr double kTornApart = 0.3;     // gap over radius that no correction makes good
constexpr double kThrough = 0.95;      // overlap over radius, of bodies that go through each other in a step
constexpr double kShortestFlight = 4;  // in tolerances: moments of shorter ones are not known
constexpr std::int64_t kEventsInTurn = 100, kMostTurns = 6;
constexpr int kMostRounds = 200;  // of the search for an event
constexpr int kDipSamples = 32;

double hermite(double s, double g0, double r0, double g1, double r1) {  // rates per whole interval
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * g0 + (s3 - 2 * s2 + s) * r0 + (3 * s2 - 2 * s3) * g1 + (s3 - s2) * r1;
}
}  // namespace

// Forces and gaps of a state; nothing of it is kept.
template <int D>
void ContactStep<D>::evaluate(double t, const std::vector<double>& y) {
  formulation_->derivative(t, y.data(), slope_.data());
}

// Pairs that touch without pushing may sink by as much as counts as nothing.
template <int D>
void ContactStep<D>::set_least_gaps() {
  meetings0_ = contacts_->meetings;
  noise_ = kForceNoise * force_scale_;
  for (const auto& f : contacts_->forces) noise_ = std::max(noise_, kForceNoise * std::fabs(f.normal));
  least_gap_.assign(meetings0_.size(), 0);
  for (std::size_t c = 0; c < meetings0_.size(); ++c) {
    const double nothing = contacts_->gap_of_nothing(c);
    if (meetings0_[c].gap > nothing) continue;
    least_gap_[c] = std::min(meetings0_[c].gap, 0.0) - (contacts_->all[c].idle ? nothing : 0);
  }
}

template <int D>
typename ContactStep<D>::Margins ContactStep<D>::margins(std::size_t c) const {
  const Contact<D>& contact = contacts_->all[c];
  const auto& f = contacts_->forces[c];
  if (contact.bonded) return {f.normal + contacts_->hold(contact) + noise_, f.limit - math::norm(f.friction) + noise_};
  if (contact.mode == Mode::kOpen) return {contacts_->meetings[c].gap - least_gap_[c], 1};
  const double normal = f.normal + contacts_->hold(contact) + noise_;
  if (!(contact.law->mu > 0) || settings_.contact.friction != Friction::kCone) return {normal, 1};
  if (contact.mode == Mode::kStick) return {normal, f.limit - math::norm(f.friction) + noise_};
  return {normal, contacts_->no_speed - math::dot(contacts_->meetings[c].slip, contact.along)};
}

template <int D>
bool ContactStep<D>::changes_now() const {
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    const Margins m = margins(c);
    if (m[0] < 0 || m[1] < 0) return true;
  }
  return false;
}

// A pair that has just parted and falls back soon is looked at after it has turned, so that its return is seen.
template <int D>
double ContactStep<D>::first_piece(const World<D>& world, double rest) const {
  double piece = rest;
  const auto acceleration = [&](std::uint32_t node) {
    Vec<D> a{};
    if (node >= system_->movable()) return a;
    for (int d = 0; d < D; ++d) a[d] = slope_[D * system_->movable() + D * node + static_cast<std::size_t>(d)];
    return a;
  };
  (void)world;
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    const Contact<D>& contact = contacts_->all[c];
    const Meeting<D>& m = meetings0_[c];
    if (contact.mode != Mode::kOpen || contact.bonded || !(m.rate > contacts_->no_speed)) continue;
    Vec<D> a = -acceleration(contact.a);
    if (!contact.wall()) a += acceleration(contact.b);
    const double bending = math::dot(m.n, a) + m.bend;
    if (!(bending < 0)) continue;
    const double turns = -m.rate / bending;
    if (2 * turns < rest) piece = std::min(piece, 1.5 * turns);
  }
  return std::max(piece, std::min(rest, 0.5 * tolerance_));
}

// The state at the end of a piece, from its start.
template <int D>
void ContactStep<D>::go(World<D>& world, double t, double piece) {
  const auto lap = stopwatch_.lap("integrate");
  y_ = start_;
  integrator_->restart();
  integrator_->advance(*formulation_, t, piece, y_, world.report);
}

// Where within the piece two surfaces that are apart at both its ends seem to have been nearest, if they met; 0:
// nowhere.
template <int D>
double ContactStep<D>::dip(double piece) const {
  double first = 0;
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    if (contacts_->all[c].mode != Mode::kOpen || contacts_->all[c].bonded) continue;
    const Meeting<D>&m0 = meetings0_[c], &m1 = contacts_->meetings[c];
    if (!(m0.rate < 0) || !(m1.rate > 0) || m1.gap < least_gap_[c]) continue;
    for (int s = 1; s < kDipSamples; ++s) {
      const double at = static_cast<double>(s) / kDipSamples;
      if (hermite(at, m0.gap, m0.rate * piece, m1.gap, m1.rate * piece) >= least_gap_[c]) continue;
      const double here = at * piece;
      if (first == 0 || here < first) first = here;
      break;
    }
  }
  return first;
}

template <int D>
void ContactStep<D>::follow(World<D>& world, double t, double h) {
  double done = 0;
  std::int64_t events = 0;
  while (done < h) {
    const double now = t + done, rest = h - done;
    formulation_->pack(k_, start_);
    evaluate(now, start_);
    set_least_gaps();
    double piece = first_piece(world, rest);
    go(world, now, piece);
    evaluate(now + piece, y_);
    const double nearest = dip(piece);
    if (nearest > 0) {
      piece = nearest;
      go(world, now, piece);
      evaluate(now + piece, y_);
    }
    Kinematics<D> end = k_;
    formulation_->unpack(now + piece, y_.data(), end);
    if (went_too_far(end)) {
      reach_factor_ *= 2;
      list_pairs(world, now, rest);
      continue;
    }
    const bool event = changes_now();
    const double passed = event ? find_event(world, now, piece) : piece;
    accept(world, now, passed);
    done = passed == rest ? h : done + passed;
    if (!event) continue;
    // Bodies may also come to rest between others in ever shorter turns: coarser and coarser speeds count as none.
    if (events % kEventsInTurn == kEventsInTurn - 1 && events < kMostTurns * kEventsInTurn) contacts_->no_speed *= 10;
    if (++events > settings_.contact.most_events) {
      throw base::RunError(
          fmt::format("more than {} events in the step from {:.6g} s", settings_.contact.most_events, t),
          "make the step shorter (time.step), hard.impact_speed or hard.event_tolerance larger, or hard.most_events");
    }
    settle(world, t + done);
  }
}

// Contacts are looked at at the end of the step only (Sun 4.4): those that have come to overlap meet, those that pull
// are dropped.
template <int D>
void ContactStep<D>::whole_step(World<D>& world, double t, double h) {
  formulation_->pack(k_, start_);
  meetings0_ = contacts_->meetings;
  go(world, t, h);
  evaluate(t + h, y_);
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    Contact<D>& contact = contacts_->all[c];
    if (contact.mode == Mode::kOpen && !contact.bonded) note_approach(c, t, h);
    if (contact.mode == Mode::kOpen || contact.bonded) continue;
    contact.spent = contact.spent || contacts_->forces[c].normal < -contacts_->hold(contact);
    contact.halted = contact.mode == Mode::kSlide && math::dot(contacts_->meetings[c].slip, contact.along) > 0;
  }
  accept(world, t, h);
  std::vector<Contact<D>> noted;
  for (const Contact<D>& c : contacts_->all) {
    if (c.halted || c.gained != 0) noted.push_back(c);
  }
  list_pairs(world, t + h, h);
  auto next = noted.cbegin();
  for (Contact<D>& c : contacts_->all) {
    while (next != noted.cend() && next->before(c)) ++next;
    if (next == noted.cend() || c.before(*next)) continue;
    c.halted = next->halted;
    c.gained = next->gained;
  }
  settle(world, t + h);
}

// Of a pair that has met within the step: it is put back to where the surfaces touch, and so must leave with e times
// the speed it had there. With that at the end of the step, which is larger, a ball would gain in each bounce what it
// is lifted by and hop for ever.
template <int D>
void ContactStep<D>::note_approach(std::size_t c, double t, double h) {
  Contact<D>& contact = contacts_->all[c];
  const Meeting<D>&m0 = meetings0_[c], &m1 = contacts_->meetings[c];
  contact.gained = 0;
  // On the straight way from here to there, as b's nearest point sees it.
  const double touching = contact.radius_a + contact.radius_b;
  const Vec<D> from = m0.n * (m0.gap + touching), way = m1.n * (m1.gap + touching) - from;
  const double way2 = math::norm2(way);
  const double nearest = way2 > 0 ? std::clamp(-math::dot(from, way) / way2, 0.0, 1.0) : 0;
  if (math::norm(from + way * nearest) - touching < -kThrough * contact.smaller()) {
    throw base::RunError(
        fmt::format("body {} has gone through {} {} within the step to time {:.6g} s", contact.id_a,
                    contact.wall() ? "wall" : "body", contact.wall() ? -1 - contact.id_b : contact.id_b, t + h),
        "make the step shorter (time.step), or take contacts = \"events\"");
  }
  if (!(m1.gap < -contacts_->gap_of_nothing(c))) return;
  if (!(m1.rate < 0) || settings_.correct.position == When::kNever) return;
  const double bending = (m1.rate - m0.rate) / h;
  contact.gained = -m1.rate - std::sqrt(std::max(0.0, m1.rate * m1.rate - 2 * bending * m1.gap));
}

template <int D>
double ContactStep<D>::next_guess(double lo, double hi, int round, double tolerance) const {
  const double middle = 0.5 * (lo + hi);
  if (settings_.contact.event_search == EventSearch::kBisection || round % 4 == 3) return middle;
  double guess = hi;
  for (std::size_t c = 0; c < at_hi_.size(); ++c) {
    for (std::size_t m = 0; m < 2; ++m) {
      const double high = at_hi_[c][m], low = at_lo_[c][m];
      if (high >= 0) continue;
      if (!(low > 0)) return middle;
      guess = std::min(guess, lo + (hi - lo) * low / (low - high));
    }
  }
  // A little beside the root, so that the other end of the bracket follows.
  return std::clamp(guess, lo + 0.4 * tolerance, hi - 0.4 * tolerance);
}

// The moment of the first change, to the tolerance; y_ becomes the state there. Surfaces that meet have not yet
// overlapped; forces and slips have just changed sign.
template <int D>
double ContactStep<D>::find_event(World<D>& world, double t, double piece) {
  const auto all_margins = [&](std::vector<Margins>& out) {
    out.resize(contacts_->all.size());
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = margins(c);
  };
  double lo = 0, hi = piece;
  std::vector<double> y_lo = start_, y_hi = y_;
  all_margins(at_hi_);
  evaluate(t, start_);
  all_margins(at_lo_);
  for (int round = 0; hi - lo > tolerance_ && round < kMostRounds; ++round) {
    const double at = next_guess(lo, hi, round, std::min(tolerance_, hi - lo));
    go(world, t, at);
    evaluate(t + at, y_);
    if (changes_now()) {
      hi = at;
      y_hi = y_;
      all_margins(at_hi_);
    } else {
      lo = at;
      y_lo = y_;
      all_margins(at_lo_);
    }
  }
  bool distance = false;
  for (std::size_t c = 0; c < at_hi_.size(); ++c) {
    Contact<D>& contact = contacts_->all[c];
    if (contact.mode == Mode::kOpen && !contact.bonded && at_hi_[c][0] < 0) contact.met = distance = true;
  }
  y_ = distance ? y_lo : y_hi;
  const double passed = distance ? lo : hi;
  evaluate(t + passed, y_);
  for (std::size_t c = 0; c < at_hi_.size() && !distance; ++c) {
    Contact<D>& contact = contacts_->all[c];
    if (contact.mode == Mode::kOpen && !contact.bonded) continue;
    if (contact.bonded && (at_hi_[c][0] < 0 || at_hi_[c][1] < 0)) {
      contact.bonded = false;
      contact.rest = 0;
      note_broken(world, t + passed);
      contact.spent = true;
    } else if (at_hi_[c][0] < 0) {
      contact.spent = true;
      contact.mode = Mode::kOpen;
    } else if (at_hi_[c][1] < 0 && contact.mode == Mode::kSlide) {
      contact.halted = true;
      contact.mode = Mode::kStick;
    } else if (at_hi_[c][1] < 0) {
      contact.mode = Mode::kSlide;
      contact.along = contacts_->forces[c].friction * (1 / math::norm(contacts_->forces[c].friction));
    }
  }
  return passed;
}

// Limits of friction are found with the forces of all modes there are, which were not yet those that they lead to: with
// these some contact may pull. The one that does most opens, and so on.
template <int D>
void ContactStep<D>::open_who_pulls(double t) {
  for (std::size_t round = 0; round < contacts_->all.size(); ++round) {
    outer_->update(t, k_);
    std::size_t most = contacts_->all.size();
    double least = 0;
    for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
      const Contact<D>& contact = contacts_->all[c];
      if (contact.mode == Mode::kOpen || contact.bonded) continue;
      const double rest = contacts_->forces[c].normal + contacts_->hold(contact);
      if (rest >= least) continue;
      least = rest;
      most = c;
    }
    if (most == contacts_->all.size()) return;
    contacts_->all[most].mode = Mode::kOpen;
    contacts_->all[most].normal = 0;
    contacts_->all[most].friction = {};
  }
}

template <int D>
void ContactStep<D>::note_broken(World<D>& world, double t) {
  --world.bonds.intact;
  ++world.bonds.broken;
  if (world.bonds.first_break < 0) world.bonds.first_break = t;
}

// Goes on from y_, after corrections.
template <int D>
void ContactStep<D>::accept(World<D>& world, double t, double passed) {
  const double* works = y_.data() + y_.size() - 4;
  world.ledger.loads += works[0];
  world.ledger.global_damping += works[1];
  world.ledger.walls += works[2];
  world.ledger.friction += works[3];
  contacts_->keep_forces();
  for (Contact<D>& c : contacts_->all) {
    if (c.mode != Mode::kOpen) c.age += passed;
  }
  const auto lap = stopwatch_.lap("correct");
  const double now = t + passed;
  const bool position = settings_.correct.position != When::kNever,
             velocity = settings_.correct.velocity != When::kNever;
  if (system_->row_count() > 0) formulation_->correct(now, y_.data(), position, velocity);
  formulation_->unpack(now, y_.data(), k_);
  const std::vector<Vec<D>> before = k_.x;
  if (!(contacts_->correct(now, k_, position, velocity) < kTornApart)) {
    throw base::RunError(fmt::format("contacts have come apart, or overlap, by a third of a radius or more at time "
                                     "{:.6g} s",
                                     now),
                         "make the step shorter (time.step)");
  }
  if (settings_.contacts != ContactMode::kSteps) return;
  // Who is put back against the weight has lost so much less in the impact.
  for (std::size_t i = 0; i < system_->movable(); ++i)
    world.ledger.normal_dashpot += system_->mass[i] * math::dot(world.gravity, k_.x[i] - before[i]);
}

// Impacts, and then who pushes, sticks and slides.
template <int D>
void ContactStep<D>::settle(World<D>& world, double t) {
  ++events_;
  const auto book = [&](const typename ContactForces<D>::Losses& losses) {
    world.ledger.normal_dashpot += losses.normal;
    world.ledger.friction += losses.friction;
    world.ledger.walls += losses.held;
    world.collisions += losses.bounces;
  };
  {
    const auto lap = stopwatch_.lap("impacts");
    const double slow = settings_.impact_speed >= 0 ? settings_.impact_speed : 2 * math::norm(world.gravity) * world.dt;
    typename ContactForces<D>::Losses losses;
    // In steps nobody comes back within one.
    const double shortest = settings_.contacts == ContactMode::kSteps ? world.dt : kShortestFlight * tolerance_;
    contacts_->impact(t, k_, {slow, shortest}, losses);
    book(losses);
  }
  const auto lap = stopwatch_.lap("contact forces");
  contacts_->jammed_once = false;
  for (bool again = true; again;) {
    contacts_->choosing = true;
    outer_->update(t, k_);
    contacts_->choosing = false;
    again = false;
    if (!contacts_->jammed.empty()) {
      typename ContactForces<D>::Losses losses;
      contacts_->stop_slips(t, k_, losses);
      book(losses);
      contacts_->jammed_once = again = true;
      continue;
    }
    for (std::size_t n = 0; n < contacts_->all.size(); ++n) {
      Contact<D>& c = contacts_->all[n];
      // Cohesion that does not hold is gone at once.
      if (!c.bonded && c.mode == Mode::kOpen && contacts_->holds_still(n) && contacts_->hold(c) > 0) {
        c.spent = again = true;
        continue;
      }
      if (!c.bonded || c.mode == Mode::kStick) continue;
      c.bonded = false;
      c.rest = 0;
      c.spent = true;
      note_broken(world, t);
      again = true;
    }
  }
  if (settings_.contact.friction_limit && settings_.contact.friction != Friction::kCone) open_who_pulls(t);
  for (std::size_t c = 0; c < contacts_->all.size(); ++c) {
    Contact<D>& contact = contacts_->all[c];
    contact.met = contact.halted = false;
    contact.idle = contact.mode == Mode::kOpen && contacts_->holds_still(c);
    if (contact.mode != Mode::kOpen) {
      if (contact.law->bond.on && contact.law->bond.on_touch && !contact.bonded && !contact.spent) {
        contact.bonded = true;
        contact.mode = Mode::kStick;
        contact.rest = contacts_->meetings[c].gap;
        ++world.bonds.intact;
      }
      continue;
    }
    if (contact.bonded) continue;
    contact.age = 0;
    // A contact that was torn open holds again once it has opened.
    if (contact.spent && contacts_->meetings[c].gap > contacts_->gap_of_nothing(c)) contact.spent = false;
  }
  unsettled_ = false;
}

#define MORAINE_INSTANTIATE(D)                                         \
  template void ContactStep<D>::follow(World<D>&, double, double);     \
  template void ContactStep<D>::whole_step(World<D>&, double, double); \
  template void ContactStep<D>::settle(World<D>&, double);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::hard
