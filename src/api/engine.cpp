// SPDX-License-Identifier: MIT
#include "api/engine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "base/error.hpp"
#include "flow/fields.hpp"
#include "flow/loads.hpp"
#include "measure/energy.hpp"
#include "measure/take_frame.hpp"
#include "scene/build.hpp"
#include "scene/step.hpp"
#include "sim/probe_watch.hpp"

namespace moraine::api {

// --- whatever the dimension

// The run is being changed: nobody else may, and if it fails there is no whole state any more.
template <class Work>
void Engine::working(const Work& work) {
  working_ = true;
  try {
    work();
  } catch (...) {
    working_ = false;
    failed_ = true;
    throw;
  }
  working_ = false;
}

void Engine::check_idle(const char* what) const {
  if (working_)
    throw RunError(fmt::format("{} was called from within a load", what),
                   "let the load use only what it is given: the state of the body and the time");
  if (failed_)
    throw RunError(fmt::format("{} was called after the simulation had failed", what), "resume from a checkpoint");
}

void Engine::step() {
  check_idle("a step");
  working([&] { run().step(); });
  looked_ = false;
  between_ = {};
  if (finished()) look();
}

const measure::Frame& Engine::look() {
  check_idle("a look");
  if (looked_) return frame_;
  working([&] {
    run().save(between_);
    between_.settle();
    wanted_ = true;
    if (finished()) {
      run().finish();
    } else {
      run().look_now();
    }
    wanted_ = false;
  });
  looked_ = true;
  return frame_;
}

std::uint64_t Engine::hash() {
  look();
  return run().state_hash();
}

base::Record Engine::saved() const {
  check_idle("save_checkpoint()");
  if (looked_) return between_;
  base::Record record;
  run().save(record);
  return record;
}

void Engine::back_to_between() {
  check_idle("a change");
  if (!looked_) return;
  working([&] { run().begin(&between_); });
  looked_ = false;
  between_ = {};
}

// --- 2D and 3D

namespace {

template <int D>
math::Vec<D> from_vector(const Vector& v) {
  math::Vec<D> out{};
  for (int k = 0; k < D; ++k) out[k] = v[static_cast<std::size_t>(k)];
  return out;
}
template <int D>
math::Spin<D> spin_from_vector(const Vector& v) {
  return math::spin_from_vec3<D>({v[0], v[1], v[2]});
}
template <int D>
Vector to_vector(const math::Vec<D>& v) {
  const math::Vec3 t = math::as_vec3(v);
  return {t[0], t[1], t[2]};
}
template <class S>
Vector spin_to_vector(const S& w) {
  const math::Vec3 t = math::spin_as_vec3(w);
  return {t[0], t[1], t[2]};
}

bool is_finite(const Vector& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void check_finite(const Vector& v, const char* key) {
  if (!is_finite(v)) throw InputError("", 0, key, fmt::format("[{}, {}, {}] must be finite numbers", v[0], v[1], v[2]));
}

// Fills the frame when a look is wanted.
template <int D>
class FrameTaker : public sim::Watch<D> {
 public:
  FrameTaker(const bool& wanted, measure::Frame& frame) : wanted_(wanted), frame_(frame) {}
  bool due(std::int64_t, bool) const override { return wanted_; }
  bool wants_contacts() const override { return true; }
  void look(const measure::Sight<D>& sight) override { frame_ = measure::take_frame(sight); }

 private:
  const bool& wanted_;
  measure::Frame& frame_;
};

int thread_count(int asked) {
  if (asked < 0 || asked > 1024)
    throw InputError("", 0, "threads", fmt::format("{} is out of range: it must be 0 to 1024", asked));
  return asked > 0 ? asked : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

template <int D>
class EngineOf : public Engine {
 public:
  EngineOf(const scene::Scene& tree, scene::Built<D> built, const Options& options, const base::Record* resumed);

  double time() const override { return world().time; }
  double dt() const override { return world().dt; }
  std::int64_t steps() const override { return world().step; }
  std::vector<Clump> clumps() override;
  std::vector<Wall> walls() override;
  std::vector<std::string> materials() const override;
  Energy energy() override;
  std::map<std::string, std::map<std::string, double>> probes() override;
  std::map<std::string, std::vector<measure::Quantity>> series() const override;
  std::vector<measure::Table> tables() const override;
  std::int64_t add_body(const NewBody& body) override;
  void remove_body(std::int64_t id) override;
  void set_velocity(std::int64_t id, const Vector& velocity) override;
  void set_spin(std::int64_t id, const Vector& spin) override;
  void add_load(Simulation::Load load) override;
  void set_flow(Simulation::Flow flow) override;
  Vector flow_velocity(const Vector& position) override;

 private:
  sim::Run& run() override { return run_; }
  const sim::Run& run() const override { return run_; }
  const world::World<D>& world() const { return run_.world(); }
  world::NewBody<D> checked(const NewBody& body) const;
  void tell_row(const measure::Probe<D>& probe, double time, const std::vector<double>& values);

  sim::Simulation<D> run_;
  std::vector<const measure::Probe<D>*> probes_;
};

template <int D>
EngineOf<D>::EngineOf(const scene::Scene& tree, scene::Built<D> built, const Options& options,
                      const base::Record* resumed)
    : Engine(scene::spelled_out(tree, built)),
      run_(std::move(built.world), built.ending, thread_count(options.threads)) {
  scene::hook_up(built, run_);
  for (auto& probe : built.probes) {
    const auto row = [this, of = probe.get()](double time, const std::vector<double>& values) {
      tell_row(*of, time, values);
    };
    const auto tables = [this](const std::vector<measure::Table>& changed) {
      for (const measure::Table& table : changed)
        if (on_table) on_table(table);
    };
    auto watch = std::make_unique<sim::ProbeWatch<D>>(std::move(probe), row, tables);
    probes_.push_back(&watch->probe());
    run_.add(std::move(watch));
  }
  run_.add(std::make_unique<FrameTaker<D>>(wanted_, frame_));
  if (options.energy_budget) run_.keep_energy();
  run_.begin(resumed);
}

template <int D>
std::vector<Clump> EngineOf<D>::clumps() {
  look();
  const world::Clumps<D>& from = world().clumps;
  std::vector<Clump> all;
  for (std::size_t c = 0; c < from.size(); ++c) {
    Clump clump;
    clump.id = from.id[c];
    clump.position = to_vector(from.x[c]);
    clump.velocity = to_vector(world().clump_velocity(c));
    clump.spin = spin_to_vector(world().clump_spin(c));
    const math::Quaternion q = math::as_quaternion(from.orientation[c]);
    clump.orientation = {q.w, q.x, q.y, q.z};
    clump.radius = from.radius[c];
    clump.mass = from.mass[c];
    for (std::uint32_t m = from.start[c]; m < from.start[c + 1]; ++m)
      clump.members.push_back(from.first_member[c] + (m - from.start[c]));
    all.push_back(std::move(clump));
  }
  std::sort(all.begin(), all.end(), [](const Clump& a, const Clump& b) { return a.id < b.id; });
  return all;
}

template <int D>
std::vector<Wall> EngineOf<D>::walls() {
  look();
  std::vector<Wall> all;
  for (const world::Wall<D>& w : world().walls)
    all.push_back({w.name, to_vector(w.now.a), to_vector(w.velocity), to_vector(w.force)});
  return all;
}

// Those of the scene; a world has more, of rigid walls.
template <int D>
std::vector<std::string> EngineOf<D>::materials() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < tree().node.tables("material").size(); ++k) names.push_back(world().materials[k].name);
  return names;
}

template <int D>
Energy EngineOf<D>::energy() {
  look();
  const measure::Energy e = measure::measure_energy(world());
  const world::Ledger& l = world().ledger;
  return {.translational = e.translation,
          .rotational = e.rotation,
          .potential = e.potential,
          .elastic = e.elastic,
          .normal_damping = l.normal_dashpot,
          .shear_damping = l.shear_dashpot,
          .friction = l.friction,
          .global_damping = l.global_damping,
          .walls = l.walls,
          .loads = l.loads,
          .shear = l.shear,
          .added = l.added};
}

template <int D>
std::map<std::string, std::map<std::string, double>> EngineOf<D>::probes() {
  look();
  std::map<std::string, std::map<std::string, double>> all;
  for (const measure::Probe<D>* probe : probes_) all[probe->name()] = probe->results();
  return all;
}

template <int D>
void EngineOf<D>::tell_row(const measure::Probe<D>& probe, double time, const std::vector<double>& values) {
  if (!on_row) return;
  std::vector<double> row;
  if (probe.cycles) row.push_back(static_cast<double>(world().step));
  row.push_back(time);
  row.insert(row.end(), values.begin(), values.end());
  on_row(probe.name(), row);
}

template <int D>
std::map<std::string, std::vector<measure::Quantity>> EngineOf<D>::series() const {
  std::map<std::string, std::vector<measure::Quantity>> all;
  for (const measure::Probe<D>* probe : probes_) {
    if (!probe->has_series()) continue;
    std::vector<measure::Quantity>& columns = all[probe->name()];
    if (probe->cycles) columns.push_back({"cycle", ""});
    columns.push_back({"time", "s"});
    for (measure::Quantity& q : probe->columns()) columns.push_back(std::move(q));
  }
  return all;
}

template <int D>
std::vector<measure::Table> EngineOf<D>::tables() const {
  std::vector<measure::Table> all;
  for (const measure::Probe<D>* probe : probes_)
    for (measure::Table& table : probe->tables()) all.push_back(std::move(table));
  return all;
}

template <int D>
world::NewBody<D> EngineOf<D>::checked(const NewBody& body) const {
  check_finite(body.position, "position");
  check_finite(body.velocity, "velocity");
  check_finite(body.spin, "spin");
  const auto refuse = [](const char* key, const std::string& text) { throw InputError("", 0, key, text); };
  if (!(body.radius > 0 && std::isfinite(body.radius)))
    refuse("radius", fmt::format("{} is out of range: it must be > 0 and finite", body.radius));
  const std::size_t known = tree().node.tables("material").size();
  if (body.material >= known)
    refuse("material", fmt::format("{} is out of range: the scene has {} material(s)", body.material, known));
  world::NewBody<D> out;
  out.x = from_vector<D>(body.position);
  out.radius = body.radius;
  out.material = static_cast<std::uint32_t>(body.material);
  out.held = body.fixed ? world::Held::kFixed : world::Held::kFree;
  if (!body.fixed) {
    out.v = from_vector<D>(body.velocity);
    out.w = spin_from_vector<D>(body.spin);
  }
  inflow::solid_ball<D>(body.radius, world().materials[out.material].density, tree().node.number("thickness"), out.mass,
                        out.inertia);
  if (!std::isnormal(out.mass) || !std::isnormal(out.inertia))
    refuse("radius", fmt::format("{} m gives a mass of {} kg, which cannot be computed with", body.radius, out.mass));
  if (!world().domain.contains(out.x)) refuse("position", "lies outside the domain");
  for (int k = 0; k < D; ++k) {
    if (world().domain.periodic[static_cast<std::size_t>(k)] &&
        0.5 * world().domain.length(k) - 2 * body.radius < world().skin)
      refuse("radius", fmt::format("{} m is too large for the periodic domain", body.radius));
  }
  const double speed = std::max(scene::likely_speed(world(), {}), math::norm(out.v));
  scene::Coming coming;
  coming.lightest = out.mass;
  coming.thinnest = out.radius;
  coming.material = out.material;
  const auto scale = scene::contact_scale(world(), speed, {coming});
  if (dt() > scale.longest_stable)
    refuse("radius", fmt::format("{} m would need a shorter step: at most {:.4g} s, and it is {:.4g} s (time.step)",
                                 body.radius, scale.longest_stable, dt()));
  return out;
}

template <int D>
std::int64_t EngineOf<D>::add_body(const NewBody& body) {
  const world::NewBody<D> sound = checked(body);
  back_to_between();
  return run_.add_body(sound);
}

template <int D>
void EngineOf<D>::remove_body(std::int64_t id) {
  back_to_between();
  run_.remove_body(id);
}

template <int D>
void EngineOf<D>::set_velocity(std::int64_t id, const Vector& velocity) {
  check_finite(velocity, "velocity");
  back_to_between();
  run_.set_velocity(id, from_vector<D>(velocity));
}

template <int D>
void EngineOf<D>::set_spin(std::int64_t id, const Vector& spin) {
  check_finite(spin, "spin");
  back_to_between();
  run_.set_spin(id, spin_from_vector<D>(spin));
}

template <int D>
void EngineOf<D>::add_load(Simulation::Load load) {
  if (!load) throw InputError("", 0, "load", "is empty");
  back_to_between();
  run_.add(std::make_unique<flow::CallbackLoad<D>>(
      [load = std::move(load)](const world::Mover<D>& m, double t) -> world::Wrench<D> {
        const Wrench w = load({.id = m.id,
                               .position = to_vector(m.x),
                               .velocity = to_vector(m.v),
                               .spin = spin_to_vector(m.w),
                               .mass = m.mass,
                               .radius = m.radius,
                               .material = m.material,
                               .is_clump = m.clump},
                              t);
        if (!is_finite(w.force) || !is_finite(w.torque))
          throw RunError(fmt::format("a load gives a force that is no number for body {} at time {:.6g} s", m.id, t),
                         "see that it has a finite value wherever a body can be");
        return {from_vector<D>(w.force), spin_from_vector<D>(w.torque)};
      }));
}

template <int D>
void EngineOf<D>::set_flow(Simulation::Flow flow) {
  if (!flow) throw InputError("", 0, "flow", "is empty");
  if (!tree().node.has("flow") || tree().node.table("flow").text("kind") != "callback")
    throw InputError("", 0, "flow", "the scene does not ask for one: give it a [flow] with kind = \"callback\"");
  back_to_between();
  run_.world().flow = std::make_shared<flow::CallbackField<D>>(
      [flow = std::move(flow)](const math::Vec<D>& x, double t) -> math::Vec<D> {
        const Vector u = flow(to_vector(x), t);
        if (!is_finite(u))
          throw RunError(fmt::format("the flow is no number at ({:.6g}, {:.6g}) at time {:.6g} s", x[0], x[1], t),
                         "see that it has a finite value wherever a body can be");
        return from_vector<D>(u);
      });
}

template <int D>
Vector EngineOf<D>::flow_velocity(const Vector& position) {
  check_finite(position, "position");
  look();
  if (!world().flow) return {};
  return to_vector(world().flow->velocity(from_vector<D>(position)));
}

template <int D>
std::unique_ptr<Engine> make(const scene::Scene& tree, const Options& options, const base::Record* resumed) {
  return std::make_unique<EngineOf<D>>(tree, scene::build<D>(tree, resumed != nullptr), options, resumed);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const scene::Scene& tree, const Options& options, const base::Record* resumed) {
  return tree.dimension() == 2 ? make<2>(tree, options, resumed) : make<3>(tree, options, resumed);
}

}  // namespace moraine::api
