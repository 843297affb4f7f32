// SPDX-License-Identifier: MIT
#include "scene/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace moraine::scene {

bool fits_memory(const Node& node, const char* key, double count, Problems& problems) {
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  constexpr double kBytesPerBody = 900;
  if (count * kBytesPerBody < memory && count < 4e9) return true;
  problems.add(node, key,
               fmt::format("about {:.3g} bodies need {:.3g} GB of memory; this machine has {:.3g} GB", count,
                           count * kBytesPerBody * 1e-9, memory * 1e-9));
  return false;
}

}  // namespace moraine::scene
