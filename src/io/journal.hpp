// SPDX-License-Identifier: MIT
// Brings the changes of an Hdf5Image to its file so that, whatever happens in between, the file is found as it was
// before or as it is after. New bytes go behind the old end, where nobody looks yet; then the few changed pages are
// noted in `<path>.journal`, put in place, and the note is removed. A note that is found tells what a killed run left
// undone. A reader waits for that short moment by a lock, but never holds up the run for long. Inside io only.
#pragma once

#include <filesystem>
#include <string>

#include "io/hdf5_image.hpp"

namespace moraine::io {

// The note: the changed pages, the size to come, a checksum.
std::string journal_bytes(const Hdf5Image& image);

// Throws base::RunError; the file is then as before (or as after, once the note is carried out).
void commit(const std::filesystem::path& path, int descriptor, const Hdf5Image& image);

// Finishes what a killed run left undone, if anything. To be called before a file is changed again.
void finish_commit(const std::filesystem::path& path, int descriptor);

// For readers, who may not be allowed to write: the file as it will be once the note is carried out.
// Throws base::InputError if the note or the file is damaged.
Hdf5Image image_with_journal(const std::filesystem::path& path, int descriptor);

// Before a file is replaced by another of the same name.
void forget_journal(const std::filesystem::path& path);

// Keeps a writer out of its short critical moment while a reader reads. Ends with the object. Where the file system
// has no locks, does nothing.
class ReadLock {
 public:
  explicit ReadLock(int descriptor);
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;
  ~ReadLock();

 private:
  int descriptor_;
};

}  // namespace moraine::io
