// SPDX-License-Identifier: MIT
#include "world/bodies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

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

// Through one piece of memory that serves all fields, one after the other.
class Mover {
 public:
  Mover(const std::vector<std::uint32_t>& order, std::size_t widest, base::Team& team)
      : order_(order), team_(team), room_(new std::byte[order.size() * widest]) {}

  template <class T>
  void move(std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t n = order_.size();
    team_.for_chunks(base::chunk_count(n), [&](std::size_t c) {
      const std::size_t end = std::min(n, (c + 1) * base::kChunkBodies);
      for (std::size_t k = c * base::kChunkBodies; k < end; ++k) {
        std::memcpy(&room_[k * sizeof(T)], &values[order_[k]], sizeof(T));
      }
    });
    values.resize(n);
    team_.for_chunks(base::chunk_count(n), [&](std::size_t c) {
      const std::size_t begin = c * base::kChunkBodies, end = std::min(n, begin + base::kChunkBodies);
      std::memcpy(static_cast<void*>(&values[begin]), &room_[begin * sizeof(T)], (end - begin) * sizeof(T));
    });
  }

 private:
  const std::vector<std::uint32_t>& order_;
  base::Team& team_;
  std::unique_ptr<std::byte[]> room_;
};

}  // namespace

template <int D>
void Bodies<D>::reorder(const std::vector<std::uint32_t>& order, base::Team& team) {
  const Mover mover(order, std::max(sizeof(Moving<D>), sizeof(math::Orientation<D>)), team);
  mover.move(place);
  mover.move(moving);
  mover.move(force);
  mover.move(torque);
  mover.move(orientation);
  mover.move(mass);
  mover.move(inertia);
  mover.move(id);
  mover.move(image);
  mover.move(motion);
  mover.move(clump);
  mover.move(x_found);
}

template struct Bodies<2>;
template struct Bodies<3>;

}  // namespace moraine::world
