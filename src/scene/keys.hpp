// SPDX-License-Identifier: MIT
// Every key of a scene file, declared once. The parser, the error messages, docs/scene-reference.md, the JSON schema
// and the complete scene.toml of an output folder are all made from this list.
#pragma once

#include "scene/schema.hpp"

namespace moraine::scene {

const Schema& scene_schema();

// Parts of it that have a file of their own, and what they share.
std::vector<Choice> normal_laws();
Key setup_table();
std::vector<Variant> hard_setups();
std::vector<Variant> solid_setups();
Key hard_table();
Key link_tables();
Key chain_tables();
Key probe_tables();
Key solid_tables();
Key inlet_tables();
Key outlet_tables();
Key flow_table();
std::vector<Variant> fluid_loads();
std::vector<Variant> fluid_probes();

}  // namespace moraine::scene
