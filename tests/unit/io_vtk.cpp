// SPDX-License-Identifier: MIT
// What is written is read by VTK's own reader (read_with_vtk.py): our idea of the format proves nothing.
#include "io/vtk.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "unit/io_samples.hpp"

namespace moraine::io::testing {
namespace {

template <class T>
std::string json(const std::vector<T>& values) {
  std::string out = "[";
  for (const auto& value : values) {
    if (out.size() > 1) out += ", ";
    if constexpr (std::is_arithmetic_v<T>)
      out += fmt::format("{}", value);
    else
      out += fmt::format("[{}]", fmt::join(value, ", "));
  }
  return out + "]";
}

std::string expectation(const measure::Frame& f, const std::string& file, bool contacts) {
  const auto& points = contacts ? f.contact_point : f.position;
  std::string out = fmt::format("{{\"file\": \"{}\", \"time\": {}, \"part\": {}, \"points\": {}, \"arrays\": {{", file,
                                f.time, contacts ? 1 : 0, json(points));
  if (contacts)
    out += fmt::format("\"a\": {}, \"b\": {}, \"force\": {}, \"normal\": {}, \"overlap\": {}", json(f.contact_a),
                       json(f.contact_b), json(f.contact_force), json(f.contact_normal), json(f.contact_overlap));
  else
    out += fmt::format(
        "\"id\": {}, \"radius\": {}, \"mass\": {}, \"velocity\": {}, \"spin\": {}, \"orientation\": {}, "
        "\"material\": {}, \"held\": {}, \"clump\": {}",
        json(f.id), json(f.radius), json(f.mass), json(f.velocity), json(f.spin), json(f.orientation), json(f.material),
        json(f.held), json(f.clump));
  return out + "}}";
}

class IoVtk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import vtkmodules.vtkIOXML' 2> /dev/null") != 0)
      GTEST_SKIP() << "VTK for Python (package python3-vtk9) is not installed";
  }

  // Frames of 7, 0 and 1 bodies with their contacts; what they should be goes to expected.json.
  void write_all() {
    std::filesystem::create_directory(folder_ / "frames");
    std::vector<PvdEntry> entries;
    std::string expected;
    int number = 0;
    for (const int bodies : {7, 0, 1}) {
      measure::Frame frame = sample_frame(bodies, number);
      frame.time = number / 3.0;
      const std::string name = fmt::format("frames/{:06d}.vtp", number),
                        touch = "frames/c & d" + std::to_string(number);
      write_vtp(folder_ / name, frame);
      write_contacts_vtp(folder_ / touch, frame);
      entries.push_back({frame.time, name, touch, ""});
      expected +=
          (number == 0 ? "" : ",\n") + expectation(frame, name, false) + ",\n" + expectation(frame, touch, true);
      ++number;
    }
    write_pvd(folder_ / "frames.pvd", entries);
    put(folder_ / "expected.json", "[" + expected + "]");
  }

  int read_with_vtk() {
    const std::string command = fmt::format("/usr/bin/python3 '{}/tests/unit/read_with_vtk.py' '{}' '{}' > '{}' 2>&1",
                                            MORAINE_SOURCE_DIR, (folder_ / "frames.pvd").string(),
                                            (folder_ / "expected.json").string(), (folder_ / "log").string());
    return std::system(command.c_str());
  }

  Folder folder_;
};

TEST_F(IoVtk, VtkReadsWhatWeWrote) {
  write_all();
  EXPECT_EQ(read_with_vtk(), 0) << get(folder_ / "log");
  expect_contains(get(folder_ / "log"), "6 files");
}

TEST_F(IoVtk, TheCheckItselfCanFail) {
  write_all();
  const std::string expected = get(folder_ / "expected.json");
  for (const char* from : {"\"id\": [100", "\"time\": 0.333", "\"b\": [-1"}) {
    std::string wrong = expected;
    const auto at = wrong.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    wrong[at + std::strlen(from) - 1] = '7';
    put(folder_ / "expected.json", wrong);
    EXPECT_NE(read_with_vtk(), 0) << from;
  }
  put(folder_ / "expected.json", expected);
  const std::string bytes = get(folder_ / "frames/000000.vtp");
  put(folder_ / "frames/000000.vtp", bytes.substr(0, bytes.size() - 300));
  EXPECT_NE(read_with_vtk(), 0) << "a file cut short";
}

TEST(IoVtkFiles, NotANumberIsNeverWritten) {
  const Folder folder;
  measure::Frame bad = sample_frame(4);
  bad.contact_force[1][0] = std::numeric_limits<double>::quiet_NaN();
  expect_contains(error_of<base::RunError>([&] { write_contacts_vtp(folder / "c.vtp", bad); }),
                  "contact_force between bodies 106 and 109");
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(IoVtkFiles, TimesInThePvdHaveAllTheirDigits) {
  const Folder folder;
  write_pvd(folder / "f.pvd", std::vector<PvdEntry>{{1.0 / 3.0, "a.vtp", "", ""}});
  const std::string text = get(folder / "f.pvd");
  expect_contains(text, "timestep=\"0.33333333333333331\" group=\"\" part=\"0\" file=\"a.vtp\"");
  EXPECT_EQ(text.find("part=\"1\""), std::string::npos);
}

}  // namespace
}  // namespace moraine::io::testing
