// SPDX-License-Identifier: MIT
/// @file
/// A simulation in memory: steps, looks at what there is, changes it, saves it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "moraine/scene.hpp"

namespace moraine {

namespace api {
class Engine;
}

/// Three components, also in 2D, where the third is zero, but for spins and torques, which have only the third.
using Vector = std::array<double, 3>;

/// How a body takes part.
enum class Held {
  kFree,       ///< moves by the forces on it
  kFixed,      ///< stays where it is
  kPrescribed  ///< moves as the scene says
};

/// A disk or sphere at one instant. The members of a clump are bodies too.
struct Body {
  std::int64_t id = 0;                            ///< never changes, and is never used again
  Vector position{};                              ///< of the centre, m; within the domain where that is periodic
  Vector velocity{};                              ///< m/s
  Vector spin{};                                  ///< rad/s
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< unit quaternion w, x, y, z
  double radius = 0;                              ///< m
  double mass = 0;                                ///< kg; of a member: its share of the clump
  std::size_t material = 0;                       ///< index into Simulation::materials()
  Held held = Held::kFree;                        ///< how it takes part
  std::int64_t clump = -1;                        ///< id of the clump that it is a member of, or -1
};

/// A rigid clump of bodies at one instant.
struct Clump {
  std::int64_t id = 0;                            ///< never changes; counted apart from those of bodies
  Vector position{};                              ///< of the centre of mass, m
  Vector velocity{};                              ///< of the centre of mass, m/s
  Vector spin{};                                  ///< rad/s
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< of the principal axes: unit quaternion w, x, y, z
  double radius = 0;                              ///< from the centre of mass to the outermost point, m
  double mass = 0;                                ///< kg
  std::vector<std::int64_t> members;              ///< ids of its bodies
};

/// A wall at one instant.
struct Wall {
  std::string name;   ///< as in the scene
  Vector position{};  ///< of the point that places it (of a segment: its first end), m
  Vector velocity{};  ///< of the point that its motion refers to, m/s
  Vector force{};     ///< of all bodies on the wall, N
};

/// A contact that carries force, at one instant.
struct Contact {
  std::int64_t a = 0;   ///< id of a body
  std::int64_t b = -1;  ///< id of the other body, or -1: a wall
  int wall = -1;        ///< index into Simulation::walls(), or -1: another body
  Vector point{};       ///< m
  Vector normal{};      ///< unit vector from a to b, or into the wall
  Vector force{};       ///< on a, N
  double overlap = 0;   ///< m
};

/// Where the energy is, and where it came from and went to since the start (J). With Options::energy_budget,
/// mechanical() + dissipated() - walls - loads - shear - added stays the same up to the error of the step; without it,
/// only the first three are known and the others are zero.
struct Energy {
  double translational = 0;   ///< of free bodies and clumps
  double rotational = 0;      ///< of free bodies and clumps
  double potential = 0;       ///< in gravity
  double elastic = 0;         ///< stored in contacts
  double normal_damping = 0;  ///< lost in normal damping and hysteresis
  double shear_damping = 0;   ///< lost in tangential damping
  double friction = 0;        ///< lost in sliding
  double global_damping = 0;  ///< lost to the scene's global_damping
  double walls = 0;           ///< work of walls and prescribed bodies on the others
  double loads = 0;           ///< work of loads
  double shear = 0;           ///< work of a sheared domain
  double added = 0;           ///< brought by bodies that came, and by changed velocities, less what went with others

  /// Translational and rotational.
  double kinetic() const { return translational + rotational; }
  /// All that is there at this instant.
  double mechanical() const { return kinetic() + potential + elastic; }
  /// All that was lost.
  double dissipated() const { return normal_damping + shear_damping + friction + global_damping; }
};

/// What a load sees of a free body or clump.
struct BodyState {
  std::int64_t id = 0;       ///< of the body; of a clump: of its first member
  Vector position{};         ///< m
  Vector velocity{};         ///< m/s
  Vector spin{};             ///< rad/s
  double mass = 0;           ///< kg
  double radius = 0;         ///< m; of a clump: outer radius
  std::size_t material = 0;  ///< index into Simulation::materials()
  bool is_clump = false;     ///< a clump, with all its members
};

/// A force and a torque about the centre of mass.
struct Wrench {
  Vector force{};   ///< N
  Vector torque{};  ///< N m
};

/// A body to be added: a solid disk or sphere.
struct NewBody {
  Vector position{};         ///< m
  double radius = 0;         ///< m
  std::size_t material = 0;  ///< index into Simulation::materials()
  Vector velocity{};         ///< m/s
  Vector spin{};             ///< rad/s
  bool fixed = false;        ///< stays where it is
};

/// How to run; nothing here changes the result.
struct Options {
  int threads = 1;             ///< 0: one per core
  bool energy_budget = false;  ///< keep account of losses and work: see Energy
};

/// A run of a scene. All that is told of it (bodies, contacts, forces, energy) belongs to the same instant, time().
///
/// The first look after a step computes the forces of that instant, which the next step then need not, and keeps a copy
/// of the state for save_checkpoint() and for changes; so looking takes as long as some steps, however much is looked
/// at.
///
/// Trouble while it runs is a RunError, after which the simulation can be used no more. A mistake in an argument is an
/// InputError, which leaves all as it was. What a load or a callback throws comes through as it is; of a load it counts
/// as trouble.
class Simulation {
 public:
  /// Called between two steps. It may look, change and save, but not step.
  using Callback = std::function<void(Simulation&)>;
  /// Force and torque on each free body or clump at a time (s).
  using Load = std::function<Wrench(const BodyState&, double time)>;
  /// Velocity of the fluid (m/s) at a place (m) and time (s).
  using Flow = std::function<Vector(const Vector& position, double time)>;

  /// Builds the scene; files that it names are read, none is written. Throws InputError with everything that is wrong
  /// in it.
  explicit Simulation(const Scene& scene, const Options& options = {});

  /// Goes on from a checkpoint, of the library or of the program, to the same bits as an unbroken run. `sets` may
  /// change time.end. Loads and callbacks are not part of a checkpoint: add them again. Throws InputError for a file
  /// that is none.
  static Simulation resume(const std::filesystem::path& checkpoint, const std::vector<std::string>& sets = {},
                           const Options& options = {});

  Simulation(Simulation&&) noexcept;             ///< What was moved from can only be assigned to.
  Simulation& operator=(Simulation&&) noexcept;  ///< What was moved from can only be assigned to.
  ~Simulation();                                 ///< Nothing is written.

  /// The scene with all that was worked out for it, such as the step.
  Scene scene() const;
  /// 2 or 3.
  int dimension() const;
  /// The present instant, s.
  double time() const;
  /// The step, s.
  double dt() const;
  /// Steps since the start.
  std::int64_t steps() const;
  /// The end of the scene's time has come, or all is at rest where the scene asks for that.
  bool finished() const;

  /// Takes `count` steps, or fewer if the run is finished before.
  void step(std::int64_t count = 1);
  /// Steps until time() is at least `time` but for rounding, or the run is finished.
  void run_until(double time);
  /// Steps until the run is finished.
  void run();

  /// Number of bodies, members of clumps included.
  std::size_t body_count() const;
  /// All bodies, sorted by id.
  std::vector<Body> bodies() const;
  /// The body of an id. Throws InputError if there is none.
  Body body(std::int64_t id) const;
  /// All clumps, sorted by id.
  std::vector<Clump> clumps() const;
  /// All walls, in the order of the scene.
  std::vector<Wall> walls() const;
  /// The wall of a name. Throws InputError if there is none.
  Wall wall(const std::string& name) const;
  /// Contacts that carry force, sorted by id of a.
  std::vector<Contact> contacts() const;
  /// Names of the materials.
  std::vector<std::string> materials() const;
  /// Energy at this instant, and its budget.
  Energy energy() const;
  /// What the scene's probes have found so far: name of the probe, name of the number, number.
  std::map<std::string, std::map<std::string, double>> probes() const;
  /// A number that tells states apart: the same for the same bits. At the end of a run that of the program's
  /// summary.json.
  std::uint64_t state_hash() const;

  /// Adds a body and returns its id. Throws InputError if it cannot be, such as one that would need a shorter step. It
  /// should not overlap others.
  std::int64_t add_body(const NewBody& body);
  /// Takes a body away, or the clump that it is a member of. Throws InputError if there is none.
  void remove_body(std::int64_t id);
  /// Sets the velocity of a free body, or of the centre of the clump that it is a member of. Throws InputError if there
  /// is none, or it is held.
  void set_velocity(std::int64_t id, const Vector& velocity);
  /// Sets the spin likewise.
  void set_spin(std::int64_t id, const Vector& spin);

  /// Adds a load that acts from now on. It is called once per step and free body or clump, from several threads at once
  /// with Options::threads other than 1. In 2D only x and y of the force and z of the torque count.
  void add_load(Load load);
  /// Sets the stream of a scene whose [flow] has kind = "callback", before the first step. Asked at the place of each
  /// body, and of each member of a clump, from several threads at once with Options::threads other than 1; the time is
  /// that of the step. In 2D only x and y count. Not part of a checkpoint: set it again.
  void set_flow(Flow flow);
  /// The velocity of the stream at a place (m) at this instant, m/s; zero without a flow.
  Vector flow_velocity(const Vector& position) const;
  /// Calls `callback` after every step whose number is a multiple of `every`, and after the last. One that is added by
  /// a callback is first called after the next step.
  void on_step(std::int64_t every, Callback callback);

  /// Writes the state to a file; a file under that name is always a complete one. Throws RunError.
  void save_checkpoint(const std::filesystem::path& path) const;
  /// Writes bodies (and contacts, if a path is given) for ParaView and OVITO: VTK PolyData, "*.vtp". Throws RunError.
  void write_vtk(const std::filesystem::path& bodies, const std::filesystem::path& contacts = {}) const;

 private:
  explicit Simulation(std::unique_ptr<api::Engine> engine);
  std::unique_ptr<api::Engine> engine_;
};

}  // namespace moraine
