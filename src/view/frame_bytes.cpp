// SPDX-License-Identifier: MIT
#include "view/frame_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

namespace moraine::view {

namespace {

using measure::Frame;
using measure::Triple;
using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little);

class Writer {
 public:
  template <class T, class Value>
  void add(const char* name, const char* type, std::size_t parts, std::size_t count, const Value& value) {
    while (data_.size() % 8 != 0) data_ += '\0';
    list_[name] = {{"type", type}, {"parts", parts}, {"count", count}, {"at", data_.size()}};
    const std::size_t at = data_.size();
    data_.resize(at + count * parts * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < parts; ++k) {
        const T number = static_cast<T>(value(i, k));
        std::memcpy(data_.data() + at + (i * parts + k) * sizeof(T), &number, sizeof(T));
      }
    }
  }
  void triples(const char* name, const std::vector<Triple>& values) {
    add<float>(name, "f32", 3, values.size(), [&](std::size_t i, std::size_t k) { return values[i][k]; });
  }
  template <class T, class V>
  void numbers(const char* name, const char* type, const std::vector<V>& values) {
    add<T>(name, type, 1, values.size(), [&](std::size_t i, std::size_t) { return values[i]; });
  }

  std::string bytes(Json head) {
    head["arrays"] = std::move(list_);
    std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
    while (text.size() % 8 != 0) text += ' ';
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string out = "MFR1";
    out.append(reinterpret_cast<const char*>(&size), 4);
    return out + text + data_;
  }

 private:
  Json list_ = Json::object();
  std::string data_;
};

Json json_of(const Triple& t) { return Json::array({t[0], t[1], t[2]}); }

// Contacts by the places of their bodies in the arrays; walls count down from -1, as in the frame.
std::vector<std::int32_t> places(const Frame& frame, const std::vector<std::int64_t>& ids) {
  std::vector<std::int32_t> out;
  out.reserve(ids.size());
  for (const std::int64_t id : ids) {
    const auto it = std::lower_bound(frame.id.begin(), frame.id.end(), id);
    out.push_back(static_cast<std::int32_t>(id < 0 ? id : it - frame.id.begin()));
  }
  return out;
}

}  // namespace

std::string frame_bytes(const Frame& frame) {
  Writer w;
  w.numbers<double>("id", "f64", frame.id);
  w.triples("position", frame.position);
  w.triples("velocity", frame.velocity);
  w.triples("spin", frame.spin);
  w.add<float>("orientation", "f32", 4, frame.orientation.size(),
               [&](std::size_t i, std::size_t k) { return frame.orientation[i][k]; });
  w.numbers<float>("radius", "f32", frame.radius);
  w.numbers<float>("mass", "f32", frame.mass);
  w.numbers<std::int32_t>("material", "i32", frame.material);
  w.numbers<std::int32_t>("held", "i32", frame.held);
  w.numbers<double>("clump", "f64", frame.clump);
  w.numbers<std::int32_t>("form", "i32", frame.form);
  w.numbers<std::int32_t>("contact_a", "i32", places(frame, frame.contact_a));
  w.numbers<std::int32_t>("contact_b", "i32", places(frame, frame.contact_b));
  w.triples("contact_point", frame.contact_point);
  w.triples("contact_force", frame.contact_force);
  w.triples("line_from", frame.line_from);
  w.triples("line_to", frame.line_to);
  w.numbers<std::int32_t>("line_wall", "i32", frame.line_wall);
  w.numbers<float>("form_radius", "f32", frame.form_radius);
  w.numbers<std::int32_t>("form_vertex_start", "i32", frame.form_vertex_start);
  w.numbers<std::int32_t>("form_facet_start", "i32", frame.form_facet_start);
  w.triples("form_vertex", frame.form_vertex);
  w.numbers<std::int32_t>("form_facet", "i32", frame.form_facet);
  Json walls = Json::array();
  for (std::size_t k = 0; k < frame.wall_name.size(); ++k) {
    walls.push_back({{"name", frame.wall_name[k]},
                     {"kind", frame.wall_kind[k]},
                     {"from", json_of(frame.wall_from[k])},
                     {"to", json_of(frame.wall_to[k])},
                     {"force", json_of(frame.wall_force[k])}});
  }
  return w.bytes({{"dimension", frame.dimension},
                  {"time", frame.time},
                  {"step", frame.step},
                  {"walls", walls},
                  {"domain_min", json_of(frame.domain_min)},
                  {"domain_max", json_of(frame.domain_max)},
                  {"periodic", frame.periodic},
                  {"materials", frame.material_names}});
}

std::string body_json(const Frame& frame, std::int64_t id) {
  const auto it = std::lower_bound(frame.id.begin(), frame.id.end(), id);
  if (it == frame.id.end() || *it != id) return "null";
  const auto i = static_cast<std::size_t>(it - frame.id.begin());
  std::size_t contacts = 0;
  for (std::size_t c = 0; c < frame.contact_a.size(); ++c)
    contacts += frame.contact_a[c] == id || frame.contact_b[c] == id ? 1 : 0;
  const auto material = static_cast<std::size_t>(std::max(frame.material[i], 0));
  const Json body = {
      {"id", id},
      {"time", frame.time},
      {"position", json_of(frame.position[i])},
      {"velocity", json_of(frame.velocity[i])},
      {"spin", json_of(frame.spin[i])},
      {"orientation", frame.orientation[i]},
      {"radius", frame.radius[i]},
      {"mass", frame.mass[i]},
      {"material", material < frame.material_names.size() ? frame.material_names[material] : std::to_string(material)},
      {"held", frame.held[i] == 0   ? "free"
               : frame.held[i] == 1 ? "fixed"
                                    : "prescribed"},
      {"clump", frame.clump[i]},
      {"contacts", contacts}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace moraine::view
