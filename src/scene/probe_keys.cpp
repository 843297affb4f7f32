// SPDX-License-Identifier: MIT
// Keys of [[probe]]; those of the fluid are in flow_keys.cpp.
#include "scene/keys.hpp"

namespace moraine::scene {

using namespace keys;

Key probe_tables() {
  return tables(
             "probe",
             {text("name").count(1).help("of the series/NAME.csv and in summary.json; without it, the kind"),
              number("every", kTime)
                  .positive()
                  .help(
                      "time between two looks; each makes a row, except for `profile`; without it, a 500th of the run "
                      "(`profile`: 10 steps; `impact` looks at every step)"),
              integer("every_steps").at_least(1).help("instead of `every`, counted in steps"),
              boolean("cycles").def("false").help("the first column is the number of the step"),
              selector("kind").required().help("what is measured")},
             {variant("kind", "energy", "budget: kinetic, potential, elastic, lost by each mechanism, work of walls",
                      {}),
              variant("kind", "counts", "bodies, contacts, bodies removed, collisions (a contact that opened)", {}),
              variant("kind", "walls", "force and torque on walls", {texts("walls").help("names; without it, all")}),
              variant("kind", "bodies", "position, velocity and spin of chosen bodies",
                      {numbers("ids").required().count(1).help("ids of bodies")}),
              variant("kind", "clumps",
                      "position, velocity, spin, orientation (quaternion and Kardan angles), angular momentum of "
                      "chosen clumps",
                      {numbers("ids").required().count(1).help("ids of clumps, from 0 in the order of the file")}),
              variant("kind", "displacement", "how far a body has come since the start",
                      {integer("body").at_least(0).required().help("id; of a solid, its centre of mass")}),
              variant("kind", "contacts", "normal and shear force and overlap of chosen contacts",
                      {points("pairs", kNone, 2).help("pairs of ids"),
                       text("wall").help("with `body`: the contact of a body with this wall"),
                       integer("body").at_least(0).help("with `wall`: id")}),
              variant(
                  "kind", "stress",
                  "stress tensor (contacts and motion), granular temperature, covered fraction; compression positive",
                  {number("volume").positive().help("that it refers to, in m^3 (2D: m^2); without it, the domain's"),
                   number("from", kTime).at_least(0).def("0").help("averages for the summary begin here")}),
              variant("kind", "box", "sizes, strains and stresses of a box of walls, friction angle",
                      {texts("walls").required().help("low and high wall along x, y (and z)"),
                       choice("axis", {{"x", ""}, {"y", ""}, {"z", ""}}).def("y", "z").help("that is compressed"),
                       number("from", kTime).at_least(0).def("0").help("compression begins: strains count from here")}),
              variant(
                  "kind", "profile",
                  "concentration, velocity, temperature, stress and spin in bins along an axis, averaged over windows "
                  "(docs/measures.md); each window becomes series/NAME_WINDOW.csv, counted from 1",
                  {choice("axis", {{"x", ""}, {"y", ""}, {"z", ""}}).def("y").help("that the bins are in a row along"),
                   number("min", kLength).help("where the bins begin; without it, the domain's bound"),
                   number("max", kLength).help("where the bins end; without it, the domain's bound"),
                   integer("bins").between(1, 10000).def("20").help("how many"),
                   number("section").positive().help(
                       "of a bin across the axis, in m^2 (2D: m); without it, from the domain's bounds"),
                   boolean("held").def("false").help("fixed and prescribed bodies count as covered, too"),
                   points("windows", kNone, 2)
                       .count(1)
                       .help(
                           "pairs [from, to] to average over, in the unit of `by`, which may overlap; without it, the "
                           "whole run"),
                   choice("by",
                          {{"time", "s"}, {"steps", "steps of the run"}, {"collisions", "collisions per free body"}})
                       .def("time")
                       .help("what windows count"),
                   number("row_every", kTime)
                       .positive()
                       .help("time between two rows of series/NAME.csv, each the average since the last; without it, a "
                             "200th of the run")}),
              variant(
                  "kind", "flux",
                  "what passes a line (2D) or plane (3D) across an axis; `every` is then the time between two looks, "
                  "without it 10 steps",
                  {choice("axis", {{"x", ""}, {"y", ""}, {"z", ""}})
                       .def("y", "z")
                       .help("across which; up counts positive"),
                   number("at", kLength).required().help("where on the axis"),
                   vector("min", kLength)
                       .help("lower corner of a window, its number along the axis aside; without it, everywhere"),
                   vector("max", kLength).help("upper corner of the window"),
                   number("row_every", kTime).positive().help("time between two rows; without it, a 200th of the run"),
                   number("from", kTime).at_least(0).def("0").help("averages for the summary begin here")}),
              variant(
                  "kind", "forces", "sizes and directions of contact forces, and the fabric of contacts",
                  {integer("bins").between(2, 10000).def("40").help(
                       "of the distribution of forces, from 0 to 6 times the mean"),
                   integer("angles").between(2, 3600).def("36").help("directions of contacts, over half a turn"),
                   texts("plane")
                       .one_of({{"x", ""}, {"y", ""}, {"z", ""}})
                       .count(2, 2)
                       .def("[\"x\", \"y\"]")
                       .help("in which directions are measured"),
                   boolean("walls").def("false").help("contacts with walls count too"),
                   number("from", kTime).at_least(0).def("0").help("averages for tables and the summary begin here")}),
              variant(
                  "kind", "tip",
                  "hard: a body and a link: position, velocity, angle of the link from the vertical, energy",
                  {integer("body").at_least(0).help("id; without it, the last one"),
                   integer("link").at_least(0).def("0").help("number of the link; [[link]] first, then [[chain]]")}),
              variant("kind", "links",
                      "hard: largest violations of links, energy error, largest forces, iterations and steps", {}),
              variant("kind", "link_forces", "hard: forces of chosen links, tension positive",
                      {numbers("links").required().count(1).help("numbers of links; [[link]] first, then [[chain]]")}),
              variant("kind", "centre", "a body, or the middle of two: its way, and when it turns back vertically",
                      {numbers("bodies").count(1, 2).help("ids; without it, the middle of the row of bodies")}),
              variant("kind", "stack", "how much lower the top stands than at the start, and when that was too much",
                      {number("limit").positive().below(1).def("0.001").help("part of the height, for the summary")}),
              variant("kind", "momentum", "linear and angular momentum (about the origin) of all free bodies, energy",
                      {}),
              variant("kind", "coordination", "mean number of contacts per body, with and without rattlers", {}),
              variant("kind", "overlaps",
                      "how far bodies overlap and are from rest, against their radii R; friction beyond its cone, "
                      "iterations of hard contacts",
                      {number("from", kTime).at_least(0).def("0").help("moves count from this time on")}),
              variant("kind", "bonds", "bonds that hold, bonds that broke, when the first did", {}),
              variant(
                  "kind", "truss-forces",
                  "contact forces that balance the loads, by the equivalent truss (docs/truss.md); those of the last "
                  "look in series/NAME_contacts.csv",
                  {boolean("friction").def("true").help("as the contacts have it; false: all are smooth"),
                   boolean("limits").def("true").help(
                       "contacts do not pull and slide at the limit of friction; false: they are glued"),
                   boolean("peel").def("true").help("bodies whose own balance gives their forces are solved first"),
                   choice("loads", {{"weight", "mass times gravity"},
                                    {"motion",
                                     "what the run's own contact forces balance: all forces from outside "
                                     "less mass times acceleration"}})
                       .def("weight")
                       .help("that the forces are to balance"),
                   choice("stiffness", {{"equal", "the same for all contacts"},
                                        {"law", "that of the contact law, of each pair of materials"}})
                       .def("equal")
                       .help("of contacts; only their ratios matter"),
                   number("shear_ratio")
                       .positive()
                       .help("stiffness along the surface over that across; without it, as the contact law has it, or "
                             "1"),
                   number("tolerance")
                       .above(0)
                       .below(1)
                       .def("1e-8")
                       .help("bodies count as unbalanced if more is left on them, in mean loads")}),
              variant("kind", "clusters",
                      "bodies that contacts join: how many such clusters keep their shape, or cannot move at all", {}),
              variant("kind", "traffic",
                      "what came through inlets and went through outlets, what there is, the balance", {}),
              variant(
                  "kind", "jam",
                  "is it stuck: a batch of an inlet found its area occupied, hardly anything leaves, arrivals find no "
                  "room, or a region is full; summary: jammed (0 or 1), time (if it is), sign (1 to 4 in this order, "
                  "0: none)",
                  {texts("inlets").help("names; without it, all"),
                   texts("outlets").help("names; without it, all ways out, and those of the domain"),
                   number("window", kTime).positive().help("that is looked at; without it, a 20th of the run"),
                   number("discharge")
                       .between(0, 1)
                       .def("0.02")
                       .help(
                           "jam if, in a window, no more than this part of what should have come leaves, and something "
                           "has left before; 0: does not count"),
                   number("blocked").above(0).at_most(1).def("1").help(
                       "jam if, in a window, more than this part of arrivals finds no room; 1: does not count"),
                   vector("min", kLength).help("lower corner of a region that may fill up"),
                   vector("max", kLength).help("upper corner of the region"),
                   number("full").above(0).at_most(1).help("covered part of the region at which it is a jam"),
                   boolean("stop").def("true").help("the run ends with the jam")}),
              variant(
                  "kind", "accumulation",
                  "bodies that contacts join with chosen walls: number, area (3D: volume), load on the walls since the "
                  "last "
                  "row, mean and peak; `every` is then the time between two looks, without it a step",
                  {texts("walls").required().count(1).help("names"),
                   number("slower_than", kSpeed).positive().help("faster ones do not count; without it, all do"),
                   number("row_every", kTime).positive().help("time between two rows; without it, a 200th of the run"),
                   number("from", kTime).at_least(0).def("0").help("averages for the summary begin here")}),
              variant("kind", "patches",
                      "clusters of bodies that contacts join, and how many are of which size (series/NAME_sizes.csv)",
                      {number("from", kTime).at_least(0).def("0").help("averages begin here")}),
              variant("kind", "impact", "restitution, angular restitution and duration of one collision",
                      {integer("body").at_least(0).def("0").help("id"),
                       integer("other").at_least(0).help("id of the other body"),
                       text("wall").help("name of a wall, instead of `other`")})})
      .help("what is measured, each into a CSV file");
}

}  // namespace moraine::scene
