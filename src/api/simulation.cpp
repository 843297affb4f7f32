// SPDX-License-Identifier: MIT
#include "moraine/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/content.hpp"
#include "api/engine.hpp"
#include "base/error.hpp"
#include "io/checkpoint.hpp"
#include "io/vtk.hpp"
#include "scene/keys.hpp"
#include "scene/writer.hpp"

namespace moraine {

namespace {

Body body_of(const measure::Frame& f, std::size_t k) {
  return {.id = f.id[k],
          .position = f.position[k],
          .velocity = f.velocity[k],
          .spin = f.spin[k],
          .orientation = f.orientation[k],
          .radius = f.radius[k],
          .mass = f.mass[k],
          .material = static_cast<std::size_t>(f.material[k]),
          .held = static_cast<Held>(f.held[k]),
          .clump = f.clump[k]};
}

// A checkpoint that cannot be gone on from, however its file fails to fit, is bad input.
template <class Work>
auto from_checkpoint(const std::filesystem::path& path, const Work& work) {
  try {
    return work();
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(path.string(), 0, "", fmt::format("cannot be gone on from: {}", error.what()));
  }
}

}  // namespace

Simulation::Simulation(std::unique_ptr<api::Engine> engine) : engine_(std::move(engine)) {}
Simulation::Simulation(const Scene& scene, const Options& options)
    : engine_(api::make_engine(scene.content_->tree, options, nullptr)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation Simulation::resume(const std::filesystem::path& checkpoint, const std::vector<std::string>& sets,
                              const Options& options) {
  for (const std::string& set : sets) {
    if (set.rfind("time.end", 0) != 0) throw InputError("--set", 0, set, "a run that goes on can only change time.end");
  }
  const base::Record record = io::read_checkpoint(checkpoint);
  return from_checkpoint(checkpoint, [&] {
    const auto tree = scene::load_scene_text(record.text("scene"), checkpoint.string(), checkpoint.parent_path(), sets);
    return Simulation(api::make_engine(tree, options, &record));
  });
}

Scene Simulation::scene() const {
  const scene::Scene& tree = engine_->tree();
  const std::string text = scene::write_complete(scene::scene_schema(), tree.node);
  return Scene(std::make_shared<Scene::Content>(Scene::Content{std::nullopt, text, tree.folder, {}, tree}));
}

int Simulation::dimension() const { return engine_->tree().dimension(); }
double Simulation::time() const { return engine_->time(); }
double Simulation::dt() const { return engine_->dt(); }
std::int64_t Simulation::steps() const { return engine_->steps(); }
bool Simulation::finished() const { return engine_->finished(); }

void Simulation::step(std::int64_t count) {
  if (count < 0) throw InputError("", 0, "count", fmt::format("{} is out of range: it must be >= 0", count));
  if (engine_->calling) throw RunError("step() was called from within a callback", "step from outside of it");
  for (; count > 0 && !finished(); --count) {
    engine_->step();
    engine_->calling = true;
    try {
      const auto calls = engine_->calls;  // a callback may add another
      for (const auto& call : calls) {
        if (steps() % call.every == 0 || finished()) call.callback(*this);
      }
    } catch (...) {
      engine_->calling = false;
      throw;
    }
    engine_->calling = false;
  }
}

void Simulation::run_until(double time) {
  while (!finished() && this->time() < time - 1e-9 * dt()) step();
}

void Simulation::run() {
  while (!finished()) step();
}

std::size_t Simulation::body_count() const { return engine_->look().id.size(); }

std::vector<Body> Simulation::bodies() const {
  const measure::Frame& f = engine_->look();
  std::vector<Body> all;
  all.reserve(f.id.size());
  for (std::size_t k = 0; k < f.id.size(); ++k) all.push_back(body_of(f, k));
  return all;
}

Body Simulation::body(std::int64_t id) const {
  const measure::Frame& f = engine_->look();
  const auto at = std::lower_bound(f.id.begin(), f.id.end(), id);
  if (at == f.id.end() || *at != id) throw InputError("", 0, fmt::format("body {}", id), "there is no body of this id");
  return body_of(f, static_cast<std::size_t>(at - f.id.begin()));
}

std::vector<Clump> Simulation::clumps() const { return engine_->clumps(); }
std::vector<Wall> Simulation::walls() const { return engine_->walls(); }

Wall Simulation::wall(const std::string& name) const {
  for (Wall& wall : engine_->walls()) {
    if (wall.name == name) return std::move(wall);
  }
  throw InputError("", 0, fmt::format("wall \"{}\"", name), "there is no wall of this name");
}

std::vector<Contact> Simulation::contacts() const {
  const measure::Frame& f = engine_->look();
  std::vector<Contact> all;
  all.reserve(f.contact_a.size());
  for (std::size_t k = 0; k < f.contact_a.size(); ++k) {
    const std::int64_t b = f.contact_b[k];
    all.push_back({f.contact_a[k], b < 0 ? -1 : b, b < 0 ? static_cast<int>(-1 - b) : -1, f.contact_point[k],
                   f.contact_normal[k], f.contact_force[k], f.contact_overlap[k]});
  }
  return all;
}

std::vector<std::string> Simulation::materials() const { return engine_->materials(); }
Energy Simulation::energy() const { return engine_->energy(); }
std::map<std::string, std::map<std::string, double>> Simulation::probes() const { return engine_->probes(); }
std::uint64_t Simulation::state_hash() const { return engine_->hash(); }

std::int64_t Simulation::add_body(const NewBody& body) { return engine_->add_body(body); }
void Simulation::remove_body(std::int64_t id) { engine_->remove_body(id); }
void Simulation::set_velocity(std::int64_t id, const Vector& velocity) { engine_->set_velocity(id, velocity); }
void Simulation::set_spin(std::int64_t id, const Vector& spin) { engine_->set_spin(id, spin); }
void Simulation::add_load(Load load) { engine_->add_load(std::move(load)); }
void Simulation::set_flow(Flow flow) { engine_->set_flow(std::move(flow)); }
Vector Simulation::flow_velocity(const Vector& position) const { return engine_->flow_velocity(position); }

void Simulation::on_step(std::int64_t every, Callback callback) {
  if (every < 1) throw InputError("", 0, "every", fmt::format("{} is out of range: it must be >= 1", every));
  if (!callback) throw InputError("", 0, "callback", "is empty");
  engine_->calls.push_back({every, std::move(callback)});
}

void Simulation::save_checkpoint(const std::filesystem::path& path) const {
  base::Record record = engine_->saved();
  record.texts["scene"] = scene().toml();
  io::write_checkpoint(path, std::move(record));
}

void Simulation::write_vtk(const std::filesystem::path& bodies, const std::filesystem::path& contacts) const {
  const measure::Frame& frame = engine_->look();
  io::write_vtp(bodies, frame);
  if (!contacts.empty()) io::write_contacts_vtp(contacts, frame);
}

}  // namespace moraine
