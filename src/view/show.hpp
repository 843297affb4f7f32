// SPDX-License-Identifier: MIT
// What the page shows: a run, finished or going on, from its folder; or one that is made while it is looked at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "view/http.hpp"

namespace moraine::view {

class Show {
 public:
  virtual ~Show() = default;
  // Answers "/api/...". Called by several threads at once.
  virtual Response answer(const Request& request) = 0;
};

// Reads only. Throws base::InputError for a folder that is no run, or a trajectory that cannot be read.
std::unique_ptr<Show> show_folder(const std::filesystem::path& folder, const std::string& title);

// Runs the scene in a thread of its own. Throws base::InputError for a scene with mistakes.
std::unique_ptr<Show> show_scene(const std::filesystem::path& scene, const std::vector<std::string>& sets, int threads);

// The page itself for "/", what it is made of, and the show for the rest.
Server::Handler page_of(Show& show);

}  // namespace moraine::view
