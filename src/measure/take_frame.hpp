// SPDX-License-Identifier: MIT
// Turns a world into a Frame: plain arrays sorted by id.
#pragma once

#include "measure/frame.hpp"
#include "measure/probe.hpp"

namespace moraine::measure {

template <int D>
Frame take_frame(const Sight<D>& sight);

}  // namespace moraine::measure
