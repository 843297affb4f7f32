// SPDX-License-Identifier: MIT
#include "io/vtk.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "io/file.hpp"
#include "io/frame_fields.hpp"
#include "math/rotation.hpp"

namespace moraine::io {

namespace {

static_assert(std::endian::native == std::endian::little, "the .vtp files are written as the memory stands");

struct Kind {
  const char* type;
  int components;
};
Kind kind_of(double) { return {"Float64", 1}; }
Kind kind_of(std::int64_t) { return {"Int64", 1}; }
Kind kind_of(std::int32_t) { return {"Int32", 1}; }
template <std::size_t N>
Kind kind_of(const std::array<double, N>&) {
  return {"Float64", static_cast<int>(N)};
}

// Collects the arrays of one piece: their descriptions (XML) and, behind everything, their bytes, each block led by
// its length. VTK finds a block by its offset from the underscore.
class Appended {
 public:
  template <class T>
  std::string add(const char* name, const std::vector<T>& values) {
    const Kind kind = kind_of(T{});
    const std::uint64_t offset = bytes_.size();
    const std::uint64_t length = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
    if (length > 0) bytes_.append(reinterpret_cast<const char*>(values.data()), length);
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", kind.type,
        name, kind.components, offset);
  }

  std::string add_time(double time) {
    std::string xml = add("TimeValue", std::vector<double>{time});
    return xml.insert(xml.find("format="), "NumberOfTuples=\"1\" ");
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Cells of one kind ("Verts", "Lines", "Polys"), all with the same number of corners, which are numbers of points.
struct Cells {
  const char* kind;
  std::int64_t corners;
  std::vector<std::int64_t> connectivity;
  std::int64_t count() const { return static_cast<std::int64_t>(connectivity.size()) / corners; }
};

std::string poly_data(double time, const std::vector<measure::Triple>& points, const std::string& point_data,
                      const Cells& cells, const std::string& cell_data, Appended& appended) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(static_cast<std::size_t>(cells.count()));
  for (std::int64_t k = 1; k <= cells.count(); ++k) offsets.push_back(k * cells.corners);
  std::string xml =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
  xml += "<FieldData>\n" + appended.add_time(time) + "</FieldData>\n";
  xml += fmt::format("<Piece NumberOfPoints=\"{}\"", points.size());
  for (const char* kind : {"Verts", "Lines", "Strips", "Polys"})
    xml += fmt::format(" NumberOf{}=\"{}\"", kind, std::strcmp(kind, cells.kind) == 0 ? cells.count() : 0);
  xml += ">\n<PointData>\n" + point_data + "</PointData>\n";
  xml += "<CellData>\n" + cell_data + "</CellData>\n";
  xml += "<Points>\n" + appended.add("Points", points) + "</Points>\n";
  xml += fmt::format("<{0}>\n{1}{2}</{0}>\n", cells.kind, appended.add("connectivity", cells.connectivity),
                     appended.add("offsets", offsets));
  xml += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  xml += appended.bytes();
  xml += "\n</AppendedData>\n</VTKFile>\n";
  return xml;
}

// A set of points, each its own vertex cell so that viewers draw it.
std::string poly_data(double time, const std::vector<measure::Triple>& points, const std::string& point_data,
                      Appended& appended) {
  Cells verts{"Verts", 1, std::vector<std::int64_t>(points.size())};
  std::iota(verts.connectivity.begin(), verts.connectivity.end(), 0);
  return poly_data(time, points, point_data, verts, "", appended);
}

// A vertex of a form, turned and enlarged as the body is.
measure::Triple placed(const measure::Frame& frame, std::size_t body, const measure::Triple& vertex) {
  const auto& q = frame.orientation[body];
  const auto form = static_cast<std::size_t>(frame.form[body]);
  const math::Vec3 turned = math::rotated({vertex[0], vertex[1], vertex[2]}, {q[0], q[1], q[2], q[3]}) *
                            (frame.radius[body] / frame.form_radius[form]);
  measure::Triple at = frame.position[body];
  for (int k = 0; k < 3; ++k) at[static_cast<std::size_t>(k)] += turned[k];
  return at;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const measure::Frame& frame) {
  check_frame(path, frame);
  Appended appended;
  std::string data;
  data += appended.add("id", frame.id);
  data += appended.add("radius", frame.radius);
  data += appended.add("mass", frame.mass);
  data += appended.add("velocity", frame.velocity);
  data += appended.add("spin", frame.spin);
  data += appended.add("orientation", frame.orientation);
  data += appended.add("material", frame.material);
  data += appended.add("held", frame.held);
  data += appended.add("clump", frame.clump);
  write_file_atomically(path, poly_data(frame.time, frame.position, data, appended));
}

void write_contacts_vtp(const std::filesystem::path& path, const measure::Frame& frame) {
  check_frame(path, frame);
  Appended appended;
  std::string data;
  data += appended.add("a", frame.contact_a);
  data += appended.add("b", frame.contact_b);
  data += appended.add("force", frame.contact_force);
  data += appended.add("normal", frame.contact_normal);
  data += appended.add("overlap", frame.contact_overlap);
  write_file_atomically(path, poly_data(frame.time, frame.contact_point, data, appended));
}

void write_solids_vtp(const std::filesystem::path& path, const measure::Frame& frame) {
  check_frame(path, frame);
  const bool flat = frame.dimension == 2;
  const std::size_t corners = flat ? 2 : 3;
  Cells facets{flat ? "Lines" : "Polys", static_cast<std::int64_t>(corners), {}};
  std::vector<measure::Triple> points, velocity, spin;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> material;
  for (std::size_t i = 0; i < frame.id.size(); ++i) {
    if (frame.form[i] < 0) continue;
    const auto form = static_cast<std::size_t>(frame.form[i]);
    const auto first = static_cast<std::int64_t>(points.size());
    for (auto v = frame.form_vertex_start[form]; v < frame.form_vertex_start[form + 1]; ++v)
      points.push_back(placed(frame, i, frame.form_vertex[static_cast<std::size_t>(v)]));
    for (auto f = frame.form_facet_start[form]; f < frame.form_facet_start[form + 1]; ++f) {
      for (std::size_t c = 0; c < corners; ++c)
        facets.connectivity.push_back(first + frame.form_facet[4 * static_cast<std::size_t>(f) + c]);
      id.push_back(frame.id[i]);
      material.push_back(frame.material[i]);
      velocity.push_back(frame.velocity[i]);
      spin.push_back(frame.spin[i]);
    }
  }
  Appended appended;
  std::string data;
  data += appended.add("id", id);
  data += appended.add("material", material);
  data += appended.add("velocity", velocity);
  data += appended.add("spin", spin);
  write_file_atomically(path, poly_data(frame.time, points, "", facets, data, appended));
}

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  const auto add = [&](double time, int part, const std::string& file) {
    // 17 digits: the times in ParaView are the very numbers of the run.
    xml +=
        fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", time, part, escaped(file));
  };
  for (const PvdEntry& entry : entries) {
    add(entry.time, 0, entry.bodies);
    if (!entry.contacts.empty()) add(entry.time, 1, entry.contacts);
    if (!entry.solids.empty()) add(entry.time, 2, entry.solids);
  }
  xml += "</Collection>\n</VTKFile>\n";
  write_file_atomically(path, xml);
}

}  // namespace moraine::io
