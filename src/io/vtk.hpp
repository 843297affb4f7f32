// SPDX-License-Identifier: MIT
// Frames for ParaView and OVITO: VTK PolyData files (binary, appended raw), one for the bodies, one for the contacts
// and, where there are solids, one for these of a frame, and the .pvd file that lists them by time. Write only; each
// file appears complete or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "measure/frame.hpp"

namespace moraine::io {

// Bodies as points with id, radius, mass, velocity, spin, orientation (w, x, y, z), material, held, clump.
void write_vtp(const std::filesystem::path& path, const measure::Frame& frame);

// Contacts as points with a, b, force, normal, overlap.
void write_contacts_vtp(const std::filesystem::path& path, const measure::Frame& frame);

// The facets of solids (2D: the sides of polygons, as lines) with id, material, velocity and spin of their bodies.
void write_solids_vtp(const std::filesystem::path& path, const measure::Frame& frame);

// One instant in a .pvd: file names relative to the .pvd; `contacts` and `solids` may be empty.
struct PvdEntry {
  double time = 0;
  std::string bodies;    // part 0
  std::string contacts;  // part 1
  std::string solids;    // part 2
};

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries);

}  // namespace moraine::io
