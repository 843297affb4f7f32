# SPDX-License-Identifier: MIT
"""Dense piles: residual, penetration and violation of the friction cone, over iterations of one frozen step (bench_solvers)
and over steps as a pile falls and comes to rest. Figures: docs/figures/pile_iterations.svg, pile_steps.svg."""
import csv
import pathlib
import subprocess

import figure
import piles
import runs
from runs import say

FIGURES = runs.ROOT / "docs" / "figures"
SCENE = runs.ROOT / "examples" / "pile_2d.toml"
# Parts of a step, least and most sweeps in each, solver.
WAYS = {"1 x 16 Gauss-Seidel": (1, 16, 16, "gauss-seidel"), "1 x 16 conjugate": (1, 2, 16, "conjugate"),
        "4 x 4 Gauss-Seidel": (4, 4, 4, "gauss-seidel"), "8 x 2 Gauss-Seidel": (8, 2, 2, "gauss-seidel"),
        "8 x 2 to 8 (default)": (8, 2, 8, "conjugate"), "32 x 2 Gauss-Seidel": (32, 2, 2, "gauss-seidel")}


def iterations(options):
    count = (options.sizes or [2000])[0]
    subprocess.run(["cmake", "--build", str(runs.ROOT / "build"), "--target", "bench_solvers"], check=True, capture_output=True)
    sets = [*piles.sizes_of(count), "time.end=10"]
    done = subprocess.run([str(runs.ROOT / "build" / "bench_solvers"), str(SCENE), str(1 / 240 / 8), "4096", *sets],
                          check=True, capture_output=True, text=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    solvers = list(dict.fromkeys(row["solver"] for row in rows))

    def lines(column, over="iterations"):
        return [(solver, [(float(r[over]), float(r[column])) for r in rows if r["solver"] == solver]) for solver in solvers]

    figure.write(FIGURES / "pile_iterations.svg",
                 [figure.Panel("residual, normal / g h", "iterations", lines("normal")),
                  figure.Panel("residual, slip / g h", "iterations", lines("slip")),
                  figure.Panel("penetration speed / g h", "iterations", lines("approach")),
                  figure.Panel("cone violation / largest force", "iterations", lines("cone")),
                  figure.Panel("residual, normal / g h", "s of one thread", lines("normal", "seconds"))])
    table = [[r["solver"], r["iterations"], f"{float(r['seconds']) * 1e3:.2f}", *(f"{float(r[c]):.2g}" for c in ("normal", "slip", "approach", "cone"))]
             for r in rows]
    return [runs.print_table(f"One step of a settled pile of {count} disks from nothing",
                             ["solver", "iterations", "ms", "normal / g h", "slip / g h", "penetration / g h", "cone"], table)]


def steps(options):
    count = (options.sizes or [2000])[0]
    seen = {}
    for name, (parts, least, most, solver) in WAYS.items():
        say(name)
        folder = pathlib.Path(options.work) / "curves"
        sets = [*piles.sizes_of(count), f"hard.substeps={parts}", f"hard.least_iterations={least}", f"hard.most_iterations={most}",
                f"hard.contact_solver={solver}", "probe.1.every=0.05", "probe.1.from=0", "time.max_overlap=1"]
        try:
            piles.start(options, folder.name, sets, options.end or 14)
        except subprocess.CalledProcessError as error:
            say(f"  ended early: {error.stderr.decode(errors='replace').strip().splitlines()[:1]}")
        seen[name] = runs.read_columns(folder / "series" / "overlaps.csv")

    def lines(column, scale=1.0):
        return [(name, [(t, scale * y) for t, y in zip(s["time"], s[column]) if t > 0]) for name, s in seen.items()]

    figure.write(FIGURES / "pile_steps.svg",
                 [figure.Panel("residual, m/s", "time, s", lines("residual"), log_x=False),
                  figure.Panel("mean overlap / R", "time, s", lines("mean_overlap"), log_x=False),
                  figure.Panel("largest overlap / R", "time, s", lines("max_overlap"), log_x=False),
                  figure.Panel("kinetic energy / m g R", "time, s", lines("kinetic"), log_x=False),
                  figure.Panel("cone violation / largest force", "time, s", lines("cone"), log_x=False)])
    table = [[name, *(f"{s[c][-1]:.2g}" for c in ("residual", "mean_overlap", "max_overlap", "kinetic", "cone", "iterations"))]
             for name, s in seen.items()]
    return [runs.print_table(f"A pile of {count} disks at the end, 1/240 s",
                             ["parts x sweeps", "residual m/s", "mean overlap R", "max overlap R", "kinetic m g R", "cone", "sweeps a step"], table)]
