// SPDX-License-Identifier: MIT
#include "flow/leakage.hpp"

#include <algorithm>
#include <array>

namespace moraine::flow {

std::vector<Seepage> measure_seepage(const PanelTree& tree, const std::vector<Panel>& panels,
                                     const std::vector<double>& strength, const std::vector<double>& across,
                                     base::Team& team) {
  static constexpr std::array<double, 11> kEdges{0,           1.0 / 256,    1.0 / 64,     1.0 / 16,      1.0 / 4, 0.5,
                                                 1 - 1.0 / 4, 1 - 1.0 / 16, 1 - 1.0 / 64, 1 - 1.0 / 256, 1};
  static constexpr std::array<double, 4> kPlaces{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                                 0.8611363115940526};
  static constexpr std::array<double, 4> kWeights{0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                                  0.3478548451374538};
  std::vector<Seepage> out(panels.size());
  team.for_chunks(panels.size(), [&](std::size_t i) {
    const Panel& p = panels[i];
    double sum = 0, least = 0, most = 0;
    for (std::size_t k = 0; k + 1 < kEdges.size(); ++k) {
      const double middle = 0.5 * (kEdges[k] + kEdges[k + 1]), half = 0.5 * (kEdges[k + 1] - kEdges[k]);
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
