// SPDX-License-Identifier: MIT
#include "foreign/pipe_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/names.hpp"
#include "io/file.hpp"
#include "io/numbers.hpp"

namespace moraine::foreign {

namespace {

const std::vector<std::string> kBlocks = {"PARA", "RAND", "DISK", "ROOT"};
const std::vector<std::string> kPara = {"X0", "XEND", "XIN", "DH", "VX", "VY", "TH", "FMAX", "E", "U", "TOL"};
const std::vector<std::string> kRand = {"IG", "ISEED", "RI", "XI", "YI"};
const std::vector<std::string> kDisk = {"I", "R", "X", "Y", "VX", "VY"};
const std::vector<std::string> kRoot = {"I", "R", "X", "Y"};

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

bool is_block(const std::string& word) { return std::find(kBlocks.begin(), kBlocks.end(), word) != kBlocks.end(); }

// As Fortran reads a list: between blanks or commas.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr const char* kBetween = " \t\r,";
  for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

// Fortran's own exponents too: 1.0D-5.
std::optional<double> number_of(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c == 'D' || c == 'd') c = 'e';
  const auto value = io::to_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

class Reading {
 public:
  Reading(std::string_view text, const std::string& file) : rest_(text) { input_.file = file; }

  PipeInput read() {
    while (next_line()) {
      const auto words = words_of(line_);
      if (words.empty()) continue;
      const std::string word = upper(words[0]);
      if (word == "REM") continue;
      if (after_root_) {
        fail(fmt::format("'{}' stands after END ROOT, where the program stops reading", words[0]));
        break;
      }
      read_blocks(word);
    }
    if (input_.para_line == 0) problems_.push_back({input_.file, 0, "", "has no PARA block: the numbers of the run"});
    if (!seen_disk_) problems_.push_back({input_.file, 0, "", "has no DISK block: the disks of a batch"});
    check();
    if (!problems_.empty()) throw base::InputError(problems_);
    return std::move(input_);
  }

 private:
  bool next_line() {
    if (rest_.empty()) return false;
    bool ended = false;
    line_ = io::take_line(rest_, ended);
    ++number_;
    return true;
  }
  void fail(const std::string& text) { fail_at(number_, text); }
  // A file of something else would have one for each line.
  void fail_at(int line, const std::string& text) {
    constexpr std::size_t kMostTold = 100;
    if (problems_.size() < kMostTold) problems_.push_back({input_.file, line, "", text});
    if (problems_.size() == kMostTold)
      problems_.push_back({input_.file, line, "", "further mistakes are not told: see that this is such an input"});
  }

  // A block that begins before the one before has its END is read as well.
  void read_blocks(std::string word) {
    while (!word.empty()) word = read_block(word);
  }

  // The name of the block that begins within it, or nothing.
  std::string read_block(const std::string& word) {
    if (word == "END") {
      fail("END of no block: none is open here");
      return "";
    }
    if (!is_block(word)) {
      fail(fmt::format("'{}' is not a block; there is {}, and REM for remarks{}", word.substr(0, 40),
                       base::list_text(kBlocks), base::did_you_mean(word, kBlocks)));
      skip_block();
      return "";
    }
    const bool again = (word == "PARA" && input_.para_line > 0) || (word == "RAND" && input_.rand_line > 0) ||
                       (word == "DISK" && seen_disk_);
    if (again) fail(fmt::format("a second {} block; there is one of each", word));
    const int begin = number_;
    if (word == "PARA") input_.para_line = number_;
    if (word == "RAND") input_.rand_line = number_;
    seen_disk_ = seen_disk_ || word == "DISK";
    int records = 0;
    while (next_line()) {
      const auto words = words_of(line_);
      if (words.empty()) continue;
      const std::string first = upper(words[0]);
      if (first == "REM") continue;
      if (first == "END") {
        end_block(word, words, records);
        return "";
      }
      if (is_block(first)) {
        fail(fmt::format("{} begins before the {} block of line {} has its END", first, word, begin));
        return first;
      }
      ++records;
      read_record(word, words, records);
    }
    fail_at(begin, fmt::format("the {} block has no END", word));
    return "";
  }

  // What follows an unknown word, up to its END or the next block: told once.
  void skip_block() {
    while (true) {
      const std::string_view rest = rest_;
      if (!next_line()) return;
      const auto words = words_of(line_);
      const std::string first = words.empty() ? "" : upper(words[0]);
      if (first == "END") return;
      if (!is_block(first)) continue;
      rest_ = rest;
      --number_;
      return;
    }
  }

  void end_block(const std::string& word, const std::vector<std::string_view>& words, int records) {
    if (words.size() > 1 && upper(words[1]) != word)
      fail(fmt::format("END {} ends a {} block", words[1].substr(0, 40), word));
    if (records == 0 && word != "ROOT") fail(fmt::format("the {} block is empty", word));
    after_root_ = word == "ROOT";
  }

  void read_record(const std::string& block, const std::vector<std::string_view>& words, int record) {
    const auto& names = block == "PARA" ? kPara : block == "RAND" ? kRand : block == "DISK" ? kDisk : kRoot;
    const auto values = numbers(words, block, names);
    if (!values) return;
    const std::vector<double>& v = *values;
    if ((block == "PARA" || block == "RAND") && record > 1)
      return fail(fmt::format("a second line of numbers in {}: there is one", block));
    if (block == "PARA") {
      input_.para_line = number_;
      input_.begin = v[0];
      input_.end = v[1];
      input_.interval = v[2];
      input_.least_step = v[3];
      input_.stream_x = v[4];
      input_.stream_y = v[5];
      input_.thickness = v[6];
      input_.most_force = v[7];
      input_.restitution = v[8];
      input_.friction = v[9];
      input_.tolerance = v[10];
    } else if (block == "RAND") {
      input_.rand_line = number_;
      whole(v[0], "IG");
      whole(v[1], "ISEED");
      input_.random = v[0] == 1;  // the program: any other number is no
      input_.seed = std::llround(v[1]);
      input_.radius_width = v[2];
      input_.x_width = v[3];
      input_.y_width = v[4];
    } else if (block == "DISK") {
      in_order(v[0], record, "disk");
      input_.disks.push_back({v[1], v[2], v[3], v[4], v[5], number_});
    } else {
      in_order(v[0], record, "circle");
      input_.circles.push_back({v[1], v[2], v[3], number_});
    }
  }

  std::optional<std::vector<double>> numbers(const std::vector<std::string_view>& words, const std::string& block,
                                             const std::vector<std::string>& names) {
    std::vector<double> out;
    bool good = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (const auto value = number_of(words[i])) {
        out.push_back(*value);
        continue;
      }
      const std::string what = i < names.size() ? names[i] : fmt::format("number {}", i + 1);
      fail(fmt::format("'{}' is not a number, for {} of {}", words[i].substr(0, 40), what, block));
      good = false;
    }
    if (words.size() != names.size()) {
      fail(fmt::format("{} number{}, but a line of {} has {}: {}", words.size(), words.size() == 1 ? "" : "s", block,
                       names.size(), fmt::join(names, ", ")));
      good = false;
    }
    return good ? std::optional(out) : std::nullopt;
  }

  void whole(double value, const char* name) {
    if (value != std::floor(value) || std::abs(value) > 1e15)
      fail(fmt::format("{} is {}, but a whole number is needed", name, value));
  }

  void in_order(double value, int record, const char* what) {
    if (value != record)
      fail(fmt::format("{} {} stands where {} {} belongs: they are numbered 1, 2, 3... in this order", what, value,
                       what, record));
  }

  // What no run of the program could mean.
  void check() {
    const auto need = [&](bool good, int line, const std::string& text) {
      if (!good && line > 0) fail_at(line, text);
    };
    const int para = problems_.empty() ? input_.para_line : 0;  // numbers that could not be read are told already
    need(input_.end > input_.begin, para,
         fmt::format("XEND is {}: it must be above X0 = {}", input_.end, input_.begin));
    need(std::isfinite(input_.end - input_.begin), para,
         fmt::format("XEND is {}: it must be above X0 = {} by a finite time", input_.end, input_.begin));
    need(input_.interval > 0, para, fmt::format("XIN is {}: it must be > 0", input_.interval));
    need(input_.stream_x > 0, para,
         fmt::format("VX is {}: it must be > 0, as a batch follows every 50 cm / VX", input_.stream_x));
    need(input_.stream_y == 0, para,
         fmt::format("VY is {}: a stream across the pipe cannot be imported, only 0", input_.stream_y));
    need(input_.restitution >= 0 && input_.restitution <= 1, para,
         fmt::format("E is {}: it must be >= 0 and <= 1", input_.restitution));
    need(input_.friction >= 0, para, fmt::format("U is {}: it must be >= 0", input_.friction));
    const int rand = problems_.empty() ? input_.rand_line : 0;
    for (const auto& [name, width] :
         {std::pair{"RI", input_.radius_width}, {"XI", input_.x_width}, {"YI", input_.y_width}})
      need(width >= 0, rand, fmt::format("{} is {}: a width is >= 0", name, width));
    need(!input_.random || input_.seed >= 0, rand, fmt::format("ISEED is {}: it must be >= 0", input_.seed));
    for (const PipeDisk& d : input_.disks) {
      need(d.radius > 0, d.line, fmt::format("R is {}: a radius is > 0", d.radius));
      need(!(input_.random && d.radius > 0) || d.radius > 0.5 * input_.radius_width, d.line,
           fmt::format("R is {}, but RI = {} may take half of that away", d.radius, input_.radius_width));
    }
    for (const PipeCircle& c : input_.circles)
      need(c.radius > 0, c.line, fmt::format("R is {}: a radius is > 0", c.radius));
  }

  std::string_view rest_, line_;
  int number_ = 0;
  bool seen_disk_ = false, after_root_ = false;
  PipeInput input_;
  std::vector<base::Problem> problems_;
};

}  // namespace

PipeInput read_pipe_text(std::string_view text, const std::string& file) {
  if (text.find('\0') != std::string_view::npos)
    throw base::InputError(file, 0, "", "holds a zero byte: this is not a text file");
  return Reading(text, file).read();
}

PipeInput read_pipe_input(const std::filesystem::path& path) {
  return read_pipe_text(io::read_text_file(path), path.string());
}

}  // namespace moraine::foreign
