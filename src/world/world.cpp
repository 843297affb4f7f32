// SPDX-License-Identifier: MIT
#include "world/world.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "math/elementary.hpp"
#include "world/flat.hpp"

namespace moraine::world {

namespace {

// Only of those that have one: number of the body, and what it has.
std::vector<std::int64_t> numbered(const std::vector<std::uint32_t>& values, std::uint32_t none) {
  std::vector<std::int64_t> pairs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != none) pairs.insert(pairs.end(), {static_cast<std::int64_t>(i), std::int64_t{values[i]}});
  }
  return pairs;
}
void unnumbered(const std::vector<std::int64_t>& pairs, std::size_t n, std::uint32_t none,
                std::vector<std::uint32_t>& values) {
  values.assign(n, none);
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
    values.at(static_cast<std::size_t>(pairs[k])) = static_cast<std::uint32_t>(pairs[k + 1]);
  }
}

std::size_t closed_in(const Slots& s) {
  return static_cast<std::size_t>(std::count(s.touching.begin(), s.touching.end(), std::uint8_t{1}));
}

// Only what has a history: the slot list itself is found again from x_found.
void save_slots(const Slots& s, const std::string& name, base::Record& record) {
  record.later_bytes += 8 * (1 + s.stride) * closed_in(s);
  record.ints[name + ".count"] = {static_cast<std::int64_t>(s.size())};
  record.later_ints[name + ".slot"] = [&s] {
    std::vector<std::int64_t> at;
    at.reserve(closed_in(s));
    for (std::size_t p = 0; p < s.size(); ++p) {
      if (s.touching[p] == 1) at.push_back(static_cast<std::int64_t>(p));
    }
    return at;
  };
  record.later_reals[name + ".memory"] = [&s] {
    std::vector<double> memory;
    memory.reserve(closed_in(s) * s.stride);
    for (std::size_t p = 0; p < s.size(); ++p) {
      if (s.touching[p] != 1) continue;
      const auto from = s.memory.begin() + static_cast<std::ptrdiff_t>(p * s.stride);
      memory.insert(memory.end(), from, from + static_cast<std::ptrdiff_t>(s.stride));
    }
    return memory;
  };
}

void load_slots(Slots& s, const std::string& name, const base::Record& record) {
  const auto& at = record.integer(name + ".slot");
  const auto& memory = record.real(name + ".memory");
  if (record.count(name + ".count") != static_cast<std::int64_t>(s.size()) || memory.size() != at.size() * s.stride) {
    throw std::runtime_error("the contacts of the checkpoint do not belong to this scene");
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const auto p = static_cast<std::size_t>(at[k]);
    s.touching.at(p) = 1;
    for (std::size_t c = 0; c < s.stride; ++c) s.memory[p * s.stride + c] = memory[k * s.stride + c];
  }
}

void save_points(const std::vector<Points>& chunks, const std::string& name, base::Record& record) {
  auto& at = record.ints[name + ".at"];
  auto& memory = record.reals[name + ".memory"];
  at.clear();
  memory.clear();
  for (const Points& points : chunks) {
    for (std::size_t k = 0; k < points.size(); ++k)
      at.insert(at.end(), {std::int64_t{points.slot[k]}, std::int64_t{points.key[k]}});
    memory.insert(memory.end(), points.memory.begin(), points.memory.end());
  }
}

// Which chunk a point belongs to follows from its slot.
void load_points(std::vector<Points>& chunks, const Slots& slots, std::size_t stride, const std::string& name,
                 const base::Record& record) {
  const auto& at = record.integer(name + ".at");
  const auto& memory = record.real(name + ".memory");
  const std::size_t bodies = slots.start.empty() ? 0 : slots.start.size() - 1;
  if (memory.size() * 2 != at.size() * stride)
    throw std::runtime_error("the contacts of the checkpoint do not belong to this scene");
  chunks.assign(base::chunk_count(bodies), {});
  std::uint32_t body = 0;
  for (std::size_t k = 0; 2 * k < at.size(); ++k) {
    const auto slot = static_cast<std::uint32_t>(at[2 * k]);
    if (slot >= slots.size()) throw std::runtime_error("the contacts of the checkpoint do not belong to this scene");
    body = slots.body_of(slot, body);
    chunks[body / base::kChunkBodies].add(slot, static_cast<std::uint32_t>(at[2 * k + 1]), &memory[k * stride], stride);
  }
}

template <int D>
void save_links(const World<D>& world, base::Record& record) {
  auto& forces = record.reals["links.force"];
  auto& sizes = record.reals["links.size"];
  auto& ends = record.ints["links.end"];
  forces.clear();
  sizes.clear();
  ends.clear();
  for (const Link<D>& link : world.links) {
    forces.insert(forces.end(), link.force.begin(), link.force.end());
    sizes.push_back(link.length);
    ends.insert(ends.end(), {static_cast<std::int64_t>(link.kind), std::int64_t{link.slip ? 1 : 0}});
    for (const LinkEnd<D>* end : {&link.a, &link.b}) {
      ends.insert(ends.end(), {static_cast<std::int64_t>(end->at), end->id});
      sizes.insert(sizes.end(), end->point.c, end->point.c + D);
    }
  }
  const LinkReport& r = world.report;
  record.reals["links.report"] = {r.position, r.velocity, r.shortest_step};
  record.ints["links.report"] = {r.steps, r.evaluations, r.iterations, r.rejected};
}
template <int D>
void load_links(World<D>& world, const base::Record& record) {
  const auto& forces = record.real("links.force");
  const auto& sizes = record.real("links.size");
  const auto& ends = record.integer("links.end");
  const std::size_t n = ends.size() / 6;
  if (ends.size() != 6 * n || forces.size() != D * n || sizes.size() != (1 + 2 * D) * n)
    throw std::runtime_error("the links of the checkpoint are damaged");
  world.links.assign(n, {});
  for (std::size_t l = 0; l < n; ++l) {
    Link<D>& link = world.links[l];
    const std::int64_t* e = &ends[6 * l];
    const double* s = &sizes[(1 + 2 * D) * l];
    link.kind = static_cast<LinkKind>(e[0]);
    link.slip = e[1] != 0;
    link.length = s[0];
    for (LinkEnd<D>* end : {&link.a, &link.b}) {
      const bool second = end == &link.b;
      end->at = static_cast<typename LinkEnd<D>::At>(e[second ? 4 : 2]);
      end->id = e[second ? 5 : 3];
      std::copy_n(s + 1 + (second ? D : 0), D, end->point.c);
      if (end->at == LinkEnd<D>::At::kBody && (end->id < 0 || end->id >= record.count("bodies.next_id")))
        throw std::runtime_error("the links of the checkpoint are damaged");
    }
    std::copy_n(&forces[D * l], D, link.force.begin());
  }
  const auto& report = record.real("links.report");
  const auto& counts = record.integer("links.report");
  world.report = {report.at(0), report.at(1), report.at(2), counts.at(0), counts.at(1), counts.at(2), counts.at(3)};
}

// The scene has those of its own tables, with their motions; those of fills are fixed.
template <int D>
void load_held_solids(World<D>& world, const base::Record& record) {
  const std::size_t known = world.guided.size();
  for (const std::uint32_t motion : world.bodies.motion) {
    if (motion != kNoMotion && motion >= world.guided.size()) world.guided.resize(std::size_t{motion} + 1);
  }
  const auto held = record.ints.find("bodies.held_solids");
  for (std::size_t k = 0; held != record.ints.end() && k + 1 < held->second.size(); k += 2) {
    const auto i = static_cast<std::size_t>(held->second[k]);
    const auto solid = static_cast<std::size_t>(held->second[k + 1]);
    if (solid >= world.solids.size())
      throw std::runtime_error("the solids of the checkpoint are not those of the scene");
    const std::uint32_t motion = world.bodies.motion.at(i);
    if (motion != kNoMotion && motion >= known)
      world.guided[motion] = {
          {}, world.bodies.place[i].x, -1, static_cast<std::uint32_t>(solid), world.bodies.orientation.at(i)};
  }
}

}  // namespace

template <int D>
Vec<D> World<D>::member_velocity(std::size_t i) const {
  const std::uint32_t c = bodies.clump[i];
  const std::size_t m = clumps.start[c] + static_cast<std::size_t>(bodies.id[i] - clumps.first_member[c]);
  Vec<D> v = clump_velocity(c) + math::cross(clump_spin(c), clumps.arm(c, m));
  if (domain.shear.rate != 0) {
    const auto g = static_cast<std::size_t>(domain.shear.gradient);
    v[domain.shear.flow] -= (bodies.image[i][g] - clumps.image[c][g]) * domain.slide_speed();
  }
  return v;
}

template <int D>
double World<D>::volume(std::size_t i) const {
  const double radius = bodies.place[i].radius;
  const shape::Solid<D>* solid = solid_of(i);
  if (solid == nullptr) return math::ball_volume(D, radius);
  const double scale = radius / solid->radius;
  return solid->measure * (D == 2 ? scale * scale : scale * scale * scale);
}

template <int D>
void World<D>::count_body(std::size_t i, Tally& tally) const {
  tally.add(bodies.mass[i], math::ball_volume(D, bodies.place[i].radius));
}

template <int D>
Tally World<D>::inside() const {
  Tally tally;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.moving[i].held == Held::kFree && !bodies.moving[i].gone) count_body(i, tally);
  }
  for (std::size_t c = 0; c < clumps.size(); ++c) {
    if (clumps.gone[c] == 0) count_clump(c, tally);
  }
  return tally;
}

template <int D>
void World<D>::save(base::Record& record) const {
  record.set("world.dimension", std::int64_t{D});
  record.set("world.time", time);
  record.set("world.step", step);
  record.set("world.skin", skin);
  record.set("world.found_time", found_time);
  record.set("world.shear_turns", domain.shear_turns);
  record.set("world.removed", removed);
  record.set("world.collisions", collisions);
  record.reals["world.ledger"] = {ledger.normal_dashpot, ledger.shear_dashpot, ledger.friction,
                                  ledger.global_damping, ledger.walls,         ledger.added,
                                  ledger.elastic,        ledger.loads,         ledger.shear};
  record.set("world.first_break", bonds.first_break);
  record.ints["world.bonds"] = {bonds.intact, bonds.broken};
  record.later_bytes += bodies.size() * 8 * (D == 2 ? 19 : 28);
  // One array after the other, each from one member of the records.
  const auto each = [this](auto member) {
    return [this, member] {
      std::vector<std::decay_t<decltype(member(std::size_t{0}))>> values(bodies.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = member(i);
      return flat(values);
    };
  };
  auto& later = record.later_reals;
  later["bodies.x"] = each([this](std::size_t i) { return bodies.place[i].x; });
  later["bodies.radius"] = each([this](std::size_t i) { return bodies.place[i].radius; });
  later["bodies.v"] = each([this](std::size_t i) { return bodies.moving[i].v; });
  later["bodies.v_now"] = each([this](std::size_t i) { return bodies.moving[i].v_now; });
  later["bodies.w"] = each([this](std::size_t i) { return bodies.moving[i].w; });
  later["bodies.w_now"] = each([this](std::size_t i) { return bodies.moving[i].w_now; });
  later["bodies.mass"] = [this] { return bodies.mass; };
  later["bodies.inertia"] = [this] { return bodies.inertia; };
  later["bodies.orientation"] = [this] { return flat(bodies.orientation); };
  later["bodies.x_found"] = [this] { return flat(bodies.x_found); };
  record.later_ints["bodies.id"] = [this] { return bodies.id; };
  record.later_ints["bodies.meta"] = [this] {
    std::vector<std::int64_t> meta;
    meta.reserve(bodies.size());
    for (const Moving<D>& m : bodies.moving) {
      meta.push_back(std::int64_t{m.material} | (static_cast<std::int64_t>(m.held) << 32) |
                     (std::int64_t{m.fresh ? 1 : 0} << 40) | (std::int64_t{m.gone ? 1 : 0} << 41));
    }
    return meta;
  };
  record.later_ints["bodies.motion"] = [this] { return numbered(bodies.motion, kNoMotion); };
  record.later_ints["bodies.clump"] = [this] { return numbered(bodies.clump, kNoClump); };
  record.later_ints["bodies.image"] = [this] {
    std::vector<std::int64_t> image;
    image.reserve(bodies.size());
    for (const auto& turns : bodies.image) image.push_back(packed_image(turns));
    return image;
  };
  record.set("bodies.next_id", bodies.next_id);
  // Solids that are held, for who begins with this state: place in the bodies, number of the shape; volume.
  auto& held = record.ints["bodies.held_solids"];
  auto& volumes = record.reals["bodies.held_volumes"];
  held.clear();
  volumes.clear();
  for (std::size_t i = 0; i < bodies.size() && !solids.empty(); ++i) {
    if (bodies.clump[i] != kNoClump || solid_number(i) == kNoSolid) continue;
    held.insert(held.end(), {static_cast<std::int64_t>(i), std::int64_t{solid_number(i)}});
    volumes.push_back(volume(i));
  }
  auto& found = record.reals["walls.found"];
  found.clear();
  for (const Wall<D>& wall : walls) {
    found.insert(found.end(), wall.found.a.c, wall.found.a.c + D);
    found.insert(found.end(), wall.found.b.c, wall.found.b.c + D);
    const math::Quaternion q = math::as_quaternion(wall.found.turned);
    found.insert(found.end(), {q.w, q.x, q.y, q.z});
  }
  auto& gone = record.ints["walls.gone"];
  gone.clear();
  for (const Wall<D>& wall : walls) gone.push_back(wall.gone ? 1 : 0);
  auto& drives = record.reals["walls.drive"];
  drives.clear();
  for (const Wall<D>& wall : walls) {
    const Drive<D>& d = wall.drive;
    drives.insert(drives.end(),
                  {d.moved, d.v, d.v_now, static_cast<double>(d.swings), static_cast<double>(d.last_limit), d.drift});
  }
  save_links(*this, record);
  traffic.save(record);
  clumps.save(record);
  save_slots(contacts.pairs, "pairs", record);
  save_slots(contacts.walls, "walls", record);
  save_points(contacts.pair_points, "pair_points", record);
  save_points(contacts.wall_points, "wall_points", record);
}

template <int D>
void World<D>::load(const base::Record& record) {
  time = record.number("world.time");
  step = record.count("world.step");
  skin = record.number("world.skin");
  found_time = record.number("world.found_time");
  domain.shear_turns = record.number("world.shear_turns");
  removed = record.count("world.removed");
  collisions = record.count("world.collisions");
  bonds = {record.integer("world.bonds").at(0), record.integer("world.bonds").at(1),
           record.number("world.first_break")};
  const auto& l = record.real("world.ledger");
  ledger = {.normal_dashpot = l.at(0),
            .shear_dashpot = l.at(1),
            .friction = l.at(2),
            .global_damping = l.at(3),
            .walls = l.at(4),
            .loads = l.at(7),
            .shear = l.at(8),
            .added = l.at(5),
            .elastic = l.at(6)};
  std::vector<Vec<D>> x, v, v_now;
  std::vector<Spin<D>> w, w_now;
  unflat(record.real("bodies.x"), x);
  unflat(record.real("bodies.v"), v);
  unflat(record.real("bodies.v_now"), v_now);
  unflat(record.real("bodies.w"), w);
  unflat(record.real("bodies.w_now"), w_now);
  const auto& radius = record.real("bodies.radius");
  const auto& meta = record.integer("bodies.meta");
  const auto& image = record.integer("bodies.image");
  bodies.mass = record.real("bodies.mass");
  bodies.inertia = record.real("bodies.inertia");
  unflat(record.real("bodies.orientation"), bodies.orientation);
  unflat(record.real("bodies.x_found"), bodies.x_found);
  bodies.id = record.integer("bodies.id");
  bodies.next_id = record.count("bodies.next_id");
  const std::size_t n = x.size();
  bodies.place.assign(n, {});
  bodies.moving.assign(n, {});
  bodies.image.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) {
    Moving<D>& m = bodies.moving[i];
    bodies.place[i] = {x[i], radius.at(i)};
    m.v = v[i];
    m.v_now = v_now[i];
    m.w = w[i];
    m.w_now = w_now[i];
    m.material = static_cast<std::uint32_t>(meta.at(i) & 0xFFFFFFFF);
    m.held = static_cast<Held>((meta.at(i) >> 32) & 0xFF);
    m.fresh = ((meta.at(i) >> 40) & 1) != 0;
    m.gone = ((meta.at(i) >> 41) & 1) != 0;
    m.inverse_mass = yields(m.held) ? 1 / bodies.mass.at(i) : 0;
    bodies.image[i] = unpacked_image<D>(image.at(i));
  }
  unnumbered(record.integer("bodies.motion"), n, kNoMotion, bodies.motion);
  unnumbered(record.integer("bodies.clump"), n, kNoClump, bodies.clump);
  load_held_solids(*this, record);
  for (std::size_t k = 0; k < walls.size(); ++k) walls[k].gone = record.integer("walls.gone").at(k) != 0;
  const auto& drives = record.real("walls.drive");
  for (std::size_t k = 0; k < walls.size(); ++k) {
    Drive<D>& d = walls[k].drive;
    const double* saved = &drives.at(6 * k);
    d.moved = saved[0];
    d.v = saved[1];
    d.v_now = saved[2];
    d.swings = static_cast<std::int64_t>(saved[3]);
    d.last_limit = static_cast<int>(saved[4]);
    d.drift = drives.at(6 * k + 5);
    if (walls[k].gone) d.on = false;
  }
  load_links(*this, record);
  traffic.load(record);
  clumps.load(record);
  for (const std::uint32_t c : bodies.clump) {
    if (c != kNoClump && c >= clumps.size()) throw std::runtime_error("the clumps of the checkpoint are damaged");
  }
  for (const std::uint32_t s : clumps.solid) {
    if (s != kNoSolid && s >= solids.size())
      throw std::runtime_error("the solids of the checkpoint are not those of the scene");
  }
  clumps.find_members(bodies);
  bodies.force.assign(n, {});
  bodies.torque.assign(n, {});
  const auto& found = record.real("walls.found");
  constexpr std::size_t kNumbers = 2 * D + 4;
  for (std::size_t k = 0; k < walls.size(); ++k) {
    walls[k].found = walls[k].start;
    for (std::size_t c = 0; c < D; ++c) {
      walls[k].found.a[static_cast<int>(c)] = found.at(kNumbers * k + c);
      walls[k].found.b[static_cast<int>(c)] = found.at(kNumbers * k + D + c);
    }
    const std::size_t q = kNumbers * k + 2 * D;
    if constexpr (D == 3) walls[k].found.turned = {found.at(q), found.at(q + 1), found.at(q + 2), found.at(q + 3)};
  }
}

template <int D>
void World<D>::load_contacts(const base::Record& record) {
  load_slots(contacts.pairs, "pairs", record);
  load_slots(contacts.walls, "walls", record);
  load_points(contacts.pair_points, contacts.pairs, contacts.point_stride, "pair_points", record);
  load_points(contacts.wall_points, contacts.walls, contacts.point_stride, "wall_points", record);
}

template <int D>
std::uint64_t World<D>::hash() const {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return bodies.id[a] < bodies.id[b]; });
  base::Hash h;
  h.add(time);
  h.add(static_cast<std::uint64_t>(step));
  for (const std::size_t i : order) {
    const Moving<D>& m = bodies.moving[i];
    h.add(static_cast<std::uint64_t>(bodies.id[i]));
    for (int k = 0; k < D; ++k) h.add(bodies.place[i].x[k]);
    for (int k = 0; k < D; ++k) h.add(m.v[k]);
    const math::Vec3 w = math::spin_as_vec3(m.w);
    for (int k = 0; k < 3; ++k) h.add(w[k]);
    const math::Quaternion q = math::as_quaternion(bodies.orientation[i]);
    h.add(q.w);
    h.add(q.x);
    h.add(q.y);
    h.add(q.z);
    h.add(bodies.place[i].radius);
  }
  return h.value();
}

template struct World<2>;
template struct World<3>;

}  // namespace moraine::world
