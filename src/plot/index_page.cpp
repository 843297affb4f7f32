// SPDX-License-Identifier: MIT
#include "plot/index_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

namespace moraine::plot {

namespace {

using Json = nlohmann::ordered_json;

// Light and dark as the reader's browser has it; the pictures are always light.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6675; --page: #f6f7f9; --sheet: #ffffff; --line: #d8dde4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #9aa5b4; --page: #14181e; --sheet: #1d232b; --line: #343d49; }
}
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1480px; margin: 0 auto; padding: 1.2rem; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
nav a { margin-right: 1rem; }
a { color: inherit; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); gap: 1rem; }
figure { margin: 0; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
figure img { width: 100%; display: block; background: #fff; cursor: zoom-in; }
figure:target { grid-column: 1 / -1; }
figcaption { padding: .4rem .7rem; color: var(--soft); font-size: .85rem; }
details { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
summary { cursor: pointer; padding: .4rem .7rem; }
table { border-collapse: collapse; margin: 0 .7rem .7rem; font-size: .88rem; }
td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { color: var(--soft); }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[(word >> (18 - 6 * k)) & 63u] : '=';
  }
  return out;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

// One row per number, named by its path; of long lists only how much there is.
void add_rows(const Json& value, const std::string& name, std::string& out) {
  constexpr std::size_t kLongest = 8;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) add_rows(inner, name.empty() ? key : name + "." + key, out);
    return;
  }
  const bool is_long =
      value.is_array() && (value.size() > kLongest ||
                           std::any_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); }));
  out += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(name),
                     is_long ? fmt::format("{} entries", value.size()) : escaped(value_text(value)));
}

std::string table_of(const Json& value) {
  std::string rows;
  add_rows(value, "", rows);
  return "<table>\n" + rows + "</table>\n";
}

// The plain numbers of a run first, then its groups, which open on a click.
std::string summary_html(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return "<p>The run has no summary yet: it is still going on, or was cut off.</p>\n";
  const Json summary = Json::parse(file, nullptr, false);
  if (!summary.is_object()) return "<p>summary.json cannot be read: it is damaged.</p>\n";
  Json plain = Json::object();
  std::string groups;
  for (const auto& [key, value] : summary.items()) {
    if (!value.is_structured()) {
      plain[key] = value;
    } else if (!value.empty()) {
      groups += fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(key),
                            table_of(value.is_object() ? value : Json{{key, value}}));
    }
  }
  return fmt::format("<details open><summary>run</summary>\n{}</details>\n{}", table_of(plain), groups);
}

}  // namespace

void IndexPage::add(const std::string& section, const std::string& name, const std::string& caption,
                    const std::string& png) {
  const auto same = [&](const Section& s) { return s.title == section; };
  auto it = std::find_if(sections_.begin(), sections_.end(), same);
  if (it == sections_.end()) it = sections_.insert(sections_.end(), Section{section, {}});
  const bool room = takes_more();
  it->figures.push_back({name, caption, room ? png : ""});
  held_ += room ? 1 : 0;
}

std::string IndexPage::html(const std::string& title, const std::filesystem::path& summary) const {
  std::string nav, body;
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    const Section& section = sections_[s];
    nav += fmt::format("<a href=\"#section-{}\">{}</a>\n", s, escaped(section.title));
    body += fmt::format("<h2 id=\"section-{}\">{}</h2>\n<div class=\"figures\">\n", s, escaped(section.title));
    for (const Figure& figure : section.figures) {
      const std::string name = escaped(figure.name), caption = escaped(figure.caption);
      if (figure.png.empty()) {
        body += fmt::format("<figure><figcaption>{} (in its own file, {})</figcaption></figure>\n", caption, name);
      } else {
        body += fmt::format(
            "<figure id=\"{0}\"><a href=\"#{0}\"><img alt=\"{1}\" loading=\"lazy\" "
            "src=\"data:image/png;base64,{2}\"></a><figcaption>{1}</figcaption></figure>\n",
            name, caption, base64(figure.png));
      }
    }
    body += "</div>\n";
  }
  if (!film_.empty()) body += fmt::format("<p><a href=\"{0}\">film ({0}, beside this page)</a></p>\n", escaped(film_));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<main>\n<h1>{0}</h1>\n<nav>\n{2}<a href=\"#numbers\">Numbers</a>\n</nav>\n{3}"
      "<h2 id=\"numbers\">Numbers</h2>\n{4}</main>\n</body>\n</html>\n",
      escaped(title), kStyle, nav, body, summary_html(summary));
}

}  // namespace moraine::plot
