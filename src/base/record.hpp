// SPDX-License-Identifier: MIT
// A bag of named arrays: what a checkpoint holds. Modules put their state in and take it out again; how it reaches a
// disk is the business of io/. Nothing here knows about files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace moraine::base {

class Record {
 public:
  std::map<std::string, std::vector<double>> reals;
  std::map<std::string, std::vector<std::int64_t>> ints;
  std::map<std::string, std::string> texts;

  // Large arrays, made only when they are written, one at a time, so that a checkpoint does not need the whole state a
  // second time. They must be made before what they are made from changes.
  std::map<std::string, std::function<std::vector<double>()>> later_reals;
  std::map<std::string, std::function<std::vector<std::int64_t>()>> later_ints;
  std::uint64_t later_bytes = 0;  // about how large all of them are together
  void settle() {
    for (const auto& [name, make] : later_reals) reals[name] = make();
    for (const auto& [name, make] : later_ints) ints[name] = make();
    later_reals.clear();
    later_ints.clear();
  }

  const std::vector<double>& real(const std::string& name) const { return find(reals, name); }
  const std::vector<std::int64_t>& integer(const std::string& name) const { return find(ints, name); }
  const std::string& text(const std::string& name) const { return find(texts, name); }
  double number(const std::string& name) const { return real(name).at(0); }
  std::int64_t count(const std::string& name) const { return integer(name).at(0); }
  void set(const std::string& name, double value) { reals[name] = {value}; }
  void set(const std::string& name, std::int64_t value) { ints[name] = {value}; }

 private:
  template <class Map>
  static const typename Map::mapped_type& find(const Map& map, const std::string& name) {
    const auto it = map.find(name);
    if (it == map.end()) throw std::runtime_error("the checkpoint has no entry '" + name + "'");
    return it->second;
  }
};

}  // namespace moraine::base
