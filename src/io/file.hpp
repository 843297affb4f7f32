// SPDX-License-Identifier: MIT
// Whole files, in and out: a file under its final name is always complete, because it is written beside and renamed.
// Every failure says which file, why (the system's own words) and what the user can do. Knows no format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace moraine::io {

// An open file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();

 private:
  int number_ = -1;
};

// Throws base::RunError: path, what was tried ("write", "rename", ...), the system's reason for `error`, and advice.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, const std::string& action, int error);

// The system's words for an errno value.
std::string system_reason(int error);

// What to say of a file of another version of its format than the one that this program reads.
std::string other_version(std::int64_t written, std::int64_t known);

// Writes all bytes at the descriptor's position (or at `offset`), whatever the system cuts them into.
// Return 0 or the errno of the failure, so that the caller can undo before it throws.
int write_all(int descriptor, std::string_view bytes);
int write_all_at(int descriptor, std::string_view bytes, std::uint64_t offset);

// Replaces `path` by a file with these bytes: writes `<path>.part`, brings it to the disk, renames. Whatever happens,
// `path` holds either the old or the new content. Throws base::RunError.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Brings a folder's entries (a rename, a new file) to the disk. File systems that cannot are left in peace.
void sync_folder_of(const std::filesystem::path& path);

// Makes the folder and its parents. Throws base::RunError.
void ensure_folder(const std::filesystem::path& path);

inline constexpr std::uint64_t kMaxTextBytes = 64ull << 20;

// The bytes of a text file. Throws base::InputError for a missing file, a folder, no permission, or one that is too
// big.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxTextBytes);

// Opens for reading what must be an ordinary file; throws base::InputError that says why it cannot be.
Descriptor open_for_reading(const std::filesystem::path& path);

// The size of an open file in bytes.
std::uint64_t size_of(int descriptor, const std::filesystem::path& path);

}  // namespace moraine::io
