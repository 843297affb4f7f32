// SPDX-License-Identifier: MIT
#include "view/answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace moraine::view {

Response json_answer(const Json& json) {
  return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Response not_there(const std::string& what) { return {404, "text/plain; charset=utf-8", what + "\n"}; }

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Json series_json(const io::Series& series) {
  constexpr std::int64_t kMostRows = 4000;
  const std::int64_t rows = series.rows(), step = rows / kMostRows + 1;
  Json columns = Json::array();
  for (std::size_t c = 0; c < series.columns.size(); ++c) {
    Json values = Json::array();
    for (std::int64_t r = 0; r < rows; r += step) values.push_back(series.values[c][static_cast<std::size_t>(r)]);
    columns.push_back({{"name", series.columns[c].name}, {"unit", series.columns[c].unit}, {"values", values}});
  }
  return {{"rows", rows}, {"every", step}, {"columns", columns}};
}

Json history_json(std::int64_t id, std::int64_t count,
                  const std::function<std::shared_ptr<const measure::Frame>(std::int64_t)>& frame) {
  constexpr std::int64_t kMostFrames = 200;
  const std::int64_t step = (count + kMostFrames - 1) / kMostFrames;
  Json time = Json::array(), speed = Json::array();
  std::array<Json, 3> x{Json::array(), Json::array(), Json::array()};
  for (std::int64_t k = 0; k < count; k += std::max<std::int64_t>(step, 1)) {
    const auto f = frame(k);
    if (!f) continue;
    const auto it = std::lower_bound(f->id.begin(), f->id.end(), id);
    if (it == f->id.end() || *it != id) continue;
    const auto i = static_cast<std::size_t>(it - f->id.begin());
    time.push_back(f->time);
    const measure::Triple& v = f->velocity[i];
    speed.push_back(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    for (std::size_t d = 0; d < 3; ++d) x[d].push_back(f->position[i][d]);
  }
  return {{"id", id}, {"time", time}, {"speed", speed}, {"x", x[0]}, {"y", x[1]}, {"z", x[2]}};
}

}  // namespace moraine::view
