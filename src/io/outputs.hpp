// SPDX-License-Identifier: MIT
// What a run writes while it goes on, as watches: a CSV file per probe, and frames. Each can go on after a restart with
// exactly the rows and frames that the checkpoint knew of. Knows no scenes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/pace.hpp"
#include "io/series.hpp"
#include "io/trajectory.hpp"
#include "io/vtk.hpp"
#include "measure/probe.hpp"
#include "sim/roles.hpp"

namespace moraine::io {

// A probe and its series/NAME.csv, and one file for each of its tables.
template <int D>
class SeriesWatch : public sim::Watch<D> {
 public:
  SeriesWatch(measure::ProbePtr<D> probe, const std::filesystem::path& folder);
  bool due(std::int64_t step, bool last) const override { return last || probe_->every.due(step); }
  bool wants_contacts() const override { return probe_->wants_contacts(); }
  bool wants_energy() const override { return probe_->wants_energy(); }
  bool wants_end() const override { return probe_->wants_end(); }
  void look(const measure::Sight<D>& sight) override;
  void body_left(const world::World<D>& world, std::size_t body) override { probe_->body_left(world, body); }
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;

  const measure::Probe<D>& probe() const { return *probe_; }
  void write_tables() const;  // as they are now
  void close();

 private:
  void open(std::optional<std::int64_t> keep_rows);
  std::filesystem::path table_path(const std::string& name) const { return path_.parent_path() / (name + ".csv"); }
  std::string key() const { return "series." + probe_->name() + ".rows"; }
  measure::ProbePtr<D> probe_;
  std::filesystem::path path_;
  // Opened at the first row, so that a run that fails before it begins leaves nothing; flushed before a checkpoint.
  mutable std::unique_ptr<SeriesWriter> file_;
  std::vector<double> row_, line_;
  std::int64_t last_step_ = -1;
};

struct FrameFormats {
  bool trajectory = true, vtk = true, contacts = true, dump = false;
};

// Frames for plot and view (trajectory.h5), ParaView and OVITO (frames/*.vtp, frames.pvd, dump.lammpstrj).
template <int D>
class FrameWatch : public sim::Watch<D> {
 public:
  FrameWatch(std::filesystem::path folder, FrameFormats formats, base::Pace every);
  bool due(std::int64_t step, bool last) const override { return last || every_.due(step); }
  bool wants_contacts() const override { return formats_.contacts; }
  void look(const measure::Sight<D>& sight) override;
  void save(base::Record& record) const override;
  void load(const base::Record& record) override;
  std::int64_t count() const { return static_cast<std::int64_t>(times_.size()); }

 private:
  void write_vtk(const measure::Frame& frame);
  std::filesystem::path folder_;
  FrameFormats formats_;
  base::Pace every_;
  std::int64_t last_step_ = -1;
  std::vector<double> times_;
  std::optional<TrajectoryWriter> trajectory_;
};

// frames/bodies_000012.vtp and frames/contacts_000012.vtp
std::string frame_name(const char* kind, std::int64_t index);

}  // namespace moraine::io
