// SPDX-License-Identifier: MIT
#include "io/series.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "base/error.hpp"
#include "io/table.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io::testing {
namespace {

const std::vector<Column> kColumns = {{"time", "s"}, {"kinetic", "J"}, {"contacts", ""}};

TEST(IoSeries, RoundTripIsBitExactWithUnits) {
  const Folder folder;
  const std::vector<std::vector<double>> rows = {
      {0, -0.0, 3}, {0.1, 1.0 / 3.0, 4}, {0.2, 5e-324, 5}, {1e300, std::nextafter(1.0, 2.0), -1e-7}};
  {
    SeriesWriter writer(folder / "e.csv", kColumns);
    for (const auto& row : rows) writer.row(row);
    EXPECT_EQ(writer.rows(), 4);
    EXPECT_EQ(get(folder / "e.csv"), "time [s],kinetic [J],contacts\n0,-0,3\n");  // the others wait a little
    writer.flush();
    expect_contains(get(folder / "e.csv"), "\n0.1,0.3333333333333333,4\n");
  }
  const Series series = read_series(folder / "e.csv");
  EXPECT_EQ(series.columns, kColumns);
  ASSERT_EQ(series.rows(), 4);
  EXPECT_FALSE(series.cut_short);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(series.values[c][r], rows[r][c]);
  EXPECT_TRUE(std::signbit(series.column("kinetic")[0]));
  EXPECT_THROW(series.column("nothing"), std::out_of_range);
}

// Whoever looks at a run that goes on sees its rows, few as they are.
TEST(IoSeries, RowsDoNotWaitLong) {
  const Folder folder;
  SeriesWriter writer(folder / "e.csv", {{"i", ""}});
  writer.row(std::vector<double>{1});
  EXPECT_EQ(read_series(folder / "e.csv").rows(), 1);
  writer.row(std::vector<double>{2});
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  writer.row(std::vector<double>{3});
  EXPECT_EQ(read_series(folder / "e.csv").rows(), 3);
}

TEST(IoSeries, ManyRowsPassTheBuffer) {
  const Folder folder;
  {
    SeriesWriter writer(folder / "e.csv", {{"i", ""}});
    for (int i = 0; i < 50000; ++i) writer.row(std::vector<double>{odd(i)});
  }
  const Series series = read_series(folder / "e.csv");
  ASSERT_EQ(series.rows(), 50000);
  EXPECT_EQ(series.values[0][49999], odd(49999));
}

TEST(IoSeries, NotANumberIsNeverWritten) {
  const Folder folder;
  SeriesWriter writer(folder / "e.csv", kColumns);
  writer.row(std::vector<double>{0, 1, 2});
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::string text = error_of<base::RunError>([&] { writer.row(std::vector<double>{1, bad, 2}); });
    expect_contains(text, "e.csv");
    expect_contains(text, "kinetic");
  }
  writer.row(std::vector<double>{1, 1, 2});
  writer.close();
  EXPECT_EQ(read_series(folder / "e.csv").rows(), 2);
  EXPECT_THROW(writer.row(std::vector<double>{1, 1, 2}), std::logic_error);
}

TEST(IoSeries, ResumeKeepsTheFirstRowsOnly) {
  const Folder folder;
  {
    SeriesWriter writer(folder / "e.csv", kColumns);
    for (int i = 0; i < 10; ++i) writer.row(std::vector<double>{0.1 * i, odd(i), 1});
  }
  std::ofstream(folder / "e.csv", std::ios::app) << "0.9,0.1";  // a run killed within a row
  EXPECT_TRUE(read_series(folder / "e.csv").cut_short);
  expect_contains(error_of<base::InputError>([&] { SeriesWriter(folder / "e.csv", kColumns, 11); }),
                  "it has 10 complete rows, 11 are needed");
  expect_contains(error_of<base::InputError>([&] {
                    SeriesWriter(folder / "e.csv", {{"time", "ms"}}, 1);
                  }),
                  "other columns");
  EXPECT_EQ(read_series(folder / "e.csv").rows(), 10);  // what could not be resumed is left alone
  {
    SeriesWriter writer(folder / "e.csv", kColumns, 4);
    EXPECT_EQ(writer.rows(), 4);
    writer.row(std::vector<double>{7, 8, 9});
    EXPECT_EQ(writer.rows(), 5);
  }
  const Series series = read_series(folder / "e.csv");
  ASSERT_EQ(series.rows(), 5);
  EXPECT_EQ(series.column("time")[3], 0.1 * 3);
  EXPECT_EQ(series.column("time")[4], 7);
  EXPECT_THROW(SeriesWriter(folder / "missing.csv", kColumns, 0), base::InputError);
}

TEST(IoSeries, AFullDiskIsSaid) {
  const Folder folder;
  std::filesystem::create_symlink("/dev/full", folder / "e.csv");
  const std::string text = error_of<base::RunError>([&] { SeriesWriter(folder / "e.csv", kColumns); });
  expect_contains(text, "No space left on device");
  expect_contains(text, "free some space");
}

TEST(IoSeries, NamesThatCannotBeReadBackAreRefused) {
  const Folder folder;
  for (const char* name : {"", "a,b", "a[b", "a\nb", " a"})
    EXPECT_THROW(SeriesWriter(folder / "e.csv", {{name, "s"}}), base::InputError) << name;
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(IoSeries, DamagedFilesAreRefusedWithTheirLine) {
  const Folder folder;
  const auto text = [&](const std::string& content) {
    put(folder / "e.csv", content);
    return error_of<base::InputError>([&] { read_series(folder / "e.csv"); });
  };
  expect_contains(text("time [s],x\n1,2\n3\n"), "e.csv:3");
  expect_contains(text("time [s],x\n1,two\n"), "'two'");
  expect_contains(text("time [s],x\n1,nan\n"), "'nan'");
  expect_contains(text("time [s\n1\n"), "is not a column");
  expect_contains(text("time [s]"), "no complete header");
  expect_contains(text(""), "no complete header");
}

TEST(IoSeries, AWholeTableIsWrittenAsARowByRowSeriesIs) {
  const Folder folder;
  const std::vector<Column> columns = {{"y", "m"}, {"u", "m/s"}, {"concentration", ""}};
  const std::vector<std::vector<double>> rows = {{0.1, 1.0 / 3, 0}, {0.3, -1e-300, 0.7}};
  {
    SeriesWriter writer(folder / "by_row.csv", columns);
    for (const auto& row : rows) writer.row(row);
    writer.close();
  }
  put(folder / "whole.csv", "what was there before");
  write_series(folder / "whole.csv", columns, rows);
  EXPECT_EQ(get(folder / "whole.csv"), get(folder / "by_row.csv"));
  const std::string before = get(folder / "whole.csv");
  expect_contains(error_of<base::RunError>([&] {
                    write_series(folder / "whole.csv", columns, {{0, 1, std::nan("")}});
                  }),
                  "'concentration' in row 1");
  EXPECT_EQ(get(folder / "whole.csv"), before) << "a table that cannot be written must leave the old one";
}

void put_gzip(const std::filesystem::path& path, const std::string& text) {
  gzFile file = ::gzopen(path.c_str(), "wb");
  ASSERT_EQ(::gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ASSERT_EQ(::gzclose(file), Z_OK);
}

TEST(IoTable, ReadsPlainAndPacked) {
  const Folder folder;
  const std::string text =
      "\xEF\xBB\xBF# source: a paper\nid, x ,\"y\"\r\n1, +2.5,-3e-2\r\n# between\n\n2,0.1,4\n3,5e-324,6";
  put(folder / "t.csv", text);
  put_gzip(folder / "t.csv.gz", text);
  for (const char* name : {"t.csv", "t.csv.gz"}) {
    const Table table = read_table(folder / name);
    EXPECT_EQ(table.comments, (std::vector<std::string>{"# source: a paper", "# between"}));
    EXPECT_EQ(table.names, (std::vector<std::string>{"id", "x", "y"}));
    EXPECT_EQ(table.rows(), 3);
    EXPECT_EQ(table.column("x"), (std::vector<double>{2.5, 0.1, 5e-324}));
    EXPECT_EQ(table.column("y"), (std::vector<double>{-3e-2, 4, 6}));
    EXPECT_FALSE(table.has("z"));
    EXPECT_THROW(table.column("z"), std::out_of_range);
  }
}

TEST(IoTable, MistakesAreRefusedWithTheirLine) {
  const Folder folder;
  const auto text = [&](const std::string& content) {
    put(folder / "t.csv", content);
    return error_of<base::InputError>([&] { read_table(folder / "t.csv"); });
  };
  expect_contains(text("# c\nid,x\n1,2\n1,2,3\n"), "t.csv:4");
  expect_contains(text("id,x\n1\n"), "has 1 values, the header 2 names");
  expect_contains(text("id,x\n1,abc\n"), "'abc' is not a number");
  expect_contains(text("id,x\n1,2 3\n"), "'2 3' is not a number");
  expect_contains(text("id,x\n1,\n"), "'' is not a number");
  expect_contains(text("id,x\n1,NaN\n"), "'NaN' is not allowed");
  expect_contains(text("id,x\n1,-inf\n"), "'-inf' is not allowed");
  expect_contains(text("id,x\n"), "no rows");
  expect_contains(text("1,2\n3,4\n"), "must name the columns");
  expect_contains(text("id,id\n3,4\n"), "twice");
  expect_contains(text("id,\n3,4\n"), "without a name");
  expect_contains(text(""), "is empty");
  expect_contains(text("# only this\n"), "is empty");
  expect_contains(error_of<base::InputError>([&] { read_table(folder / "no.csv"); }), "there is no such file");
}

TEST(IoTable, ADamagedOrHugePackedFileIsRefused) {
  const Folder folder;
  std::string text = "x\n";
  for (int i = 0; i < 20000; ++i) text += fmt::format("{}\n", odd(i));
  put_gzip(folder / "t.gz", text);
  EXPECT_EQ(read_table(folder / "t.gz").rows(), 20000);
  const std::string good = get(folder / "t.gz");
  for (const std::size_t size : {good.size() - 1, good.size() - 8, good.size() / 2, std::size_t{20}}) {
    put(folder / "cut.gz", good.substr(0, size));
    expect_contains(error_of<base::InputError>([&] { read_table(folder / "cut.gz"); }), "cut");
  }
  std::string bad = good;
  bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 4);
  put(folder / "bad.gz", bad);
  EXPECT_THROW(read_table(folder / "bad.gz"), base::InputError);
  expect_contains(error_of<base::InputError>([&] { read_table(folder / "t.gz", 1000); }), "too big");
}

}  // namespace
}  // namespace moraine::io::testing
