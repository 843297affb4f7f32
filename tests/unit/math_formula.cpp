// SPDX-License-Identifier: MIT
// Formulas of users: values, strength of binding, messages with positions, and random texts.
#include "math/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "math/elementary.hpp"

namespace {

namespace m = moraine::math;
using m::Formula;
using m::FormulaError;
using moraine::base::Stream;

const std::vector<std::string> kNames{"x", "y", "vx", "t"};
constexpr double kValues[] = {0.75, -2, 3.5, 10};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double value(const std::string& text) { return Formula(text, kNames)(kValues); }

void expect_error(const std::string& text, std::size_t position, const std::string& part) {
  try {
    const Formula formula(text, kNames);
    ADD_FAILURE() << "'" << text << "' was read as " << formula(kValues);
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.position, position) << text << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << text << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("character " + std::to_string(position + 1)), std::string::npos);
  }
}

TEST(MathFormula, NumbersNamesAndConstants) {
  EXPECT_EQ(value("42"), 42);
  EXPECT_EQ(value(" 1.5e-3 "), 1.5e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("2E3"), 2000);
  EXPECT_EQ(value("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("pi"), m::kPi);
  EXPECT_EQ(value("e"), std::exp(1.0));
  EXPECT_EQ(value("x"), 0.75);
  EXPECT_EQ(value("vx\t+\n\r y"), 1.5);
  EXPECT_EQ(value("-2*2*(vx - 0.5*sin(0*pi*t)) + if(x > 0.1, 1, 0)"), -13);
  // A variable hides a constant.
  const double seven = 7;
  EXPECT_EQ(Formula("e + 1", {"e"})(&seven), 8);
}

TEST(MathFormula, StrengthOfBinding) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("16 / 4 / 2"), 2);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("(-2) ^ 2"), 4);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 ^ -1 ^ 2"), 0.5);
  EXPECT_EQ(value("2 * -3"), -6);
  EXPECT_EQ(value("2 - -3"), 5);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("+3 - +2"), 1);
  EXPECT_EQ(value("3 * 2 ^ 2"), 12);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value("1 < 2 && 3 < 2"), 0);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("(1 || 0) && 0"), 0);
  EXPECT_EQ(value("!0 + 1"), 2);
  EXPECT_EQ(value("!(0 + 1)"), 0);
  EXPECT_EQ(value("!!5"), 1);
}

TEST(MathFormula, ComparisonsAndLogic) {
  EXPECT_EQ(value("x < 1"), 1);
  EXPECT_EQ(value("x > 1"), 0);
  EXPECT_EQ(value("x <= 0.75"), 1);
  EXPECT_EQ(value("x >= 0.76"), 0);
  EXPECT_EQ(value("x == 0.75"), 1);
  EXPECT_EQ(value("x != 0.75"), 0);
  EXPECT_EQ(value("0.5 && -1"), 1);
  EXPECT_EQ(value("0.5 && 0"), 0);
  EXPECT_EQ(value("0 || 0"), 0);
  EXPECT_EQ(value("x || 0"), 1);
  EXPECT_EQ(value("if(0, 1, 2)"), 2);
  EXPECT_EQ(value("if(-0.5, 1, 2)"), 1);
  EXPECT_EQ(value("if(y > 0, sqrt(y), 7)"), 7);  // what is not chosen may be no number
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("step(-1e-300)"), 0);
  EXPECT_EQ(value("sign(y) + sign(vx) + sign(0)"), 0);
}

TEST(MathFormula, Functions) {
  EXPECT_EQ(value("sin(x)"), m::sin(0.75));
  EXPECT_EQ(value("cos(x)"), m::cos(0.75));
  EXPECT_NEAR(value("tan(x)"), std::tan(0.75), 4e-16);
  EXPECT_EQ(value("exp(x)"), m::exp(0.75));
  EXPECT_EQ(value("log(x)"), m::log(0.75));
  EXPECT_EQ(value("tanh(x)"), m::tanh(0.75));
  EXPECT_EQ(value("atan2(y, x)"), m::atan2(-2, 0.75));
  EXPECT_EQ(value("sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(value("abs(y)"), 2);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("ceil(-1.5)"), -1);
  EXPECT_EQ(value("min(x, y)"), -2);
  EXPECT_EQ(value("max(x, y, vx, t, 3)"), 10);
  EXPECT_EQ(value("min(x, 1, y, -5, t)"), -5);
  EXPECT_EQ(value("clamp(t, -1, 1) + clamp(y, -1, 1) + clamp(x, -1, 1)"), 0.75);
  EXPECT_EQ(value("hypot(3, 4)"), 5);
  EXPECT_EQ(value("hypot(3e300, 4e300)"), 5e300);
  EXPECT_EQ(value("hypot(0, 0)"), 0);
  EXPECT_EQ(value("pow(2, 10)"), 1024);
}

TEST(MathFormula, Powers) {
  EXPECT_EQ(value("y ^ 3"), -8);
  EXPECT_EQ(value("y ^ -2"), 0.25);
  EXPECT_EQ(value("y ^ 101"), -std::ldexp(1.0, 101));
  EXPECT_EQ(value("0 ^ 0"), 1);
  EXPECT_EQ(value("0 ^ 2"), 0);
  EXPECT_EQ(value("0 ^ 0.5"), 0);
  EXPECT_EQ(value("0 ^ -1"), kInfinity);
  EXPECT_EQ(value("0 ^ -0.5"), kInfinity);
  EXPECT_TRUE(std::isnan(value("y ^ 0.5")));
  EXPECT_EQ(value("1 ^ 1e300"), 1);
  Stream random(1, "powers");
  for (int k = 0; k < 5000; ++k) {
    const double v[] = {std::exp(random.uniform(-5, 5)), random.uniform(-20, 20), std::floor(random.uniform(-30, 30)),
                        0};
    const Formula any("x ^ y", kNames), whole("(-x) ^ vx", kNames);
    EXPECT_NEAR(any(v) / std::pow(v[0], v[1]), 1, 1e-13) << v[0] << "^" << v[1];
    EXPECT_NEAR(whole(v) / std::pow(-v[0], v[2]), 1, 1e-14) << -v[0] << "^" << v[2];
  }
  // Large whole exponents keep the sign.
  EXPECT_NEAR(value("(-1.0001) ^ 10001") / std::pow(-1.0001, 10001), 1, 1e-12);
  EXPECT_NEAR(value("(-1.0001) ^ 10002") / std::pow(-1.0001, 10002), 1, 1e-12);
}

// Where the C library says what comes of infinities, zeros and NaN, so does a formula.
TEST(MathFormula, SpecialValuesAreThoseOfTheCLibrary) {
  const double special[] = {0.0,  -0.0,  1.0,    -1.0,  0.5,       -0.5,       2.0,         -3.0,
                            1e20, -1e20, 4e-320, 1e308, kInfinity, -kInfinity, std::nan("")};
  const auto same = [](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(a - b) <= 1e-14 * std::fabs(b);
  };
  const auto one = [](const char* text, double x) { return Formula(text, {"x"})(&x); };
  for (const double x : special) {
    EXPECT_TRUE(same(one("sin(x)", x), std::sin(x))) << x;
    EXPECT_TRUE(same(one("cos(x)", x), std::cos(x))) << x;
    EXPECT_TRUE(same(one("tan(x)", x), std::tan(x))) << x;
    EXPECT_TRUE(same(one("exp(x)", x), std::exp(x))) << x;
    EXPECT_TRUE(same(one("log(x)", x), std::log(x))) << x;
    EXPECT_TRUE(same(one("sqrt(x)", x), std::sqrt(x))) << x;
    EXPECT_TRUE(same(one("tanh(x)", x), std::tanh(x))) << x;
    for (const double y : special) {
      const double v[] = {x, y};
      const std::vector<std::string> names{"x", "y"};
      EXPECT_TRUE(same(Formula("x ^ y", names)(v), std::pow(x, y))) << x << "^" << y << " " << Formula("x^y", names)(v);
      EXPECT_TRUE(same(Formula("hypot(x, y)", names)(v), std::hypot(x, y))) << x << " " << y;
      EXPECT_TRUE(same(Formula("atan2(x, y)", names)(v), std::atan2(x, y))) << x << " " << y;
      // The smaller and the larger of two do not hide that one is no number.
      const bool none = std::isnan(x) || std::isnan(y);
      EXPECT_TRUE(same(Formula("min(x, y)", names)(v), none ? std::nan("") : std::min(x, y))) << x << " " << y;
      EXPECT_TRUE(same(Formula("max(x, y)", names)(v), none ? std::nan("") : std::max(x, y))) << x << " " << y;
    }
  }
}

TEST(MathFormula, KnowsItsTextAndItsVariables) {
  const Formula formula("vx * (1 + t)", kNames);
  EXPECT_EQ(formula.text(), "vx * (1 + t)");
  EXPECT_FALSE(formula.uses(0));
  EXPECT_FALSE(formula.uses(1));
  EXPECT_TRUE(formula.uses(2));
  EXPECT_TRUE(formula.uses(3));
  EXPECT_FALSE(formula.uses(4));
  // A copy outlives the text it was read from.
  auto text = std::make_unique<std::string>("x + 1");
  const Formula made(*text, kNames);
  text.reset();
  const Formula copy = made;
  EXPECT_EQ(copy(kValues), 1.75);
  EXPECT_EQ(copy.text(), "x + 1");
}

TEST(MathFormula, WhatIsKnownIsWorkedOutOnce) {
  EXPECT_EQ(Formula("2 * pi * sqrt(16) + max(1, 2, 3)", kNames).length(), 1u);
  EXPECT_EQ(Formula("2 * pi * x", kNames).length(), 3u);
  EXPECT_EQ(Formula("if(1 < 2, clamp(5, 0, 1), -3 ^ 2)", kNames).length(), 1u);
  EXPECT_EQ(Formula("x + 2 + 3", kNames).length(), 5u);  // (x + 2) + 3: the order of rounding is the user's
}

TEST(MathFormula, MistakesAreNamedWithTheirPlace) {
  expect_error("", 0, "empty");
  expect_error("  \t ", 4, "empty");
  expect_error("1 +", 3, "expected a number, a name or '(', found the end");
  expect_error("1 + * 2", 4, "found '*'");
  expect_error("(1 + 2", 6, "')' of the '(' at character 1");
  expect_error("2 * ((1 + 2)", 12, "'(' at character 5");
  expect_error("1 + 2)", 5, "no '(' before it");
  expect_error("sin(x", 5, "'(' at character 4");
  expect_error("()", 1, "found ')'");
  expect_error("1 2", 2, "expected an operator or the end, found '2'");
  expect_error("2 x", 2, "found 'x'");
  expect_error("2pi", 1, "found 'pi'");
  expect_error("1.2.3", 3, "found '.'");
  expect_error("0x10", 1, "found 'x10'");
  expect_error("x $ 2", 2, "found '$'");
  expect_error("x(2)", 1, "found '('");
  expect_error("(1, 2)", 2, "found ','");
  expect_error(".", 0, "digit");
  expect_error("1 + 1e999", 4, "1e999 is too large");
  expect_error("1e-999", 0, "too small");
  expect_error("x = 2", 2, "==");
  expect_error("x & y", 2, "found '&'");
  expect_error("1 < x < 2", 6, "chain");
  expect_error("sin + 1", 4, "expected '(' after the function 'sin', found '+'");
  expect_error("1 + sin(1, 2)", 4, "'sin' takes 1 argument, not 2");
  expect_error("atan2(1)", 0, "'atan2' takes 2 arguments, not 1");
  expect_error("if(1, 2)", 0, "'if' takes 3 arguments, not 2");
  expect_error("min(1)", 0, "'min' takes 2 or more arguments, not 1");
  expect_error("max()", 0, "not 0");
  expect_error("min(1, )", 7, "found ')'");
  expect_error("x + \xc3\xa9", 4, "ASCII");
  expect_error(std::string("x + \0 1", 7), 4, "ASCII");
  expect_error("x \xe2\x88\x92 1", 2, "ASCII");
}

TEST(MathFormula, AnUnknownNameIsAnsweredWithTheNearest) {
  expect_error("2 * velx", 4, "there is no 'velx'; there are 'x', 'y', 'vx', 't', 'pi', 'e', and the functions 'sin'");
  expect_error("2 * sine(x)", 4, "did you mean 'sin'?");
  expect_error("sqr(x)", 0, "did you mean 'sqrt'?");
  expect_error("1 + PI", 4, "did you mean 'pi'?");
}

TEST(MathFormula, LimitsHold) {
  const auto nested = [](const std::string& open, int n, const std::string& close) {
    std::string text;
    for (int k = 0; k < n; ++k) text += open;
    text += "x";
    for (int k = 0; k < n; ++k) text += close;
    return text;
  };
  EXPECT_EQ(value(nested("(", 200, ")")), 0.75);
  expect_error(nested("(", 201, ")"), 201, "nested 200 deep");
  EXPECT_EQ(value(nested("abs(", 200, ")")), 0.75);
  expect_error(nested("abs(", 201, ")"), 804, "nested 200 deep");
  EXPECT_EQ(value(nested("-", 200, "")), 0.75);
  expect_error(nested("-", 4000, ""), 201, "nested 200 deep");
  expect_error(nested("!", 4000, ""), 201, "nested 200 deep");
  expect_error(nested("x^", 4000, ""), 402, "nested 200 deep");
  expect_error(nested("(", 9000, ""), 201, "nested 200 deep");
  EXPECT_EQ(value(nested("1+(", 200, ")")), 200.75);
  expect_error(nested("x+x*(", 200, ")"), 0, "too deeply");  // 401 numbers would wait
  // Long but flat is allowed, up to the limit.
  std::string sum = "x";
  while (sum.size() + 2 <= Formula::kLongestText) sum += "+x";
  sum += std::string(Formula::kLongestText - sum.size(), ' ');
  EXPECT_EQ(value(sum), 0.75 * 5000);
  expect_error(sum + " ", 10000, "at most 10000");
  std::string largest = "max(x";
  for (int k = 0; k < 2000; ++k) largest += ",x";
  EXPECT_EQ(value(largest + ")"), 0.75);
}

// ---- random texts ----

TEST(MathFormula, RandomTextsAreReadOrRefused) {
  const char* const parts[] = {
      "x",  "vx", "t",   "pi",  "e",    "sin", "if(",  "min(", "clamp(", "(",  ")",  ",",  "+",
      "-",  "*",  "/",   "^",   "<",    "<=",  "==",   "!=",   "!",      "&&", "||", "1",  "0.5",
      "1e", ".",  "1e9", "999", "1e99", " ",   "abs(", "=",    "&",      "@",  "_",  "\n", "\xff"};
  Stream random(2, "fuzz");
  int readable = 0;
  for (int k = 0; k < 50000; ++k) {
    std::string text;
    const auto length = random.below(12);
    for (std::uint64_t n = 0; n < length; ++n) {
      if (random.below(20) == 0) {
        text += static_cast<char>(random.below(256));
      } else {
        text += parts[random.below(std::size(parts))];
      }
    }
    try {
      const Formula formula(text, kNames);
      formula(kValues);
      ++readable;
    } catch (const FormulaError& error) {
      EXPECT_LE(error.position, text.size()) << text;
    }
  }
  EXPECT_GT(readable, 500);
}

// A formula as a tree, worked out by walking over it. Its text has only the parentheses that it needs.
struct Node {
  enum Kind { kNumber, kVariable, kSign, kNot, kBinary, kCall } kind = kNumber;
  double number = 0;
  std::size_t variable = 0;
  std::string sign;  // of an operator, or the name of a function
  std::vector<Node> parts;
};

int strength(const Node& node) {
  if (node.kind == Node::kSign || node.kind == Node::kNot) return 6;
  if (node.kind != Node::kBinary) return 8;
  if (node.sign == "||") return 1;
  if (node.sign == "&&") return 2;
  if (node.sign == "+" || node.sign == "-") return 4;
  if (node.sign == "*" || node.sign == "/") return 5;
  return node.sign == "^" ? 7 : 3;
}

std::string text_of(const Node& node) {
  const auto part = [](const Node& inner, int least) {
    return strength(inner) >= least ? text_of(inner) : "(" + text_of(inner) + ")";
  };
  switch (node.kind) {
    case Node::kNumber:
      return std::to_string(node.number);
    case Node::kVariable:
      return kNames[node.variable];
    case Node::kSign:
      return "-" + part(node.parts[0], 6);
    case Node::kNot:
      return "!" + part(node.parts[0], 6);
    case Node::kBinary: {
      const int own = strength(node);
      if (own == 7) return part(node.parts[0], 8) + "^" + part(node.parts[1], 6);
      return part(node.parts[0], own == 3 ? 4 : own) + " " + node.sign + " " + part(node.parts[1], own + 1);
    }
    default:
      break;
  }
  std::string text = node.sign + "(";
  for (std::size_t k = 0; k < node.parts.size(); ++k) text += (k > 0 ? ", " : "") + text_of(node.parts[k]);
  return text + ")";
}

double walk(const Node& node, const double* values) {
  std::vector<double> v;
  for (const auto& part : node.parts) v.push_back(walk(part, values));
  const std::string& s = node.sign;
  switch (node.kind) {
    case Node::kNumber:
      return node.number;
    case Node::kVariable:
      return values[node.variable];
    case Node::kSign:
      return -v[0];
    case Node::kNot:
      return v[0] == 0 ? 1 : 0;
    default:
      break;
  }
  if (s == "+") return v[0] + v[1];
  if (s == "-") return v[0] - v[1];
  if (s == "*") return v[0] * v[1];
  if (s == "/") return v[0] / v[1];
  if (s == "^") return v[1] == 2 ? v[0] * v[0] : v[0] * v[0] * v[0];
  if (s == "<") return v[0] < v[1];
  if (s == "<=") return v[0] <= v[1];
  if (s == ">") return v[0] > v[1];
  if (s == ">=") return v[0] >= v[1];
  if (s == "==") return v[0] == v[1];
  if (s == "!=") return v[0] != v[1];
  if (s == "&&") return v[0] != 0 && v[1] != 0;
  if (s == "||") return v[0] != 0 || v[1] != 0;
  if (s == "sin") return m::sin(v[0]);
  if (s == "cos") return m::cos(v[0]);
  if (s == "tanh") return m::tanh(v[0]);
  if (s == "abs") return std::fabs(v[0]);
  if (s == "floor") return std::floor(v[0]);
  if (s == "ceil") return std::ceil(v[0]);
  if (s == "step") return v[0] >= 0;
  if (s == "atan2") return m::atan2(v[0], v[1]);
  if (s == "if") return v[0] != 0 ? v[1] : v[2];
  EXPECT_TRUE(s == "min" || s == "max");
  double best = v[0];
  for (const double x : v) {
    if (std::isnan(x)) return x;
    if (s == "min" ? x <= best : x >= best) best = x;
  }
  return best;
}

Node random_tree(Stream& random, int depth) {
  Node node;
  const auto inner = [&] { return random_tree(random, depth - 1); };
  switch (depth <= 0 ? random.below(2) : random.below(9)) {
    case 0:
      node.number = std::floor(random.uniform(0, 40)) / 8;
      return node;
    case 1:
      node.kind = Node::kVariable;
      node.variable = random.below(kNames.size());
      return node;
    case 2:
      node.kind = random.below(2) == 0 ? Node::kSign : Node::kNot;
      node.parts = {inner()};
      return node;
    case 3: {
      const char* const names[] = {"sin", "cos", "tanh", "abs", "floor", "ceil", "step"};
      node.kind = Node::kCall;
      node.sign = names[random.below(std::size(names))];
      node.parts = {inner()};
      return node;
    }
    case 4: {
      const char* const names[] = {"min", "max", "atan2", "if"};
      node.kind = Node::kCall;
      node.sign = names[random.below(std::size(names))];
      const std::size_t count = node.sign == "atan2" ? 2 : (node.sign == "if" ? 3 : 2 + random.below(4));
      for (std::size_t k = 0; k < count; ++k) node.parts.push_back(inner());
      return node;
    }
    case 5: {
      node.kind = Node::kBinary;
      node.sign = "^";
      Node exponent;
      exponent.number = static_cast<double>(2 + random.below(2));
      node.parts = {inner(), exponent};
      return node;
    }
    default: {
      const char* const signs[] = {"+", "-",  "*", "/",  "+",  "-",  "*",  "/",
                                   "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
      node.kind = Node::kBinary;
      node.sign = signs[random.below(std::size(signs))];
      node.parts = {inner(), inner()};
      return node;
    }
  }
}

TEST(MathFormula, CodeAndTreeGiveTheSameBits) {
  Stream random(3, "trees");
  int finite = 0;
  for (int k = 0; k < 20000; ++k) {
    const Node tree = random_tree(random, 1 + static_cast<int>(random.below(5)));
    const std::string text = text_of(tree);
    if (text.size() > Formula::kLongestText) continue;
    const Formula formula(text, kNames);
    for (int n = 0; n < 3; ++n) {
      double values[4];
      for (double& v : values) v = random.uniform(-3, 3);
      const double is = formula(values), should = walk(tree, values);
      if (std::isfinite(should)) ++finite;
      if (std::isnan(is) && std::isnan(should)) continue;
      ASSERT_EQ(is, should) << text;
      ASSERT_EQ(std::signbit(is), std::signbit(should)) << text;
    }
  }
  EXPECT_GT(finite, 40000);
}

}  // namespace
