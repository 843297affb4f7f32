// SPDX-License-Identifier: MIT
// moraine view: a page in the browser that shows a run.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace moraine::app {

struct ViewRequest {
  std::string what;  // the folder of a run, or a scene as for moraine run
  std::vector<std::string> sets;
  int port = 0, threads = 0;
  bool no_browser = false;
};

// Adds the command to the program; its options go into `request`.
CLI::App* add_view_command(CLI::App& app, ViewRequest& request);
int view(const ViewRequest& request);

}  // namespace moraine::app
