#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples, draws them, and writes docs/gallery.md and its pictures; also the pictures of the README and of other pages.

    ./dev gallery                  # all of it; runs that are there already (out/gallery) are only drawn again
    ./dev gallery heap_2d couette  # some of it
    ./dev gallery --fresh          # runs everything anew

Only the standard library is needed. A picture is one of those that `moraine plot` makes; nothing is drawn here. That of
the page of `moraine view` needs what `./dev check browser` installs; without it that picture stays as it is. Pictures in
SLOW are made only when they are asked for by name.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
PROGRAM = ROOT / "build" / "moraine"
RUNS = ROOT / "out" / "gallery"
PICTURES = DOCS / "pictures"
DOTS = 84  # per inch: 784 pixels wide


@dataclasses.dataclass(frozen=True)
class Sweep:
    """A picture of a sweep: the shipped one of that name."""
    name: str
    sets: tuple = ()


@dataclasses.dataclass(frozen=True)
class Viewed:
    """The page of `moraine view` with the run of an example."""
    example: str


@dataclasses.dataclass(frozen=True)
class Shown:
    """One example: which of its pictures stands for it, from what run."""
    example: str
    picture: str = "configuration_sheet"  # a name in plots/, or its beginning (the last of those is taken)
    sets: tuple = ()  # "key.path=value", where the whole run would take long
    plot: tuple = ()  # arguments of moraine plot
    also: tuple = ()  # endings of further pictures of it, as in configuration_000050_top


FOUR = ("--frames", "first,33%,67%,last", "--sheet")
LAST = ("--frames", "last")

HEADS = {
    "Heaps, bins, drums": [
        Shown("heap_2d"), Shown("bin_flow"), Shown("cascade", sets=("time.steps=60000",), plot=("--frames", "first,15%,33%,last", "--sheet")), Shown("silo_3d"), Shown("hourglass_3d", plot=("--frames", "first,7%,14%,last", "--sheet")), Shown("shaker"),
        Shown("clumps_drum"), Shown("cohesive_column"), Shown("wide_sizes", "configuration_", plot=LAST), Shown("piston"),
        Shown("bed_3d", "configuration_", ("setup.count=8000",), LAST), Shown("rubble_pile"), Shown("ice_drift"),
        Shown("triaxial_3d", "configuration_", plot=LAST),
    ],
    "Flows between walls, shear, nine discs": [
        Shown("couette", "table_profile"), Shown("channel", "table_profile"), Shown("chute", "table_profile"),
        Shown("simple_shear", "velocity_", plot=LAST), Shown("box_biaxial", "forces_sheet"),
        Shown("nine_disc_compression", "forces_", plot=LAST), Shown("nine_disc_distortion", "forces_", plot=LAST),
        Shown("impact_normal", "series_impact"), Shown("impact_oblique", "series_impact"),
    ],
    "Linked bodies": [
        Shown("pendulum", "phase_tip", ("time.end=10",)), Shown("double_pendulum", "phase_tip", ("probe.0.every=0.002",)), Shown("chain_points"), Shown("chain_bars"),
        Shown("stack", sets=("setup.lean=1 deg", "time.end=1.4", "output.every=0.02"), plot=("--frames", "first,36%,57%,last", "--sheet")), Shown("three_spheres"), Shown("cluster_3d"), Shown("wheel"), Shown("necklace", plot=("--frames", "first,12%,26%,last", "--sheet")), Shown("tennis_racket", sets=("output.every=0.02",), plot=("--frames", "17%,20%,22%,25%", "--sheet", "--colour", "material")),
    ],
    "Hard contacts": [
        Shown("newton_cradle"), Shown("billiard"), Shown("bouncing_ball", "series_energy"), Shown("block_stack", "forces_", plot=LAST),
        Shown("pyramid", "forces_", plot=LAST), Shown("pile_2d", "forces_", plot=LAST),
        Shown("pile_3d", "configuration_", plot=LAST), Shown("deep_pile", "series_overlaps"), Shown("hopper_hard"), Shown("drum_hard"),
        Shown("breakup"), Shown("cohesive_pile"), Shown("column_collapse_3d"), Shown("truss_pile", "forces_", plot=LAST),
    ],
    "Streams, ice, jams": [
        Shown("flow_cylinder"), Shown("flow_bend", "table_section"), Shown("river_ice", "configuration_", plot=LAST),
        Shown("pier_ice", "configuration_", plot=LAST), Shown("chute_bin"), Shown("pipe_jam", "configuration_", plot=LAST),
        Shown("floes_random_shapes", "configuration_", plot=LAST), Shown("ice_breakup"), Shown("wind_ice", "configuration_", plot=LAST),
    ],
    "Solids": [
        Shown("block_on_slope", "series_block"), Shown("dominoes"), Shown("wall_of_bricks"), Shown("polygons_2d"), Shown("rock_heap"),
        Shown("helix", "configuration_", plot=("--frames", "50%", "--view", "corner,top,side"), also=("_top", "_side")), Shown("jacks"), Shown("hopper_polyhedra"),
        Shown("mixer", plot=("--frames", "33%,50%,75%,last", "--sheet")),
    ],
}
# Pictures of the README and of other pages: file in docs/pictures, and what it is of.
PAGES = {
    "view": Viewed("heap_2d"),
    "oblique_impact": Sweep("oblique_impact"),
    "heap_2d": Shown("heap_2d", "configuration_", plot=LAST),
    "heap_2d_forces": Shown("heap_2d", "forces_", plot=LAST),
    "bed_3d": Shown("bed_3d", "configuration_", ("setup.count=8000",), LAST),
    "river_ice": Shown("river_ice", "configuration_", plot=LAST),
    "rock_heap": Shown("rock_heap", "configuration_", plot=LAST),
    "helix": Shown("helix", "configuration_", plot=("--frames", "50%")),
    "hopper_polyhedra": Shown("hopper_polyhedra", "configuration_", plot=("--frames", "50%")),
}
# Those that take hours.
SLOW = {
    "jam_map_68": Sweep("pipe_jam_map", ('sweep.axis.2.values=["0.068 m"]',)),
}


def say(text):
    print(f"gallery: {text}", file=sys.stderr, flush=True)


def call(*line):
    done = subprocess.run([str(word) for word in line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"gallery: status {done.returncode} of {' '.join(map(str, line))}\n{done.stdout[-2000:]}")
    return done.stdout


def ran(shown, fresh):
    """The folder of the run, made if it is not there."""
    folder = RUNS / re.sub(r"[^\w.=]+", "_", "-".join([shown.example, *shown.sets]))
    done = folder / "summary.json"
    if fresh or not done.exists() or json.loads(done.read_text())["status"] != "finished":
        say(f"running {shown.example}")
        sets = [word for value in (*shown.sets, "output.vtk=false") for word in ("--set", value)]
        call(PROGRAM, "run", ROOT / "examples" / f"{shown.example}.toml", "--out", folder, "--overwrite", "--quiet", *sets)
    return folder


def keep(found, file):
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(found, file)
    say(f"made {file.relative_to(ROOT)}")


def draw_sweep(sweep, file):
    folder = RUNS / f"sweep-{sweep.name}"
    say(f"sweep {sweep.name}")
    sets = [word for value in sweep.sets for word in ("--set", value)]
    call(PROGRAM, "sweep", sweep.name, "--out", folder, "--quiet", *sets)
    call(PROGRAM, "plot", folder, "--formats", "png", "--dpi", 110)
    keep(folder / "map.png", file)


def draw_page(viewed, file):
    """Shows the run in a browser, and takes a picture of that."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    script = ROOT / "build" / "browser" / "picture.mjs"
    if browser is None or not (script.parent / "node_modules").exists():
        return say(f"{file.relative_to(ROOT)} is left as it is: ./dev check browser installs what it takes")
    folder = ran(Shown(viewed.example), False)
    shutil.copyfile(ROOT / "tests" / "browser" / script.name, script)
    program = subprocess.Popen([PROGRAM, "view", folder, "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        address = program.stdout.readline().strip()
        call("env", f"CHROMIUM={browser}", "node", script, address, file)
    finally:
        program.terminate()
        program.wait()
    say(f"made {file.relative_to(ROOT)}")


def draw(shown, file, fresh, dots=DOTS):
    """Draws the run and copies the picture that is wanted."""
    folder = ran(shown, fresh)
    plots = folder / "plots"
    shutil.rmtree(plots, ignore_errors=True)
    call(PROGRAM, "plot", folder, "--formats", "png", "--dpi", dots, *(shown.plot or FOUR))
    for end in ("", *shown.also):
        found = sorted(path for path in plots.glob(f"{shown.picture}*{end}.png")
                       if end or not path.stem.endswith(tuple(shown.also) or "."))
        if not found:
            there = ", ".join(sorted(path.stem for path in plots.glob("*.png")))
            sys.exit(f"gallery: {shown.example} has no picture {shown.picture}{end}; there are {there}")
        keep(found[-1], file.with_stem(file.stem + end))


def page():
    """docs/gallery.md: every example with its picture and its command."""
    lines = ["# Gallery", "", "Every example, by `./dev gallery` (`docs/make_gallery.py`). `moraine run NAME`, then `moraine plot` or `moraine view` on its folder, shows each of them.", ""]
    for head, entries in HEADS.items():
        lines += [f"## {head}", ""]
        for shown in entries:
            scene = tomllib.loads((ROOT / "examples" / f"{shown.example}.toml").read_text())
            command = " ".join(["moraine run", shown.example, *(f"--set {shlex.quote(value)}" for value in shown.sets)])
            source = f" *{scene['source']}*" if "source" in scene else ""
            lines += [f"### {scene['title']}", "", f"`{command}`{source}", ""]
            # None to pictures that have not been made yet.
            for end in ("", *shown.also):
                file = f"pictures/gallery/{shown.example}{end}.png"
                if (DOCS / file).exists():
                    lines += [f"![{scene['title']}]({file})", ""]
    (DOCS / "gallery.md").write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of examples or of pictures; without, all")
    parser.add_argument("--fresh", action="store_true", help="run anew what is there already")
    options = parser.parse_args()
    entries = {shown.example: shown for head in HEADS.values() for shown in head}
    missing = {path.stem for path in (ROOT / "examples").glob("*.toml")} ^ set(entries)
    if missing:
        sys.exit(f"gallery: not both an example and in the gallery: {', '.join(sorted(missing))}")
    unknown = set(options.names) - set(entries) - set(PAGES) - set(SLOW)
    if unknown:
        sys.exit(f"gallery: there is no {', '.join(sorted(unknown))}")
    for name, shown in entries.items():
        if not options.names or name in options.names:
            draw(shown, PICTURES / "gallery" / f"{name}.png", options.fresh)
    for name, shown in {**PAGES, **SLOW}.items():
        if name not in options.names and (options.names or name in SLOW):
            continue
        file = PICTURES / f"{name}.png"
        if isinstance(shown, Sweep):
            draw_sweep(shown, file)
        elif isinstance(shown, Viewed):
            draw_page(shown, file)
        else:
            draw(shown, file, False, 110)
    page()


if __name__ == "__main__":
    main()
