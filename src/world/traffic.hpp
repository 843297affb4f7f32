// SPDX-License-Identifier: MIT
// Who came and who went: exact counts of bodies (a clump is one), of their mass, and of their size (area in 2D, volume
// in 3D). What there was, plus what came, less what went, is what there is, without any rounding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/record.hpp"
#include "world/domain.hpp"

namespace moraine::world {

struct Tally {
  std::int64_t number = 0;
  base::ExactSum mass, size;

  void add(double m, double s) {
    ++number;
    mass.add(m);
    size.add(s);
  }
  void add(const Tally& other, int sign = 1) {
    number += sign * other.number;
    mass.add(other.mass, sign);
    size.add(other.size, sign);
  }
  bool is_zero() const { return number == 0 && mass.is_zero() && size.is_zero(); }
  void save(const std::string& name, base::Record& record) const {
    record.set(name + ".number", number);
    record.reals[name + ".mass"] = mass.parts();
    record.reals[name + ".size"] = size.parts();
  }
  void load(const std::string& name, const base::Record& record) {
    number = record.count(name + ".number");
    mass.set_parts(record.real(name + ".mass"));
    size.set_parts(record.real(name + ".size"));
  }
};

// What an inlet has done so far.
struct Arrivals {
  std::string name;
  std::int64_t due = 0;      // that should have come
  std::int64_t skipped = 0;  // for which there was no room
  std::int64_t held = 0;     // whole batches that found their area occupied
  double held_since = -1;    // when the first of those was due; -1: none
  Tally came;
};

// Bodies whose centre has passed a line (2D) or plane (3D), in a window of it, are taken out.
template <int D>
struct Outlet {
  std::string name;
  Vec<D> at{}, direction{};  // direction: a unit vector, outwards
  Box<D> window{Domain<D>::unbounded(-1), Domain<D>::unbounded(1)};
  Tally went;

  bool passed(const Vec<D>& x) const { return math::dot(x - at, direction) > 0 && window.contains(x); }
};

template <int D>
struct Traffic {
  std::vector<Arrivals> inlets;
  std::vector<Outlet<D>> outlets;
  Tally begun;           // there at the start
  Tally came;            // since then, from anywhere
  Tally went;            // to anywhere
  bool counted = false;  // `begun` is known

  // What is missing of what there should be inside: nothing.
  Tally balance(const Tally& inside) const {
    Tally sum = begun;
    sum.add(came);
    sum.add(went, -1);
    sum.add(inside, -1);
    return sum;
  }
  void save(base::Record& record) const;
  void load(const base::Record& record);
};

}  // namespace moraine::world
