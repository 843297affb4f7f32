// SPDX-License-Identifier: MIT
// Arithmetic formulas written by users, such as "-2*m*(vx - 0.3*sin(2*pi*t)) + if(x > 0.1, 1, 0)". Knows numbers and
// names of variables, and nothing of what they mean. Parsed once; a value takes no memory and has the same bits
// everywhere.
//
//   or, and, not       a || b   a && b   !a        anything but 0 is true; true gives 1, false 0
//   comparisons        < <= > >= == !=             not in chains: a < b && b < c
//   arithmetic         + - * / ^                   2^3^2 is 2^(3^2), -2^2 is -(2^2), 2^-1 is 0.5
//   functions          sin cos tan exp log sqrt abs floor ceil sign tanh  step(x): 1 if x >= 0
//                      atan2(y, x) hypot(x, y) pow(x, y) min max (2 or more) clamp(x, low, high) if(c, then, else)
//   constants          pi e                        a variable of that name comes first
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace moraine::math {

// A formula that cannot be read: what was expected, and where.
struct FormulaError : std::runtime_error {
  FormulaError(const std::string& what, std::size_t at);
  std::size_t position;  // in the text, from 0; the message counts from 1
};

class Formula {
 public:
  static constexpr std::size_t kLongestText = 10000;
  static constexpr int kDeepestNesting = 200;        // of parentheses, signs and powers
  static constexpr std::size_t kLargestStack = 256;  // numbers that wait for their operator

  // Throws FormulaError.
  Formula(std::string_view text, const std::vector<std::string>& variables);

  // values: one for each variable, in their order.
  double operator()(const double* values) const;

  const std::string& text() const { return text_; }
  bool uses(std::size_t variable) const;               // whether the text names it
  std::size_t length() const { return code_.size(); }  // in instructions

  // One step of the postfix code.
  enum class Op : std::uint8_t;
  struct Instruction {
    Op op;
    std::uint32_t variable;
    double constant;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
};

}  // namespace moraine::math
