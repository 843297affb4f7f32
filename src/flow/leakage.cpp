// SPDX-License-Identifier: MIT
#include "flow/leakage.hpp"

#include <algorithm>
#include <array>

namespace moraine::flow {

std::vector<Seepage> measure_seepage(const PanelTree& tree, const std::vector<Panel>& panels,
                                     const std::vector<double>& strength, const std::vector<double>& across,
                                     base::Team& team) {
  // 0, 4^-8, .. 4^-1, 1/2, and the same from the other end.
  constexpr std::size_t kLevels = 8;
  std::array<double, 2 * kLevels + 3> edges{};
  double part = 0.25;
  for (std::size_t k = kLevels; k > 0; --k) {
    edges[k] = part;
    edges[edges.size() - 1 - k] = 1 - part;
    part *= 0.25;
  }
  edges[kLevels + 1] = 0.5;
  edges.back() = 1;
  static constexpr std::array<double, 4> kPlaces{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                                 0.8611363115940526};
  static constexpr std::array<double, 4> kWeights{0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                                  0.3478548451374538};
  std::vector<Seepage> out(panels.size());
  team.for_chunks(panels.size(), [&](std::size_t i) {
    const Panel& p = panels[i];
    double sum = 0, least = 0, most = 0;
    for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
      const double middle = 0.5 * (edges[k] + edges[k + 1]), half = 0.5 * (edges[k + 1] - edges[k]);
      for (std::size_t g = 0; g < kPlaces.size(); ++g) {
        const Vec2 x = p.a + (p.b - p.a) * (middle + half * kPlaces[g]);
        const double flow = math::dot(tree.velocity_beside(i, x), p.n) + 0.5 * strength[i] - across[i];
        sum += flow * kWeights[g] * half * p.length();
      }
      least = std::min(least, sum);
      most = std::max(most, sum);
    }
    out[i] = {sum, most - least};
  });
  return out;
}

}  // namespace moraine::flow
