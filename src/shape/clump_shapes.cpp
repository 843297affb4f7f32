// SPDX-License-Identifier: MIT
#include "shape/clump_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "shape/meeting.hpp"

namespace moraine::shape {

namespace {

using math::Vec;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// About the centre of mass, and of the given size.
template <int D>
std::vector<Member<D>> centred(std::vector<Member<D>> members, double size) {
  require(size > 0 && std::isfinite(size), "the size of a clump must be a positive number");
  const MassProperties<D> p = union_properties(members);
  const double scale = size / p.outer;
  for (auto& m : members) m = {(m.x - p.centre) * scale, m.radius * scale};
  return members;
}

// ---- random assemblies ----

// D members that touch one another, and one that touches them all on the inner side.
template <int D>
struct Face {
  std::array<std::size_t, D> members;
  std::size_t inner;
};

// The places of a member of the given radius that touches the D members of a face.
template <int D>
std::pair<Vec<D>, Vec<D>> places_on(const std::vector<Member<D>>& members, const std::array<std::size_t, D>& face,
                                    double radius) {
  std::array<Member<D>, D> reach;
  for (std::size_t k = 0; k < D; ++k) reach[k] = {members[face[k]].x, members[face[k]].radius + radius};
  const auto places = common_points(reach);
  if (!places) throw std::logic_error("no place touches all members of a face");
  return *places;
}

double draw_radius(base::Stream& random) { return random.uniform(0.5, 1); }

// The first members, up to D + 1, each touching all others.
template <int D>
std::vector<Member<D>> beginning(std::size_t count, base::Stream& random) {
  std::vector<Member<D>> members;
  for (std::size_t k = 0; k < std::min<std::size_t>(count, D + 1); ++k) {
    Member<D> next{{}, draw_radius(random)};
    if (k == 1) next.x[0] = members[0].radius + next.radius;
    if (k == 2) {  // in the plane of the first two axes
      const std::vector<Member<2>> flat{{{0, 0}, members[0].radius}, {{members[1].x[0], 0}, members[1].radius}};
      const math::Vec2 x = places_on<2>(flat, {0, 1}, next.radius).first;
      next.x[0] = x[0];
      next.x[1] = x[1];
    }
    if constexpr (D == 3) {
      if (k == 3) next.x = places_on<3>(members, {0, 1, 2}, next.radius).first;
    }
    members.push_back(next);
  }
  return members;
}

template <int D>
bool overlaps_any(const std::vector<Member<D>>& members, const Member<D>& next) {
  return std::any_of(members.begin(), members.end(),
                     [&](const Member<D>& m) { return norm(m.x - next.x) < (m.radius + next.radius) * (1 - 1e-10); });
}

// A member of random radius, laid on the outer side of a face.
template <int D>
Member<D> laid_on(const std::vector<Member<D>>& members, const Face<D>& face, base::Stream& random) {
  Member<D> next{{}, draw_radius(random)};
  const auto [a, b] = places_on<D>(members, face.members, next.radius);
  const Vec<D> inner = members[face.inner].x;
  next.x = norm2(a - inner) > norm2(b - inner) ? a : b;
  return next;
}

template <int D>
std::vector<Face<D>> faces_of_beginning() {
  std::vector<Face<D>> faces;
  for (std::size_t inner = 0; inner <= D; ++inner) {
    Face<D> face{{}, inner};
    std::size_t k = 0;
    for (std::size_t i = 0; i <= D; ++i) {
      if (i != inner) face.members[k++] = i;
    }
    faces.push_back(face);
  }
  return faces;
}

// The face is now inside; the faces between the new member and the rest of it are outside.
template <int D>
void grow(std::vector<Face<D>>& faces, std::size_t covered, std::size_t added) {
  const Face<D> old = faces[covered];
  faces.erase(faces.begin() + static_cast<std::ptrdiff_t>(covered));
  for (std::size_t k = 0; k < D; ++k) {
    Face<D> face{old.members, old.members[k]};
    face.members[k] = added;
    faces.push_back(face);
  }
}

}  // namespace

std::vector<Member<2>> triangle_of_ten(double size) {
  std::vector<Member<2>> members;
  for (int row = 0; row < 4; ++row) {
    for (int k = 0; k < 4 - row; ++k) members.push_back({{2.0 * k + row - 3, (row - 1) * std::sqrt(3.0)}, 1});
  }
  return centred(members, size);
}

std::vector<Member<2>> square_of_thirteen(double size) {
  std::vector<Member<2>> members;
  for (const int y : {-1, 0, 1}) {
    for (const int x : {-1, 0, 1}) members.push_back({{2.0 * x, 2.0 * y}, 1});
  }
  for (const int y : {-1, 1}) {
    for (const int x : {-1, 1}) members.push_back({{1.0 * x, 1.0 * y}, std::sqrt(2.0) - 1});
  }
  return centred(members, size);
}

std::vector<Member<3>> tetrahedron_of_four(double size) {
  const double r = std::sqrt(2.0);  // the corners of a cube of edge 2, every second one
  return centred<3>({{{1, 1, 1}, r}, {{1, -1, -1}, r}, {{-1, 1, -1}, r}, {{-1, -1, 1}, r}}, size);
}

template <int D>
std::vector<Member<D>> rod(double size, std::size_t count, double overlap) {
  require(count >= 1, "a rod needs at least one member");
  require(overlap >= 0 && overlap < 1, "the overlap of a rod's members must be at least 0 and less than 1");
  std::vector<Member<D>> members(count, {{}, 1});
  for (std::size_t k = 0; k < count; ++k)
    members[k].x[0] = (2 * static_cast<double>(k) - static_cast<double>(count - 1)) * (1 - overlap);
  return centred(members, size);
}

template <int D>
std::vector<Member<D>> random_assembly(double size, std::size_t count, base::Stream& random) {
  require(count >= 1, "an assembly needs at least one member");
  constexpr int kTries = 100000;  // for one member
  std::vector<Member<D>> members = beginning<D>(count, random);
  std::vector<Face<D>> faces = faces_of_beginning<D>();
  for (int tries = 0; members.size() < count; ++tries) {
    if (tries == kTries) throw std::runtime_error("no room for another member in a random assembly");
    const std::size_t face = random.below(faces.size());
    const Member<D> next = laid_on(members, faces[face], random);
    if (overlaps_any(members, next)) continue;
    grow(faces, face, members.size());
    members.push_back(next);
    tries = 0;
  }
  return centred(members, size);
}

template std::vector<Member<2>> rod<2>(double, std::size_t, double);
template std::vector<Member<3>> rod<3>(double, std::size_t, double);
template std::vector<Member<2>> random_assembly<2>(double, std::size_t, base::Stream&);
template std::vector<Member<3>> random_assembly<3>(double, std::size_t, base::Stream&);

}  // namespace moraine::shape
