// SPDX-License-Identifier: MIT
// Disks and spheres: state only. What every candidate pair reads of a body (place and size) is one small record, what a
// closed contact reads besides is another: a contact reads all of it, for a body somewhere else in memory, so it should
// be few cache lines. Everything else is one array per field.
// Bodies are reordered in space now and then; `id` never changes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "math/rotation.hpp"
#include "math/vec.hpp"
#include "world/motion.hpp"

namespace moraine::world {

enum class Held : std::uint8_t { kFree = 0, kFixed = 1, kPrescribed = 2, kMember = 3 };  // kMember: of a clump
// Pushed by contacts, and neither fixed nor on a prescribed way.
inline bool yields(Held held) { return held == Held::kFree || held == Held::kMember; }

template <int D>
struct Place {
  Vec<D> x{};  // at step N
  double radius = 0;
};

// Velocities at N-1/2 (slip is measured with them) and foreseen at N (dashpots use them).
template <int D>
struct Moving {
  Vec<D> v{};
  double inverse_mass = 0;  // 0: held
  Vec<D> v_now{};
  Spin<D> w{}, w_now{};
  std::uint32_t material = 0;
  Held held = Held::kFree;
  bool fresh = true;  // v is still at the whole step: just put there, not yet kicked
  bool gone = false;  // has left the domain: dropped when neighbours are found next
};

inline constexpr std::uint32_t kNoMotion = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kNoClump = std::numeric_limits<std::uint32_t>::max();

template <int D>
struct NewBody {
  Vec<D> x{}, v{};
  Spin<D> w{};
  double radius = 0, mass = 0, inertia = 0;
  std::uint32_t material = 0;
  Held held = Held::kFree;
  std::uint32_t motion = kNoMotion, clump = kNoClump;
  std::int64_t id = -1;  // -1: the next free one
};

template <int D>
struct Bodies {
  std::vector<Place<D>> place;
  std::vector<Moving<D>> moving;
  std::vector<Vec<D>> force;
  std::vector<Spin<D>> torque;
  std::vector<math::Orientation<D>> orientation;
  std::vector<double> mass, inertia;
  std::vector<std::int64_t> id;
  std::vector<std::array<std::int32_t, D>> image;  // times it has gone round each periodic axis
  std::vector<std::uint32_t> motion;               // index into the world's guided bodies, or kNoMotion
  std::vector<std::uint32_t> clump;                // that it is a member of (index into the clumps), or kNoClump
  std::vector<Vec<D>> x_found;                     // where it was when neighbours were last found
  std::int64_t next_id = 0;

  std::size_t size() const { return moving.size(); }
  void add(const NewBody<D>& body);
  // New place k holds what was at order[k]; may be shorter.
  void reorder(const std::vector<std::uint32_t>& order, base::Team& team);
};

}  // namespace moraine::world
