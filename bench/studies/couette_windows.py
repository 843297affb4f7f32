#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the three windows of the example `couette` (500 collisions per disk each) show the same profiles?

Its 23 disks break the symmetry: for a long time they go along with one of the two walls, so the profiles of one run drift by
more than their errors from blocks. This runs many seeds, and averages concentration and velocity u of each window over
them. The half turn of a run about the middle of the cell (y -> -y, u -> -u) is as good a flow; both are averaged, which
leaves half the bins and no more independent runs. Errors are from the scatter over the seeds; those of the difference
of two windows from the scatter of the difference, since the windows of a run are not independent.

    bench/studies/couette_windows.py                 # 30 seeds, under a minute
    bench/studies/couette_windows.py --start 4000 --length 2000      # later and longer windows
    bench/studies/couette_windows.py --fraction 0.02                 # finer steps
    bench/studies/couette_windows.py --aspect 0.5                    # a longer cell of 153 disks
"""
import argparse
import math
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the project
import runs  # noqa: E402

WINDOWS = (1, 2, 3)
MEASURED = {"concentration": ("concentration", "concentration_error", 1), "u": ("u [m/s]", "u_error [m/s]", -1)}
LEAST = 0.02  # bins that hardly a disk reaches, behind the bumps of the walls, have no velocity worth a comparison


def half_turn(values, sign):
    """Mean of a profile and of its half turn: the bins of the lower half, from the wall to the middle."""
    n = len(values)
    return [0.5 * (values[i] + sign * values[n - 1 - i]) for i in range(n // 2)]


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--start", type=float, default=500, help="of the first window, in collisions per disk")
    parser.add_argument("--length", type=float, default=500, help="of each window")
    parser.add_argument("--fraction", type=float, help="step over contact time; the example has 0.1")
    parser.add_argument("--aspect", type=float, help="width over length of the cell; the example has 10/3")
    parser.add_argument("--csv", type=pathlib.Path, help="write the mean profiles there")
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    options = parser.parse_args()
    tables, mean_u, slow = [], [], []
    sets = {}
    if (options.start, options.length) != (500, 500):
        ends = [options.start + options.length * w for w in range(len(WINDOWS) + 1)]
        sets = {"setup.windows": str([[a, b] for a, b in zip(ends, ends[1:])]), "time.end": 0.2 * ends[-1]}
    if options.fraction:
        sets["time.fraction"] = options.fraction
    if options.aspect:
        sets["setup.aspect"] = options.aspect
    with tempfile.TemporaryDirectory() as name:
        for seed in range(1, options.seeds + 1):
            summary = runs.run(options.program, "couette", sets | {"seed": seed}, name)
            # A run ends at 0.2 s per collision at the latest (most take 0.05 s): some seeds find a state in which there are hardly any collisions.
            if f"window_{WINDOWS[-1]}_mean_u" not in summary["probes"]["profile"]:
                slow.append(seed)
                continue
            tables.append([runs.read_columns(pathlib.Path(name) / "series" / f"profile_{w}.csv") for w in WINDOWS])
            mean_u.append([summary["probes"]["profile"][f"window_{w}_mean_u"] for w in WINDOWS])

    if slow:
        print(f"left out, since they did not come to the end of the third window: seeds {', '.join(map(str, slow))}")
    n = len(tables)
    ys = tables[0][0]["y [m]"]
    half = len(ys) // 2
    filled = [i for i in range(half) if sum(t[0]["concentration"][i] + t[0]["concentration"][-1 - i] for t in tables) / (2 * n) > LEAST]
    means, rows = {}, [{"y": ys[i]} for i in range(half)]
    for what, (column, _, sign) in MEASURED.items():
        for w in range(len(WINDOWS)):
            folded = [half_turn(t[w][column], sign) for t in tables]
            means[what, w] = folded
            for i in range(half):
                mean, error = runs.mean_and_error([f[i] for f in folded])
                rows[i][f"{what}_{w + 1}"], rows[i][f"{what}_{w + 1}_error"] = mean, error
    if options.csv:
        runs.write_csv(options.csv, rows)

    print(f"{n} seeds; means of each window with standard errors over the seeds")
    print(f"{'y':>6} " + " ".join(f"{what + ' ' + str(w):>17}" for what in MEASURED for w in WINDOWS))
    for row in rows:
        print(f"{row['y']:6.2f} " + " ".join(
            f"{row[f'{what}_{w}']:8.4f} +- {row[f'{what}_{w}_error']:5.4f}"[:17].rjust(17) for what in MEASURED for w in WINDOWS))

    print("\ndifferences of two windows over their standard errors, in the bins of half the cell that are filled")
    print(f"{'':>14} {'windows':>8} {'bins':>5} {'chi^2/bin':>10} {'largest':>8} {'over 2':>7}")
    for what in MEASURED:
        for a, b in ((0, 1), (1, 2), (0, 2)):
            scores = []
            for i in filled:
                mean, error = runs.mean_and_error([means[what, a][k][i] - means[what, b][k][i] for k in range(n)])
                scores.append(abs(mean) / error)
            print(f"{what:>14} {f'{a + 1} - {b + 1}':>8} {len(filled):5d} {sum(s * s for s in scores) / len(scores):10.2f} "
                  f"{max(scores):8.2f} {sum(s > 2 for s in scores):7d}")

    print("\nsingle runs, whole cell: what their errors say (rms over bins and seeds), and what is seen")
    print(f"{'':>14} {'errors say':>11} {'over seeds':>11} {'ratio':>6}   {'windows: say':>12} {'differ':>8} {'ratio':>6}")
    both = filled + [len(ys) - 1 - i for i in filled]
    for what, (column, error_column, _) in MEASURED.items():
        said, seen, said_change, seen_change = [], [], [], []
        for i in both:
            for w in range(len(WINDOWS)):
                values = [t[w][column][i] for t in tables]
                mean = sum(values) / n
                seen += [(v - mean) * math.sqrt(n / (n - 1)) for v in values]
                said += [t[w][error_column][i] for t in tables]
            for a, b in ((0, 1), (1, 2), (0, 2)):
                seen_change += [t[a][column][i] - t[b][column][i] for t in tables]
                said_change += [math.hypot(t[a][error_column][i], t[b][error_column][i]) for t in tables]
        print(f"{what:>14} {rms(said):11.4f} {rms(seen):11.4f} {rms(seen) / rms(said):6.1f}   {rms(said_change):12.4f} "
              f"{rms(seen_change):8.4f} {rms(seen_change) / rms(said_change):6.1f}")

    print("\nsingle runs, whole cell: part of all bins in which two windows differ by less than one and two errors")
    for what, (column, error_column, _) in MEASURED.items():
        for a, b in ((0, 1), (1, 2), (0, 2)):
            scores = [abs(t[a][column][i] - t[b][column][i]) / math.hypot(t[a][error_column][i], t[b][error_column][i])
                      for t in tables for i in both]
            print(f"{what:>14} {f'{a + 1} - {b + 1}':>8} {sum(s < 1 for s in scores) / len(scores):7.2f} {sum(s < 2 for s in scores) / len(scores):7.2f}")

    print("\nmean u of all disks, of walls that go with +10 and -10")
    for w in range(len(WINDOWS)):
        values = [u[w] for u in mean_u]
        mean, error = runs.mean_and_error(values)
        size, size_error = runs.mean_and_error([abs(v) for v in values])
        print(f"window {w + 1}: mean {mean:.2f} +- {error:.2f}, mean size {size:.2f} +- {size_error:.2f}, with the lower wall in {sum(v > 0 for v in values)} of {n} runs")
        print("    sizes: " + " ".join(f"{v:.1f}" for v in sorted(abs(v) for v in values)))
    for a, b in ((0, 1), (1, 2), (0, 2)):
        one, other = [u[a] for u in mean_u], [u[b] for u in mean_u]
        (m, _), (o, _) = runs.mean_and_error(one), runs.mean_and_error(other)
        together = sum((x - m) * (y - o) for x, y in zip(one, other))
        print(f"correlation of windows {a + 1} and {b + 1}: "
              f"{together / math.sqrt(sum((x - m) ** 2 for x in one) * sum((y - o) ** 2 for y in other)):.2f}, "
              f"same wall in {sum(x * y > 0 for x, y in zip(one, other))} of {n} runs")


if __name__ == "__main__":
    main()
