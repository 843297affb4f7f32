// SPDX-License-Identifier: MIT
#include "io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "io/checksum.hpp"
#include "io/file.hpp"
#include "io/hdf5.hpp"

namespace moraine::io {

namespace {

// HDF5 leaves the first bytes of a file to its user. There stands what is checked before HDF5 sees anything: with a
// damaged file HDF5 may do worse than fail.
struct Seal {
  char magic[24];
  std::uint64_t version;
  std::uint64_t file_bytes;
  std::uint64_t checksum;  // of everything behind the user block
};
constexpr char kMagic[24] = "MORAINE CHECKPOINT\n";
constexpr std::uint64_t kVersion = 3;  // 3: what jams and patches remember
constexpr std::size_t kUserBlockBytes = 512;
static_assert(sizeof(Seal) <= kUserBlockBytes);

// HDF5 takes a slash for a path and a dot for "here"; our names may hold any byte.
std::string link_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '/' || c == '%' || c == '.' || c == '\0')
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out.empty() ? "%" : out;
}

std::string entry_name(const std::string& link) {
  std::string out;
  for (std::size_t i = 0; i < link.size(); ++i) {
    if (link[i] == '%' && i + 2 < link.size()) {
      out += static_cast<char>(std::stoi(link.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else if (link[i] != '%') {
      out += link[i];
    }
  }
  return out;
}

// Takes the record apart: what is in the image is given back to the system, so that state, record and file are never
// in memory all three.
std::string to_hdf5(base::Record&& record) {
  const Hdf5Session session;
  Hdf5Image image;
  std::uint64_t bytes = record.later_bytes + (1 << 16);
  for (const auto& [name, values] : record.reals) bytes += 8 * values.size() + 1024;
  for (const auto& [name, values] : record.ints) bytes += 8 * values.size() + 1024;
  for (const auto& [name, text] : record.texts) bytes += text.size() + 1024;
  image.reserve(bytes);
  Hdf5Id file = create_hdf5(image, kUserBlockBytes);
  write_attribute(file.get(), "format", std::string("moraine checkpoint"));
  write_attribute(file.get(), "version", kVersion);
  {
    const Hdf5Id reals = create_group(file.get(), "reals");
    for (auto& [name, make] : record.later_reals) {
      const std::vector<double> values = make();
      write_numbers(reals.get(), link_name(name), NumberType::kReal64, values.data(), values.size(), 1);
    }
    for (auto& [name, values] : record.reals) {
      write_numbers(reals.get(), link_name(name), NumberType::kReal64, values.data(), values.size(), 1);
      std::vector<double>().swap(values);
    }
    const Hdf5Id ints = create_group(file.get(), "ints");
    for (const auto& [name, make] : record.later_ints) {
      const std::vector<std::int64_t> values = make();
      write_numbers(ints.get(), link_name(name), NumberType::kInt64, values.data(), values.size(), 1);
    }
    for (auto& [name, values] : record.ints) {
      write_numbers(ints.get(), link_name(name), NumberType::kInt64, values.data(), values.size(), 1);
      std::vector<std::int64_t>().swap(values);
    }
    const Hdf5Id texts = create_group(file.get(), "texts");
    for (const auto& [name, text] : record.texts) write_text(texts.get(), link_name(name), text);
  }
  file.close("finish the checkpoint");
  return image.take_tail();
}

base::Record from_hdf5(Hdf5Image& image) {
  const Hdf5Session session;
  const Hdf5Id file = open_hdf5(image, false);
  base::Record record;
  const auto read_all = [&](const char* group_name, NumberType type, auto& map) {
    const Hdf5Id group = open_group(file.get(), group_name);
    for (const std::string& link : names_in(group.get())) {
      auto& values = map[entry_name(link)];
      values.resize(rows_of(group.get(), link, type, 1));
      if (!values.empty()) read_numbers(group.get(), link, type, values.data());
    }
  };
  read_all("reals", NumberType::kReal64, record.reals);
  read_all("ints", NumberType::kInt64, record.ints);
  const Hdf5Id texts = open_group(file.get(), "texts");
  for (const std::string& link : names_in(texts.get())) record.texts[entry_name(link)] = read_text(texts.get(), link);
  return record;
}

std::uint64_t checksum_behind_seal(const Hdf5Image& image, const std::filesystem::path& path) {
  Checksum sum;
  std::string piece(1 << 20, '\0');
  for (std::uint64_t at = kUserBlockBytes; at < image.size(); at += piece.size()) {
    const std::size_t count = std::min<std::uint64_t>(piece.size(), image.size() - at);
    if (const int error = image.read(at, count, piece.data()))
      throw base::InputError(path.string(), 0, "", "cannot be read: " + system_reason(error));
    sum.add(piece.data(), count);
  }
  return sum.value();
}

// Throws unless the file is one of ours, complete and unchanged.
void check_seal(const Hdf5Image& image, const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& text) { throw base::InputError(path.string(), 0, "", text); };
  char block[kUserBlockBytes];
  if (const int error = image.read(0, kUserBlockBytes, block)) refuse("cannot be read: " + system_reason(error));
  Seal seal;
  std::memcpy(&seal, block, sizeof seal);
  if (image.size() == 0) refuse("is empty, not a Moraine checkpoint");
  if (std::memcmp(seal.magic, kMagic, sizeof kMagic) != 0)
    refuse("is not a Moraine checkpoint, or its start is damaged");
  if (seal.version != kVersion)
    refuse(other_version(static_cast<std::int64_t>(seal.version), static_cast<std::int64_t>(kVersion)));
  if (seal.file_bytes != image.size())
    refuse(fmt::format("is cut short or damaged: it has {} bytes, {} were written", image.size(), seal.file_bytes));
  for (std::size_t i = sizeof seal; i < kUserBlockBytes; ++i)
    if (block[i] != 0) refuse("is damaged: its first block is not as it was written");
  if (checksum_behind_seal(image, path) != seal.checksum)
    refuse("is damaged: its checksum is not the one it was written with");
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, base::Record record) {
  std::string bytes;
  try {
    bytes = to_hdf5(std::move(record));
  } catch (const Hdf5Error& error) {
    throw base::RunError(fmt::format("cannot write '{}': {}", path.string(), error.what()),
                         "see that there is memory for a second copy of the state");
  }
  Seal seal{};
  std::memcpy(seal.magic, kMagic, sizeof kMagic);
  seal.version = kVersion;
  seal.file_bytes = bytes.size();
  Checksum sum;
  sum.add(bytes.data() + kUserBlockBytes, bytes.size() - kUserBlockBytes);
  seal.checksum = sum.value();
  std::memcpy(bytes.data(), &seal, sizeof seal);
  write_file_atomically(path, bytes);
}

base::Record read_checkpoint(const std::filesystem::path& path) {
  const Descriptor file = open_for_reading(path);
  Hdf5Image image(file.get(), size_of(file.get(), path));
  check_seal(image, path);
  try {
    return from_hdf5(image);
  } catch (const Hdf5Error& error) {
    throw base::InputError(path.string(), 0, "", fmt::format("is not a complete checkpoint: {}", error.what()));
  }
}

}  // namespace moraine::io
