// SPDX-License-Identifier: MIT
#include "plot/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/file.hpp"

namespace moraine::plot {

namespace fs = std::filesystem;

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// A running ffmpeg that takes raw pictures from a socket. A socket and not a pipe: if ffmpeg dies, send() can tell us
// instead of a signal ending the program.
class Encoder {
 public:
  Encoder(const fs::path& ffmpeg, const fs::path& film, int width, int height, double rate);
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder();
  bool feed(const std::vector<unsigned char>& bytes);  // false: it takes no more
  bool finish();                                       // true: it says that all went well
  std::string complaint() const;

 private:
  io::Descriptor to_;
  std::unique_ptr<std::FILE, CloseFile> words_;  // what ffmpeg says; a file, so that it can never block
  pid_t process_ = -1;
};

[[noreturn]] void throw_film_error(const fs::path& film, const std::string& why) {
  throw base::RunError(fmt::format("'{}': the film could not be made: {}", film.string(), why),
                       "see that ffmpeg works and knows H.264 (libx264), or leave out --film");
}

double frame_rate(std::int64_t count) { return std::clamp(static_cast<double>(count) / 10, 5.0, 25.0); }

Encoder::Encoder(const fs::path& ffmpeg, const fs::path& film, int width, int height, double rate)
    : words_(std::tmpfile()) {
  int ends[2];
  if (!words_ || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw_film_error(film, io::system_reason(errno));
  }
  to_ = io::Descriptor(ends[0]);
  const io::Descriptor from(ends[1]);
  // Arguments go to the program as they are: no shell reads them. A path that begins with '-' must not look like an
  // option, so it is made absolute.
  std::vector<std::string> words = {ffmpeg.string(),
                                    "-y",
                                    "-nostdin",
                                    "-loglevel",
                                    "error",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "bgr0",
                                    "-video_size",
                                    fmt::format("{}x{}", width, height),
                                    "-framerate",
                                    fmt::format("{:g}", rate),
                                    "-i",
                                    "pipe:0",
                                    "-c:v",
                                    "libx264",
                                    "-crf",
                                    "20",
                                    "-pix_fmt",
                                    "yuv420p",
                                    "-movflags",
                                    "+faststart",
                                    "-f",
                                    "mp4",
                                    "file:" + fs::absolute(film).string()};
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(words_.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(words_.get()), 2);
  const int error = ::posix_spawn(&process_, ffmpeg.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    process_ = -1;
    throw_film_error(film, io::system_reason(error));
  }
}

Encoder::~Encoder() { finish(); }

bool Encoder::feed(const std::vector<unsigned char>& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(to_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool Encoder::finish() {
  if (process_ < 0) return false;
  to_ = io::Descriptor();
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string Encoder::complaint() const {
  std::rewind(words_.get());
  std::string text(2000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), words_.get()));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "ffmpeg failed and gave no reason" : text;
}

}  // namespace

std::optional<fs::path> find_ffmpeg() {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return std::nullopt;
  const std::string folders = path;
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const fs::path candidate = fs::path(folders.substr(at, end - at)) / "ffmpeg";
    std::error_code error;
    if (end > at && fs::is_regular_file(candidate, error) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return std::nullopt;
}

void make_film(const fs::path& ffmpeg, const fs::path& film, std::int64_t count,
               const std::function<Picture(std::int64_t)>& picture) {
  if (count < 1) throw_film_error(film, "there are no frames");
  const fs::path part = film.string() + ".part";
  std::error_code ignored;
  try {
    Pixels pixels = pixels_of(picture(0));
    const int width = pixels.width, height = pixels.height;
    Encoder encoder(ffmpeg, part, width, height, frame_rate(count));
    bool taken = encoder.feed(pixels.bgra);
    for (std::int64_t i = 1; i < count && taken; ++i) {
      pixels = pixels_of(picture(i));
      if (pixels.width != width || pixels.height != height) throw std::logic_error("pictures of a film differ in size");
      taken = encoder.feed(pixels.bgra);
    }
    if (!encoder.finish() || !taken) throw_film_error(film, encoder.complaint());
  } catch (...) {
    fs::remove(part, ignored);
    throw;
  }
  std::error_code error;
  fs::rename(part, film, error);
  if (error) {
    fs::remove(part, ignored);
    io::throw_write_error(film, "rename", error.value());
  }
  io::sync_folder_of(film);
}

}  // namespace moraine::plot
