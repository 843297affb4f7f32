// SPDX-License-Identifier: MIT
// Mesh files: the same box in every format, and files that are damaged in every way we could think of.
#include "io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "base/random.hpp"
#include "shape/mesh_shapes.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io {
namespace {

using shape::RawMesh;
using testing::Folder;
using testing::put;

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

const math::Vec3& corner(const RawMesh& mesh, std::size_t t, int k) { return mesh.vertices[mesh.triangles[t][k]]; }

std::string stl_text(const RawMesh& mesh, const std::string& name = "thing") {
  std::string out = "solid " + name + "\n";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    out += " facet normal 0 0 0\n  outer loop\n";
    for (int k = 0; k < 3; ++k) {
      const auto& v = corner(mesh, t, k);
      out += fmt::format("   vertex {} {} {}\n", v[0], v[1], v[2]);
    }
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid " + name + "\n";
}

std::string stl_binary(const RawMesh& mesh, const std::string& head = "made by a test") {
  std::string out = head;
  out.resize(80, ' ');
  append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) append(out, 0.0f);
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) append(out, static_cast<float>(corner(mesh, t, k)[i]));
    }
    append(out, std::uint16_t{0});
  }
  return out;
}

std::string obj(const RawMesh& mesh) {
  std::string out = "# a comment\nmtllib nowhere.mtl\no thing\n";
  for (const auto& v : mesh.vertices) out += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  for (const auto& c : mesh.triangles) out += fmt::format("f {} {} {}\n", c[0] + 1, c[1] + 1, c[2] + 1);
  return out;
}

std::string off(const RawMesh& mesh) {
  std::string out = fmt::format("OFF\n# a comment\n{} {} 0\n", mesh.vertices.size(), mesh.triangles.size());
  for (const auto& v : mesh.vertices) out += fmt::format("{} {} {}\n", v[0], v[1], v[2]);
  for (const auto& c : mesh.triangles) out += fmt::format("3 {} {} {}\n", c[0], c[1], c[2]);
  return out;
}

std::string ply_head(const RawMesh& mesh, const std::string& format) {
  return fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nelement face {}\n"
      "property list uchar int vertex_indices\nend_header\n",
      format, mesh.vertices.size(), mesh.triangles.size());
}

std::string ply_text(const RawMesh& mesh) {
  std::string out = ply_head(mesh, "ascii");
  for (const auto& v : mesh.vertices) out += fmt::format("{} {} {}\n", v[0], v[1], v[2]);
  for (const auto& c : mesh.triangles) out += fmt::format("3 {} {} {}\n", c[0], c[1], c[2]);
  return out;
}

std::string ply_binary(const RawMesh& mesh) {
  std::string out = ply_head(mesh, "binary_little_endian");
  for (const auto& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append(out, static_cast<float>(v[i]));
  }
  for (const auto& c : mesh.triangles) {
    append(out, std::uint8_t{3});
    for (const std::uint32_t i : c) append(out, static_cast<std::int32_t>(i));
  }
  return out;
}

// Its coordinates are numbers of single precision too.
RawMesh sample() { return shape::box({-0.5, 0.25, 1}, {1.5, 3, 7.75}, 2); }

struct Made {
  const char* name;
  std::string bytes;
};
std::vector<Made> every_format(const RawMesh& mesh) {
  return {{"text.stl", stl_text(mesh)}, {"binary.stl", stl_binary(mesh)}, {"a.obj", obj(mesh)},
          {"a.off", off(mesh)},         {"text.ply", ply_text(mesh)},     {"binary.PLY", ply_binary(mesh)}};
}

std::string reason_for(const std::filesystem::path& path, std::uint64_t max_bytes = kMaxMeshBytes,
                       std::uint64_t max_triangles = kMaxMeshTriangles) {
  try {
    read_mesh_file(path, max_bytes, max_triangles);
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.problems().size(), 1u);
    EXPECT_EQ(error.problems()[0].file, path.string());
    EXPECT_EQ(error.problems()[0].text.find('\n'), std::string::npos);
    return error.problems()[0].text;
  }
  return "";
}

void expect_refused(const std::filesystem::path& path, const std::string& bytes, const std::string& part) {
  put(path, bytes);
  const std::string reason = reason_for(path);
  EXPECT_NE(reason.find(part), std::string::npos) << path << ": '" << reason << "' has no '" << part << "'";
}

void expect_same_triangles(const RawMesh& a, const RawMesh& b) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t t = 0; t < a.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(corner(a, t, k), corner(b, t, k)) << t;
  }
}

TEST(MeshFile, EveryFormatGivesTheSameTrianglesInTheSameOrder) {
  const Folder folder;
  const RawMesh mesh = sample();
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  for (const Made& made : every_format(mesh)) {
    SCOPED_TRACE(made.name);
    put(folder / made.name, made.bytes);
    const RawMesh read = read_mesh_file(folder / made.name);
    expect_same_triangles(read, mesh);
    EXPECT_TRUE(shape::make_mesh(read).findings.empty());
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(MeshFile, NothingIsDroppedOrMerged) {
  const Folder folder;
  RawMesh mesh = sample();
  mesh.triangles.push_back(mesh.triangles[3]);                                                   // a twin
  mesh.triangles.push_back({mesh.triangles[0][0], mesh.triangles[0][1], mesh.triangles[0][1]});  // a line
  for (const Made& made : every_format(mesh)) {
    SCOPED_TRACE(made.name);
    put(folder / made.name, made.bytes);
    const RawMesh read = read_mesh_file(folder / made.name);
    expect_same_triangles(read, mesh);
    EXPECT_EQ(shape::make_mesh(read).findings.size(), 2u);
  }
}

TEST(MeshFile, PolygonsAreCutIntoTriangles) {
  const Folder folder;
  const std::string vertices = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0.5 1 0\n";
  // The pentagon is not convex: a fan from its first corner would be wrong.
  put(folder / "p.obj", vertices + "f 1 2 3 4 5\n");
  const shape::Mesh pentagon = shape::make_mesh(read_mesh_file(folder / "p.obj"));
  ASSERT_EQ(pentagon.triangles.size(), 3u);
  double area = 0;
  for (const auto& c : pentagon.triangles) {
    const auto& a = pentagon.vertices[c[0]];
    const auto n = math::cross(pentagon.vertices[c[1]] - a, pentagon.vertices[c[2]] - a);
    EXPECT_GT(n[2], 0);
    area += 0.5 * n[2];
  }
  EXPECT_NEAR(area, 3.5, 1e-12);
  put(folder / "q.obj", vertices + "o one\nf -5 -4 -3 -2\no two\nf 1/1/1 2//2 5\nl 1 2\n");
  EXPECT_EQ(read_mesh_file(folder / "q.obj").triangles.size(), 3u);
  put(folder / "q.off", "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
  EXPECT_EQ(read_mesh_file(folder / "q.off").triangles.size(), 2u);
}

TEST(MeshFile, SeveralPartsBecomeOneMesh) {
  const Folder folder;
  const RawMesh a = sample(), b = shape::icosphere(0.5, 0);
  put(folder / "two.stl", stl_text(a, "first") + stl_text(b, "second"));
  const RawMesh both = read_mesh_file(folder / "two.stl");
  EXPECT_EQ(both.triangles.size(), a.triangles.size() + b.triangles.size());
  EXPECT_EQ(corner(both, 0, 0), corner(a, 0, 0));
  EXPECT_NEAR(math::norm(corner(both, a.triangles.size(), 0)), 0.5, 1e-7);
}

// Comments, empty lines, the line ends of Windows, more than the coordinates; the other order of bytes.
TEST(MeshFile, TheSameFileWrittenOtherwise) {
  const Folder folder;
  const RawMesh triangle = {{{0, 0, 0.5}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}};
  const std::vector<Made> made = {
      {"a.off", "# first\nOFF\n\n# counts\n3 1 3\n0 0 0.5 # here too\n\n1 0 0\n# 9 9 9\n0 2 0\n3 0 1 2\n"},
      {"b.off", "OFF\r\n3 1 0\r\n0 0 .5\r\n1 0 0\r\n0 2 0\r\n3 0 1 2 255 0 0\r\n"},
      {"a.obj", "v 0 0 +0.5 1.0\r\nv 1 0 0\r\n\r\n# between\r\nv 0 2e0 0\r\nf 1/1/1 2/1/1 3/1/1\r\n"},
      {"b.obj", "v 0 0 0.5\nv 1 0 0 # f 9 9 9\nv 0 2 0\nvn 0 0 1\nusemtl stone\ns off\nf -3//1 -2//1 \\\n -1//1\n"},
      {"a.stl",
       "  solid\r\nfacet normal 0 0 1\r\nouter loop\r\nvertex 0 0 5e-1\r\nvertex 1 0 0\r\nvertex 0 2 0\r\n"
       "endloop\r\nendfacet\r\nendsolid\r\n"},
      {"b.stl",
       "SOLID X\nFACET NORMAL 0 0 x\nOUTER LOOP\nVERTEX 0 0 .5\nVERTEX 1 0 0\nVERTEX 0 2 0\nENDLOOP\nENDFACET\n"
       "ENDSOLID\n"},
      {"a.ply",
       "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement vertex 3\r\nproperty double x\r\n"
       "property double y\r\nproperty double z\r\nproperty uchar red\r\nelement face 1\r\n"
       "property list uint8 uint32 vertex_index\r\nend_header\r\n0 0 0.5 255\r\n1 0 0 0\r\n0 2 0 0\r\n"
       "3 0 1 2\r\n"}};
  for (const Made& m : made) {
    SCOPED_TRACE(m.name);
    put(folder / m.name, m.bytes);
    EXPECT_EQ(reason_for(folder / m.name), "");
    expect_same_triangles(read_mesh_file(folder / m.name), triangle);
  }
  std::string big = ply_head(triangle, "binary_big_endian");
  const auto append_turned = [&](auto value) {
    std::string bytes;
    append(bytes, value);
    big.append(bytes.rbegin(), bytes.rend());
  };
  for (const auto& v : triangle.vertices) {
    for (int i = 0; i < 3; ++i) append_turned(static_cast<float>(v[i]));
  }
  big += '\3';
  for (const std::int32_t i : {0, 1, 2}) append_turned(i);
  put(folder / "big.ply", big);
  expect_same_triangles(read_mesh_file(folder / "big.ply"), triangle);
}

TEST(MeshFile, NumbersInAnyNotation) {
  const Folder folder;
  const RawMesh good = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 777}}, {{0, 1, 2}}};
  const std::vector<std::pair<const char*, double>> notations = {{".5", 0.5},
                                                                 {"-.5", -0.5},
                                                                 {"5.", 5},
                                                                 {"+5", 5},
                                                                 {"+.5e1", 5},
                                                                 {"1E2", 100},
                                                                 {"1e+2", 100},
                                                                 {"-25e-2", -0.25},
                                                                 {"0000.125", 0.125},
                                                                 {"-0", 0},
                                                                 {"12345678", 12345678},
                                                                 {"1e-30", 1e-30},
                                                                 {"3.40282e38", 3.40282e38}};
  for (const auto& [word, value] : notations) {
    for (Made made : every_format(good)) {
      const auto at = made.bytes.find("777");
      if (at == std::string::npos) continue;  // binary
      made.bytes.replace(at, 3, word);
      put(folder / made.name, made.bytes);
      SCOPED_TRACE(fmt::format("{} '{}'", made.name, word));
      ASSERT_EQ(reason_for(folder / made.name), "");
      const double read = corner(read_mesh_file(folder / made.name), 0, 2)[2];
      EXPECT_NEAR(read, value, 2e-7 * std::fabs(value));  // single precision
    }
  }
}

// What groups and materials a face belongs to does not change its place.
TEST(MeshFile, GroupsKeepTheOrderOfTheFile) {
  const Folder folder;
  put(folder / "g.obj",
      "v .5 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\ng a\nf 1 2 3\nusemtl b\nf 1 2 4\ng c\nf 2 3 4\ng a\nusemtl q\nf 1 3 4\n");
  const RawMesh expected = {{{0.5, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
                            {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}}};
  expect_same_triangles(read_mesh_file(folder / "g.obj"), expected);
}

TEST(MeshFile, ABinaryFileMayBeginWithSolid) {
  const Folder folder;
  put(folder / "a.stl", stl_binary(sample(), "solid facet"));
  expect_same_triangles(read_mesh_file(folder / "a.stl"), sample());
}

TEST(MeshFile, WhatIsNoMeshIsRefused) {
  const Folder folder;
  EXPECT_EQ(reason_for(folder / "missing.stl"), "there is no such file");
  std::filesystem::create_directory(folder / "folder.stl");
  EXPECT_EQ(reason_for(folder / "folder.stl"), "is a folder; a file is needed");
  for (const char* ending : {"stl", "obj", "ply", "off"}) {
    const auto path = folder / (std::string("bad.") + ending);
    expect_refused(path, "", "is empty");
    EXPECT_NE((put(path, "these are just words\nand more of them\n"), reason_for(path)), "");
    EXPECT_NE((put(path, std::string(500, '\0')), reason_for(path)), "");
    EXPECT_NE((put(path, std::string(500, '\xFF')), reason_for(path)), "");
    EXPECT_NE((put(path, "\n"), reason_for(path)), "");
  }
  expect_refused(folder / "a.toml", "title = 1\n", ".stl, .obj, .ply or .off");
  expect_refused(folder / "noending", "x", ".stl, .obj, .ply or .off");
  expect_refused(folder / "a.stl", "solid x\nendsolid x\n", "no triangles");
  expect_refused(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no triangles");
  expect_refused(folder / "a.off", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "no triangles");
  expect_refused(folder / "b.obj", off(sample()), "no triangles");
  expect_refused(folder / "b.stl", obj(sample()), "is no STL file");
  expect_refused(folder / "b.ply", obj(sample()), "is no PLY file");
  expect_refused(folder / "b.off", obj(sample()), "is no OFF file");
}

TEST(MeshFile, NumbersThatAreNoneAreRefused) {
  const Folder folder;
  const std::string triangle = "f 1 2 3\n";
  for (const char* bad : {"nan", "inf", "-inf", "x", "1,5", "", "1e400", "0x10"}) {
    const std::string vertices = fmt::format("v 0 0 0\nv 1 0 0\nv 0 1 {}\n", bad);
    put(folder / "a.obj", vertices + triangle);
    EXPECT_NE(reason_for(folder / "a.obj"), "") << bad;
    const RawMesh good = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 777}}, {{0, 1, 2}}};
    for (Made made : every_format(good)) {
      const auto at = made.bytes.find("777");
      if (at == std::string::npos) continue;  // binary
      made.bytes.replace(at, 3, bad);
      put(folder / made.name, made.bytes);
      EXPECT_NE(reason_for(folder / made.name), "") << made.name << " '" << bad << "'";
    }
  }
  RawMesh not_finite = sample();
  not_finite.vertices[not_finite.triangles[4][1]][2] = std::nan("");
  expect_refused(folder / "n.stl", stl_binary(not_finite), "not a finite number");
  expect_refused(folder / "n.ply", ply_binary(not_finite), "not a finite number");
  expect_refused(folder / "n.off", off(not_finite), "finite number");
  expect_refused(folder / "m.stl", stl_text(not_finite), "finite number");
}

TEST(MeshFile, CornersThatAreNoVerticesAreRefused) {
  const Folder folder;
  for (const std::uint32_t bad : {26u, 1000u, 0x7FFFFFF0u, 0xFFFFFFFDu}) {
    RawMesh mesh = sample();
    mesh.triangles[7][1] = std::max(bad, static_cast<std::uint32_t>(mesh.vertices.size()));
    for (const Made& made : {Made{"a.obj", obj(mesh)}, Made{"a.off", off(mesh)}, Made{"t.ply", ply_text(mesh)},
                             Made{"b.ply", ply_binary(mesh)}}) {
      put(folder / made.name, made.bytes);
      EXPECT_NE(reason_for(folder / made.name), "") << made.name << " " << bad;
    }
  }
}

TEST(MeshFile, LimitsHold) {
  const Folder folder;
  for (const Made& made : every_format(sample())) {
    put(folder / made.name, made.bytes);
    const auto triangles = sample().triangles.size();
    EXPECT_NE(reason_for(folder / made.name, 100).find("too big"), std::string::npos);
    EXPECT_NE(reason_for(folder / made.name, kMaxMeshBytes, triangles - 1).find("too many triangles"),
              std::string::npos);
    EXPECT_EQ(reason_for(folder / made.name, made.bytes.size(), triangles), "");
  }
  // Headers that promise more than the memory holds.
  expect_refused(folder / "l.ply", "ply\nformat ascii 1.0\nelement vertex 9999999999\nend_header\n0 0 0\n",
                 "cut short");
  expect_refused(folder / "l.off", "OFF\n4000000000 4000000000 0\n0 0 0\n", "cut short");
  std::string many = stl_binary(sample());
  many.replace(80, 4, "\xFF\xFF\xFF\x7F");
  expect_refused(folder / "l.stl", many, "cut short");
}

// Cut anywhere, a file is refused, or nothing was lost by the cut. (OBJ says nowhere how long it is.)
TEST(MeshFile, CutShortAnywhereItIsRefused) {
  const Folder folder;
  const RawMesh mesh = shape::icosphere(1, 0);
  for (const Made& made : every_format(mesh)) {
    if (std::string(made.name) == "a.obj") continue;
    put(folder / made.name, made.bytes);
    const RawMesh whole = read_mesh_file(folder / made.name);
    std::size_t refused = 0;
    for (std::size_t size = 0; size < made.bytes.size(); ++size) {
      put(folder / made.name, made.bytes.substr(0, size));
      if (!reason_for(folder / made.name).empty()) {
        ++refused;
        continue;
      }
      SCOPED_TRACE(fmt::format("{} cut to {} of {}", made.name, size, made.bytes.size()));
      const RawMesh read = read_mesh_file(folder / made.name);
      EXPECT_GE(size, made.bytes.size() - 10);  // a name, a line's end, or digits of the last number
      EXPECT_EQ(read.triangles.size(), whole.triangles.size());
    }
    EXPECT_GT(refused, made.bytes.size() - 12) << made.name;
  }
}

// Damaged anywhere, it is refused or read; it never ends the program or gives what make_mesh cannot take.
TEST(MeshFile, DamageNeverEndsTheProgram) {
  const Folder folder;
  base::Stream random(3, "damage");
  const RawMesh mesh = shape::icosphere(1, 0);
  for (const Made& made : every_format(mesh)) {
    for (int i = 0; i < 300; ++i) {
      std::string bytes = made.bytes;
      for (std::uint64_t k = 0; k <= random.below(4); ++k)
        bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
      put(folder / made.name, bytes);
      try {
        const shape::Mesh read = shape::make_mesh(read_mesh_file(folder / made.name));
        for (const auto& v : read.vertices) EXPECT_TRUE(math::is_finite(v));
      } catch (const base::InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace moraine::io
