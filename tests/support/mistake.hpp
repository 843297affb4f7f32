// SPDX-License-Identifier: MIT
// One mistake in a scene: told once, with its line and these parts of the message, by check and by run; nothing is
// written.
#pragma once

#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/scenes.hpp"

namespace moraine::testing {

// `folder` may hold files that the scene names.
inline void expect_refused(const Folder& folder, const std::string& scene, const std::string& line, Args parts) {
  put(folder / "scene.toml", scene);
  const Args before = everything_in(folder.path());
  ASSERT_GT(line_of(scene, line), 0) << line << " is not in the scene (once):\n" << scene;
  parts.push_back("scene.toml:" + std::to_string(line_of(scene, line)) + ": ");
  for (const char* command : {"check", "run"}) {
    const Ended end = run_moraine({command, "scene.toml"}, folder.path());
    EXPECT_TRUE(refused(end, parts));
    EXPECT_EQ(end.errors().size(), 1U) << end.told();
  }
  EXPECT_EQ(everything_in(folder.path()), before) << "something was written";
}

}  // namespace moraine::testing
