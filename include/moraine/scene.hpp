// SPDX-License-Identifier: MIT
/// @file
/// What is to be simulated: a scene, from a file or a text, with some values set.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace moraine {

/// A scene as in a scene file, read and checked for form. Cheap to copy.
class Scene {
 public:
  /// Reads a scene file. `sets` change values of it, each as in "body.0.radius=5 cm". Throws InputError with everything
  /// that is wrong.
  static Scene from_file(const std::filesystem::path& path, const std::vector<std::string>& sets = {});

  /// The same from a text. Files that the scene names are looked for from `folder`.
  static Scene from_text(const std::string& toml, const std::vector<std::string>& sets = {},
                         const std::filesystem::path& folder = ".");

  /// Changes one value, as in "time.end=2 s". Throws InputError; the scene is then as it was.
  void set(const std::string& key_and_value);

  /// 2 or 3.
  int dimension() const;

  /// The complete scene, with every default spelled out, as the text of a scene file.
  std::string toml() const;

 private:
  friend class Simulation;
  struct Content;
  explicit Scene(std::shared_ptr<const Content> content);
  std::shared_ptr<const Content> content_;
};

}  // namespace moraine
