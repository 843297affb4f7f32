// SPDX-License-Identifier: MIT
// Bodies with so few contacts that their own balance gives the forces, one after the other (Wierzba 7.2).
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "measure/truss.hpp"

namespace moraine::measure {

namespace {

// How far contacts of a body must be from depending on each other. Well-placed ones come first: nearly opposite
// contacts make large forces out of little where the balance is not perfect. Below the last they are not told apart.
constexpr std::array<double, 4> kApart = {0.3, 0.03, 1e-3, 1e-6};

template <int D>
constexpr std::size_t kFreedoms = D == 2 ? 3 : 6;

template <int D>
using Wrench = std::array<double, kFreedoms<D>>;

template <int D>
class Peel {
 public:
  explicit Peel(TrussWork<D>& work) : work_(work), truss_(work.truss), at_(truss_.nodes()) {
    for (std::uint32_t s = 0; s < truss_.struts.size(); ++s) {
      at_[truss_.struts[s].a].push_back(s);
      if (truss_.struts[s].b != kGround) at_[truss_.struts[s].b].push_back(s);
    }
  }

  void run() {
    std::array<std::deque<std::uint32_t>, kApart.size()> queues;
    std::vector<std::uint8_t> done(truss_.nodes(), 0);
    for (std::uint32_t i = 0; i < truss_.nodes(); ++i) queues[0].push_back(i);
    for (;;) {
      std::size_t level = 0;
      while (level < queues.size() && queues[level].empty()) ++level;
      if (level == queues.size()) return;
      const std::uint32_t i = queues[level].front();
      queues[level].pop_front();
      if (done[i] != 0) continue;
      std::vector<std::uint32_t> mine;
      for (const std::uint32_t s : at_[i]) {
        if (work_.open[s] != 0) mine.push_back(s);
      }
      if (!solve(i, mine, kApart[level])) {
        if (level + 1 < queues.size()) queues[level + 1].push_back(i);
        continue;
      }
      done[i] = 1;
      ++work_.out.peeled;
      for (const std::uint32_t s : mine) {
        const Strut<D>& strut = truss_.struts[s];
        const std::uint32_t other = strut.a == i ? strut.b : strut.a;
        if (other != kGround && done[other] == 0) queues[0].push_back(other);
      }
    }
  }

 private:
  // The unknowns of a node: struts, and components of rough ones.
  struct Unknown {
    std::uint32_t strut;
    Vec<D> direction;  // of the force on a
  };

  std::size_t freedoms(std::uint32_t i) const { return truss_.turns[i] != 0 ? kFreedoms<D> : D; }

  Wrench<D> wrench(std::uint32_t i, const Vec<D>& force, const Spin<D>& torque) const {
    Wrench<D> w{};
    for (int c = 0; c < D; ++c) w[static_cast<std::size_t>(c)] = force[c];
    if (truss_.turns[i] == 0) return w;
    const math::Vec3 t = math::spin_as_vec3(torque) * (1 / truss_.size[i]);
    if constexpr (D == 2) {
      w[2] = t[2];
    } else {
      for (int c = 0; c < 3; ++c) w[3 + static_cast<std::size_t>(c)] = t[c];
    }
    return w;
  }
  Wrench<D> column(std::uint32_t i, const Unknown& unknown) const {
    const Strut<D>& strut = truss_.struts[unknown.strut];
    const bool first = strut.a == i;
    const Vec<D> force = first ? unknown.direction : -unknown.direction;
    return wrench(i, force, math::cross(first ? strut.arm_a : strut.arm_b, force));
  }

  std::vector<Unknown> unknowns(const std::vector<std::uint32_t>& struts) const {
    std::vector<Unknown> list;
    for (const std::uint32_t s : struts) {
      if (!truss_.struts[s].rough()) {
        list.push_back({s, -truss_.struts[s].normal});
        continue;
      }
      for (int c = 0; c < D; ++c) {
        Vec<D> e{};
        e[c] = 1;
        list.push_back({s, e});
      }
    }
    return list;
  }

  // Least squares by Gram-Schmidt; false: the unknowns are more than the node's equations can tell.
  bool least_squares(std::uint32_t i, const std::vector<Unknown>& list, double apart, std::vector<double>& x) const {
    const std::size_t n = list.size(), rows = freedoms(i);
    if (n > rows) return false;
    std::vector<Wrench<D>> q(n);
    std::vector<std::vector<double>> r(n, std::vector<double>(n, 0));
    Wrench<D> rest = wrench(i, -work_.load[i], -work_.moment[i]);
    x.assign(n, 0);
    const auto dot = [&](const Wrench<D>& a, const Wrench<D>& b) {
      double sum = 0;
      for (std::size_t c = 0; c < rows; ++c) sum += a[c] * b[c];
      return sum;
    };
    for (std::size_t k = 0; k < n; ++k) {
      q[k] = column(i, list[k]);
      const double whole = std::sqrt(dot(q[k], q[k]));
      for (int pass = 0; pass < 2; ++pass) {  // the second for what rounding leaves
        for (std::size_t j = 0; j < k; ++j) {
          const double part = dot(q[j], q[k]);
          r[j][k] += part;
          for (std::size_t c = 0; c < rows; ++c) q[k][c] -= part * q[j][c];
        }
      }
      r[k][k] = std::sqrt(dot(q[k], q[k]));
      if (!(r[k][k] > apart * whole)) return false;
      for (std::size_t c = 0; c < rows; ++c) q[k][c] /= r[k][k];
      x[k] = dot(q[k], rest);
      for (std::size_t c = 0; c < rows; ++c) rest[c] -= x[k] * q[k][c];
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) x[k] -= r[k][j] * x[j];
      x[k] /= r[k][k];
    }
    return true;
  }

  // Forces of the open struts of a node. Those that would pull are dropped and the others found again: what they cannot
  // balance then stays.
  bool solve(std::uint32_t i, const std::vector<std::uint32_t>& mine, double apart) {
    std::vector<std::uint32_t> left = mine;
    std::vector<double> x;
    std::vector<Unknown> list = unknowns(left);
    if (!least_squares(i, list, apart, x)) return false;
    for (const std::uint32_t s : mine) work_.out.state[s] = StrutState::kPeeled;
    while (work_.options.limits && !left.empty()) {
      const std::uint32_t worst = most_pulling(list, x);
      if (worst == kGround) break;
      left.erase(std::find(left.begin(), left.end(), worst));
      work_.out.state[worst] = StrutState::kDropped;
      list = unknowns(left);
      least_squares(i, list, 0, x);
    }
    for (std::size_t k = 0; k < list.size(); ++k) work_.out.force[list[k].strut] += list[k].direction * x[k];
    for (const std::uint32_t s : mine) {
      if (work_.options.limits) limit_friction(s);
      truss_.apply(truss_.struts[s], work_.out.force[s], work_.load, work_.moment);
      work_.open[s] = 0;
    }
    return true;
  }

  // The strut that pulls most, or kGround.
  std::uint32_t most_pulling(const std::vector<Unknown>& list, const std::vector<double>& x) const {
    std::uint32_t worst = kGround;
    double most = 0, largest = 0;
    for (const double v : x) largest = std::max(largest, std::fabs(v));
    for (std::size_t k = 0; k < list.size();) {
      const std::uint32_t s = list[k].strut;
      Vec<D> force{};
      for (; k < list.size() && list[k].strut == s; ++k) force += list[k].direction * x[k];
      const double pull = math::dot(force, truss_.struts[s].normal);
      if (pull > most && pull > 1e-12 * largest) {
        most = pull;
        worst = s;
      }
    }
    return worst;
  }

  void limit_friction(std::uint32_t s) {
    const Strut<D>& strut = truss_.struts[s];
    if (!strut.rough()) return;
    Vec<D>& force = work_.out.force[s];
    const double push = -math::dot(force, strut.normal), limit = strut.friction * std::max(0.0, push);
    const Vec<D> across = force + strut.normal * push;
    const double size = math::norm(across);
    if (size <= limit * (1 + 1e-12)) return;
    force = -strut.normal * push + across * (limit / size);
    if (work_.out.state[s] == StrutState::kPeeled) work_.out.state[s] = StrutState::kSlides;
  }

  TrussWork<D>& work_;
  const Truss<D>& truss_;
  std::vector<std::vector<std::uint32_t>> at_;  // struts of each node
};

}  // namespace

template <int D>
void peel(TrussWork<D>& work) {
  Peel<D>(work).run();
}

template void peel<2>(TrussWork<2>&);
template void peel<3>(TrussWork<3>&);

}  // namespace moraine::measure
