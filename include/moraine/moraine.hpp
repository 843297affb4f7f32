// SPDX-License-Identifier: MIT
/// @file
/// All of the library: include this. What these headers declare is all that a user of the library sees.
#pragma once

#include "moraine/error.hpp"
#include "moraine/scene.hpp"
#include "moraine/simulation.hpp"
#include "moraine/version.hpp"

/// Simulation of granular matter. Begin with moraine::Scene, then moraine::Simulation. All quantities are in SI units.
namespace moraine {}
