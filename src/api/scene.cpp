// SPDX-License-Identifier: MIT
#include "moraine/scene.hpp"

#include "api/content.hpp"
#include "scene/keys.hpp"
#include "scene/writer.hpp"

namespace moraine {

Scene::Scene(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Scene Scene::from_file(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return Scene(std::make_shared<Content>(Content{path, {}, {}, sets, scene::load_scene(path, sets)}));
}

Scene Scene::from_text(const std::string& toml, const std::vector<std::string>& sets,
                       const std::filesystem::path& folder) {
  return Scene(std::make_shared<Content>(
      Content{std::nullopt, toml, folder, sets, scene::load_scene_text(toml, "scene", folder, sets)}));
}

void Scene::set(const std::string& key_and_value) {
  std::vector<std::string> sets = content_->sets;
  sets.push_back(key_and_value);
  *this = content_->file ? from_file(*content_->file, sets) : from_text(content_->text, sets, content_->folder);
}

int Scene::dimension() const { return content_->tree.dimension(); }

std::string Scene::toml() const { return scene::write_complete(scene::scene_schema(), content_->tree.node); }

}  // namespace moraine
