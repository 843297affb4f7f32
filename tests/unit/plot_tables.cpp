// SPDX-License-Identifier: MIT
// Sheets of tables: which belong together, and that every odd table gives a sound picture.
#include <gtest/gtest.h>

#include "plot/table_figure.hpp"

namespace moraine::plot {
namespace {

io::Series table(std::vector<io::Column> columns, std::vector<std::vector<double>> values) {
  io::Series out;
  out.columns = std::move(columns);
  out.values = std::move(values);
  return out;
}

const std::vector<io::Column> kProfile = {{"y", "m"},    {"concentration", ""}, {"u", "m/s"},
                                          {"sxx", "Pa"}, {"contact_sxx", "Pa"}, {"u_error", "m/s"}};

io::Series profile() {
  return table(kProfile, {{0.1, 0.3, 0.5}, {0, 0.5, 0.6}, {0, 1, 2}, {0, 5, 6}, {0, 4, 5}, {0, 0.1, 0.2}});
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(PlotTables, ThoseOfOneProbeBelongTogether) {
  std::map<std::string, io::Series> series;
  series["profile"] = table({{"time", "s"}, {"mean_u", "m/s"}}, {{0}, {1}});
  for (const char* name : {"profile_1", "profile_2", "profile_10"}) series[name] = profile();
  series["forces_directions"] = table({{"angle", "rad"}, {"share", ""}}, {{0, 1}, {2, 3}});
  series["other_1"] = table({{"x", "m"}, {"u", "m/s"}}, {{0}, {1}});
  series["other_2"] = table({{"y", "m"}, {"u", "m/s"}}, {{0}, {1}});
  const auto groups = group_tables(series);
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& [name, tables] : groups) {
    for (const auto& one : tables) names[name].push_back(one.first);
  }
  const std::map<std::string, std::vector<std::string>> expected = {
      {"profile", {"profile_1", "profile_2", "profile_10"}},
      {"forces_directions", {"forces_directions"}},
      {"other", {"other_1"}},
      {"other_2", {"other_2"}}};
  EXPECT_EQ(names, expected);
}

TEST(PlotTables, ColumnsWithErrorsAndContactPartsSharePanels) {
  const io::Series one = profile(), two = profile();
  const Picture alone = table_figure({{"profile_1", &one}}, "profile", "A run");
  const Picture both = table_figure({{"profile_1", &one}, {"profile_2", &two}}, "profile", "A run");
  EXPECT_GT(both.height, alone.height) << "a key for two";
  // Concentration, u and sxx: three panels in one row.
  const io::Series fewer = table({{"y", "m"}, {"u", "m/s"}}, {{0.1, 0.3}, {1, 2}});
  const double one_row = table_figure({{"t", &fewer}}, "t", "A run").height;
  EXPECT_LT(alone.height, one_row + 30) << "more than a row of panels, and the note";
  for (const Picture& picture : {alone, both}) {
    EXPECT_EQ(png_of(picture).substr(1, 3), "PNG");
    EXPECT_EQ(count(svg_of(picture), "nan"), 0U);
  }
}

TEST(PlotTables, OddTablesGiveSoundPictures) {
  const std::vector<io::Series> odd = {
      table(kProfile, {{}, {}, {}, {}, {}, {}}),
      table(kProfile, {{0.5}, {0.5}, {1}, {0}, {0}, {0}}),
      table(kProfile, {{0, 1}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}),
      table(kProfile, {{0, 1}, {1, 1}, {-1.7e308, 1.7e308}, {5e-324, 0}, {0, 0}, {1e308, 1e308}}),
      table({{"angle", "rad"}, {"share", ""}}, {{0, 1, 2}, {2, 3, 1}}),
      table({{"y", "m"}}, {{0, 1}}),
  };
  for (std::size_t k = 0; k < odd.size(); ++k) {
    const Picture picture = table_figure({{"table_1", &odd[k]}}, "table", "A run");
    EXPECT_EQ(png_of(picture).substr(1, 3), "PNG") << k;
    const std::string svg = svg_of(picture);
    for (const char* bad : {"nan", "inf"}) EXPECT_EQ(count(svg, bad), 0U) << k;
  }
}

}  // namespace
}  // namespace moraine::plot
