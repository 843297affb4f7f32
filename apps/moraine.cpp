// SPDX-License-Identifier: MIT
// The program: one command per verb. Exit status: 0 done, 2 bad input, 3 trouble in a run, 1 our own bug.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.hpp"
#include "import_command.hpp"
#include "plot_command.hpp"
#include "run_command.hpp"
#include "scene/keys.hpp"
#include "scene/reader.hpp"
#include "scene/reference.hpp"
#include "sweep/keys.hpp"
#include "sweep_command.hpp"
#include "terminal.hpp"
#include "view_command.hpp"

namespace {

using moraine::app::RunOptions;
using moraine::app::terminal_text;

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--set", options.sets, "set a scene key, as in --set body.0.radius=\"5 cm\" (again and again)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

int list_examples() {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(moraine::app::examples_folder())) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto node = moraine::scene::read_scene(moraine::scene::scene_schema(), file);
    fmt::print("{:<22} {}\n", file.stem().string(), node.text("title"));
    if (!node.text("source").empty()) fmt::print("{:<22} from: {}\n", "", node.text("source"));
  }
  fmt::print("\nsweeps, for moraine sweep NAME:\n");
  for (const std::string& name : moraine::app::shipped_sweeps()) {
    const auto node = moraine::scene::read_scene(moraine::sweep::sweep_schema(),
                                                 moraine::app::examples_folder() / "sweeps" / (name + ".toml"));
    fmt::print("{:<22} {}\n", name, node.text("title"));
    if (!node.text("source").empty()) fmt::print("{:<22} from: {}\n", "", node.text("source"));
  }
  return 0;
}

int print_schema(bool json, bool sweep) {
  const moraine::scene::Schema& schema = sweep ? moraine::sweep::sweep_schema() : moraine::scene::scene_schema();
  if (json) {
    fmt::print("{}\n", moraine::scene::json_schema(schema).dump(2));
  } else {
    fmt::print("{}", moraine::scene::reference_markdown(schema));
  }
  return 0;
}

int run_program(int argc, char** argv) {
  CLI::App app{"Moraine simulates granular matter: grains, rocks, tablets, ice floes"};
  app.set_version_flag("--version", MORAINE_VERSION);
  app.require_subcommand(1);
  RunOptions options;
  moraine::app::PlotRequest plot_request;
  std::string folder;
  moraine::app::ViewRequest view_request;
  moraine::app::SweepRequest sweep_request;
  moraine::app::ImportRequest import_request;
  bool json = false, sweep_keys = false;

  CLI::App* run = app.add_subcommand("run", "run a scene file, or a shipped example by its bare name");
  run->add_option("SCENE", options.scene, "scene file or name of an example")->required();
  add_run_options(*run, options);
  run->add_option("--out", options.out, "folder for the results (default: out/NAME)");
  run->add_option("--threads", options.threads, "number of threads (default: one per core); never changes the result")
      ->check(CLI::Range(1, 1024));
  run->add_flag("--quiet", options.quiet, "no progress and no summary on the terminal");
  run->add_flag("--overwrite", options.overwrite, "replace an earlier run in the same folder");

  CLI::App* check = app.add_subcommand("check", "read and validate a scene, and print what follows from it");
  check->add_option("SCENE", options.scene, "scene file or name of an example")->required();
  add_run_options(*check, options);

  CLI::App* resume = app.add_subcommand("resume", "go on with a run from its last checkpoint, to the same bits");
  resume->add_option("DIR", folder, "output folder of the run")->required();
  resume->add_option("--threads", options.threads, "number of threads")->check(CLI::Range(1, 1024));
  resume->add_flag("--quiet", options.quiet, "no progress and no summary on the terminal");
  add_run_options(*resume, options);

  CLI::App* plot = moraine::app::add_plot_command(app, plot_request);

  CLI::App* view = moraine::app::add_view_command(app, view_request);
  CLI::App* sweep = moraine::app::add_sweep_command(app, sweep_request);
  CLI::App* importing = moraine::app::add_import_command(app, import_request);

  CLI::App* examples = app.add_subcommand("examples", "list the shipped example scenes and sweeps");
  CLI::App* schema = app.add_subcommand("schema", "print the reference of all keys of scenes");
  schema->add_flag("--json", json, "as JSON Schema, for editors");
  schema->add_flag("--sweep", sweep_keys, "of sweep files instead");
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    throw moraine::base::InputError("", 0, argv[1],
                                    "is not a command; there is " + moraine::scene::list_text(names) +
                                        moraine::scene::did_you_mean(argv[1], names));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help or version
    std::string command;
    for (const CLI::App* asked : app.get_subcommands()) command += asked->get_name() + " ";
    fmt::print(stderr, "error: {}\n  what there is: moraine {}--help\n", terminal_text(error.what()), command);
    return 2;
  }
  if (run->parsed()) return moraine::app::run_scene(options);
  if (check->parsed()) return moraine::app::check_scene(options);
  if (resume->parsed()) return moraine::app::resume_run(folder, options);
  if (plot->parsed()) return moraine::app::plot_folder(plot_request);
  if (view->parsed()) return moraine::app::view(view_request);
  if (sweep->parsed()) return moraine::app::run_sweep(sweep_request);
  if (importing->parsed()) return moraine::app::import_file(import_request);
  if (examples->parsed()) return list_examples();
  if (schema->parsed()) return print_schema(json, sweep_keys);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GLIBC__)
  // Large arrays go back to the system when they are freed, instead of leaving holes: a tenth of the peak memory.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  try {
    const int status = run_program(argc, argv);
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout)
      throw std::system_error(errno, std::generic_category(), "standard output");
    return status;
  } catch (const moraine::base::InputError& error) {
    for (const auto& problem : error.problems()) fmt::print(stderr, "error: {}\n", terminal_text(problem.str()));
    if (error.problems().size() > 1) fmt::print(stderr, "{} errors; nothing was written\n", error.problems().size());
    return 2;
  } catch (const moraine::base::RunError& error) {
    fmt::print(stderr, "error: {}\n", terminal_text(error.what()));
    return 3;
  } catch (const std::system_error& error) {  // fmt could not write to the standard output
    std::fputs(fmt::format("error: cannot write: {}\n", error.what()).c_str(), stderr);
    return 3;
  } catch (const std::bad_alloc&) {
    std::fputs("error: this needs more memory than there is\n  what to do: take fewer bodies, or a larger machine\n",
               stderr);
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {} (please report this)\n", error.what());
    return 1;
  }
}
