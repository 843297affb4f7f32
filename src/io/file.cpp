// SPDX-License-Identifier: MIT
#include "io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace moraine::io {

namespace {

std::string advice_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another output folder (--out)";
    case EFBIG:
      return "the file is larger than this system or your limits (ulimit -f) allow: write less or choose another "
             "folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return "choose an output folder you may write to (--out)";
    case ENOENT:
    case ENOTDIR:
      return "see that the folder exists and that every part of its path is a folder";
    case EISDIR:
      return "a folder has this name: move it away or choose another output folder (--out)";
    case ENAMETOOLONG:
      return "choose a shorter path";
    default:
      return "check the disk and the folder, or choose another output folder (--out)";
  }
}

std::string parent_of(const std::filesystem::path& path) {
  const auto parent = path.parent_path();
  return parent.empty() ? "." : parent.string();
}

std::string in_bytes(std::uint64_t bytes) {
  if (bytes < 10 * 1024) return fmt::format("{} bytes", bytes);
  if (bytes < (10ull << 20)) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024.0);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

// Writes the part beside; returns what was tried when it failed, with the errno.
std::pair<const char*, int> write_part(const std::string& part, std::string_view bytes) {
  const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) return {"create", errno};
  if (const int error = write_all(file.get(), bytes)) return {"write", error};
  // The data must be on the disk before the name points to it, or a power cut could leave an empty file.
  if (::fsync(file.get()) != 0) return {"bring to the disk", errno};
  return {"", 0};
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (number_ >= 0) ::close(number_);
    number_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

std::string system_reason(int error) { return std::generic_category().message(error); }

void throw_write_error(const std::filesystem::path& path, const std::string& action, int error) {
  throw base::RunError(fmt::format("cannot {} '{}': {}", action, path.string(), system_reason(error)),
                       advice_for(error));
}

std::string other_version(std::int64_t written, std::int64_t known) {
  const bool newer = written > known;
  return fmt::format("was written by {} version of Moraine (format {}; this program reads {}): use that one, or {}",
                     newer ? "a newer" : "an older", written, known,
                     newer ? "install the newer program" : "run the scene again");
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

int write_all_at(int descriptor, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const std::string part = path.string() + ".part";
  auto [action, error] = write_part(part, bytes);
  if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) {
    action = "put in place";
    error = errno;
  }
  if (error != 0) {
    ::unlink(part.c_str());
    throw_write_error(path, action, error);
  }
  sync_folder_of(path);
}

void sync_folder_of(const std::filesystem::path& path) {
  const Descriptor folder(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // The data itself is safe by now; a file system that cannot sync a folder keeps names in its own way.
  if (folder.is_open()) (void)::fsync(folder.get());
}

void ensure_folder(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) throw_write_error(path, "make the folder", code.value());
  if (!std::filesystem::is_directory(path, code)) throw_write_error(path, "make the folder", ENOTDIR);
}

Descriptor open_for_reading(const std::filesystem::path& path) {
  struct stat status {};
  // Asked before opening: to open a pipe would wait for a writer.
  if (::stat(path.c_str(), &status) != 0) {
    const int error = errno;
    throw base::InputError(
        path.string(), 0, "",
        error == ENOENT ? "there is no such file" : fmt::format("cannot be read: {}", system_reason(error)));
  }
  if (S_ISDIR(status.st_mode)) throw base::InputError(path.string(), 0, "", "is a folder; a file is needed");
  if (!S_ISREG(status.st_mode)) throw base::InputError(path.string(), 0, "", "is not an ordinary file");
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    throw base::InputError(path.string(), 0, "", fmt::format("cannot be read: {}", system_reason(errno)));
  return file;
}

std::uint64_t size_of(int descriptor, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    throw base::InputError(path.string(), 0, "", fmt::format("cannot be read: {}", system_reason(errno)));
  return static_cast<std::uint64_t>(status.st_size);
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const Descriptor file = open_for_reading(path);
  const std::uint64_t size = size_of(file.get(), path);
  const auto too_big = [&](std::uint64_t found) {
    throw base::InputError(
        path.string(), 0, "",
        fmt::format("is too big: {} (at most {} are allowed here)", in_bytes(found), in_bytes(max_bytes)));
  };
  if (size > max_bytes) too_big(size);

  // Read to the end rather than to the size: a file that is being written may have grown meanwhile.
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::size_t used = 0;
  while (true) {
    if (used == text.size()) text.resize(2 * used);
    const ssize_t count = ::read(file.get(), text.data() + used, text.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw base::InputError(path.string(), 0, "", fmt::format("cannot be read: {}", system_reason(errno)));
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > max_bytes) too_big(used);
  }
  text.resize(used);
  return text;
}

}  // namespace moraine::io
