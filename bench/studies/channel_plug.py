#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The example `channel`: largest mean velocity of 15 to 50 s and the width of the plug, over seeds. Babic 1988, 3.6, has
0.708 m/s and a plug of 7 to 9 layers.

The plug is where u is above 97 % (and, beside it, 99 %) of its largest value, measured between the places where the
profile, taken as straight between the middles of the bins, goes through that; a layer is a row of a hexagonal packing,
d sqrt(3)/2 thick.

    bench/studies/channel_plug.py            # 5 seeds, about half a minute
    bench/studies/channel_plug.py --early    # the plug while it forms, when the source looked at it: 60 seeds, 2 minutes
    bench/studies/channel_plug.py --packing  # the same runs as the source describes its pictures: rows of disks in dense
                                             # hexagonal packing
"""
import argparse
import cmath
import math
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the project
import runs  # noqa: E402

DIAMETER = 0.0444
HALF = 0.3108  # of the channel
LAYER = DIAMETER * 3**0.5 / 2
AVERAGE = 12  # window: 15 to 50 s
SHORT = range(5, 12)  # windows of 5 s each, the same time
EARLY = {2: "4 to 7 s", 3: "7 to 10 s", 4: "10 to 15 s", 5: "15 to 20 s"}  # windows
SOURCE = 0.708
PERIOD = 5 * DIAMETER  # of the cell
PICTURES = (7, 10, 15)  # s


def plug(table, part):
    """From where to where u is above a part of its largest value; bins with hardly a disk left out."""
    bins = [(y, u) for y, u, c in zip(table["y [m]"], table["u [m/s]"], table["concentration"]) if c > 0.05]
    limit = part * max(u for _, u in bins)
    inside = [i for i, (_, u) in enumerate(bins) if u >= limit]
    edges = []
    for i, step in ((inside[0], -1), (inside[-1], 1)):
        y, u = bins[i]
        if 0 <= i + step < len(bins):
            y2, u2 = bins[i + step]
            edges.append(y + (y2 - y) * (u - limit) / (u - u2))
        else:
            edges.append(y + 0.5 * step * (bins[1][0] - bins[0][0]))
    return edges


def early(options):
    """How wide the plug is in the first windows, over many seeds, and in how many it touches neither wall."""
    widths = {w: [] for w in EARLY}
    free = {w: [] for w in EARLY}
    with tempfile.TemporaryDirectory() as name:
        for seed in range(1, options.seeds + 1):
            runs.run(options.program, "channel", {"seed": seed, "time.end": 20}, name)
            for w in EARLY:
                low, high = plug(runs.read_columns(pathlib.Path(name) / "series" / f"profile_{w}.csv"), 0.97)
                widths[w].append((high - low) / LAYER)
                free[w].append(min(low + HALF, HALF - high) > 3 * LAYER)
    print(f"{options.seeds} seeds: layers of the plug")
    for w, when in EARLY.items():
        mean, error = runs.mean_and_error(widths[w])
        few = sum(6.5 <= n < 9.5 for n in widths[w])
        print(f"{when:>10}: {mean:5.2f} +- {error:.2f}, {min(widths[w]):.1f} to {max(widths[w]):.1f}; 7 to 9 in {few}; "
              f"three and more layers from both walls in {sum(free[w])}")


def frames(file):
    """The disks of each frame of a dump as (x, y, u), by time in s; bumps of walls, which rest, are told apart."""
    found = {}
    with open(file) as lines:
        for line in lines:
            if line.startswith("ITEM: TIMESTEP"):
                disks = found.setdefault(round(int(next(lines)) * 1e-4, 3), [])
            elif line.startswith("ITEM: ATOMS"):
                names = line.split()[2:]
                x, y, u = names.index("x"), names.index("y"), names.index("vx")
            elif len(words := line.split()) > 9 and words[0].isdigit():
                disks.append((float(words[x]), float(words[y]), float(words[u])))
    return found


def order(disk, disks):
    """How many disks are within 1.25 d of one, and how well they stand at angles of 60 degrees: |psi_6|."""
    angles = []
    for other in disks:
        dx, dy = (other[0] - disk[0] + 0.5 * PERIOD) % PERIOD - 0.5 * PERIOD, other[1] - disk[1]
        if other is not disk and dx * dx + dy * dy < (1.25 * DIAMETER) ** 2:
            angles.append(math.atan2(dy, dx))
    return len(angles), abs(sum(cmath.exp(6j * a) for a in angles)) / max(len(angles), 1)


def packing(options):
    """Rows of five in dense hexagonal packing, over many seeds, at the times of the source's pictures."""
    inner, all_rows = {t: [] for t in PICTURES}, {t: [] for t in PICTURES}
    with tempfile.TemporaryDirectory() as name:
        for seed in range(1, options.seeds + 1):
            runs.run(options.program, "channel", {"seed": seed, "time.end": 15, "output.dump": "true"}, name)
            seen = frames(pathlib.Path(name) / "dump.lammpstrj")
            for t in PICTURES:
                disks = [d for d in seen[t] if abs(d[1]) < HALF - 0.25 * DIAMETER]
                orders = [order(d, seen[t]) for d in disks]
                inner[t].append(sum(n == 6 and psi > 0.8 for n, psi in orders) / 5)
                all_rows[t].append(sum(n >= 4 and psi > 0.8 for n, psi in orders) / 5)
    print(f"{options.seeds} seeds: rows of five in hexagonal packing")
    for t in PICTURES:
        for what, rows in (("with six neighbours each", inner[t]), ("with four and more", all_rows[t])):
            mean, error = runs.mean_and_error(rows)
            print(f"{t:4d} s, {what}: {mean:5.2f} +- {error:.2f}, {min(rows):.1f} to {max(rows):.1f}; "
                  f"7 to 9 in {sum(6.5 <= n < 9.5 for n in rows)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, help="without it 5, with --early or --packing 60")
    parser.add_argument("--early", action="store_true")
    parser.add_argument("--packing", action="store_true")
    parser.add_argument("--csv", type=pathlib.Path, help="write the table there")
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    options = parser.parse_args()
    options.seeds = options.seeds or (60 if options.early or options.packing else 5)
    if options.early:
        return early(options)
    if options.packing:
        return packing(options)
    rows = []
    print(f"{'seed':>4} {'max u m/s':>18} {'plug from':>9} {'to m':>7} {'layers':>7} {'above 99 %':>10}   layers in the windows after 15 s")
    with tempfile.TemporaryDirectory() as name:
        for seed in range(1, options.seeds + 1):
            profile = runs.run(options.program, "channel", {"seed": seed}, name)["probes"]["profile"]
            tables = {w: runs.read_columns(pathlib.Path(name) / "series" / f"profile_{w}.csv") for w in (AVERAGE, *SHORT)}
            low, high = plug(tables[AVERAGE], 0.97)
            strict = plug(tables[AVERAGE], 0.99)
            short = [(plug(tables[w], 0.97)[1] - plug(tables[w], 0.97)[0]) / LAYER for w in SHORT]
            rows.append({"seed": seed, "max_u": profile[f"window_{AVERAGE}_max_u"], "max_u_error": profile[f"window_{AVERAGE}_max_u_error"],
                         "plug_from": low, "plug_to": high, "layers": (high - low) / LAYER, "layers_99": (strict[1] - strict[0]) / LAYER,
                         "layers_short": sum(short) / len(short)})
            row = rows[-1]
            print(f"{seed:4d} {row['max_u']:9.4f} +- {row['max_u_error']:.3f} {low:9.3f} {high:7.3f} {row['layers']:7.1f} {row['layers_99']:10.1f}   "
                  + " ".join(f"{s:.1f}" for s in short), flush=True)
    if options.csv:
        runs.write_csv(options.csv, rows)
    for what, name in (("max_u", "max u"), ("layers", "layers"), ("layers_99", "layers above 99 %"), ("layers_short", "layers in windows of 5 s")):
        values = [row[what] for row in rows]
        mean, error = runs.mean_and_error(values)
        print(f"{name}: {mean:.3f} +- {error:.2g} (standard deviation {error * len(values) ** 0.5:.2g}, {min(values):.3f} to {max(values):.3f})"
              + (f", {100 * (mean / SOURCE - 1):+.1f} % of the source's {SOURCE}" if what == "max_u" else ""))


if __name__ == "__main__":
    main()
