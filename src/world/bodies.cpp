// SPDX-License-Identifier: MIT
#include "world/bodies.hpp"

#include <algorithm>

namespace moraine::world {

template <int D>
void Bodies<D>::add(const NewBody<D>& body) {
  Moving<D> m;
  m.v = m.v_now = body.v;
  m.w = m.w_now = body.w;
  m.inverse_mass = yields(body.held) ? 1 / body.mass : 0;
  m.material = body.material;
  m.held = body.held;
  place.push_back({body.x, body.radius});
  moving.push_back(m);
  force.push_back({});
  torque.push_back({});
  orientation.push_back({});
  mass.push_back(body.mass);
  inertia.push_back(body.inertia);
  id.push_back(body.id >= 0 ? body.id : next_id);
  next_id = std::max(next_id, id.back() + 1);
  image.push_back({});
  motion.push_back(body.motion);
  clump.push_back(body.clump);
  x_found.push_back(body.x);
}

namespace {
template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> moved(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) moved[k] = values[order[k]];
  values.swap(moved);
}
}  // namespace

template <int D>
void Bodies<D>::reorder(const std::vector<std::uint32_t>& order) {
  permute(place, order);
  permute(moving, order);
  permute(force, order);
  permute(torque, order);
  permute(orientation, order);
  permute(mass, order);
  permute(inertia, order);
  permute(id, order);
  permute(image, order);
  permute(motion, order);
  permute(clump, order);
  permute(x_found, order);
}

template struct Bodies<2>;
template struct Bodies<3>;

}  // namespace moraine::world
