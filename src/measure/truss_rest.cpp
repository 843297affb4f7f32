// SPDX-License-Identifier: MIT
// What peeling leaves: the forces of springs at the struts (Wierzba 7.3), where those that would pull are dropped and
// those beyond the limit of friction slide. Each round solves the structure of the present states. Where nothing holds
// a motion, a weak spring to the last place does (the shift): loads along such motions stay unbalanced.
#include <algorithm>
#include <cmath>

#include "math/gmres.hpp"
#include "measure/truss_matrix.hpp"

namespace moraine::measure {

namespace {

constexpr double kShift = 1e-9;          // over the largest stiffness
constexpr double kMostDrag = 100;        // the same, of steps that go too far
constexpr double kExact = 1e-13;         // balance over the largest load, below which no round is of use
constexpr double kRounding = 1e-11;      // balance over the largest load that rounding may leave
constexpr double kSlow = 0.1;            // rounds that leave more than this of what was left are of no use
constexpr double kOver = 1.6;            // relaxation of alternate()
constexpr int kTurns = 60;               // of it, each time three times as many
constexpr double kNear = 0.05;           // balance over the largest load that newton() can start from
constexpr int kFirst = 6, kNewton = 30;  // rounds before and after it
constexpr std::size_t kMost = 80;        // directions of GMRES
using Numbers = std::vector<double>;

double largest(const Numbers& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::fabs(v));
  return most;
}
double square(const Numbers& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

template <int D>
class Rest {
 public:
  Rest(TrussWork<D>& work, const std::vector<std::uint32_t>& struts)
      : work_(work), matrix_(work.truss, struts), now_(struts.size()) {
    for (const std::uint32_t s : struts) {
      stiffest_ = std::max({stiffest_, work.truss.struts[s].stiffness, work.truss.struts[s].shear});
      rough_ = rough_ || work.truss.struts[s].rough();
    }
    load_.assign(matrix_.size(), 0);
    for (const std::uint32_t node : matrix_.nodes()) {
      const std::size_t at = matrix_.first(node);
      for (int c = 0; c < D; ++c) load_[at + static_cast<std::size_t>(c)] = work.load[node][c];
      if (work.truss.turns[node] == 0) continue;
      const math::Vec3 moment = math::spin_as_vec3(work.moment[node]) * (1 / work.truss.size[node]);
      for (std::size_t c = D; c < matrix_.freedoms(node); ++c)
        load_[at + c] = moment[D == 2 ? 2 : static_cast<int>(c) - D];
    }
  }

  void run() {
    const double most = largest(load_);
    Numbers u(matrix_.size(), 0), left = load_;
    Best best{most, u};
    count_loose();
    bool settled = most == 0 || newton(u, left);
    for (const bool least : {false, true}) {
      for (int turns = kTurns; !settled && rough_ && work_.options.limits && turns <= 9 * kTurns; turns *= 3) {
        if (turns == kTurns) start_alternating(least, u.size(), best);
        alternate(turns, u, left);
        best.keep(largest(left), u);
        if (largest(left) <= kNear * most || turns == 9 * kTurns) settled = newton(u, left);
        best.keep(largest(left), u);
      }
    }
    if (!settled) look(best.u, left);
    if (largest(left) > kExact * most) leave_out(left);
    work_.out.settled = settled || largest(left) <= work_.options.tolerance * most;
    work_.out.least_energy = least_;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      work_.out.force[matrix_.struts()[k]] = now_[k].force;
      work_.out.state[matrix_.struts()[k]] = now_[k].state;
    }
  }

 private:
  // The round that left least.
  struct Best {
    double left;
    Numbers u;
    void keep(double left_now, const Numbers& u_now) {
      if (left_now >= left) return;
      *this = {left_now, u_now};
    }
  };
  struct Now {
    StrutState state = StrutState::kHolds;
    Vec<D> force{};     // on a
    Vec<D> slip{};      // unit vector of sliding: a's surface over b's
    double softer = 0;  // sliding: what resists a turn of the slip
    Vec<D> apart{};     // of its springs, without what it slid
  };

  // Solves the structure of the present states, which gives the next ones, until they stay.
  bool newton(Numbers& u, Numbers& left) {
    const double most = largest(load_);
    const int enough = alternated_.empty() ? kFirst : least_ ? 4 * kNewton : kNewton;
    drag_ = kShift;
    prepared_ = false;
    for (int rounds = 0; work_.out.iterations < work_.options.most_iterations && !(rough_ && rounds > enough);) {
      ++work_.out.iterations;
      prepare();
      const Numbers d = direction(left);
      const bool first = work_.out.iterations == 1;  // from nothing, where all contacts are on the verge
      const double step = first || !work_.options.limits ? 1 : search(u, d, left);
      if (step == 0) {  // a body that little holds went too far
        ++rounds;
        drag_ *= 100;
        prepared_ = false;
        if (drag_ > kMostDrag) return false;
        continue;
      }
      const bool free = drag_ == kShift;
      drag_ = std::max(kShift, 0.1 * drag_);
      for (std::size_t k = 0; k < u.size(); ++k) u[k] += step * d[k];
      const double before = largest(left);
      const bool changed = look(u, left);
      prepared_ = !changed && !slides_ && drag_ == kShift;
      const double after = largest(left);
      if (after <= kExact * most) return true;
      // No better than this: rounding, or loads that cannot be borne. A body all of whose contacts slide is no such
      // case: it turns until one of them holds.
      if (!changed && free && step == 1 && after > kSlow * before)
        return !slides_ || least_ || after <= kRounding * most;
      rounds += prepared_ ? 0 : 1;
    }
    return false;
  }

  // Alternating directions (Glowinski and Marrocco), for friction: in turn the displacements of the structure with all
  // struts, and the displacement of each strut by itself. Slow and sure; brings newton() near. Goes on where it ended.
  void start_alternating(bool least, std::size_t freedoms, Best& best) {
    least_ = least;
    best.left = largest(load_);
    best.u.assign(freedoms, 0);
    alternated_.assign(freedoms, 0);
    split_.assign(now_.size(), {});
    carried_.assign(now_.size(), {});
  }
  void alternate(int turns, Numbers& u, Numbers& left) {
    u = alternated_;
    matrix_.clear();
    for (std::size_t k = 0; k < now_.size(); ++k) matrix_.add(k, trial(k));
    matrix_.factor(kShift * stiffest_);
    for (int turn = 0; turn < turns; ++turn) {
      Numbers f = load_;
      for (std::size_t k = 0; k < now_.size(); ++k)
        matrix_.push(k, trial(k) * (split_[k] - carried_[k] - matrix_.apart(k, u)), f);
      matrix_.solve(f);
      for (std::size_t r = 0; r < u.size(); ++r) u[r] += f[r];
      for (std::size_t k = 0; k < now_.size(); ++k) {
        const Vec<D> apart = matrix_.apart(k, u) * kOver + split_[k] * (1 - kOver);
        split_[k] = yielded(strut(k), apart + carried_[k]);
        carried_[k] += apart - split_[k];
      }
    }
    alternated_ = u;
    look(u, left);
  }
  // Springs between the displacement of a strut by itself and that of the structure: as its own, but weak along
  // surfaces of little friction, where slip is large against the forces.
  double trial_shear(const Strut<D>& s) const { return least_ ? s.shear : s.shear * std::min(1.0, 2 * s.friction); }
  Tensor<D> trial(std::size_t k) const {
    const Strut<D>& s = strut(k);
    return outer(s.normal, s.normal) * s.stiffness + across(s.normal) * (s.rough() ? trial_shear(s) : 0);
  }
  // The displacement of a strut whose force and trial springs from `pulled` balance.
  Vec<D> yielded(const Strut<D>& s, const Vec<D>& pulled) const {
    if (least_) return pulled - answer(s, pulled * 0.5).apart;
    const double in = math::dot(pulled, s.normal);
    if (!(in > 0)) return pulled;
    const Vec<D> slipped = pulled - s.normal * in, half = s.normal * (0.5 * in);
    if (!s.rough()) return half + slipped;
    const double weak = trial_shear(s), part = weak / (s.shear + weak);
    const double far = math::norm(slipped), limit = s.friction * s.stiffness * 0.5 * in;
    return s.shear * part * far <= limit ? half + slipped * part : half + slipped * (1 - limit / (weak * far));
  }

  const Strut<D>& strut(std::size_t k) const { return work_.truss.struts[matrix_.struts()[k]]; }

  // The springs of a strut in its state, but for the part of sliding that is not symmetric.
  Tensor<D> springs(std::size_t k) const {
    const Strut<D>& s = strut(k);
    if (now_[k].state == StrutState::kDropped) return {};
    const Tensor<D> along = outer(s.normal, s.normal) * s.stiffness;
    if (!s.rough()) return along;
    if (now_[k].state == StrutState::kHolds) return along + across(s.normal) * s.shear;
    const Tensor<D> turning = (across(s.normal) + outer(now_[k].slip, now_[k].slip) * -1) * now_[k].softer;
    if (least_) {
      const Vec<D> both = s.normal + now_[k].slip * s.friction;
      return outer(both, both) * (1 / yielding(s)) + turning;
    }
    return along + turning;
  }
  // Friction of a sliding strut grows with the force across it.
  Tensor<D> all_springs(std::size_t k) const {
    const Strut<D>& s = strut(k);
    if (now_[k].state != StrutState::kSlides || least_) return springs(k);
    return springs(k) + outer(now_[k].slip, s.normal) * (s.friction * s.stiffness);
  }

  void prepare() {
    if (prepared_) return;
    matrix_.clear();
    slides_ = false;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      matrix_.add(k, springs(k));
      slides_ = slides_ || now_[k].state == StrutState::kSlides;
    }
    shift_ = matrix_.factor(drag_ * stiffest_);
    prepared_ = true;
  }

  void count_loose() {
    for (std::size_t k = 0; k < now_.size(); ++k) matrix_.add(k, springs(k));
    for (const std::uint8_t loose : matrix_.loose(stiffest_)) work_.out.loose += loose;
  }

  // Forces and states at the displacement u, and what they leave of the loads; true: a state has changed.
  bool look(const Numbers& u, Numbers& left) {
    bool changed = false;
    left = load_;
    for (std::size_t k = 0; k < now_.size(); ++k) {
      const Now before = now_[k];
      now_[k] = answer(strut(k), matrix_.apart(k, u));
      changed = changed || now_[k].state != before.state || math::dot(now_[k].slip, before.slip) < 0;
      matrix_.push(k, now_[k].force, left);
    }
    return changed;
  }
  Now answer(const Strut<D>& s, const Vec<D>& apart) const {
    Now now;
    const double in = math::dot(apart, s.normal), push = s.stiffness * in;
    const bool limits = work_.options.limits;
    const Vec<D> slipped = apart - s.normal * in;
    const double far = s.rough() ? math::norm(slipped) : 0, limit = s.friction * push;
    if (limits && least_ && far > 0 && s.shear * far > limit) return nearest(s, in, slipped * (1 / far), far);
    if (limits && !(in > 0)) {
      now.state = StrutState::kDropped;
      return now;
    }
    now.apart = apart;
    now.force = s.normal * -push;
    if (!s.rough()) return now;
    if (!limits || s.shear * far <= limit) {
      now.force -= slipped * s.shear;
      return now;
    }
    now.state = StrutState::kSlides;
    now.slip = slipped * (1 / far);
    now.softer = limit / far;
    now.force -= now.slip * limit;
    return now;
  }
  // Least energy: the force within the limits that is nearest, by energy, to that of the springs.
  Now nearest(const Strut<D>& s, double in, const Vec<D>& slip, double far) const {
    Now now;
    const double push = (in + s.friction * far) / yielding(s);
    now.state = push > 0 ? StrutState::kSlides : StrutState::kDropped;
    if (!(push > 0)) return now;
    now.slip = slip;
    now.softer = s.friction * push / far;
    now.force = (s.normal + slip * s.friction) * -push;
    now.apart = s.normal * (push / s.stiffness) + slip * (s.friction * push / s.shear);
    return now;
  }
  static double yielding(const Strut<D>& s) { return 1 / s.stiffness + s.friction * s.friction / s.shear; }

  // Displacement that answers the forces f, in the present states.
  Numbers direction(const Numbers& f) const {
    Numbers d = f;
    if (!slides_ || least_) {
      matrix_.solve(d);
      return d;
    }
    const auto forces = [&](Numbers& x) {
      Numbers y(x.size());
      for (std::size_t r = 0; r < x.size(); ++r) y[r] = shift_ * x[r];
      for (std::size_t k = 0; k < now_.size(); ++k) matrix_.push(k, all_springs(k) * matrix_.apart(k, x), y);
      x = std::move(y);
    };
    return math::gmres(
        forces, [&](Numbers& x) { matrix_.solve(x); }, f, 1e-12, kMost);
  }

  double search(const Numbers& u, const Numbers& d, const Numbers& left) {
    return rough_ ? search_balance(u, d, left) : search_energy(u, d);
  }
  // Without friction there is an energy, of parabolas between the places where struts open and close: its least value
  // along the way.
  double search_energy(const Numbers& u, const Numbers& d) const {
    struct Turn {
      double at, slope;
    };
    std::vector<Turn> turns;
    double value = 0, slope = shift_ * square(d);
    for (std::size_t r = 0; r < d.size(); ++r) value -= load_[r] * d[r];
    for (std::size_t k = 0; k < now_.size(); ++k) {
      const Strut<D>& s = strut(k);
      const double in = math::dot(matrix_.apart(k, u), s.normal), rate = math::dot(matrix_.apart(k, d), s.normal);
      if (in > 0 || (in == 0 && rate > 0)) {
        value += s.stiffness * in * rate;
        slope += s.stiffness * rate * rate;
        if (rate < 0) turns.push_back({-in / rate, -s.stiffness * rate * rate});
      } else if (rate > 0) {
        turns.push_back({-in / rate, s.stiffness * rate * rate});
      }
    }
    std::sort(turns.begin(), turns.end(), [](const Turn& x, const Turn& y) { return x.at < y.at; });
    double at = 0;
    for (const Turn& turn : turns) {
      if (turn.at >= 1 || value + slope * (turn.at - at) >= 0) break;
      value += slope * (turn.at - at);
      slope += turn.slope;
      at = turn.at;
    }
    // At 1 up to rounding if nothing opens or closes on the way.
    const double best = slope > 0 ? at - value / slope : 1;
    return best > 1 - 1e-9 ? 1 : std::max(best, at);
  }
  // With friction: half and half again, until less is left; 0: it never is.
  double search_balance(const Numbers& u, const Numbers& d, const Numbers& left) {
    const double before = square(left);
    const std::vector<Now> kept = now_;
    Numbers there(u.size()), f;
    double best = 0, least = before;
    for (int halving = 0; halving < 7; ++halving) {
      const double step = std::ldexp(1.0, -halving);
      for (std::size_t k = 0; k < u.size(); ++k) there[k] = u[k] + step * d[k];
      look(there, f);
      const double after = square(f);
      if (after < least) {
        best = step;
        least = after;
      }
      if (least < before * (1 - 1e-4 * step)) break;
    }
    now_ = kept;
    return best;
  }

  // Loads that the structure of the last states cannot bear are taken away, so that the other forces are those of
  // small displacements.
  void leave_out(Numbers& left) {
    drag_ = kShift;
    prepared_ = false;
    prepare();
    Numbers part = load_;
    for (int pass = 0; pass < 6; ++pass) {
      part = direction(part);
      for (double& v : part) v *= shift_;
    }
    Numbers borne(load_.size()), moved(load_.size(), 0), rest;
    for (std::size_t k = 0; k < borne.size(); ++k) borne[k] = load_[k] - part[k];
    std::vector<Vec<D>> force(now_.size());
    rest = borne;
    for (int pass = 0; pass < 4; ++pass) {
      const Numbers d = direction(rest);
      for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += d[k];
      rest = borne;
      for (std::size_t k = 0; k < now_.size(); ++k) {
        force[k] = -(all_springs(k) * matrix_.apart(k, moved));
        matrix_.push(k, force[k], rest);
      }
    }
    Numbers still = load_;
    bool good = true;
    const double little = kRounding * largest(load_);
    for (std::size_t k = 0; k < now_.size(); ++k) {
      const Strut<D>& s = strut(k);
      matrix_.push(k, force[k], still);
      const double push = -math::dot(force[k], s.normal), friction = math::norm(force[k] + s.normal * push);
      good = good && (!work_.options.limits || (push >= -little && friction <= s.friction * push + little));
    }
    if (!good || !(largest(still) <= largest(left))) return;
    for (std::size_t k = 0; k < now_.size(); ++k) now_[k].force = force[k];
    left = still;
  }

  TrussWork<D>& work_;
  TrussMatrix<D> matrix_;
  std::vector<Now> now_;
  Numbers load_;
  // Of alternate(): displacements of the structure, of each strut by itself, and what holds them together.
  Numbers alternated_;
  std::vector<Vec<D>> split_, carried_;
  bool least_ = false;  // forces of the least energy within the limits
  double stiffest_ = 0, shift_ = 0, drag_ = kShift;
  bool rough_ = false, slides_ = false, prepared_ = false;
};

}  // namespace

template <int D>
void solve_rest(TrussWork<D>& work) {
  std::vector<std::uint32_t> struts;
  for (std::uint32_t s = 0; s < work.open.size(); ++s) {
    if (work.open[s] != 0) struts.push_back(s);
  }
  if (!struts.empty()) Rest<D>(work, struts).run();
}

template void solve_rest<2>(TrussWork<2>&);
template void solve_rest<3>(TrussWork<3>&);

}  // namespace moraine::measure
