// SPDX-License-Identifier: MIT
// Answers that both kinds of show give alike.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/series.hpp"
#include "measure/frame.hpp"
#include "view/http.hpp"

namespace moraine::view {

using Json = nlohmann::ordered_json;

Response json_answer(const Json& json);
Response not_there(const std::string& what);
// "a/b/c" -> a, b, c
std::vector<std::string> path_parts(std::string_view path);
std::optional<std::int64_t> to_number(const std::string& text);

// Columns of a series, of very long ones every n-th row.
Json series_json(const io::Series& series);

// How a body fared in `count` frames, of very many every n-th. `frame`: gives the k-th, or nothing.
Json history_json(std::int64_t id, std::int64_t count,
                  const std::function<std::shared_ptr<const measure::Frame>(std::int64_t)>& frame);

}  // namespace moraine::view
