// SPDX-License-Identifier: MIT
#include "io/mesh_file.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <new>
#include <string>

#include "base/error.hpp"
#include "io/file.hpp"
#include "io/mesh_screen.hpp"

namespace moraine::io {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& text) {
  throw base::InputError(path.string(), 0, "", text);
}

// No files but the one in memory: the materials that an OBJ file names are none of our business.
class NoFiles : public Assimp::IOSystem {
 public:
  bool Exists(const char* /*path*/) const override { return false; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* /*path*/, const char* /*mode*/) override { return nullptr; }
  void Close(Assimp::IOStream* /*file*/) override {}
};

// Faces with three corners or more, and the triangles they can be cut into.
struct Count {
  std::uint64_t faces = 0, triangles = 0;
};
Count count_in(const aiScene& scene) {
  Count count;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices < 3) continue;
      ++count.faces;
      count.triangles += mesh.mFaces[f].mNumIndices - 2;
    }
  }
  return count;
}

// What the library says, in one line; it may quote the whole file.
std::string words_of(const Assimp::Importer& importer) {
  std::string words = importer.GetErrorString();
  for (char& c : words) c = c == '\n' || c == '\r' ? ' ' : c;
  if (words.size() > 200) words = words.substr(0, 200) + "...";
  return words.empty() ? "no reason is known" : words;
}

// A place in the file's tree: rows of a matrix, as doubles.
struct Placing {
  double rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

  Placing then(const aiMatrix4x4& m) const {
    Placing out;
    for (int i = 0; i < 3; ++i) {
      for (unsigned j = 0; j < 4; ++j) {
        out.rows[i][j] = j == 3 ? rows[i][3] : 0;
        for (unsigned k = 0; k < 3; ++k) out.rows[i][j] += rows[i][k] * static_cast<double>(m[k][j]);
      }
    }
    return out;
  }
  math::Vec3 operator()(const aiVector3D& v) const {
    math::Vec3 out{};
    for (int i = 0; i < 3; ++i)
      out[i] = rows[i][0] * static_cast<double>(v.x) + rows[i][1] * static_cast<double>(v.y) +
               rows[i][2] * static_cast<double>(v.z) + rows[i][3];
    return out;
  }
};

void add_mesh(const std::filesystem::path& path, const aiMesh& mesh, const Placing& placing, shape::RawMesh& raw) {
  const auto shift = static_cast<std::uint32_t>(raw.vertices.size());
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) raw.vertices.push_back(placing(mesh.mVertices[v]));
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    shape::Corners corners{};
    for (unsigned k = 0; k < 3; ++k) {
      const std::uint64_t number = raw.triangles.size() + 1;
      if (face.mIndices[k] >= mesh.mNumVertices)
        fail(path, fmt::format("triangle {} has a corner that is none of the vertices", number));
      corners[k] = shift + face.mIndices[k];
      if (!math::is_finite(raw.vertices[corners[k]]))
        fail(path, fmt::format("triangle {} has a coordinate that is not a finite number", number));
    }
    raw.triangles.push_back(corners);
  }
}

void add_node(const std::filesystem::path& path, const aiScene& scene, const aiNode& node, const Placing& above,
              shape::RawMesh& raw) {
  const Placing placing = above.then(node.mTransformation);
  for (unsigned m = 0; m < node.mNumMeshes; ++m) add_mesh(path, *scene.mMeshes[node.mMeshes[m]], placing, raw);
  for (unsigned c = 0; c < node.mNumChildren; ++c) add_node(path, scene, *node.mChildren[c], placing, raw);
}

shape::RawMesh read_by_library(const std::filesystem::path& path, MeshFormat format, const std::string& bytes,
                               std::uint64_t announced, std::uint64_t max_triangles) {
  Assimp::Importer importer;           // says nothing by itself: no logger is made
  importer.SetIOHandler(new NoFiles);  // which it owns
  const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, name_of(format));
  if (scene == nullptr || scene->mRootNode == nullptr)
    fail(path, fmt::format("cannot be read as {}: {}", name_of(format), words_of(importer)));
  const Count before = count_in(*scene);
  if (before.faces != announced)
    fail(path, fmt::format("is damaged or cut short: it should hold {} faces of three corners or more, but {} could be "
                           "read",
                           announced, before.faces));
  if (before.triangles > max_triangles)
    fail(path, fmt::format("has too many triangles: {} (at most {})", before.triangles, max_triangles));
  if (before.triangles > before.faces) {
    scene = importer.ApplyPostProcessing(aiProcess_Triangulate);
    if (scene == nullptr || count_in(*scene).triangles != before.triangles)
      fail(path, "has polygons that cannot be cut into triangles: they cross themselves or are not flat");
  }
  shape::RawMesh raw;
  add_node(path, *scene, *scene->mRootNode, Placing(), raw);
  return raw;
}

}  // namespace

shape::RawMesh read_mesh_file(const std::filesystem::path& path, std::uint64_t max_bytes,
                              std::uint64_t max_triangles) try {
  const MeshFormat format = mesh_format(path);
  std::string bytes = read_text_file(path, max_bytes);
  if (bytes.empty()) fail(path, "is empty");
  Screened screened = screen_mesh(path, format, bytes);
  if (screened.faces == 0) fail(path, "holds no triangles");
  if (screened.faces > max_triangles)
    fail(path, fmt::format("has too many triangles: {} (at most {})", screened.faces, max_triangles));
  if (!screened.plain.empty()) bytes = std::move(screened.plain);
  return read_by_library(path, format, bytes, screened.faces, max_triangles);
} catch (const std::bad_alloc&) {
  fail(path, "cannot be read: it takes more memory than there is");
}

}  // namespace moraine::io
