// SPDX-License-Identifier: MIT
#include "sweep/keys.hpp"

namespace moraine::sweep {

namespace {

using namespace scene::keys;

scene::Key axis_tables() {
  return tables(
             "axis",
             {text("key").required().count(1).help("of the scene, as --set takes it: setup.mean_speed, body.0.radius"),
              value("values").help(
                  "a list: numbers, quantities with their unit, names, lists; or `from`, `to`, `count`"),
              value("from").help("first of evenly spaced values: a number, or a quantity with its unit"),
              value("to").help("last of them, in the same unit"),
              integer("count").between(2, 10000).help("how many of them"),
              choice("spacing", {{"linear", "equal differences"}, {"log", "equal ratios; all above zero"}})
                  .help("of values from `from` to `to`; without it, linear"),
              text("label").count(1).help("in pictures and messages; without it, the last part of `key`")})
      .help("a key that takes several values; the cells of the sweep are all combinations");
}

scene::Key case_tables() {
  return tables("case", {text("name").required().count(1).help("in tables and pictures"),
                         settings("set").required().count(1).help("keys of the scene with their values")})
      .help("a set of values that belong together; with axes, every case goes with every combination");
}

scene::Key map_table() {
  return table("map",
               {text("x").count(1).help("key or label of the axis to the right, or `case`; without it, the first"),
                text("y").count(1).help(
                    "key or label of the axis upwards, or `case`; without it, the second if `x` is absent too; a curve "
                    "with error bars if there is none"),
                text("result").count(1).help("what is drawn: one of `result`; without it, the first"),
                text("title").count(1).help("of the picture; without it, that of the sweep"),
                text("label").count(1).help("of the result; without it, the last part of its path")})
      .help("the picture; a further axis has a panel for each of its values (a curve: a line)");
}

}  // namespace

const scene::Schema& sweep_schema() {
  static const scene::Schema schema(
      "Moraine sweep",
      {text("title").def("").help("what the sweep shows"), text("source").def("").help("where it comes from"),
       text("scene").required().count(1).help(
           "file of the scene, from the folder of the sweep file, or the bare name of an example"),
       text("out").count(1).help("folder for the results; without it, out/NAME"),
       value("seeds").count(1).help("a number: so many runs of each cell, with seeds 1, 2, 3...; or a list of seeds; "
                                    "without it, one run, with the "
                                    "scene's own"),
       text("seed_key").count(1).def("seed").help("of the scene, that takes the seeds"),
       texts("result").required().count(1).help("numbers of summary.json, by their path: probes.jam.jammed"),
       settings("set").help("values for all runs, besides those of --set"), axis_tables(), case_tables(), map_table()});
  return schema;
}

}  // namespace moraine::sweep
