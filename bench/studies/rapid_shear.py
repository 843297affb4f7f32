#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simple shear in the rapid regime: pressure, shear stress and granular temperature over the rate of shear, and the
exponents fitted to them. Hard grains have no time scale but that of the shear, so all three go with its square.

    bench/studies/rapid_shear.py             # both dimensions, about two minutes
    bench/studies/rapid_shear.py --dimension 3 --seeds 1 --csv rapid.csv
"""
import argparse
import math
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the project
import runs  # noqa: E402

RATES = (5, 10, 20, 40)
# Stiffness: k of one grain in N/m, such that a contact lasts about as long in 2D and 3D.
CASES = {2: {"concentration": 0.5, "count": 500, "stiffness": 2e7}, 3: {"concentration": 0.4, "count": 500, "stiffness": 1e6}}
MEASURED = ("pressure", "shear_stress", "temperature")
RADIUS = 5e-3


# Contacts are rare and short, so their stress must be looked at often: `fine`.
SCENE = """
title = "Rapid shear"
dimension = {dimension}
seed = {seed}

[setup]
kind = "simple-shear"
radius = {radius}
spread = 0.1
density = 1000
stiffness = {stiffness}
restitution = 0.8
friction = 0.3
count = {count}
concentration = {concentration}
rate = {rate}
random_speed = {random}
settling_strain = {settling}
strain = {strain}

[time]
fraction = 0.1

[[probe]]
name = "fine"
kind = "stress"
every = {every}
from = {begin}
"""


def measure(options, dimension, rate, seed, folder):
    scene = folder / "rapid.toml"
    scene.write_text(SCENE.format(
        dimension=dimension, seed=seed, radius=RADIUS, rate=float(rate), random=rate * RADIUS, settling=options.settling,
        strain=options.strain, begin=options.settling / rate, every=options.strain / rate / options.looks, **CASES[dimension]))
    summary = runs.run(options.program, scene, {}, folder / "run")
    stress = summary["probes"]["fine"]
    # Softness: shear during a contact. It is what could break the square law.
    return stress, rate * summary["step"]["contact_time"]


def study(options, dimension, rows):
    case = CASES[dimension]
    print(f"\n{dimension}D: concentration {case['concentration']}, {case['count']} grains, {options.seeds} seeds, strain "
          f"{options.settling} to settle and {options.strain} to average; stiffness {case['stiffness']:g} N/m")
    print(f"{'rate 1/s':>8} {'pressure Pa':>20} {'shear stress Pa':>20} {'temperature m2/s2':>24} {'friction':>9} {'rate*tc':>8}")
    points = {name: [] for name in MEASURED}
    with tempfile.TemporaryDirectory() as name:
        for rate in RATES:
            got = [measure(options, dimension, rate, seed, pathlib.Path(name)) for seed in range(1, options.seeds + 1)]
            row = {"dimension": dimension, "rate": rate}
            for what in MEASURED:
                mean, scatter = runs.mean_and_error([stress[what] for stress, _ in got])
                blocks = math.sqrt(sum(stress[what + "_error"] ** 2 for stress, _ in got)) / len(got)
                row[what], row[what + "_error"] = mean, max(scatter, blocks)
                for seed, (stress, _) in enumerate(got):
                    points[what].append(((seed, math.log(rate)), math.log(stress[what]), stress[what + "_error"] / stress[what]))
            row["rate_contact_time"] = got[0][1]
            rows.append(row)
            cells = [f"{row[w]:.5g} +- {row[w + '_error']:.2g}" for w in MEASURED]
            print(f"{rate:8g} {cells[0]:>20} {cells[1]:>20} {cells[2]:>24} {row['shear_stress'] / row['pressure']:9.4f} "
                  f"{got[0][1]:8.2g}", flush=True)
    for what in MEASURED:
        # One exponent, and a factor for each seed: its grains have their own sizes, so its fraction is a little off.
        values, errors, chi2 = runs.fit(lambda v, x: v[0] * x[1] + v[1 + x[0]], [2.0] + [0.0] * options.seeds, points[what])
        p, error = values[0], errors[0]
        print(f"{what} ~ rate^p: p = {p:.4f} +- {error:.2g}, chi^2 per degree of freedom {chi2:.2g}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dimension", type=int, choices=(2, 3), help="without it, both")
    parser.add_argument("--seeds", type=int, default=2, help="runs at each rate")
    parser.add_argument("--settling", type=float, default=5, help="strain before averaging")
    parser.add_argument("--strain", type=float, default=20, help="strain averaged over")
    parser.add_argument("--looks", type=int, default=10000, help="at the stress, in that strain")
    parser.add_argument("--csv", type=pathlib.Path, help="write the table there")
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    options = parser.parse_args()
    rows = []
    for dimension in (2, 3) if options.dimension is None else (options.dimension,):
        study(options, dimension, rows)
    if options.csv:
        runs.write_csv(options.csv, rows)


if __name__ == "__main__":
    main()
