#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ice that gathers at a pier (examples/pier_ice.toml) at two surface densities, ten seeds each: floes at the pier and the
load on it over time, as a table and, with --figure FILE, as SVG. Some minutes on a core."""
import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the project
from runs import PROGRAM, ROOT, mean_and_error, read_columns, run  # noqa: E402

sys.path.insert(0, str(ROOT / "bench" / "hard"))
import figure  # noqa: E402

PARTS = 5


def means(values, parts):
    """Means of equal parts of a series."""
    ends = [len(values) * k // parts for k in range(parts + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in zip(ends, ends[1:])]


def column(series, name):
    return next(values for key, values in series.items() if key.split(" [")[0] == name)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    words.add_argument("--densities", type=float, nargs="+", default=[0.05, 0.15])
    words.add_argument("--seeds", type=int, default=10)
    words.add_argument("--figure", type=pathlib.Path, help="an SVG file")
    asked = words.parse_args()
    lines = {"number": [], "load": []}
    print("| density | floes at the pier in fifths of the run | most at once | mean load, kN | largest load, kN |")
    print("|---|---|---|---|---|")
    for density in asked.densities:
        numbers, loads, most, heaviest = [], [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(1, asked.seeds + 1):
                run(asked.program, "pier_ice", {"seed": seed, "inlet.0.surface_density": density}, folder)
                series = read_columns(pathlib.Path(folder) / "series" / "accumulation.csv")
                times = column(series, "time")
                numbers.append(column(series, "number"))
                loads.append(column(series, "load"))
                most.append(max(numbers[-1]))
                heaviest.append(max(loads[-1]))
        fifths = [mean_and_error(part) for part in zip(*(means(n, PARTS) for n in numbers))]
        load = mean_and_error([sum(one[len(one) // 2:]) / (len(one) - len(one) // 2) for one in loads])
        print(f"| {density:g} | " + ", ".join(f"{m:.1f} ± {e:.1f}" for m, e in fifths) + f" | {max(most):.0f} | "
              f"{load[0] / 1e3:.2f} ± {load[1] / 1e3:.2f} | {max(heaviest) / 1e3:.0f} |", flush=True)
        points = 80
        at = means(times, points)
        over = lambda runs: [sum(v) / len(v) for v in zip(*(means(r, points) for r in runs))]
        lines["number"].append((f"{density:g}, {asked.seeds} seeds", list(zip(at, over(numbers)))))
        lines["load"].append((f"{density:g}, {asked.seeds} seeds", [(t, v / 1e3) for t, v in zip(at, over(loads))]))
        lines["number"].append((f"{density:g}, seed 1", list(zip(at, means(numbers[0], points)))))
        lines["load"].append((f"{density:g}, seed 1", [(t, v / 1e3) for t, v in zip(at, means(loads[0], points))]))
    if asked.figure:
        figure.write(asked.figure, [figure.Panel("floes at the pier", "time, s", lines["number"], False, False),
                                    figure.Panel("load on the pier, kN", "time, s", lines["load"], False, False)])


if __name__ == "__main__":
    main()
