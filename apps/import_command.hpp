// SPDX-License-Identifier: MIT
// moraine import: a scene from the input file of another program.
#pragma once

#include <filesystem>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace moraine::app {

struct ImportRequest {
  std::filesystem::path file, out;  // out empty: to the standard output
  bool overwrite = false;
};

// Adds the command to the program; its options go into `request`.
CLI::App* add_import_command(CLI::App& app, ImportRequest& request);
int import_file(const ImportRequest& request);

}  // namespace moraine::app
