// SPDX-License-Identifier: MIT
// The contacts of a system at an instant: what they do to the bodies (forces), what happens when bodies meet (impacts),
// and how violations are taken out. Together with the links of the scene where these hang on the same bodies. Contacts
// that do not hang together are solved apart, as islands.
#pragma once

#include <cmath>
#include <vector>

#include "hard/contact.hpp"
#include "hard/outer.hpp"
#include "hard/rows.hpp"
#include "hard/settings.hpp"

namespace moraine::hard {

template <int D>
class ContactForces final : public ContactLoad<D> {
 public:
  ContactForces(const World<D>& world, const System<D>& system, const Settings& settings)
      : world_(world), system_(system), settings_(settings), walls_(world), links_(system) {}

  std::vector<Contact<D>> all;  // pairs that are near, sorted by ids
  std::vector<Meeting<D>> meetings;
  struct Force {
    double normal = 0;
    Vec<D> friction{};  // on b
    double limit = 0;   // of friction
  };
  std::vector<Force> forces;  // at the instant of the last act()
  double no_speed = 0;        // rates and slips below are none
  double fastest() const;     // of all surfaces that are near

  struct Bounce {
    double slow, shortest_flight;  // who approaches more slowly, or would fly for a shorter time, does not bounce
  };
  struct Losses {
    double normal = 0, friction = 0, held = 0;  // held: work done by what does not yield
    std::int64_t bounces = 0;                   // counted for each body that yields
  };

  // Where all pairs are at an instant.
  void look(double t, const Kinematics<D>& k);
  // Forces with the modes as they are; while `choosing`, with modes found anew for all that touch.
  void act(double t, const Kinematics<D>& k, std::vector<Vec<D>>& force, std::vector<Spin<D>>& torque) override;
  bool choosing = false;
  // Friction may leave no forces (Painleve): contacts that slide drive their own normal forces. Their slip then stops
  // at once. Contacts where that happened in the last act(), and whether it is the second time.
  std::vector<std::uint32_t> jammed;
  bool jammed_once = false;
  void stop_slips(double t, Kinematics<D>& k, Losses& losses);
  // Remembers the forces of the last act() as those to start from.
  void keep_forces();
  void lag_friction();

  bool touches(std::size_t c) const;
  bool holds_still(std::size_t c) const { return touches(c) && std::fabs(meetings[c].rate) <= no_speed; }
  double gap_of_nothing(std::size_t c) const { return 1e-9 * all[c].smaller(); }
  double hold(const Contact<D>& contact) const;  // what it can be pulled with

  // Impacts of all that touch and approach: velocities of k change. Returns whether there were any.
  bool impact(double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses);
  // Closed contacts (and links beside them) to gap 0 and rate 0; where contacts are looked at in steps, all that
  // overlap to gap 0. Returns the largest gap of a closed contact there was, over the radius.
  double correct(double t, Kinematics<D>& k, bool position, bool velocity);
  // Overlaps of the start are pushed apart.
  void push_apart(double t, Kinematics<D>& k);

 private:
  struct Row {
    std::uint32_t a, b;
    Vec<D> n;
    Spin<D> turn_a, turn_b;
    Spin<D> ease_a, ease_b;
  };
  struct Island {
    std::vector<std::uint32_t> contacts;
    std::vector<std::uint32_t> link_rows;
    std::vector<Row> rows;
    ConeProblem problem;
  };
  enum class For : std::uint8_t { kForces, kChoice, kImpact, kPosition };

  std::vector<Island> islands(const std::vector<std::uint32_t>& chosen, const Kinematics<D>& k, For what);
  std::uint32_t across_rows(const Contact<D>& contact, For what) const;
  void add_rows(Island& island, const Kinematics<D>& k, For what);
  void fill_matrix(Island& island) const;
  double free_rate(const Row& row, const std::vector<Vec<D>>& v, const std::vector<Spin<D>>& w) const;
  void put_law(Cone& cone, std::size_t c, bool choosing) const;
  void solve_forces(Island& island);
  void take_answer(const Island& island, bool modes);
  void limit_friction(Island& island);
  Moves<D> moves_of(const Island& island) const;
  void put_speeds(Island& island) const;
  // `still`: who approaches more slowly does not approach.
  bool impact_once(double t, Kinematics<D>& k, const Bounce& bounce, double still, Losses& losses);
  bool impact_in_turn(double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses);
  void strike(Island& island, double t, Kinematics<D>& k, const Bounce& bounce, Losses& losses);
  [[noreturn]] void no_answer(const Island& island, const char* what, double t) const;

  const World<D>& world_;
  const System<D>& system_;
  Settings settings_;
  WallsAt<D> walls_;
  Rows<D> links_;
  std::vector<Vec<D>> free_x_;
  std::vector<Spin<D>> free_turn_;
  std::vector<Vec<D>> held_;  // accelerations of nodes that do not yield
};

}  // namespace moraine::hard
