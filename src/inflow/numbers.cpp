// SPDX-License-Identifier: MIT
#include "inflow/numbers.hpp"

#include <stdexcept>

namespace moraine::inflow {

namespace {

constexpr std::uint32_t kModulus = 714026, kFactor = 1366, kAddend = 150899;

std::uint32_t next(std::uint32_t x) { return (kFactor * x + kAddend) % kModulus; }  // below 2^30 before the remainder

}  // namespace

Numbers::Numbers(Generator generator, std::uint64_t seed, const std::string& name, std::int64_t start)
    : generator_(generator), seed_(seed), name_(name), stream_(seed, name) {
  if (generator_ == Generator::kCongruential) x_ = static_cast<std::uint32_t>(start);
  if (generator_ != Generator::kShuffled) return;
  const std::int64_t first = (std::int64_t{kAddend} - start) % kModulus;
  auto x = static_cast<std::uint32_t>(first < 0 ? first + kModulus : first);
  for (std::uint32_t& entry : table_) entry = x = next(x);
  last_ = x = next(x);
  x_ = x;
}

double Numbers::uniform() {
  switch (generator_) {
    case Generator::kPhilox:
      return stream_.uniform();
    case Generator::kCongruential:
      x_ = (1812433253 * x_ + 317) & 0xffffffff;
      return static_cast<double>(x_) * 0x1p-32;
    case Generator::kShuffled: {
      std::uint32_t& entry = table_[97 * last_ / kModulus];
      last_ = entry;
      x_ = entry = next(static_cast<std::uint32_t>(x_));
      return static_cast<double>(last_) / kModulus;
    }
  }
  throw std::logic_error("no such generator");
}

void Numbers::save(const std::string& name, base::Record& record) const {
  auto& ints = record.ints[name];
  ints = {static_cast<std::int64_t>(generator_ == Generator::kPhilox ? stream_.counter() : x_), std::int64_t{last_}};
  if (generator_ == Generator::kShuffled) ints.insert(ints.end(), table_.begin(), table_.end());
}

void Numbers::load(const std::string& name, const base::Record& record) {
  const auto& ints = record.integer(name);
  x_ = static_cast<std::uint64_t>(ints.at(0));
  if (generator_ == Generator::kPhilox) stream_ = base::Stream(seed_, name_, x_);
  last_ = static_cast<std::uint32_t>(ints.at(1));
  if (generator_ != Generator::kShuffled) return;
  for (std::size_t k = 0; k < table_.size(); ++k) table_[k] = static_cast<std::uint32_t>(ints.at(2 + k));
}

}  // namespace moraine::inflow
