// SPDX-License-Identifier: MIT
#include "scene/links.hpp"

#include <fmt/format.h>

#include <cmath>

#include "inflow/place.hpp"
#include "math/rotation.hpp"
#include "scene/memory.hpp"
#include "scene/vectors.hpp"

namespace moraine::scene {

namespace {

using math::Vec;
using world::Held;
using world::Link;
using world::LinkEnd;
using world::LinkKind;
using world::World;

// ---- chains

template <int D>
double angle_of(const Vec<D>& d) {
  return math::atan2(d[1], d[0]);
}

// Turns the x axis into the direction d.
math::Orientation<2> along(const Vec<2>& d) { return angle_of<2>(d); }
math::Orientation<3> along(const Vec<3>& d) {
  const Vec<3> u = d * (1 / math::norm(d)), x{1, 0, 0};
  if (u[0] < -1 + 1e-12) return {0, 0, 0, 1};
  const Vec<3> c = math::cross(x, u);
  return math::normalised({1 + u[0], c[0], c[1], c[2]});
}

template <int D>
class ChainMaker {
 public:
  ChainMaker(const Node& node, World<D>& world, std::vector<Link<D>>& links, std::uint32_t material)
      : node_(node), world_(world), links_(links), material_(material) {}

  void make(const std::vector<Vec<D>>& knots) {
    start_ = knots.front();
    if (node_.text("model") == "points") {
      points(knots);
    } else {
      bars(knots);
    }
  }

 private:
  Vec<D> velocity(const Vec<D>& x) const { return math::cross(as_spin<D>(node_.numbers("spin")), x - start_); }
  double radius(const Vec<D>& link) const { return node_.number("radius", 0.2 * math::norm(link)); }
  static LinkEnd<D> ground(const Vec<D>& x) { return {LinkEnd<D>::At::kGround, -1, x}; }
  static LinkEnd<D> body(std::int64_t id, const Vec<D>& anchor = {}) { return {LinkEnd<D>::At::kBody, id, anchor}; }
  void link(LinkKind kind, double length, const LinkEnd<D>& a, const LinkEnd<D>& b) {
    Link<D> l;
    l.kind = kind;
    l.length = length;
    l.a = a;
    l.b = b;
    links_.push_back(l);
  }

  void points(const std::vector<Vec<D>>& knots) {
    const std::size_t n = knots.size();
    const bool first_held = node_.boolean("ground_start"), last_held = node_.boolean("ground_end");
    std::int64_t before = -1;
    for (std::size_t k = 0; k < n; ++k) {
      const bool held = (k == 0 && first_held) || (k + 1 == n && last_held);
      std::int64_t id = -1;
      if (!held) {
        world::NewBody<D> b;
        b.x = knots[k];
        b.v = velocity(b.x);
        b.radius = radius(k > 0 ? knots[k] - knots[k - 1] : knots[1] - knots[0]);
        b.mass = node_.number("mass");
        b.inertia = (D == 2 ? 0.5 : 0.4) * b.mass * b.radius * b.radius;
        b.material = material_;
        id = world_.bodies.next_id;
        world_.bodies.add(b);
      }
      if (k > 0 && (id >= 0 || before >= 0)) {
        const double length = math::norm(knots[k] - knots[k - 1]);
        const LinkEnd<D> here = id >= 0 ? body(id) : ground(knots[k]);
        const LinkEnd<D> there = before >= 0 ? body(before) : ground(knots[k - 1]);
        id >= 0 ? link(LinkKind::kRod, length, here, there) : link(LinkKind::kRod, length, there, here);
      }
      before = id;
    }
  }

  void bars(const std::vector<Vec<D>>& knots) {
    std::int64_t before = -1;
    Vec<D> end_before{};
    for (std::size_t k = 1; k < knots.size(); ++k) {
      const Vec<D> d = knots[k] - knots[k - 1];
      const double length = math::norm(d);
      Vec<D> half{};
      half[0] = 0.5 * length;
      const std::int64_t id = add_bar(knots[k - 1] + d * 0.5, d);
      if (before >= 0) {
        link(LinkKind::kJoint, 0, body(id, -half), body(before, end_before));
      } else if (node_.boolean("ground_start")) {
        link(LinkKind::kJoint, 0, body(id, -half), ground(knots[0]));
      }
      before = id;
      end_before = half;
    }
    if (node_.boolean("ground_end")) link(LinkKind::kJoint, 0, body(before, end_before), ground(knots.back()));
  }

  // A thin uniform bar about its middle; a disk or sphere stands there. In 3D it is a clump of one, since its moments
  // differ.
  std::int64_t add_bar(const Vec<D>& middle, const Vec<D>& d) {
    const double mass = node_.number("mass"), r = radius(d), across = mass * math::norm2(d) / 12;
    const std::int64_t id = world_.bodies.next_id;
    if constexpr (D == 2) {
      world::NewBody<D> b;
      b.x = middle;
      b.v = velocity(middle);
      b.w = as_spin<D>(node_.numbers("spin"));
      b.radius = r;
      b.mass = mass;
      b.inertia = across;
      b.material = material_;
      world_.bodies.add(b);
      world_.bodies.orientation.back() = along(d);
    } else {
      world::ClumpShape<D> shape;
      shape.members = {{Vec<D>{}, r}};
      shape.radius = r;
      shape.volume = 1;
      shape.moment = Vec<3>{0.5 * r * r, across / mass, across / mass};
      world::NewClump<D> c;
      c.shape = &shape;
      c.x = middle;
      c.v = velocity(middle);
      c.w = as_spin<D>(node_.numbers("spin"));
      c.orientation = along(d);
      c.material = material_;
      c.density = mass;
      world_.clumps.add(c, world_.bodies);
    }
    return id;
  }

  const Node& node_;
  World<D>& world_;
  std::vector<Link<D>>& links_;
  std::uint32_t material_;
  Vec<D> start_{};
};

// Ends of the links along the path; empty where the table makes no sense.
template <int D>
std::vector<Vec<D>> knots_of(const Node& node, Problems& problems) {
  const auto& path = node.points("path");
  const auto& counts = node.numbers("links");
  if (counts.size() + 1 != path.size()) {
    problems.add(node, "links",
                 fmt::format("has {} number{}, but the path has {} straight part{}", counts.size(),
                             counts.size() == 1 ? "" : "s", path.size() - 1, path.size() == 2 ? "" : "s"));
    return {};
  }
  double all = 0;
  for (const double count : counts) all += count;
  if (!fits_memory(node, "links", all, problems)) return {};
  std::vector<Vec<D>> knots = {as_vec<D>(path[0])};
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const Vec<D> from = as_vec<D>(path[p]), to = as_vec<D>(path[p + 1]);
    if (counts[p] != std::floor(counts[p]) || counts[p] > 1e8) {
      problems.add(node, fmt::format("links[{}]", p), "must be a whole number up to 100 million");
      return {};
    }
    if (!(math::norm2(to - from) > 0)) {
      problems.add(node, fmt::format("path[{}]", p + 1), "is the same point as the one before: links of no length");
      return {};
    }
    const auto count = static_cast<std::int64_t>(counts[p]);
    for (std::int64_t k = 1; k <= count; ++k)
      knots.push_back(from + (to - from) * (static_cast<double>(k) / static_cast<double>(count)));
  }
  return knots;
}

// ---- links

template <int D>
struct Chosen {  // a body that a link names
  std::size_t at = 0;
  bool movable = false;
  Vec<D> centre{};  // of the disk or sphere that was named
};

template <int D>
class LinkReader {
 public:
  LinkReader(const Node& scene, World<D>& world, Problems& problems)
      : scene_(scene), world_(world), problems_(problems), at_id_(static_cast<std::size_t>(world.bodies.next_id), 0) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) at_id_[static_cast<std::size_t>(world.bodies.id[i])] = i;
  }

  void read(const Node& node) {
    const std::size_t before = problems_.size();
    Link<D> link;
    link.kind = node.text("kind") == "rod"       ? LinkKind::kRod
                : node.text("kind") == "contact" ? LinkKind::kContact
                                                 : LinkKind::kJoint;
    link.slip = node.boolean("slip");
    Chosen<D> a;
    if (!find(node, "body", a)) return keep(link);
    link.a = end(node, a, "anchor");
    const int others = (node.has("to") ? 1 : 0) + (node.has("ground") ? 1 : 0) + (node.has("wall") ? 1 : 0);
    if (others != 1) {
      problems_.add(node, others == 0 ? "what is body linked to? Give 'to' (id of a body), 'ground' (a point) or 'wall'"
                                      : "'to', 'ground' and 'wall': give one of the three");
      return keep(link);
    }
    check_keys(node, link);
    if (node.has("wall")) {
      to_wall(node, a, link);
    } else {
      to_point(node, a, link);
    }
    if (problems_.size() == before && link.b.at != LinkEnd<D>::At::kBody && !a.movable)
      problems_.add(
          node, "body",
          fmt::format("{} is fixed or prescribed, and so is what it is linked to: nothing between them can move",
                      node.integer("body")));
    keep(link);
  }

 private:
  void keep(const Link<D>& link) { world_.links.push_back(link); }

  bool find(const Node& node, const char* key, Chosen<D>& out) const {
    const std::int64_t id = node.integer(key);
    if (id >= world_.bodies.next_id) {
      problems_.add(node, key,
                    world_.bodies.size() == 0
                        ? fmt::format("there is no body {}: the scene has none", id)
                        : fmt::format("there is no body {}; ids go from 0 to {}", id, world_.bodies.next_id - 1));
      return false;
    }
    out.at = at_id_[static_cast<std::size_t>(id)];
    out.movable = world::yields(world_.bodies.moving[out.at].held);
    out.centre = world_.bodies.place[out.at].x;
    return true;
  }

  const math::Orientation<D>& frame(const Chosen<D>& c) const {
    const std::uint32_t clump = world_.bodies.clump[c.at];
    return clump == world::kNoClump ? world_.bodies.orientation[c.at] : world_.clumps.orientation[clump];
  }

  // The end of a link at a body: of a clump, from its centre of mass.
  LinkEnd<D> end(const Node& node, const Chosen<D>& c, const char* anchor) const {
    Vec<D> point{};
    if (node.has(anchor)) point = as_vec<D>(node.numbers(anchor));
    const std::uint32_t clump = world_.bodies.clump[c.at];
    if (clump != world::kNoClump) {
      const auto m = world_.clumps.start[clump] +
                     static_cast<std::size_t>(world_.bodies.id[c.at] - world_.clumps.first_member[clump]);
      point += world_.clumps.offset[m];
    }
    return {LinkEnd<D>::At::kBody, world_.bodies.id[c.at], point};
  }
  Vec<D> in_space(const Node& node, const Chosen<D>& c, const char* anchor) const {
    if (!node.has(anchor)) return c.centre;
    return c.centre + math::rotated(as_vec<D>(node.numbers(anchor)), frame(c));
  }

  void check_keys(const Node& node, const Link<D>& link) const {
    if (node.has("length") && link.kind != LinkKind::kRod)
      problems_.add(node, "length",
                    "is for kind = \"rod\": the length of a contact follows from the radii, a joint has none");
    if (!link.slip && link.kind != LinkKind::kContact)
      problems_.add(node, "slip", "is for kind = \"contact\": only surfaces that touch can roll on each other");
    if (link.kind == LinkKind::kContact) {
      for (const char* key : {"anchor", "to_anchor", "ground"})
        if (node.has(key))
          problems_.add(node, key, "is not for kind = \"contact\", which is between round bodies and walls");
    }
    if (node.has("wall") && link.kind != LinkKind::kContact)
      problems_.add(node, "wall", "goes with kind = \"contact\"; a rod or joint ends at a 'ground' point");
    if (node.has("to_anchor") && !node.has("to")) problems_.add(node, "to_anchor", "goes with 'to'");
  }

  void to_point(const Node& node, const Chosen<D>& a, Link<D>& link) {
    const Vec<D> from = in_space(node, a, "anchor");
    Vec<D> to{};
    if (node.has("ground")) {
      to = as_vec<D>(node.numbers("ground"));
      link.b = {LinkEnd<D>::At::kGround, -1, to};
    } else {
      Chosen<D> b;
      if (!find(node, "to", b)) return;
      if (!b.movable && !a.movable)
        return problems_.add(node, "to",
                             fmt::format("{} is fixed or prescribed, and so is body {}: nothing between them can move",
                                         node.integer("to"), node.integer("body")));
      const std::uint32_t ca = world_.bodies.clump[a.at], cb = world_.bodies.clump[b.at];
      if (a.at == b.at || (ca != world::kNoClump && ca == cb))
        return problems_.add(node, "to", "is the same rigid body as 'body'");
      to = in_space(node, b, "to_anchor");
      link.b = end(node, b, "to_anchor");
      // The first end is the one that can move.
      if (!a.movable) std::swap(link.a, link.b);
      if (link.kind == LinkKind::kContact)
        link.length = world_.bodies.place[a.at].radius + world_.bodies.place[b.at].radius;
    }
    const double distance = math::norm(to - from);
    if (link.kind == LinkKind::kRod) {
      link.length = node.number("length", distance);
      if (!(distance > 0))
        problems_.add(node, "kind",
                      "\"rod\": its two ends are at the same point, so that it has no length and no direction; "
                      "for two points that stay together there is kind = \"joint\"");
    }
  }

  void to_wall(const Node& node, const Chosen<D>& a, Link<D>& link) {
    const std::string& name = node.text("wall");
    std::size_t w = 0;
    std::vector<std::string> names;
    for (const Node& wall : scene_.tables("wall")) names.push_back(wall.text("name"));
    while (w < names.size() && names[w] != name) ++w;
    if (w == names.size() || w >= world_.walls.size()) {
      if (w == names.size()) problems_.add(node, "wall", no_such("wall", name, names));
      return;
    }
    const world::Wall<D>& wall = world_.walls[w];
    const world::Surface<D>& s = wall.start;
    const double radius = world_.bodies.place[a.at].radius;
    if (wall.moves())
      return problems_.add(node, "wall",
                           fmt::format("\"{}\" moves; a link can only end at a wall that stands still", name));
    if (s.form == world::Form::kFlat) {
      Vec<D> normal;
      if constexpr (D == 2) {
        const Vec<2> d = (s.b - s.a) * (1 / math::norm(s.b - s.a));
        normal = {-d[1], d[0]};
        if (math::dot(a.centre - s.a, normal) > 0) normal = -normal;
      } else {
        normal = -s.b;
      }
      link.b = {LinkEnd<D>::At::kWall, static_cast<std::int64_t>(w), normal};
      link.length = radius;
    } else if (s.form == world::Form::kCircle && link.slip) {
      // The centre stays at a distance from the middle of the circle.
      link.kind = LinkKind::kRod;
      link.b = {LinkEnd<D>::At::kGround, -1, s.a};
      link.length = math::norm(a.centre - s.a) < s.r0 ? s.r0 - radius : s.r0 + radius;
      if (!(link.length > 0)) problems_.add(node, "wall", "the body fills the whole circle");
    } else {
      problems_.add(node, "wall",
                    fmt::format("\"{}\": a link can end at {}", name,
                                D == 2 ? "segments, and with slip = true at circles" : "planes"));
    }
  }

  const Node& scene_;
  World<D>& world_;
  Problems& problems_;
  std::vector<std::size_t> at_id_;
};

}  // namespace

template <int D>
std::vector<Link<D>> read_chains(const Node& scene, const Laws& laws, World<D>& world, Problems& problems) {
  std::vector<Link<D>> links;
  for (const Node& node : scene.tables("chain")) {
    const int material = std::max(0, laws.find(node, "material", false, problems));
    const auto knots = knots_of<D>(node, problems);
    if (knots.empty()) continue;
    if (node.boolean("ground_start") && node.boolean("ground_end") && knots.size() == 2 &&
        node.text("model") == "points") {
      problems.add(node, "ground_end", "one link between two points of the ground has nothing that can move");
      continue;
    }
    ChainMaker<D>(node, world, links, static_cast<std::uint32_t>(material)).make(knots);
  }
  return links;
}

template <int D>
void read_links(const Node& scene, World<D>& world, Problems& problems) {
  LinkReader<D> reader(scene, world, problems);
  for (const Node& node : scene.tables("link")) reader.read(node);
}

const Node& table_of_link(const Node& scene, std::size_t link) {
  const auto& tables = scene.tables("link");
  if (link < tables.size()) return tables[link];
  std::size_t first = tables.size();
  for (const Node& chain : scene.tables("chain")) {
    double count = 0;
    for (const double n : chain.numbers("links")) count += n;
    if (chain.text("model") == "bars")
      count += (chain.boolean("ground_start") ? 1 : 0) + (chain.boolean("ground_end") ? 1 : 0) - 1;
    first += static_cast<std::size_t>(count);
    if (link < first) return chain;
  }
  return scene;
}

#define MORAINE_INSTANTIATE(D)                                                                  \
  template std::vector<Link<D>> read_chains<D>(const Node&, const Laws&, World<D>&, Problems&); \
  template void read_links<D>(const Node&, World<D>&, Problems&);
MORAINE_INSTANTIATE(2)
MORAINE_INSTANTIATE(3)

}  // namespace moraine::scene
