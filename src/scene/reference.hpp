// SPDX-License-Identifier: MIT
// The declarations of a schema in the two forms people and editors read: a Markdown page and a JSON Schema.
// Both are derived from the schema alone, so that neither can fall behind the parser.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scene/schema.hpp"

namespace moraine::scene {

// The page docs/scene.md is made of: a heading per table, a row per key, a sub-heading per variant.
std::string reference_markdown(const Schema& schema);

// JSON Schema, draft 2020-12, for completion and checks in editors (taplo, Even Better TOML).
nlohmann::ordered_json json_schema(const Schema& schema);

}  // namespace moraine::scene
