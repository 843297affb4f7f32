// SPDX-License-Identifier: MIT
#include "io/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "io/checksum.hpp"
#include "io/file.hpp"

namespace moraine::io {

namespace {

constexpr std::string_view kMagic = "MORJNL1\n";

struct Journal {
  std::uint64_t size = 0;  // of the file once all is in place
  std::map<std::uint64_t, std::string> pages;
};

std::filesystem::path journal_path(const std::filesystem::path& path) { return path.string() + ".journal"; }

void put(std::string& out, std::uint64_t value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

std::uint64_t checksum_of(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes.data(), bytes.size());
  return sum.value();
}

// The note beside the file, if there is one.
std::optional<Journal> read_journal(const std::filesystem::path& path, std::uint64_t file_size) {
  const auto beside = journal_path(path);
  if (!std::filesystem::exists(beside)) return std::nullopt;
  std::string bytes;
  try {
    bytes = read_text_file(beside, std::numeric_limits<std::uint64_t>::max());
  } catch (const base::InputError&) {
    if (!std::filesystem::exists(beside)) return std::nullopt;  // just carried out
    throw;
  }
  const auto damaged = [&] {
    throw base::InputError(beside.string(), 0, "", "is damaged: cannot repair the file beside it");
  };
  if (bytes.size() < kMagic.size() + 24 || !bytes.starts_with(kMagic)) damaged();
  const std::string_view body(bytes.data(), bytes.size() - 8);
  std::string_view rest = body.substr(kMagic.size());
  const auto take = [&] {
    std::uint64_t value = 0;
    if (rest.size() < sizeof value) damaged();
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return value;
  };
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  if (sum != checksum_of(body)) damaged();

  Journal journal;
  journal.size = take();
  for (std::uint64_t left = take(); left > 0; --left) {
    const std::uint64_t offset = take(), length = take();
    if (length > rest.size()) damaged();
    journal.pages[offset] = rest.substr(0, length);
    rest.remove_prefix(length);
  }
  // What was added was on the disk before the note was written.
  if (file_size < journal.size) damaged();
  return journal;
}

// Returns 0 or an errno value.
int put_in_place(int descriptor, const std::map<std::uint64_t, std::string>& pages, std::uint64_t size) {
  for (const auto& [offset, page] : pages)
    if (const int error = write_all_at(descriptor, page, offset)) return error;
  if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) return errno;
  return ::fdatasync(descriptor) != 0 ? errno : 0;
}

void remove_journal(const std::filesystem::path& path) {
  // Not synced: a note that comes back after a power cut says what is true already.
  ::unlink(journal_path(path).c_str());
}

// Locks on two bytes of the file, for whoever asks. Readers and the writer pass the gate one by one; a writer that
// waits for the readers inside keeps the gate, so that a crowd of new readers cannot keep it waiting for ever.
constexpr off_t kGate = 0, kInside = 1;

bool try_lock(int descriptor, off_t byte, int kind, int command) {
  struct flock lock {};
  lock.l_type = static_cast<short>(kind);
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  int result = 0;
  while ((result = ::fcntl(descriptor, command, &lock)) != 0 && errno == EINTR) {
  }
  return result == 0 || (errno != EAGAIN && errno != EACCES);  // a file system without locks: go on without
}

void unlock(int descriptor, off_t byte) { try_lock(descriptor, byte, F_UNLCK, F_OFD_SETLK); }

// For the writer. Gives up after a while: somebody's stopped viewer must not stop a run.
class WriteLock {
 public:
  explicit WriteLock(int descriptor) : descriptor_(descriptor) {
    int tries = 1000;
    for (const off_t byte : {kGate, kInside})
      while (!try_lock(descriptor, byte, F_WRLCK, F_OFD_SETLK) && --tries > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock() {
    unlock(descriptor_, kInside);
    unlock(descriptor_, kGate);
  }

 private:
  int descriptor_;
};

}  // namespace

std::string journal_bytes(const Hdf5Image& image) {
  std::string out(kMagic);
  put(out, image.size());
  put(out, image.pages().size());
  for (const auto& [offset, page] : image.pages()) {
    put(out, offset);
    put(out, page.size());
    out += page;
  }
  put(out, checksum_of(out));
  return out;
}

void commit(const std::filesystem::path& path, int descriptor, const Hdf5Image& image) {
  // What is new, behind the old end. If it does not fit, take it back.
  int error = write_all_at(descriptor, image.tail(), image.base_size());
  if (error == 0 && ::fdatasync(descriptor) != 0) error = errno;
  if (error != 0) {
    (void)!::ftruncate(descriptor, static_cast<off_t>(image.base_size()));
    throw_write_error(path, "write", error);
  }
  // From the note on there is no way back, only forward.
  const WriteLock lock(descriptor);
  try {
    write_file_atomically(journal_path(path), journal_bytes(image));
  } catch (const base::RunError&) {
    (void)!::ftruncate(descriptor, static_cast<off_t>(image.base_size()));
    throw;
  }
  if ((error = put_in_place(descriptor, image.pages(), image.size())) != 0) throw_write_error(path, "write", error);
  remove_journal(path);
}

void finish_commit(const std::filesystem::path& path, int descriptor) {
  const auto journal = read_journal(path, size_of(descriptor, path));
  if (!journal) return;
  const WriteLock lock(descriptor);
  if (const int error = put_in_place(descriptor, journal->pages, journal->size))
    throw_write_error(path, "repair", error);
  remove_journal(path);
}

Hdf5Image image_with_journal(const std::filesystem::path& path, int descriptor) {
  const std::uint64_t size = size_of(descriptor, path);
  Hdf5Image image(descriptor, size);
  if (const auto journal = read_journal(path, size)) {
    for (const auto& [offset, page] : journal->pages)
      if (const int error = image.write(offset, page))
        throw base::InputError(path.string(), 0, "", "cannot be read: " + system_reason(error));
    image.resize(journal->size);
  }
  return image;
}

void forget_journal(const std::filesystem::path& path) {
  if (::unlink(journal_path(path).c_str()) != 0 && errno != ENOENT)
    throw_write_error(journal_path(path), "remove", errno);
}

ReadLock::ReadLock(int descriptor) : descriptor_(descriptor) {
  try_lock(descriptor, kGate, F_RDLCK, F_OFD_SETLKW);
  try_lock(descriptor, kInside, F_RDLCK, F_OFD_SETLKW);
  unlock(descriptor, kGate);
}

ReadLock::~ReadLock() { unlock(descriptor_, kInside); }

}  // namespace moraine::io
