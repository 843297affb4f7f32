// SPDX-License-Identifier: MIT
// What the tests of io share: a folder that goes away, a frame with something in every field, and whole files as bytes.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "measure/frame.hpp"

namespace moraine::io::testing {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "moraine_io_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);  // ext4 brings a file that is cut and rewritten to the disk at once, which takes long
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Values without a short decimal form, so that a lost bit shows.
inline double odd(int i) { return std::sin(1.0 + i) / 3.0; }

inline measure::Frame sample_frame(int bodies, int number = 0) {
  measure::Frame f;
  f.dimension = 3;
  f.time = 0.1 * number;
  f.step = 1000 * number;
  const auto triple = [](int i) { return measure::Triple{odd(i), odd(i + 1), odd(i + 2)}; };
  for (int i = 0; i < bodies; ++i) {
    const int s = 17 * i + number;
    f.id.push_back(100 + 3 * i);
    f.position.push_back(triple(s));
    f.velocity.push_back(triple(s + 3));
    f.spin.push_back(triple(s + 6));
    f.orientation.push_back({odd(s), odd(s + 2), odd(s + 4), odd(s + 6)});
    f.radius.push_back(0.01 + 0.001 * std::abs(odd(s)));
    f.mass.push_back(1.0 + odd(s));
    f.material.push_back(i % 2);
    f.held.push_back(i % 3);
    f.clump.push_back(i % 4 - 1);
    f.form.push_back(-1);
  }
  for (int i = 0; i + 1 < bodies; i += 2) {
    f.contact_a.push_back(f.id[i]);
    f.contact_b.push_back(i == 0 ? -1 : f.id[i + 1]);
    f.contact_point.push_back(triple(i));
    f.contact_normal.push_back(triple(i + 1));
    f.contact_force.push_back(triple(i + 2));
    f.contact_overlap.push_back(odd(i));
  }
  f.wall_name = {"floor", "drum side with a longer name, \xC3\xBC"};
  f.wall_kind = {"plane", "segment"};
  f.wall_from = {triple(1), triple(2)};
  f.wall_to = {triple(3), triple(4)};
  f.wall_force = {triple(5), triple(6)};
  f.line_from = {triple(7), triple(8), triple(9)};
  f.line_to = {triple(8), triple(9), triple(10)};
  f.line_wall = {0, 1, 1};
  f.domain_min = {-1, -2, -3};
  f.domain_max = {1, 2, 3.5};
  f.periodic = {1, 0, 0};
  f.material_names = {"glass", "steel"};
  return f;
}

inline void expect_same(const measure::Frame& a, const measure::Frame& b) {
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.spin, b.spin);
  EXPECT_EQ(a.orientation, b.orientation);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.held, b.held);
  EXPECT_EQ(a.clump, b.clump);
  EXPECT_EQ(a.contact_a, b.contact_a);
  EXPECT_EQ(a.contact_b, b.contact_b);
  EXPECT_EQ(a.contact_point, b.contact_point);
  EXPECT_EQ(a.contact_normal, b.contact_normal);
  EXPECT_EQ(a.contact_force, b.contact_force);
  EXPECT_EQ(a.contact_overlap, b.contact_overlap);
  EXPECT_EQ(a.wall_name, b.wall_name);
  EXPECT_EQ(a.wall_kind, b.wall_kind);
  EXPECT_EQ(a.wall_from, b.wall_from);
  EXPECT_EQ(a.wall_to, b.wall_to);
  EXPECT_EQ(a.wall_force, b.wall_force);
  EXPECT_EQ(a.line_from, b.line_from);
  EXPECT_EQ(a.line_to, b.line_to);
  EXPECT_EQ(a.line_wall, b.line_wall);
  EXPECT_EQ(a.domain_min, b.domain_min);
  EXPECT_EQ(a.domain_max, b.domain_max);
  EXPECT_EQ(a.periodic, b.periodic);
  EXPECT_EQ(a.material_names, b.material_names);
}

// The text of the error that `action` throws, and "" (a failed test) if it throws none or another kind.
template <class Error, class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& other) {
    ADD_FAILURE() << "another kind of error: " << other.what();
    return "";
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace moraine::io::testing
