#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Effective friction mu = shear stress / pressure over the inertial number I in simple shear (Lees-Edwards, constant
volume), disks and spheres, with fits of

    mu = mu_s + a I                              (da Cruz et al. 2005, disks, small I)
    mu = mu_s + (mu_2 - mu_s) / (I0 / I + 1)     (Jop, Forterre, Pouliquen 2006, spheres)

beside the published numbers. The volume is held, so I cannot be asked for: each point is a concentration and a rate.
Below jamming the concentration alone decides I (hard grains), above it the rate does; the points were chosen by scans.
kappa = k / P (2D, k per thickness) or k / (P d) (3D) with the stiffness k of a contact tells how hard the grains are.

    bench/studies/mu_of_I.py                                # both dimensions, about a quarter of an hour
    bench/studies/mu_of_I.py --dimension 2 --seeds 1 --csv mu.csv --svg docs/figures/mu_of_I.svg
    bench/studies/mu_of_I.py --from mu.csv --svg mu.svg     # fits and figure of an earlier table
"""
import argparse
import csv
import math
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # no __pycache__ in the project
import runs  # noqa: E402

RADIUS = 5e-3
# Points: fraction covered, rate (1/s), strain to settle, strain averaged over.
CASES = {
    2: {"count": 500, "friction": 0.4, "stiffness": 1e6, "points": (
        (0.72, 1, 2, 20), (0.75, 1, 2, 20), (0.77, 1, 2, 20), (0.786, 1, 2, 20), (0.797, 1, 2, 20), (0.803, 1, 2, 20), (0.806, 1, 2, 20),
        (0.808, 0.5, 2, 15), (0.811, 0.3, 2, 10), (0.811, 0.1, 2, 6), (0.813, 0.05, 2, 5))},
    3: {"count": 1000, "friction": 0.5, "stiffness": 1e6, "points": (
        (0.545, 10, 2, 6), (0.554, 10, 2, 6), (0.565, 10, 2, 6), (0.574, 10, 2, 6), (0.580, 10, 2, 6), (0.584, 10, 2, 6),
        (0.588, 10, 2, 5), (0.588, 4, 1.5, 4), (0.591, 2, 1, 3), (0.590, 1, 1, 3), (0.592, 1, 1, 3))},
}


def sets_of(options, dimension, concentration, rate, settling, strain, seed):
    case = CASES[dimension]
    return {
        "dimension": dimension, "seed": seed, "setup.count": case["count"], "setup.radius": RADIUS, "setup.spread": 0.2,
        "setup.density": 1000, "setup.stiffness": case["stiffness"], "setup.restitution": options.restitution,
        "setup.friction": case["friction"] if options.friction is None else options.friction,
        "setup.concentration": f"{concentration:.6f}", "setup.rate": rate, "setup.random_speed": rate * RADIUS,
        "setup.settling_strain": settling, "setup.strain": strain, "time.fraction": options.fraction}


def measure(options, dimension, point, seed, folder):
    fraction, rate, settling, strain = point
    case = CASES[dimension]
    began = time.monotonic()
    summary = runs.run(options.program, "simple_shear", sets_of(
        options, dimension, fraction, rate, settling, strain * options.scale, seed), folder / "run")
    stress = summary["probes"]["stress"]
    return {
        "dimension": dimension, "fraction": stress["fraction"], "rate": rate, "seed": seed,
        "inertial_number": stress["inertial_number"], "inertial_number_error": stress["inertial_number_error"],
        "friction": stress["friction"], "friction_error": stress["friction_error"],
        "pressure": stress["pressure"], "pressure_error": stress["pressure_error"], "drift": stress["pressure_drift"],
        "kappa": 0.5 * case["stiffness"] / (stress["pressure"] * (1 if dimension == 2 else 2 * RADIUS)),
        "by_work": stress["shear_stress_by_work"] / stress["shear_stress"], "seconds": time.monotonic() - began}


def linear(p, inertial):
    return p[0] + p[1] * inertial


def jop(p, inertial):
    return p[0] + (p[1] - p[0]) / (p[2] / inertial + 1)


# Published laws: function, largest I to draw, name
PUBLISHED = {2: (lambda i: 0.28 + 1.1 * i, 0.3, "0.28 + 1.1 I (da Cruz et al.)"),
             3: (lambda i: jop((0.38, 0.64, 0.28), i), 0.99, "Jop, Forterre, Pouliquen")}
HEADER = (f"{'D':>2} {'fraction':>8} {'rate 1/s':>8} {'I':>8} {'error':>8} {'mu':>7} {'error':>7} {'P in Pa':>9} {'kappa':>8} "
          f"{'work':>6} {'drift':>5}  {'s':>4} {'law':>8}")


def line_of(row):
    return (f"{row['dimension']:2d} {row['fraction']:8.4f} {row['rate']:8g} {row['inertial_number']:8.2e} "
            f"{row['inertial_number_error']:8.1e} {row['friction']:7.4f} {row['friction_error']:7.4f} {row['pressure']:9.4g} "
            f"{row['kappa']:8.2g} {row['by_work']:6.3f} {row['drift']:5.1f}  {row['seconds']:4.0f} "
            f"{PUBLISHED[row['dimension']][0](row['inertial_number']):8.4f}")


# Fits: name, function, start, names of the parameters, largest I, published values
FITS = {
    2: (("mu_s + a I", linear, (0.27, 1.0), ("mu_s", "a"), 0.12, "da Cruz et al. 2005: mu_s 0.25 to 0.3, a about 1.1"),
        ("mu_s + (mu_2 - mu_s)/(I0/I + 1)", jop, (0.27, 0.8, 0.3), ("mu_s", "mu_2", "I0"), 1, "")),
    3: (("mu_s + (mu_2 - mu_s)/(I0/I + 1)", jop, (0.38, 0.7, 0.3), ("mu_s", "mu_2", "I0"), 1,
         "Jop et al. 2006: mu_s = 0.38, mu_2 = 0.64, I0 = 0.28"),
        ("the same with mu_2 = 0.64", lambda p, i: jop((p[0], 0.64, p[1]), i), (0.38, 0.28), ("mu_s", "I0"), 1, ""),
        ("mu_s + a I", linear, (0.38, 1.0), ("mu_s", "a"), 0.12, "slope of Jop's law at I = 0: 0.93")),
}


def fits(dimension, rows):
    """Prints the fits; returns the parameters of the first."""
    first = None
    for name, function, start, names, largest, published in FITS[dimension]:
        points = []
        for row in rows:
            if row["inertial_number"] <= largest:
                # The error of I counts by the slope, about 1 near I = 0 and less beyond.
                error = math.hypot(row["friction_error"], row["inertial_number_error"] / (1 + row["inertial_number"] / 0.3) ** 2)
                points.append((row["inertial_number"], row["friction"], error))
        if len(points) <= len(start):
            continue
        values, errors, chi2 = runs.fit(function, start, points)
        text = ", ".join(f"{n} = {v:.3f} +- {e:.2g}" for n, v, e in zip(names, values, errors))
        print(f"{dimension}D, {name}, {len(points)} points with I < {largest:g}: {text}; chi^2 per degree of freedom {chi2:.2g}"
              + (f"  ({published})" if published else ""))
        if function is jop and first is None:
            first = values
    return first


def fraction_fit(dimension, rows, stiff=3e3, largest=0.32):
    """The fraction covered falls linearly with I. Only points of grains that are hard enough: pressure squeezes the others."""
    points = [(row["inertial_number"], row["fraction"], math.hypot(0.3 * row["inertial_number_error"], 5e-4)) for row in rows
              if row["kappa"] > stiff and row["inertial_number"] < largest]
    if len(points) > 2:
        (most, slope), errors, chi2 = runs.fit(linear, (0.8, -0.3), points)
        print(f"{dimension}D, fraction = {most:.4f} +- {errors[0]:.2g} - ({-slope:.3f} +- {errors[1]:.2g}) I, {len(points)} points with "
              f"kappa > {stiff:g} and I < {largest:g}; chi^2 per degree of freedom {chi2:.2g}, with 0.0005 as the error of a fraction")


# ---- The figure ----
def svg(file, points, fitted):
    wide, high, left, bottom, top, right = 520, 340, 52, 44, 14, 14
    low, up, most = math.log10(5e-4), math.log10(1.0), 0.8

    def x(inertial):
        return left + (math.log10(inertial) - low) / (up - low) * (wide - left - right)

    def y(friction):
        return high - bottom - friction / most * (high - bottom - top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="sans-serif" font-size="12">',
             f'<rect width="{wide}" height="{high}" fill="white"/>',
             f'<rect x="{left}" y="{top}" width="{wide - left - right}" height="{high - bottom - top}" fill="none" stroke="#444"/>']
    for inertial in (1e-3, 1e-2, 1e-1, 1):
        parts.append(f'<line x1="{x(inertial):.1f}" x2="{x(inertial):.1f}" y1="{top}" y2="{high - bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(inertial):.1f}" y="{high - bottom + 16}" text-anchor="middle">{inertial:g}</text>')
    for tenth in range(0, 9, 2):
        parts.append(f'<line x1="{left}" x2="{wide - right}" y1="{y(tenth / 10):.1f}" y2="{y(tenth / 10):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y(tenth / 10) + 4:.1f}" text-anchor="end">{tenth / 10:g}</text>')
    parts.append(f'<text x="{(left + wide) / 2}" y="{high - 8}" text-anchor="middle">inertial number I</text>')
    parts.append(f'<text transform="translate(14 {high / 2}) rotate(-90)" text-anchor="middle">effective friction</text>')

    def curve(function, begin, end, style):
        steps = [10 ** (math.log10(begin) + i / 80 * (math.log10(end) - math.log10(begin))) for i in range(81)]
        line = " ".join(f"{x(i):.1f},{y(function(i)):.1f}" for i in steps if function(i) < most)
        parts.append(f'<polyline points="{line}" fill="none" {style}/>')

    colours = {2: "#1f6fb4", 3: "#c4501b"}
    texts = {2: "disks", 3: "spheres"}
    place = top + 18
    for dimension, rows in points.items():
        colour = colours[dimension]
        curve(PUBLISHED[dimension][0], 5.01e-4, PUBLISHED[dimension][1], f'stroke="{colour}" stroke-dasharray="5 4"')
        if fitted[dimension]:
            largest = max(row["inertial_number"] for row in rows)
            curve(lambda i: jop(fitted[dimension], i), 5.01e-4, min(0.99, largest), f'stroke="{colour}" stroke-width="1.5"')
        for row in rows:
            i, mu = row["inertial_number"], row["friction"]
            a, b = mu - row["friction_error"], mu + row["friction_error"]
            c, d = max(6e-4, i - row["inertial_number_error"]), i + row["inertial_number_error"]
            parts.append(f'<path d="M{x(i):.1f} {y(a):.1f}V{y(b):.1f}M{x(c):.1f} {y(mu):.1f}H{x(d):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{x(i):.1f}" cy="{y(mu):.1f}" r="2.5" fill="{colour}"/>')
        for text, style in ((f"{texts[dimension]}, fit", 'stroke-width="1.5"'), (PUBLISHED[dimension][2], 'stroke-dasharray="5 4"')):
            parts.append(f'<line x1="{left + 10}" x2="{left + 40}" y1="{place - 4}" y2="{place - 4}" stroke="{colour}" {style}/>')
            parts.append(f'<text x="{left + 46}" y="{place}">{text}</text>')
            place += 16
    parts.append("</svg>\n")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(parts))


def run_all(options):
    rows = []
    print(HEADER)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for dimension in (2, 3) if options.dimension is None else (options.dimension,):
            points = CASES[dimension]["points"]
            for point in [points[i - 1] for i in options.points] if options.points else points:
                for seed in options.seeds:
                    rows.append(measure(options, dimension, point, seed, folder))
                    print(line_of(rows[-1]), flush=True)
                    if options.csv:
                        runs.write_csv(options.csv, rows)
    return rows


def read(files):
    rows = []
    for file in files:
        with open(file) as lines:
            for row in csv.DictReader(lines):
                rows.append({k: int(v) if k in ("dimension", "seed") else float(v) for k, v in row.items()})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dimension", type=int, choices=(2, 3), help="without it, both")
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2), help="of the runs of each point")
    parser.add_argument("--points", type=int, nargs="+", help="only these of the list, counted from 1")
    parser.add_argument("--restitution", type=float, default=0.5)
    parser.add_argument("--friction", type=float, help="of the grains; without it, 0.4 for disks, 0.5 for spheres")
    parser.add_argument("--scale", type=float, default=1, help="of the strains averaged over")
    parser.add_argument("--fraction", type=float, default=0.1, help="step over contact time")
    parser.add_argument("--csv", type=pathlib.Path, help="write a row for each run there")
    parser.add_argument("--svg", type=pathlib.Path, help="draw the figure there")
    parser.add_argument("--from", dest="tables", type=pathlib.Path, nargs="+", help="read such tables instead of running")
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    options = parser.parse_args()
    rows = read(options.tables) if options.tables else run_all(options)
    # Near jamming two seeds at the same fraction and rate can have very different pressures, so each run is a point of its own.
    points, fitted = {}, {}
    print(f"\nall runs over I\n{HEADER}")
    for dimension in sorted({row["dimension"] for row in rows}):
        points[dimension] = sorted((row for row in rows if row["dimension"] == dimension), key=lambda row: row["inertial_number"])
        for row in points[dimension]:
            print(line_of(row))
    for dimension in points:
        fitted[dimension] = fits(dimension, points[dimension])
        fraction_fit(dimension, points[dimension])
    if options.svg:
        svg(options.svg, points, fitted)


if __name__ == "__main__":
    main()
