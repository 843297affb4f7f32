// SPDX-License-Identifier: MIT
#include "measure/truss_packing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace moraine::measure {

namespace {

// Stiffness along the surface over that along the normal, for small displacements about a loaded state. Hertz and
// Mindlin: k_n = 2 E* a and k_t = 8 G* a.
double ratio_of(const world::PairLaw& law) {
  if (!(law.K > 0) || !(law.Kt > 0)) return 1;
  if (law.tangential == world::TangentialLaw::kCundallStrack) return constant_stiffness(law) ? law.Kt / law.K : 1;
  if (law.tangential == world::TangentialLaw::kMindlin) return law.Kt / (1.5 * law.K);
  return 1;
}

template <int D>
class Builder {
 public:
  Builder(const Sight<D>& sight, const PackingPlan& plan) : sight_(sight), world_(sight.world), plan_(plan) {
    branches_.look_at(world_);
  }

  Packing<D> build() {
    add_nodes();
    std::vector<std::uint32_t> order(sight_.contacts.size());
    std::iota(order.begin(), order.end(), 0U);
    // By ids, so that the result does not depend on the order in memory.
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
      const auto ids = [&](std::uint32_t k) {
        const ContactRecord<D>& c = sight_.contacts[k];
        return std::pair(std::max(c.a, c.b), std::min(c.a, c.b));
      };
      return ids(x) < ids(y);
    });
    for (const std::uint32_t k : order) add_strut(k);
    return std::move(out_);
  }

 private:
  void add_nodes() {
    const world::Bodies<D>& bodies = world_.bodies;
    const world::Clumps<D>& clumps = world_.clumps;
    node_.assign(static_cast<std::size_t>(bodies.next_id), kGround);
    material_.assign(node_.size(), 0);
    const auto node = [&](double mass, double size, bool turns) {
      Truss<D>& truss = out_.truss;
      truss.load.push_back(plan_.loads == TrussLoads::kWeight ? world_.gravity * mass : Vec<D>{});
      truss.moment.push_back({});
      truss.size.push_back(size);
      truss.turns.push_back(turns ? 1 : 0);
      out_.single.push_back(turns ? 0 : 1);
      return static_cast<std::uint32_t>(truss.nodes() - 1);
    };
    std::vector<std::uint32_t> at(node_.size(), kGround);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) at[static_cast<std::size_t>(bodies.id[i])] = i;
    std::vector<std::uint32_t> of_clump(clumps.size(), kGround);
    for (std::size_t id = 0; id < at.size(); ++id) {
      const std::uint32_t i = at[id];
      if (i == kGround) continue;
      material_[id] = bodies.moving[i].material;
      const std::uint32_t c = bodies.clump[i];
      if (bodies.moving[i].held == world::Held::kFree) {
        node_[id] = node(bodies.mass[i], bodies.place[i].radius, false);
      } else if (bodies.moving[i].held == world::Held::kMember) {
        if (of_clump[c] == kGround) of_clump[c] = node(clumps.mass[c], clumps.radius[c], true);
        node_[id] = of_clump[c];
      }
    }
  }

  const world::PairLaw& law_of(const ContactRecord<D>& contact) const {
    const std::uint32_t other = contact.b < 0 ? world_.walls[static_cast<std::size_t>(-1 - contact.b)].material
                                              : material_[static_cast<std::size_t>(contact.b)];
    return world_.laws(material_[static_cast<std::size_t>(contact.a)], other);
  }

  void add_strut(std::uint32_t k) {
    const ContactRecord<D>& contact = sight_.contacts[k];
    Strut<D> strut;
    strut.a = node_[static_cast<std::size_t>(contact.a)];
    if (contact.b >= 0) strut.b = node_[static_cast<std::size_t>(contact.b)];
    // A body that touches its own image in a periodic domain cannot push itself.
    if (strut.a == strut.b || math::norm2(contact.normal) == 0) return;
    const Branch<D> branch = branches_.of(contact);
    strut.normal = contact.normal;
    strut.arm_a = contact.point - branch.from;
    strut.arm_b = strut.arm_a - branch.along;
    const bool swap = strut.a == kGround;
    if (swap) {
      std::swap(strut.a, strut.b);
      std::swap(strut.arm_a, strut.arm_b);
      strut.normal = -strut.normal;
    }
    set_springs(law_of(contact), strut);
    Truss<D>& truss = out_.truss;
    if (plan_.loads == TrussLoads::kMotion)
      truss.apply(strut, swap ? contact.force : -contact.force, truss.load, truss.moment);
    if (strut.rough()) {
      truss.turns[strut.a] = 1;
      if (strut.b != kGround) truss.turns[strut.b] = 1;
    }
    truss.struts.push_back(strut);
    out_.record.push_back(k);
    out_.swapped.push_back(swap ? 1 : 0);
  }

  void set_springs(const world::PairLaw& law, Strut<D>& strut) const {
    if (plan_.law_stiffness) strut.stiffness = law.K;
    const bool slips = law.tangential == world::TangentialLaw::kNone;
    if (!plan_.friction || slips || !(law.mu > 0)) return;
    strut.friction = law.mu;
    strut.shear = strut.stiffness * (plan_.shear_ratio > 0 ? plan_.shear_ratio : ratio_of(law));
  }

  const Sight<D>& sight_;
  const World<D>& world_;
  const PackingPlan& plan_;
  Branches<D> branches_;
  Packing<D> out_;
  std::vector<std::uint32_t> node_, material_;  // of a body, by id
};

}  // namespace

template <int D>
Packing<D> packing_of(const Sight<D>& sight, const PackingPlan& plan) {
  return Builder<D>(sight, plan).build();
}

template Packing<2> packing_of<2>(const Sight<2>&, const PackingPlan&);
template Packing<3> packing_of<3>(const Sight<3>&, const PackingPlan&);

}  // namespace moraine::measure
