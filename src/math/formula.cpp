// SPDX-License-Identifier: MIT
#include "math/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "base/names.hpp"
#include "math/elementary.hpp"

namespace moraine::math {

// clang-format off
enum class Formula::Op : std::uint8_t {
  kConstant, kVariable,
  // of one number
  kNegate, kNot, kSin, kCos, kTan, kExp, kLog, kSqrt, kAbs, kFloor, kCeil, kSign, kStep, kTanh,
  // of two
  kAdd, kSubtract, kMultiply, kDivide, kPower, kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kUnequal, kAnd, kOr,
  kMin, kMax, kAtan2, kHypot,
  // of three
  kIf, kClamp
};
// clang-format on

namespace {

using Op = Formula::Op;
using Code = std::vector<Formula::Instruction>;

std::size_t operands(Op op) {
  if (op <= Op::kVariable) return 0;
  if (op <= Op::kTanh) return 1;
  return op <= Op::kHypot ? 2 : 3;
}

// ---- functions on the whole line: what elementary.hpp leaves to its callers is settled here ----

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double safe_exp(double x) { return std::isnan(x) ? x : exp(x); }

double safe_log(double x) {
  if (x > 0) return x < kInfinity ? log(x) : x;
  return x == 0 ? -kInfinity : std::numeric_limits<double>::quiet_NaN();
}

double whole_power(double x, int n) {
  double result = 1;
  for (auto rest = static_cast<unsigned>(std::abs(n)); rest != 0; rest >>= 1) {
    if (rest & 1) result *= x;
    x *= x;
  }
  return n < 0 ? 1 / result : result;
}

// Whole powers by multiplication, roots by sqrt, others to about |y log x| units in the last place.
double power(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const bool whole = std::floor(y) == y;
  if (whole && std::fabs(y) <= 1024) return whole_power(x, static_cast<int>(y));
  if (x >= 0 && std::fabs(y) == 0.5) return y > 0 ? std::sqrt(x) : 1 / std::sqrt(x);
  const double a = std::fabs(x);
  if (std::isinf(y)) return a == 1 ? 1 : ((a > 1) == (y > 0) ? kInfinity : 0);
  if (x < 0 && !whole) return a < kInfinity ? std::numeric_limits<double>::quiet_NaN() : (y > 0 ? a : 0);
  const bool odd = whole && std::floor(y / 2) != y / 2;
  const double size = safe_exp(y * safe_log(a));
  return x < 0 && odd ? -size : size;
}

double hypot(double x, double y) {
  const double a = std::fabs(x), b = std::fabs(y), large = a > b ? a : b, small = a > b ? b : a;
  if (large == kInfinity || small == kInfinity) return kInfinity;
  if (large == 0) return small;  // NaN, if y is
  const double ratio = small / large;
  return large * std::sqrt(1 + ratio * ratio);
}

// A NaN among the two is the result.
double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

// ---- evaluation ----

double value_of(Op op, double a) {
  switch (op) {
    case Op::kNegate:
      return -a;
    case Op::kNot:
      return a == 0;
    case Op::kSin:
      return sin(a);
    case Op::kCos:
      return cos(a);
    case Op::kTan:
      return sin(a) / cos(a);
    case Op::kExp:
      return safe_exp(a);
    case Op::kLog:
      return safe_log(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kAbs:
      return std::fabs(a);
    case Op::kFloor:
      return std::floor(a);
    case Op::kCeil:
      return std::ceil(a);
    case Op::kSign:
      return a > 0 ? 1 : (a < 0 ? -1 : a);
    case Op::kStep:
      return a >= 0;
    default:
      return tanh(a);
  }
}

double value_of(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kPower:
      return power(a, b);
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    case Op::kEqual:
      return a == b;
    case Op::kUnequal:
      return a != b;
    case Op::kAnd:
      return a != 0 && b != 0;
    case Op::kOr:
      return a != 0 || b != 0;
    case Op::kMin:
      return smaller(a, b);
    case Op::kMax:
      return larger(a, b);
    case Op::kAtan2:
      return atan2(a, b);
    default:
      return hypot(a, b);
  }
}

double value_of(Op op, double a, double b, double c) {
  if (op == Op::kIf) return a != 0 ? b : c;
  return smaller(larger(a, b), c);
}

// The parser has seen to it that every operator finds its operands, which the analyzer cannot know.
// NOLINTBEGIN(clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.UndefReturn)
double run(const Formula::Instruction* code, std::size_t length, const double* values) {
  double stack[Formula::kLargestStack];
  double* top = stack;  // one past the uppermost
  for (const auto* step = code; step != code + length; ++step) {
    switch (operands(step->op)) {
      case 0:
        *top++ = step->op == Op::kConstant ? step->constant : values[step->variable];
        break;
      case 1:
        top[-1] = value_of(step->op, top[-1]);
        break;
      case 2:
        --top;
        top[-1] = value_of(step->op, top[-1], top[0]);
        break;
      default:
        top -= 2;
        top[-1] = value_of(step->op, top[-1], top[0], top[1]);
    }
  }
  return top[-1];
}
// NOLINTEND(clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.UndefReturn)

std::size_t stack_needed(const Code& code) {
  std::size_t depth = 0, deepest = 0;
  for (const auto& step : code) {
    depth = depth + 1 - operands(step.op);
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// ---- reading ----

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

struct Function {
  const char* name;
  Op op;
  std::size_t least, most;  // arguments
};
constexpr Function kFunctions[] = {
    {"sin", Op::kSin, 1, 1},    {"cos", Op::kCos, 1, 1},     {"tan", Op::kTan, 1, 1},     {"exp", Op::kExp, 1, 1},
    {"log", Op::kLog, 1, 1},    {"sqrt", Op::kSqrt, 1, 1},   {"abs", Op::kAbs, 1, 1},     {"floor", Op::kFloor, 1, 1},
    {"ceil", Op::kCeil, 1, 1},  {"sign", Op::kSign, 1, 1},   {"step", Op::kStep, 1, 1},   {"tanh", Op::kTanh, 1, 1},
    {"pow", Op::kPower, 2, 2},  {"atan2", Op::kAtan2, 2, 2}, {"hypot", Op::kHypot, 2, 2}, {"min", Op::kMin, 2, kAny},
    {"max", Op::kMax, 2, kAny}, {"if", Op::kIf, 3, 3},       {"clamp", Op::kClamp, 3, 3},
};

struct Constant {
  const char* name;
  double value;
};
constexpr Constant kConstants[] = {{"pi", kPi}, {"e", 2.71828182845904523536}};

template <class Table>
auto find(const Table& table, std::string_view name) {
  return std::find_if(std::begin(table), std::end(table), [&](const auto& entry) { return entry.name == name; });
}
template <class Table>
void append_names(std::vector<std::string>& names, const Table& table) {
  for (const auto& entry : table) names.emplace_back(entry.name);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Recursive descent, one function for each strength of binding, the weakest first. Writes the postfix code as it goes.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables) : text_(text), variables_(variables) {}

  Code parse() {
    if (text_.size() > Formula::kLongestText)
      fail(fmt::format("a formula has at most {} characters, this one {}", Formula::kLongestText, text_.size()),
           Formula::kLongestText);
    for (std::size_t k = 0; k < text_.size(); ++k) {
      const char c = text_[k];
      if ((c < ' ' || c > '~') && c != '\t' && c != '\n' && c != '\r')
        fail("only letters, digits and signs of plain ASCII are allowed in a formula", k);
    }
    skip_spaces();
    if (at_ == text_.size()) fail("the formula is empty");
    expression();
    if (at_ < text_.size() && text_[at_] == ')') fail("this ')' has no '(' before it");
    if (at_ < text_.size()) fail("expected an operator or the end, found " + found());
    if (stack_needed(code_) > Formula::kLargestStack) fail("the formula is nested too deeply", 0);
    return std::move(code_);
  }

 private:
  struct Operator {
    const char* sign;
    Op op;
  };

  [[noreturn]] static void fail(const std::string& what, std::size_t position) { throw FormulaError(what, position); }
  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }

  std::string found() const {
    if (at_ == text_.size()) return "the end";
    if (begins_name(text_[at_])) return fmt::format("'{}'", name_here());
    return fmt::format("'{}'", text_[at_]);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool accept(std::string_view sign) {
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    skip_spaces();
    return true;
  }
  // The first of the operators that stands here.
  template <std::size_t N>
  const Operator* accept(const Operator (&operators)[N]) {
    for (const Operator& o : operators) {
      if (accept(o.sign)) return &o;
    }
    return nullptr;
  }

  // An operator whose operands are all known is carried out at once.
  void emit(Op op, double constant = 0, std::size_t variable = 0) {
    code_.push_back({op, static_cast<std::uint32_t>(variable), constant});
    const std::size_t n = operands(op);
    if (n == 0) return;
    const auto first = code_.end() - 1 - static_cast<std::ptrdiff_t>(n);
    if (!std::all_of(first, code_.end() - 1, [](const auto& step) { return step.op == Op::kConstant; })) return;
    const double value = run(&*first, n + 1, nullptr);
    code_.erase(first, code_.end());
    code_.push_back({Op::kConstant, 0, value});
  }

  // A part within the part being read: counted, so that no text can exhaust the stack of the program.
  void inner(void (Parser::*part)()) {
    if (++nesting_ > Formula::kDeepestNesting)
      fail(fmt::format("parentheses, signs and powers can be nested {} deep", Formula::kDeepestNesting));
    (this->*part)();
    --nesting_;
  }

  void expression() {
    static constexpr Operator kOr[] = {{"||", Op::kOr}};
    conjunction();
    while (const Operator* o = accept(kOr)) {
      conjunction();
      emit(o->op);
    }
  }

  void conjunction() {
    static constexpr Operator kAnd[] = {{"&&", Op::kAnd}};
    comparison();
    while (const Operator* o = accept(kAnd)) {
      comparison();
      emit(o->op);
    }
  }

  void comparison() {
    static constexpr Operator kCompare[] = {{"<=", Op::kLessEqual}, {">=", Op::kGreaterEqual}, {"==", Op::kEqual},
                                            {"!=", Op::kUnequal},   {"<", Op::kLess},          {">", Op::kGreater}};
    sum();
    const Operator* o = accept(kCompare);
    if (o != nullptr) {
      sum();
      emit(o->op);
      const std::size_t second = at_;
      if (accept(kCompare) != nullptr) fail("comparisons do not chain; write a < b && b < c", second);
    }
    if (at_ < text_.size() && text_[at_] == '=') fail("expected an operator, found '='; equality is written ==");
  }

  void sum() {
    static constexpr Operator kSum[] = {{"+", Op::kAdd}, {"-", Op::kSubtract}};
    product();
    while (const Operator* o = accept(kSum)) {
      product();
      emit(o->op);
    }
  }

  void product() {
    static constexpr Operator kProduct[] = {{"*", Op::kMultiply}, {"/", Op::kDivide}};
    factor();
    while (const Operator* o = accept(kProduct)) {
      factor();
      emit(o->op);
    }
  }

  void factor() {
    if (accept("-")) {
      inner(&Parser::factor);
      emit(Op::kNegate);
    } else if (accept("!")) {
      inner(&Parser::factor);
      emit(Op::kNot);
    } else if (accept("+")) {
      inner(&Parser::factor);
    } else {
      primary();
      if (accept("^")) {
        inner(&Parser::factor);
        emit(Op::kPower);
      }
    }
  }

  void primary() {
    if (at_ == text_.size()) fail("expected a number, a name or '(', found the end");
    const char c = text_[at_];
    const std::size_t opening = at_;
    if (accept("(")) {
      inner(&Parser::expression);
      close(opening);
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (begins_name(c)) {
      name();
    } else {
      fail("expected a number, a name or '(', found " + found());
    }
  }

  void close(std::size_t opening) {
    if (!accept(")"))
      fail(fmt::format("expected an operator or the ')' of the '(' at character {}, found {}", opening + 1, found()));
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) fail("expected a digit after '.'");
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("the number {} is too large or too small", std::string_view(begin, end)));
    at_ += static_cast<std::size_t>(end - begin);
    skip_spaces();
    emit(Op::kConstant, value);
  }

  std::string_view name_here() const {
    std::size_t end = at_;
    while (end < text_.size() && (begins_name(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }

  void name() {
    const std::size_t start = at_;
    const std::string_view word = name_here();
    at_ += word.size();
    skip_spaces();
    const auto variable = std::find(variables_.begin(), variables_.end(), word);
    const auto constant = find(kConstants, word);
    const auto function = find(kFunctions, word);
    const std::size_t opening = at_;
    if (variable != variables_.end()) {
      emit(Op::kVariable, 0, static_cast<std::size_t>(variable - variables_.begin()));
    } else if (constant != std::end(kConstants)) {
      emit(Op::kConstant, constant->value);
    } else if (function == std::end(kFunctions)) {
      unknown(word, start);
    } else if (accept("(")) {
      arguments(*function, start, opening);
    } else {
      fail(fmt::format("expected '(' after the function '{}', found {}", word, found()));
    }
  }

  [[noreturn]] void unknown(std::string_view word, std::size_t position) const {
    std::vector<std::string> values = variables_, functions, all;
    append_names(values, kConstants);
    append_names(functions, kFunctions);
    all = values;
    all.insert(all.end(), functions.begin(), functions.end());
    fail(fmt::format("there is no '{}'; there are {}, and the functions {}{}", word, base::list_text(values),
                     base::list_text(functions), base::did_you_mean(word, all)),
         position);
  }

  void arguments(const Function& function, std::size_t start, std::size_t opening) {
    std::size_t count = 0;
    if (at_ == text_.size() || text_[at_] != ')') {
      do {
        inner(&Parser::expression);
        ++count;
        if (count >= 2 && function.most == kAny) emit(function.op);
      } while (accept(","));
    }
    close(opening);
    if (count < function.least || count > function.most)
      fail(fmt::format("the function '{}' takes {}{} argument{}, not {}", function.name, function.least,
                       function.most == kAny ? " or more" : "", function.most == 1 ? "" : "s", count),
           start);
    if (function.most != kAny) emit(function.op);
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  Code code_;
};

}  // namespace

FormulaError::FormulaError(const std::string& what, std::size_t at)
    : std::runtime_error(fmt::format("{} (character {})", what, at + 1)), position(at) {}

Formula::Formula(std::string_view text, const std::vector<std::string>& variables)
    : text_(text), code_(Parser(text_, variables).parse()) {}

double Formula::operator()(const double* values) const { return run(code_.data(), code_.size(), values); }

bool Formula::uses(std::size_t variable) const {
  return std::any_of(code_.begin(), code_.end(),
                     [=](const Instruction& step) { return step.op == Op::kVariable && step.variable == variable; });
}

}  // namespace moraine::math
