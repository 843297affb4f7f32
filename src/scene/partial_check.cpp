// SPDX-License-Identifier: MIT
#include "scene/partial_check.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "scene/build.hpp"

namespace moraine::scene {

namespace {

bool any_damaged(const Node& scene, std::initializer_list<const char*> tables) {
  return std::any_of(tables.begin(), tables.end(), [&](const char* table) {
    const auto& nodes = scene.tables(table);
    return scene.stands_in(table) || std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.damaged(); });
  });
}

bool any_name_missing(const Node& scene) {
  for (const char* table : {"material", "clump", "solid", "wall"}) {
    if (scene.stands_in(table)) return true;
    for (const Node& node : scene.tables(table)) {
      if (node.stands_in("name")) return true;
    }
  }
  return false;
}

// The array of tables at the beginning of a path such as "body[2].radius", and which of it; null for other paths.
struct Place {
  std::string table;
  const Node* node = nullptr;
  std::string key;  // the rest, without an index at its end
};
Place place_of(const Node& scene, const std::string& path) {
  const std::size_t open = path.find('['), close = path.find(']');
  if (open == std::string::npos || close == std::string::npos || path.find('.') < open) return {};
  Place place{path.substr(0, open), nullptr, ""};
  const Key* key = scene.schema().find(place.table);
  std::size_t k = 0;
  std::from_chars(path.data() + open + 1, path.data() + close, k);
  if (key == nullptr || key->type != Type::Tables || k >= scene.tables(place.table).size()) return {};
  place.node = &scene.tables(place.table)[k];
  if (close + 1 < path.size() && path[close + 1] == '.') {
    place.key = path.substr(close + 2);
    place.key.resize(std::min(place.key.size(), place.key.find('[')));
  }
  return place;
}

// Whether a problem of the scene with stand-ins is one of the scene as it was written.
class Trust {
 public:
  Trust(const Node& scene, const Problems& of_form)
      : scene_(scene),
        names_missing_(any_name_missing(scene)),
        laws_damaged_(any_damaged(scene, {"material", "contact"})),
        room_damaged_(scene.table("domain").damaged() || any_damaged(scene, {"wall"})) {
    for (const base::Problem& p : of_form.sorted()) damaged_paths_.insert(p.key.substr(0, p.key.rfind('.')));
  }

  bool operator()(const base::Problem& p) const {
    if (p.key == "time.step") return !scene_.table("time").stands_in("step");
    const Place place = place_of(scene_, p.key);
    if (place.node == nullptr || place.key.empty() || place.key.find('.') != std::string::npos) return false;
    const Node& node = *place.node;
    if (!node.given(place.key) || node.stands_in(place.key)) return false;
    if (p.text.rfind("there is no ", 0) == 0) return !names_missing_;
    const std::string path = p.key.substr(0, p.key.rfind('.'));
    const bool touched = damaged_paths_.count(path) > 0;
    if (place.table == "material") return !touched;
    if (place.table == "contact") return !touched && !laws_damaged_;
    if (place.table == "wall") return place.key == "to" || place.key == "name" || !touched;
    if (place.table == "body") return !node.damaged() && (place.key == "position" || !touched);
    if (place.table == "probe") return !touched && !room_damaged_;
    return false;
  }

 private:
  const Node& scene_;
  std::set<std::string> damaged_paths_;  // of tables
  bool names_missing_;
  bool laws_damaged_;
  bool room_damaged_;
};

}  // namespace

void check_in_spite(Scene scene, Problems& problems) {
  const Node& node = scene.node;
  if (node.has("setup") || !node.has("dimension") || !node.has("method")) return;
  const int dimension = scene.dimension();
  scene.node.take_stand_ins(dimension);
  try {
    if (dimension == 2) {
      build<2>(scene, false);
    } else {
      build<3>(scene, false);
    }
  } catch (const base::InputError& error) {
    const Trust trusted(node, problems);
    for (const base::Problem& p : error.problems()) {
      if (trusted(p)) problems.add(p);
    }
  }
}

}  // namespace moraine::scene
