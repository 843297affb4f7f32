// SPDX-License-Identifier: MIT
// Small scenes for the tests of input: a sound one, in pieces that a test can leave out or replace.
#pragma once

#include <string>

namespace moraine::testing {

inline const std::string kHead = "dimension = 2\n[time]\nend = 0.01\n";
inline const std::string kDomain = "[domain]\nmin = [-1, -1]\nmax = [1, 1]\n";
inline const std::string kRock = "[[material]]\nname = \"rock\"\ndensity = 2500\nstiffness = \"1e6 N/m\"\n";
inline const std::string kContact = "[[contact]]\nrestitution = 0.5\n";
inline const std::string kFloor = "[[wall]]\nname = \"floor\"\nmaterial = \"rock\"\nfrom = [-1, 0]\nto = [1, 0]\n";
inline const std::string kBody = "[[body]]\nposition = [0, 0.5]\nradius = 0.1\nmaterial = \"rock\"\n";
inline const std::string kWithoutBodies = kHead + kDomain + kRock + kContact + kFloor;
inline const std::string kSound = kWithoutBodies + kBody;

// The number of the line that holds this text, which must be there once; counted from 1.
inline int line_of(const std::string& scene, const std::string& text) {
  const auto at = scene.find(text);
  if (at == std::string::npos || scene.find(text, at + 1) != std::string::npos) return -1;
  int line = 1;
  for (std::size_t k = 0; k < at; ++k) line += scene[k] == '\n' ? 1 : 0;
  return line;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  return at == std::string::npos ? "'" + what + "' is not in the scene" : text.replace(at, what.size(), with);
}

}  // namespace moraine::testing
