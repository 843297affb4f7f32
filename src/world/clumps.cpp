// SPDX-License-Identifier: MIT
#include "world/clumps.hpp"

#include <algorithm>
#include <stdexcept>

#include "world/flat.hpp"

namespace moraine::world {

template <int D>
void Clumps<D>::add(const NewClump<D>& clump, Bodies<D>& bodies) {
  const ClumpShape<D>& shape = *clump.shape;
  const auto c = static_cast<std::uint32_t>(size());
  const double s = clump.scale, depth = D == 2 ? clump.thickness : 1;
  const double size_to_d = D == 2 ? s * s : s * s * s, weight = clump.density * depth * size_to_d;
  x.push_back(clump.x);
  v.push_back(clump.v);
  v_now.push_back(clump.v);
  w.push_back(clump.w);
  w_now.push_back(clump.w);
  orientation.push_back(clump.orientation);
  mass.push_back(weight * shape.volume);
  radius.push_back(s * shape.radius);
  volume.push_back(size_to_d * shape.volume);
  inertia.push_back(shape.moment * (weight * s * s));
  momentum.push_back(momentum_of(c, clump.w));
  image.push_back({});
  id.push_back(next_id++);
  first_member.push_back(bodies.next_id);
  fresh.push_back(1);
  gone.push_back(0);
  solid.push_back(shape.solid);
  force.push_back({});
  torque.push_back({});
  for (const Place<D>& m : shape.members) {
    offset.push_back(m.x * s);
    const Vec<D> r = arm(c, offset.size() - 1);
    NewBody<D> body;
    body.x = clump.x + r;
    body.v = clump.v + math::cross(clump.w, r);
    body.w = clump.w;
    body.radius = m.radius * s;
    body.mass = mass.back();  // what a contact feels
    body.inertia = 1;         // not used: the clump turns as one
    body.material = clump.material;
    body.held = Held::kMember;
    body.clump = c;
    member.push_back(static_cast<std::uint32_t>(bodies.size()));
    bodies.add(body);
    bodies.orientation.back() = clump.orientation;
  }
  start.push_back(static_cast<std::uint32_t>(member.size()));
}

template <int D>
void Clumps<D>::find_members(const Bodies<D>& bodies) {
  if (size() == 0) return;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::uint32_t c = bodies.clump[i];
    if (c == kNoClump) continue;
    member.at(start[c] + static_cast<std::size_t>(bodies.id[i] - first_member[c])) = static_cast<std::uint32_t>(i);
  }
}

namespace {
template <class T>
void keep(std::vector<T>& values, const std::vector<std::uint32_t>& kept) {
  for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
  values.resize(kept.size());
}
}  // namespace

template <int D>
void Clumps<D>::drop_gone(Bodies<D>& bodies) {
  if (std::find(gone.begin(), gone.end(), 1) == gone.end()) return;
  std::vector<std::uint32_t> kept, kept_members, now(size(), kNoClump), starts{0};
  for (std::uint32_t c = 0; c < size(); ++c) {
    if (gone[c] != 0) continue;
    now[c] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(c);
    for (std::uint32_t m = start[c]; m < start[c + 1]; ++m) kept_members.push_back(m);
    starts.push_back(static_cast<std::uint32_t>(kept_members.size()));
  }
  keep(x, kept);
  keep(v, kept);
  keep(v_now, kept);
  keep(momentum, kept);
  keep(w, kept);
  keep(w_now, kept);
  keep(orientation, kept);
  keep(mass, kept);
  keep(radius, kept);
  keep(volume, kept);
  keep(inertia, kept);
  keep(image, kept);
  keep(id, kept);
  keep(first_member, kept);
  keep(fresh, kept);
  keep(gone, kept);
  keep(solid, kept);
  keep(force, kept);
  keep(torque, kept);
  keep(member, kept_members);
  keep(offset, kept_members);
  start = starts;
  for (std::uint32_t& c : bodies.clump) c = c == kNoClump ? kNoClump : now[c];
}

template <int D>
void Clumps<D>::save(base::Record& record) const {
  record.set("clumps.next_id", next_id);
  auto& r = record.reals;
  r["clumps.x"] = flat(x);
  r["clumps.v"] = flat(v);
  r["clumps.v_now"] = flat(v_now);
  r["clumps.momentum"] = flat(momentum);
  r["clumps.w"] = flat(w);
  r["clumps.w_now"] = flat(w_now);
  r["clumps.orientation"] = flat(orientation);
  r["clumps.mass"] = mass;
  r["clumps.radius"] = radius;
  r["clumps.volume"] = volume;
  r["clumps.inertia"] = flat(inertia);
  r["clumps.offset"] = flat(offset);
  auto& i = record.ints;
  i["clumps.id"] = id;
  i["clumps.first_member"] = first_member;
  i["clumps.start"] = {start.begin(), start.end()};
  i["clumps.fresh"] = {fresh.begin(), fresh.end()};
  i["clumps.gone"] = {gone.begin(), gone.end()};
  i["clumps.solid"] = {solid.begin(), solid.end()};
  auto& turns = i["clumps.image"];
  turns.clear();
  for (const auto& t : image) turns.push_back(packed_image(t));
}

template <int D>
void Clumps<D>::load(const base::Record& record) {
  next_id = record.count("clumps.next_id");
  unflat(record.real("clumps.x"), x);
  unflat(record.real("clumps.v"), v);
  unflat(record.real("clumps.v_now"), v_now);
  unflat(record.real("clumps.momentum"), momentum);
  unflat(record.real("clumps.w"), w);
  unflat(record.real("clumps.w_now"), w_now);
  unflat(record.real("clumps.orientation"), orientation);
  unflat(record.real("clumps.inertia"), inertia);
  unflat(record.real("clumps.offset"), offset);
  mass = record.real("clumps.mass");
  radius = record.real("clumps.radius");
  volume = record.real("clumps.volume");
  id = record.integer("clumps.id");
  first_member = record.integer("clumps.first_member");
  const auto bytes = [&](const char* name) {
    const auto& values = record.integer(name);
    return std::vector<std::uint8_t>(values.begin(), values.end());
  };
  const auto& starts = record.integer("clumps.start");
  start.assign(starts.begin(), starts.end());
  fresh = bytes("clumps.fresh");
  gone = bytes("clumps.gone");
  const auto& solids = record.integer("clumps.solid");
  solid.assign(solids.begin(), solids.end());
  image.clear();
  for (const std::int64_t t : record.integer("clumps.image")) image.push_back(unpacked_image<D>(t));
  const std::size_t n = x.size();
  for (const std::size_t have :
       {v.size(), v_now.size(), momentum.size(), w.size(), w_now.size(), orientation.size(), inertia.size(),
        mass.size(), radius.size(), volume.size(), id.size(), first_member.size(), fresh.size(), gone.size(),
        solid.size(), image.size(), start.size() - 1}) {
    if (have != n) throw std::runtime_error("the clumps of the checkpoint are damaged");
  }
  if (start.back() != offset.size()) throw std::runtime_error("the clumps of the checkpoint are damaged");
  member.assign(offset.size(), 0);
  force.assign(n, {});
  torque.assign(n, {});
}

template struct Clumps<2>;
template struct Clumps<3>;

}  // namespace moraine::world
