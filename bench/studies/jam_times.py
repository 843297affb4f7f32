#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time to jam over the mean speed, from the table of a jam map: t = c v^p, one factor c for each diameter and density, one
power p for each diameter. Sun 1996, 6.5.2, has "almost in inverse proportion". Only cells count in which all runs jam.
The same seed at two speeds is the same run on another clock unless chance takes another course, so that the spread of a
cell is that of its seeds; the power is fitted to the logarithms of the means, with their errors. Also the table of the map,
with the Froude number v / sqrt(g D), D = 0.4 m. Only the standard library is needed.

    moraine sweep pipe_jam_map --out jam
    bench/studies/jam_times.py jam/table.csv
"""
import argparse
import collections
import csv
import math
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the project
import runs  # noqa: E402

WIDTH, GRAVITY = 0.4, 9.81


def cells_of(file):
    """Runs by (diameter, density, speed): (jammed, time)."""
    cells = collections.defaultdict(list)
    with open(file) as lines:
        for row in csv.DictReader(lines):
            row = {name.split()[0]: value for name, value in row.items()}  # without units
            key = tuple(float(row[name]) for name in ("setup.diameter", "setup.density", "setup.mean_speed"))
            if row["status"] == "finished":
                jammed = float(row["probes.jam.jammed"]) > 0.5
                cells[key].append((jammed, float(row["probes.jam.time"]) if jammed else None))  # without a jam: no time
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    cells = cells_of(parser.parse_args().table)
    speeds = sorted({key[2] for key in cells})
    for diameter in sorted({key[0] for key in cells}):
        densities = sorted({key[1] for key in cells if key[0] == diameter})
        print(f"\nd = {diameter:g} m: runs that jam of all, and the mean time in s")
        print(f"{'density':>8} " + " ".join(f"{f'v {v:g}, Fr {v / math.sqrt(GRAVITY * WIDTH):.4f}':>24}" for v in speeds))
        points, sure = [], []
        for density in densities:
            line = []
            for speed in speeds:
                runs_here = cells.get((diameter, density, speed), [])
                times = [t for jammed, t in runs_here if jammed]
                mean, error = runs.mean_and_error(times) if len(times) > 1 else (math.nan, math.nan)
                line.append(f"{len(times)} of {len(runs_here)}" + (f", {mean:.0f} +- {error:.0f}" if times else ""))
                if len(times) == len(runs_here) > 1:
                    points.append(((density, speed), math.log(mean), error / mean))
                    if density not in sure:
                        sure.append(density)
            print(f"{density:8g} " + " ".join(f"{text:>24}" for text in line))
        if len(points) > len(sure) + 1:
            values, errors, chi2 = runs.fit(lambda p, x: p[sure.index(x[0])] + p[-1] * math.log(x[1]),
                                            [5.0] * len(sure) + [-1.0], points)
            print(f"t = c v^p: p = {values[-1]:.3f} +- {errors[-1]:.3f}, chi^2 per degree of freedom {chi2:.2g}, {len(points)} cells")


if __name__ == "__main__":
    main()
