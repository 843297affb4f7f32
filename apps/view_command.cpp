// SPDX-License-Identifier: MIT
#include "view_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/error.hpp"
#include "run_command.hpp"
#include "run_folder.hpp"
#include "sweep_command.hpp"
#include "view/show.hpp"

namespace moraine::app {

namespace {

std::atomic<bool> ended{false};
void on_signal(int) { ended.store(true); }

// With the desktop's own way to open an address, if there is a desktop.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);  // nobody waits for it
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
    ::execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
    ::_exit(127);
  }
  ::waitpid(child, nullptr, 0);
}

}  // namespace

CLI::App* add_view_command(CLI::App& app, ViewRequest& request) {
  CLI::App* view = app.add_subcommand("view", "show a run in the browser, finished, going on, or made while you look");
  view->add_option("DIR|SCENE", request.what, "output folder of a run; or a scene, which is run and shown")->required();
  view->add_option("--set", request.sets, "of a scene: set a key, as in --set body.0.radius=\"5 cm\" (again and again)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  view->add_option("--threads", request.threads, "of a scene: number of threads (default: one per core)")
      ->check(CLI::Range(1, 1024));
  view->add_option("--port", request.port, "port of this machine (default: one that is free)")
      ->check(CLI::Range(1, 65535));
  view->add_flag("--no-browser", request.no_browser, "only print the address");
  return view;
}

int view(const ViewRequest& request) {
  std::error_code error;
  const bool is_run = fs::exists(fs::path(request.what) / "trajectory.h5", error) || is_run_folder(request.what);
  std::unique_ptr<view::Show> show;
  if (is_sweep_folder(request.what)) {
    throw base::InputError(request.what, 0, "",
                           fmt::format("is the folder of a sweep: moraine plot {0} draws its map, and moraine view "
                                       "shows one of its runs, each a folder in {0}/runs",
                                       request.what));
  }
  const fs::path scene = is_run ? fs::path() : find_scene(request.what);
  if (is_run || fs::is_directory(scene, error)) {
    if (!request.sets.empty())
      throw base::InputError("--set", 0, "", "goes with a scene, which is run and shown; this is the folder of a run");
    show = view::show_folder(request.what, title_of_run(request.what));
  } else {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int threads = request.threads > 0 ? request.threads : cores;
    show = view::show_scene(scene, request.sets, threads);
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const view::Server server(view::page_of(*show), request.port);
  fmt::print("{}\n", server.address());
  fmt::print("showing {}; Ctrl-C ends it\n", request.what);
  std::fflush(stdout);
  if (!request.no_browser) open_browser(server.address());
  while (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return 0;
}

}  // namespace moraine::app
