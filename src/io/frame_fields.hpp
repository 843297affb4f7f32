// SPDX-License-Identifier: MIT
// The one list of the fields of a measure::Frame, which writing, reading, checking and summing all go through: a new
// field is added here (and in measure) and nowhere else. Inside io only.
#pragma once

#include <filesystem>

#include "measure/frame.hpp"

namespace moraine::io {

// What a field has one entry per.
enum class Per { kBody, kContact, kWall, kLine, kFrame };

// Calls visit(name, field, per) for every array of the frame, in a fixed order. FrameType: Frame or const Frame.
template <class FrameType, class Visit>
void visit_fields(FrameType& frame, Visit&& visit) {
  visit("id", frame.id, Per::kBody);
  visit("position", frame.position, Per::kBody);
  visit("velocity", frame.velocity, Per::kBody);
  visit("spin", frame.spin, Per::kBody);
  visit("orientation", frame.orientation, Per::kBody);
  visit("radius", frame.radius, Per::kBody);
  visit("mass", frame.mass, Per::kBody);
  visit("material", frame.material, Per::kBody);
  visit("held", frame.held, Per::kBody);
  visit("clump", frame.clump, Per::kBody);
  visit("form", frame.form, Per::kBody);
  visit("contact_a", frame.contact_a, Per::kContact);
  visit("contact_b", frame.contact_b, Per::kContact);
  visit("contact_point", frame.contact_point, Per::kContact);
  visit("contact_normal", frame.contact_normal, Per::kContact);
  visit("contact_force", frame.contact_force, Per::kContact);
  visit("contact_overlap", frame.contact_overlap, Per::kContact);
  visit("wall_name", frame.wall_name, Per::kWall);
  visit("wall_kind", frame.wall_kind, Per::kWall);
  visit("wall_from", frame.wall_from, Per::kWall);
  visit("wall_to", frame.wall_to, Per::kWall);
  visit("wall_force", frame.wall_force, Per::kWall);
  visit("line_from", frame.line_from, Per::kLine);
  visit("line_to", frame.line_to, Per::kLine);
  visit("line_wall", frame.line_wall, Per::kLine);
  visit("form_radius", frame.form_radius, Per::kFrame);
  visit("form_vertex_start", frame.form_vertex_start, Per::kFrame);
  visit("form_facet_start", frame.form_facet_start, Per::kFrame);
  visit("form_vertex", frame.form_vertex, Per::kFrame);
  visit("form_facet", frame.form_facet, Per::kFrame);
  visit("domain_min", frame.domain_min, Per::kFrame);
  visit("domain_max", frame.domain_max, Per::kFrame);
  visit("periodic", frame.periodic, Per::kFrame);
  visit("material_names", frame.material_names, Per::kFrame);
}

// True if every field has as many entries as there are bodies, contacts or walls.
bool is_consistent(const measure::Frame& frame);

// Before a frame is written: throws base::RunError if a number is not finite (file, field, body and time named), and
// std::logic_error if the fields do not fit each other, which is our own mistake.
void check_frame(const std::filesystem::path& path, const measure::Frame& frame);

}  // namespace moraine::io
