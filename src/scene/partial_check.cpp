// SPDX-License-Identifier: MIT
#include "scene/partial_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace moraine::scene {

std::string no_restitution() {
  return "0 is out of range: it must be > 0 and <= 1, since no dashpot takes all of an impact (hard contacts may have "
         "0)";
}

namespace {

// Bodies may name a clump or a solid.
void check_shapes(const Node& scene, Problems& problems) {
  std::vector<std::string> names;
  for (const char* table : {"clump", "solid"}) {
    for (const Node& shape : scene.tables(table)) {
      if (!shape.has("name")) return;  // then it is not known which there are
      names.push_back(shape.text("name"));
    }
  }
  for (const char* table : {"body", "fill", "inlet"}) {
    for (const Node& node : scene.tables(table)) {
      for (const char* key : {"clump", "solid"}) {
        if (!node.has(key) || std::find(names.begin(), names.end(), node.text(key)) != names.end()) continue;
        problems.add(node, key, no_such(key, node.text(key), names));
      }
    }
  }
}

}  // namespace

void check_what_is_there(const Node& scene, Problems& problems) {
  check_shapes(scene, problems);
  std::vector<std::string> names;
  for (const Node& m : scene.tables("material")) {
    if (!m.has("name")) return;  // then it is not known which there are
    names.push_back(m.text("name"));
  }
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const char* table : {"wall", "body", "chain", "fill", "inlet"}) {
    for (const Node& node : scene.tables(table)) {
      if (node.has("material") && !known(node.text("material"))) {
        problems.add(node, "material", no_such("material", node.text("material"), names));
      }
    }
  }
  for (const Node& contact : scene.tables("contact")) {
    const bool soft = scene.has("method") && scene.text("method") == "soft";
    if (soft && contact.has("restitution") && contact.number("restitution") == 0)
      problems.add(contact, "restitution", no_restitution());
    if (!contact.has("between")) continue;
    const auto& pair = contact.texts("between");
    for (std::size_t k = 0; k < pair.size(); ++k) {
      if (!known(pair[k])) problems.add(contact, fmt::format("between[{}]", k), no_such("material", pair[k], names));
    }
  }
  for (const Node& wall : scene.tables("wall")) {
    if (wall.has("from") && wall.has("to") && wall.numbers("from") == wall.numbers("to")) {
      problems.add(wall, "to", "is the same point as from: the wall has no length");
    }
  }
}

}  // namespace moraine::scene
