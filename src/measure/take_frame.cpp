// SPDX-License-Identifier: MIT
#include "measure/take_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "world/near_wall.hpp"

namespace moraine::measure {

namespace {

template <int D>
Triple triple(const math::Vec<D>& v) {
  const math::Vec3 t = math::as_vec3(v);
  return {t[0], t[1], t[2]};
}
template <class S>
Triple spin_triple(const S& w) {
  const math::Vec3 t = math::spin_as_vec3(w);
  return {t[0], t[1], t[2]};
}

template <int D>
math::Vec<D> wrapped(const world::Domain<D>& domain, math::Vec<D> x) {
  for (int k = 0; k < D; ++k) {
    if (!domain.periodic[static_cast<std::size_t>(k)]) continue;
    x[k] -= std::floor((x[k] - domain.min[k]) / domain.length(k)) * domain.length(k);
  }
  return x;
}

template <int D>
void add_bodies(Frame& f, const World<D>& world) {
  std::vector<std::size_t> order(world.bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return world.bodies.id[a] < world.bodies.id[b]; });
  for (const std::size_t i : order) {
    const auto& m = world.bodies.moving[i];
    f.id.push_back(world.bodies.id[i]);
    f.position.push_back(triple(wrapped(world.domain, world.bodies.place[i].x)));
    f.velocity.push_back(triple(world.velocity(i)));
    f.spin.push_back(spin_triple(world.spin(i)));
    const math::Quaternion q = math::as_quaternion(world.bodies.orientation[i]);
    f.orientation.push_back({q.w, q.x, q.y, q.z});
    f.radius.push_back(world.bodies.place[i].radius);
    const std::uint32_t c = world.bodies.clump[i];
    const bool member = c != world::kNoClump;
    // A member's share of the clump: so that masses add up.
    f.mass.push_back(member ? world.clumps.mass[c] / (world.clumps.start[c + 1] - world.clumps.start[c])
                            : world.bodies.mass[i]);
    f.material.push_back(static_cast<std::int32_t>(m.material));
    f.held.push_back(member ? 0 : static_cast<std::int32_t>(m.held));
    f.clump.push_back(member ? world.clumps.id[c] : -1);
    const std::uint32_t solid = world.solid_number(i);
    f.form.push_back(solid != world::kNoSolid ? static_cast<std::int32_t>(solid) : -1);
  }
}

// Whether the edge of a facet is one of the solid, not a line within a flat face.
bool is_edge(const shape::Solid<3>& solid, std::size_t facet, std::size_t side) {
  const std::uint32_t other = solid.skin.mesh.neighbours[facet][side];
  return other >= shape::kMany || math::dot(solid.normals[facet], solid.normals[other]) < 1 - 1e-9;
}
bool is_edge(const shape::Solid<2>& /*solid*/, std::size_t /*facet*/, std::size_t side) { return side == 0; }

template <int D>
void add_forms(Frame& f, const World<D>& world) {
  if (world.solids.empty()) return;
  f.form_vertex_start.push_back(0);
  f.form_facet_start.push_back(0);
  for (const auto& solid : world.solids) {
    f.form_radius.push_back(solid->radius);
    for (const auto& v : solid->vertices) f.form_vertex.push_back(triple(v));
    for (std::size_t k = 0; k < solid->facets.size(); ++k) {
      std::int32_t edges = 0;
      for (std::size_t side = 0; side < D; ++side) edges |= is_edge(*solid, k, side) ? 1 << side : 0;
      for (const std::uint32_t v : solid->facets[k]) f.form_facet.push_back(static_cast<std::int32_t>(v));
      if (D == 2) f.form_facet.push_back(-1);
      f.form_facet.push_back(edges);
    }
    f.form_vertex_start.push_back(static_cast<std::int32_t>(f.form_vertex.size()));
    f.form_facet_start.push_back(static_cast<std::int32_t>(f.form_facet.size() / 4));
  }
}

// Each contact from the smaller id to the larger, whatever the order of memory; walls last.
template <int D>
void add_contacts(Frame& f, const Sight<D>& sight) {
  std::vector<ContactRecord<D>> contacts;
  for (ContactRecord<D> c : sight.contacts) {
    if (math::norm2(c.force) == 0) continue;
    if (c.b >= 0 && c.b < c.a) {
      std::swap(c.a, c.b);
      c.normal = -c.normal;
      c.force = -c.force;
    }
    contacts.push_back(c);
  }
  std::sort(contacts.begin(), contacts.end(),
            [](const auto& p, const auto& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  for (const ContactRecord<D>& c : contacts) {
    f.contact_a.push_back(c.a);
    f.contact_b.push_back(c.b);
    f.contact_point.push_back(triple(wrapped(sight.world.domain, c.point)));
    f.contact_normal.push_back(triple(c.normal));
    f.contact_force.push_back(triple(c.force));
    f.contact_overlap.push_back(c.overlap);
  }
}

template <int D>
void add_domain(Frame& f, const World<D>& world) {
  for (std::size_t k = 0; k < D; ++k) {
    const int axis = static_cast<int>(k);
    double low = world.domain.min[axis], high = world.domain.max[axis];
    const bool open_low = !std::isfinite(low), open_high = !std::isfinite(high);
    if (open_low) low = f.id.empty() ? 0 : std::numeric_limits<double>::infinity();
    if (open_high) high = f.id.empty() ? 0 : -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < f.id.size(); ++i) {
      if (open_low) low = std::min(low, f.position[i][k] - f.radius[i]);
      if (open_high) high = std::max(high, f.position[i][k] + f.radius[i]);
    }
    f.domain_min[k] = low;
    f.domain_max[k] = high;
    f.periodic[k] = world.domain.periodic[k] ? 1 : 0;
  }
}

// A wire model of a curved wall.
class Wires {
 public:
  Wires(Frame& frame, std::size_t wall) : frame_(frame), wall_(static_cast<std::int32_t>(wall)) {}
  template <int D>
  void line(const math::Vec<D>& from, const math::Vec<D>& to) {
    frame_.line_from.push_back(triple(from));
    frame_.line_to.push_back(triple(to));
    frame_.line_wall.push_back(wall_);
  }

 private:
  Frame& frame_;
  std::int32_t wall_;
};

constexpr int kAround = 48;

void draw(Wires& wires, const world::Surface<2>& s, const Frame&) {
  const auto at = [&](int k) { return s.a + math::rotated(math::Vec<2>{s.r0, 0}, 2 * math::kPi * k / kAround); };
  for (int k = 0; k < kAround; ++k) wires.line(at(k), at(k + 1));
}

void draw_mesh(Wires& wires, const world::Surface<3>& s) {
  const shape::Mesh& mesh = s.mesh->mesh;
  // Open and sharp edges always, of the smooth ones so many as a picture can take.
  constexpr std::size_t kMost = 1500;
  const std::size_t every = 1 + mesh.edge_begin.size() / kMost;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t edge = mesh.edges[t][side], other = mesh.neighbours[t][side];
      if (mesh.at_edge(edge).front() != t) continue;
      const bool smooth = other < shape::kMany && mesh.patch[other] == mesh.patch[t];
      if (smooth && edge % every != 0) continue;
      const auto corner = [&](std::size_t c) { return s.from_mesh(mesh.vertices[mesh.triangles[t][c % 3]]); };
      wires.line(corner(side), corner(side + 1));
    }
  }
}

void draw(Wires& wires, const world::Surface<3>& s, const Frame& frame) {
  if (s.form == world::Form::kMesh) return draw_mesh(wires, s);
  double low = 0, high = s.length;
  if (!std::isfinite(s.length)) {  // as far as the frame reaches
    low = std::numeric_limits<double>::infinity();
    high = -low;
    for (int corner = 0; corner < 8; ++corner) {
      math::Vec3 x;
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        x[k] = ((corner >> k) & 1) != 0 ? frame.domain_max[axis] : frame.domain_min[axis];
      }
      low = std::min(low, math::dot(x - s.a, s.b));
      high = std::max(high, math::dot(x - s.a, s.b));
    }
  }
  const math::Vec3 u = world::across(s.b), v = math::cross(s.b, u);
  const auto at = [&](double z, double radius, int k) {
    const double angle = 2 * math::kPi * k / kAround;
    return s.a + s.b * z + (u * math::cos(angle) + v * math::sin(angle)) * radius;
  };
  for (int k = 0; k < kAround; ++k) {
    wires.line(at(low, s.r0, k), at(low, s.r0, k + 1));
    wires.line(at(high, s.r1, k), at(high, s.r1, k + 1));
    if (k % 4 == 0) wires.line(at(low, s.r0, k), at(high, s.r1, k));
  }
}

template <int D>
void add_walls(Frame& f, const World<D>& world) {
  for (std::size_t w = 0; w < world.walls.size(); ++w) {
    const world::Wall<D>& wall = world.walls[w];
    const bool flat = wall.now.form == world::Form::kFlat;
    f.wall_name.push_back(wall.name);
    f.wall_kind.emplace_back(wall.gone                                 ? "gone"
                             : flat                                    ? (D == 2 ? "segment" : "plane")
                             : wall.now.form == world::Form::kCircle   ? "circle"
                             : wall.now.form == world::Form::kRevolved ? "skin"
                                                                       : "mesh");
    f.wall_from.push_back(triple(wall.now.a));
    f.wall_to.push_back(triple(flat ? wall.now.b : wall.now.a));
    f.wall_force.push_back(triple(wall.force));
    Wires wires(f, w);
    if (!flat && !wall.gone) draw(wires, wall.now, f);
  }
}

// Links as lines from point to point, and from there to the centres of the bodies they are fixed to.
template <int D>
void add_links(Frame& f, const World<D>& world) {
  constexpr std::size_t kMost = 20000;  // that a picture can take
  const std::size_t every = 1 + world.links.size() / kMost;
  const auto line = [&](const math::Vec<D>& from, const math::Vec<D>& to) {
    if (from == to) return;
    f.line_from.push_back(triple(from));
    f.line_to.push_back(triple(to));
    f.line_wall.push_back(kLinkLine);
  };
  const auto centre = [&](const world::LinkEnd<D>& end, const math::Vec<D>& at) {
    if (end.at != world::LinkEnd<D>::At::kBody) return at;
    const auto i = std::lower_bound(f.id.begin(), f.id.end(), end.id) - f.id.begin();
    const Triple& x = f.position[static_cast<std::size_t>(i)];
    math::Vec<D> c;
    for (int k = 0; k < D; ++k) c[k] = x[static_cast<std::size_t>(k)];
    return c;
  };
  for (std::size_t l = 0; l < world.links.size(); l += every) {
    const world::Link<D>& link = world.links[l];
    line(link.from, link.to);
    if (link.kind != world::LinkKind::kJoint) continue;
    line(link.from, centre(link.a, link.from));
    line(link.to, centre(link.b, link.to));
  }
}

}  // namespace

template <int D>
Frame take_frame(const Sight<D>& sight) {
  const World<D>& world = sight.world;
  Frame f;
  f.dimension = D;
  f.time = world.time;
  f.step = world.step;
  add_bodies(f, world);
  add_forms(f, world);
  add_contacts(f, sight);
  add_domain(f, world);
  add_walls(f, world);
  add_links(f, world);
  for (const world::Material& m : world.materials) f.material_names.push_back(m.name);
  return f;
}

template Frame take_frame<2>(const Sight<2>&);
template Frame take_frame<3>(const Sight<3>&);

}  // namespace moraine::measure
