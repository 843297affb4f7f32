// SPDX-License-Identifier: MIT
#include "io/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/dump.hpp"
#include "io/file.hpp"
#include "measure/take_frame.hpp"

namespace moraine::io {

std::string frame_name(const char* kind, std::int64_t index) { return fmt::format("frames/{}_{:06}.vtp", kind, index); }

// --- series

namespace {
std::vector<Column> to_columns(const std::vector<measure::Quantity>& quantities) {
  std::vector<Column> columns;
  columns.reserve(quantities.size());
  for (const measure::Quantity& q : quantities) columns.push_back({q.name, q.unit});
  return columns;
}
}  // namespace

template <int D>
SeriesWatch<D>::SeriesWatch(measure::ProbePtr<D> probe, const std::filesystem::path& folder)
    : probe_(std::move(probe)), path_(folder / "series" / (probe_->name() + ".csv")) {}

template <int D>
void SeriesWatch<D>::open(std::optional<std::int64_t> keep_rows) {
  std::vector<Column> columns = to_columns(probe_->columns());
  columns.insert(columns.begin(), {"time", "s"});
  if (probe_->cycles) columns.insert(columns.begin(), {"cycle", ""});
  ensure_folder(path_.parent_path());
  file_ = keep_rows ? std::make_unique<SeriesWriter>(path_, columns, *keep_rows)
                    : std::make_unique<SeriesWriter>(path_, columns);
}

template <int D>
void SeriesWatch<D>::look(const measure::Sight<D>& sight) {
  if (sight.world.step == last_step_) return;  // the last look of a run that ended on a regular one
  if (!file_ && probe_->has_series()) open(std::nullopt);
  last_step_ = sight.world.step;
  const bool row = probe_->sample(sight, row_);
  if (probe_->tables_changed()) write_tables();
  if (!row) return;
  line_.clear();
  if (probe_->cycles) line_.push_back(static_cast<double>(sight.world.step));
  line_.push_back(sight.world.time);
  line_.insert(line_.end(), row_.begin(), row_.end());
  file_->row(line_);
}

template <int D>
void SeriesWatch<D>::save(base::Record& record) const {
  if (file_) file_->flush();
  record.ints[key()] = {file_ ? file_->rows() : -1, last_step_};
  probe_->save(record);
}

template <int D>
void SeriesWatch<D>::load(const base::Record& record) {
  const auto& state = record.integer(key());
  last_step_ = state.at(1);
  if (state.at(0) >= 0) open(state.at(0));
  probe_->load(record);
  // Tables that were written after the checkpoint are not there yet.
  const auto tables = probe_->tables();
  for (const std::string& part : probe_->table_parts()) {
    const std::string name = measure::table_name(probe_->name(), part);
    const bool known = std::any_of(tables.begin(), tables.end(), [&](const auto& table) { return table.name == name; });
    std::error_code error;
    if (!known) std::filesystem::remove(table_path(name), error);
  }
}

template <int D>
void SeriesWatch<D>::write_tables() const {
  for (const measure::Table& table : probe_->tables())
    write_series(table_path(table.name), to_columns(table.columns), table.rows);
}

template <int D>
void SeriesWatch<D>::close() {
  if (file_) file_->close();
}

// --- frames

template <int D>
FrameWatch<D>::FrameWatch(std::filesystem::path folder, FrameFormats formats, base::Pace every)
    : folder_(std::move(folder)), formats_(formats), every_(every) {}

template <int D>
void FrameWatch<D>::look(const measure::Sight<D>& sight) {
  if (sight.world.step == last_step_) return;
  measure::Frame frame = measure::take_frame(sight);
  if (!formats_.contacts) {
    frame.contact_a.clear();
    frame.contact_b.clear();
    frame.contact_point.clear();
    frame.contact_normal.clear();
    frame.contact_force.clear();
    frame.contact_overlap.clear();
  }
  if (formats_.trajectory) {
    if (!trajectory_) trajectory_ = TrajectoryWriter::create(folder_ / "trajectory.h5");
    trajectory_->append(frame);
  }
  if (formats_.dump) append_lammps_dump(folder_ / "dump.lammpstrj", frame);
  times_.push_back(frame.time);
  last_step_ = sight.world.step;
  if (formats_.vtk) write_vtk(frame);
}

template <int D>
void FrameWatch<D>::write_vtk(const measure::Frame& frame) {
  ensure_folder(folder_ / "frames");
  const std::int64_t index = count() - 1;
  write_vtp(folder_ / frame_name("bodies", index), frame);
  if (formats_.contacts) write_contacts_vtp(folder_ / frame_name("contacts", index), frame);
  const bool solids = !frame.form_radius.empty();
  if (solids) write_solids_vtp(folder_ / frame_name("solids", index), frame);
  std::vector<PvdEntry> entries;
  for (std::int64_t k = 0; k < count(); ++k) {
    entries.push_back({times_[static_cast<std::size_t>(k)], frame_name("bodies", k),
                       formats_.contacts ? frame_name("contacts", k) : std::string(),
                       solids ? frame_name("solids", k) : std::string()});
  }
  write_pvd(folder_ / "frames.pvd", entries);
}

template <int D>
void FrameWatch<D>::save(base::Record& record) const {
  record.reals["frames.times"] = times_;
  record.set("frames.last_step", last_step_);
}

template <int D>
void FrameWatch<D>::load(const base::Record& record) {
  times_ = record.real("frames.times");
  last_step_ = record.count("frames.last_step");
  if (formats_.trajectory && count() > 0) trajectory_ = TrajectoryWriter::resume(folder_ / "trajectory.h5", count());
  if (formats_.dump) keep_lammps_frames(folder_ / "dump.lammpstrj", count());
}

template class SeriesWatch<2>;
template class SeriesWatch<3>;
template class FrameWatch<2>;
template class FrameWatch<3>;

}  // namespace moraine::io
