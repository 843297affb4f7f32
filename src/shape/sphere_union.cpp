// SPDX-License-Identifier: MIT
// The section at height z is a union of disks. Its area and moments are smooth functions of z, save at the ends of
// spheres, the lowest and highest points of the circles in which two spheres meet, and the points where three meet;
// next to such a point z0 they are series in sqrt|z - z0|. Between two of them z = middle + half sin(phi) makes a
// smooth function of phi, which Gauss's rule integrates; where a coarse and a fine rule differ, the range of phi is
// halved.
#include "shape/sphere_union.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "math/elementary.hpp"
#include "shape/disk_union.hpp"
#include "shape/meeting.hpp"

namespace moraine::shape {

namespace {

using math::Vec3;

constexpr double kTolerance = 1e-14;   // of one range, relative to the volume (lengths in units of the size)
constexpr int kDeepest = 14;           // halvings of a range
constexpr double kLeastRange = 1e-12;  // special points closer than this count as one

// volume, first moments x y z, second moments xx yy zz xy xz yz
using Moments = std::array<double, 10>;

double ball_volume(double r) { return 4 * math::kPi / 3 * r * r * r; }

void add(Moments& sum, const Moments& m, double weight) {
  for (std::size_t k = 0; k < m.size(); ++k) sum[k] += weight * m[k];
}

// ---- Gauss's rule ----

template <int N>
struct GaussRule {
  std::array<double, N> x, weight;  // on [-1, 1]

  // The zeros of the Legendre polynomial by Newton's rule.
  GaussRule() {
    for (std::size_t k = 0; k < N; ++k) {
      double z = -math::cos(math::kPi * (static_cast<double>(k) + 0.75) / (N + 0.5)), slope = 0;
      for (int turn = 0; turn < 10; ++turn) {
        double p = 1, before = 0;
        for (int n = 1; n <= N; ++n) {
          const double next = ((2 * n - 1) * z * p - (n - 1) * before) / n;
          before = p;
          p = next;
        }
        slope = N * (z * p - before) / (z * z - 1);
        z -= p / slope;
      }
      x[k] = z;
      weight[k] = 2 / ((1 - z * z) * slope * slope);
    }
  }
};

// ---- where the sections change their nature ----

template <std::size_t N>
bool is_inside_another(const std::vector<Member<3>>& spheres, const std::array<std::size_t, N>& own,
                       const Vec3& point) {
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (std::find(own.begin(), own.end(), k) != own.end()) continue;
    const double r = spheres[k].radius * (1 - 1e-9);
    if (norm2(point - spheres[k].x) < r * r) return true;
  }
  return false;
}

// Heights of the special points that are not hidden in a sphere, ascending.
std::vector<double> special_heights(const std::vector<Member<3>>& spheres) {
  std::vector<double> heights;
  const auto note = [&](const auto& own, const Vec3& point) {
    if (!is_inside_another(spheres, own, point)) heights.push_back(point[2]);
  };
  const std::size_t n = spheres.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto& a = spheres[i];
    note(std::array{i}, a.x - Vec3{0, 0, a.radius});
    note(std::array{i}, a.x + Vec3{0, 0, a.radius});
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto& b = spheres[j];
      const Meeting m = meeting(norm2(b.x - a.x), a.radius, b.radius);
      if (m.how != Meets::kCrossing) continue;
      const Vec3 normal = (b.x - a.x) * (1 / m.distance), middle = a.x + m.along_a * normal;
      // Up in the plane of the circle; it has no direction where the circle is level.
      const double slope = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
      if (slope < 1e-12) {
        heights.push_back(middle[2]);
      } else {
        const Vec3 up = (m.half / slope) * (Vec3{0, 0, 1} - normal[2] * normal);
        note(std::array{i, j}, middle - up);
        note(std::array{i, j}, middle + up);
      }
      for (std::size_t k = j + 1; k < n; ++k) {
        if (const auto points = common_points({a, b, spheres[k]})) {
          note(std::array{i, j, k}, points->first);
          note(std::array{i, j, k}, points->second);
        }
      }
    }
  }
  std::sort(heights.begin(), heights.end());
  return heights;
}

// ---- the integral over the sections ----

class Sections {
 public:
  explicit Sections(const std::vector<Member<3>>& spheres) : spheres_(spheres) {
    for (const auto& s : spheres) least_volume_ = std::max(least_volume_, ball_volume(s.radius));
  }

  void integrate(double low, double high) {
    middle_ = 0.5 * (low + high);
    half_ = 0.5 * (high - low);
    refine(-0.5 * math::kPi, 0.5 * math::kPi, 0);
  }

  Moments sum{}, error{};

 private:
  static constexpr int kCoarse = 12, kFine = 18;

  // Moments of the section at height z, per height.
  Moments section(double z) {
    disks_.clear();
    for (const auto& s : spheres_) {
      const double up = z - s.x[2], r2 = (s.radius - up) * (s.radius + up);
      if (r2 > 0) disks_.push_back({{s.x[0], s.x[1]}, std::sqrt(r2)});
    }
    const PlaneMoments m = union_.moments(disks_);
    return {m.area, m.x, m.y, z * m.area, m.xx, m.yy, z * z * m.area, m.xy, z * m.x, z * m.y};
  }

  template <int N>
  Moments gauss(const GaussRule<N>& rule, double from, double to) {
    Moments total{};
    const double centre = 0.5 * (from + to), reach = 0.5 * (to - from);
    for (std::size_t k = 0; k < N; ++k) {
      const double phi = centre + reach * rule.x[k];
      add(total, section(middle_ + half_ * math::sin(phi)), rule.weight[k] * reach * half_ * math::cos(phi));
    }
    return total;
  }

  void refine(double from, double to, int depth) {
    static const GaussRule<kCoarse> coarse;
    static const GaussRule<kFine> fine;
    const Moments rough = gauss(coarse, from, to), good = gauss(fine, from, to);
    double worst = 0;
    for (std::size_t k = 0; k < good.size(); ++k) worst = std::max(worst, std::fabs(good[k] - rough[k]));
    if (worst > kTolerance * least_volume_ && depth < kDeepest) {
      const double centre = 0.5 * (from + to);
      refine(from, centre, depth + 1);
      refine(centre, to, depth + 1);
      return;
    }
    for (std::size_t k = 0; k < good.size(); ++k) {
      sum[k] += good[k];
      error[k] += std::fabs(good[k] - rough[k]);
    }
  }

  const std::vector<Member<3>>& spheres_;
  std::vector<Member<2>> disks_;
  DiskUnion union_;
  double least_volume_ = 0;  // the largest sphere's
  double middle_ = 0, half_ = 0;
};

// ---- pieces: spheres that a chain of crossings connects ----

using Piece = std::vector<Member<3>>;

std::vector<Piece> pieces(std::vector<Member<3>> rest) {
  std::vector<Piece> found;
  while (!rest.empty()) {
    Piece piece{rest.front()};
    rest.erase(rest.begin());
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const Member<3> a = piece[k];
      const auto crosses = [&](const Member<3>& b) {
        return meeting(norm2(b.x - a.x), a.radius, b.radius).how == Meets::kCrossing;
      };
      const auto next = std::stable_partition(rest.begin(), rest.end(), [&](const auto& b) { return !crosses(b); });
      piece.insert(piece.end(), next, rest.end());
      rest.erase(next, rest.end());
    }
    found.push_back(std::move(piece));
  }
  return found;
}

// The spheres that do not lie in another.
std::vector<Member<3>> visible(const std::vector<Member<3>>& spheres) {
  std::vector<char> hidden(spheres.size(), 0);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = i + 1; j < spheres.size(); ++j) {
      const Meets how = meeting(norm2(spheres[j].x - spheres[i].x), spheres[i].radius, spheres[j].radius).how;
      if (how == Meets::kFirstHidden) hidden[i] = 1;
      if (how == Meets::kSecondHidden) hidden[j] = 1;
    }
  }
  std::vector<Member<3>> out;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (!hidden[i]) out.push_back(spheres[i]);
  }
  return out;
}

// Adds the integrals over a piece, known about `origin` in units of `size`.
void add_piece(SolidMoments& total, const Moments& m, const Moments& error, const Vec3& origin, double size) {
  const double s3 = size * size * size, s4 = s3 * size, s5 = s4 * size, far = norm(origin);
  const double v = s3 * m[0];
  const Vec3 f = s4 * Vec3{m[1], m[2], m[3]}, &o = origin;
  const auto moved = [&](double own, int a, int b) { return s5 * own + o[a] * f[b] + o[b] * f[a] + v * o[a] * o[b]; };
  total.volume += v;
  total.first += f + v * o;
  total.second.xx += moved(m[4], 0, 0);
  total.second.yy += moved(m[5], 1, 1);
  total.second.zz += moved(m[6], 2, 2);
  total.second.xy += moved(m[7], 0, 1);
  total.second.xz += moved(m[8], 0, 2);
  total.second.yz += moved(m[9], 1, 2);
  const double error1 = s4 * std::max({error[1], error[2], error[3]});
  total.volume_error += s3 * error[0];
  total.first_error += error1 + far * s3 * error[0];
  total.second_error +=
      s5 * *std::max_element(error.begin() + 4, error.end()) + far * (2 * error1 + far * s3 * error[0]);
}

void add_sphere(SolidMoments& total, const Member<3>& s) {
  const double v = ball_volume(1);
  add_piece(total, {v, 0, 0, 0, v / 5, v / 5, v / 5, 0, 0, 0}, {}, s.x, s.radius);
}

// Works on the piece about its own middle and in units of its own size.
void add_crossing_spheres(SolidMoments& total, Piece piece) {
  Vec3 origin{};
  double volume = 0, size = 0;
  for (const auto& s : piece) {
    volume += ball_volume(s.radius);
    origin += ball_volume(s.radius) * s.x;
  }
  origin *= 1 / volume;
  for (const auto& s : piece) size = std::max(size, norm(s.x - origin) + s.radius);
  for (auto& s : piece) s = {(s.x - origin) * (1 / size), s.radius / size};

  Sections sections(piece);
  double low = -2;
  for (const double high : special_heights(piece)) {
    if (low > -2 && high - low < kLeastRange) continue;
    if (low > -2) sections.integrate(low, high);
    low = high;
  }
  add_piece(total, sections.sum, sections.error, origin, size);
}

}  // namespace

SolidMoments sphere_union(const std::vector<Member<3>>& spheres) {
  SolidMoments total;
  for (Piece& piece : pieces(visible(spheres))) {
    if (piece.size() == 1) {
      add_sphere(total, piece.front());
    } else {
      add_crossing_spheres(total, std::move(piece));
    }
  }
  return total;
}

}  // namespace moraine::shape
