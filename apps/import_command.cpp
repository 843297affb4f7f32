// SPDX-License-Identifier: MIT
#include "import_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "foreign/pipe_scene.hpp"
#include "io/file.hpp"

namespace moraine::app {

namespace fs = std::filesystem;

CLI::App* add_import_command(CLI::App& app, ImportRequest& request) {
  CLI::App* command = app.add_subcommand("import", "make a scene from the input file (.inp) of Sun's pipe program");
  command->add_option("FILE", request.file, "input file with PARA, RAND, DISK and ROOT blocks")->required();
  command->add_option("--out", request.out, "scene file to write (default: to the terminal)");
  command->add_flag("--overwrite", request.overwrite, "replace the scene file if it is there");
  return command;
}

int import_file(const ImportRequest& request) {
  const foreign::PipeInput input = foreign::read_pipe_input(request.file);
  const std::string scene = foreign::pipe_scene(input, request.file.filename().string());
  if (request.out.empty()) {
    fmt::print("{}", scene);
    return 0;
  }
  std::error_code error;
  if (fs::is_directory(request.out, error))
    throw base::InputError("--out", 0, request.out.string(), "is a folder; give the name of a scene file");
  if (fs::exists(request.out, error) && !request.overwrite)
    throw base::InputError("--out", 0, request.out.string(), "is there already; replace it with --overwrite");
  io::write_file_atomically(request.out, scene);
  fmt::print("{}: {} disks a batch, {} wall circles -> {}\n", input.file, input.disks.size(), input.circles.size(),
             request.out.string());
  return 0;
}

}  // namespace moraine::app
