#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flow out of a flat-bottomed bin (2D) and silo (3D) over the width of the outlet, and Beverloo's law fitted to it:

    Q = C (D - k)^p,   Q grains per sqrt(d/g), D in mean diameters d; p = 3/2 in 2D and 5/2 in 3D.

The grains settle behind a plug that is then taken away. Slow grains rain in above wherever there is room, so that the
level stays and the flow is steady; what has fallen out leaves the domain. (Letting it fall in again at the top instead,
with a periodic axis, is no good: for wide outlets the jet presses on the bed as much as its weight does.)
C, k and p are all free; their errors are those of least squares with the measured errors, made larger where the
points scatter more than that. A second fit holds p at Beverloo's value. Only the standard library is needed.

    bench/studies/beverloo.py                # both, about an hour on one core
    bench/studies/beverloo.py --dimension 2
"""
import argparse
import concurrent.futures
import math
import pathlib
import tempfile
import time

import runs

GRAVITY = 9.81

COMMON = """
[gravity]

[[contact]]
restitution = 0.5
friction = {friction}
shear_damping = 0.2

[[probe]]
kind = "flux"
at = {gate}
from = {begin}
row_every = {row}

[output]
trajectory = false
vtk = false
every = {end}
"""

BIN_2D = """
dimension = 2
seed = {seed}

[time]
end = {end}
fraction = 0.04

[domain]
min = [{left}, 0]
max = [{right}, {top}]

[[material]]
name = "grain"
density = 1000
stiffness = 8e5

[[wall]]
name = "left"
material = "grain"
from = [-{half}, {below}]
to = [-{half}, {above}]

[[wall]]
name = "right"
material = "grain"
from = [{half}, {below}]
to = [{half}, {above}]

[[wall]]
name = "floor left"
material = "grain"
from = [-{half}, {floor}]
to = [-{hole}, {floor}]

[[wall]]
name = "floor right"
material = "grain"
from = [{hole}, {floor}]
to = [{half}, {floor}]

[[wall]]
name = "plug"
material = "grain"
from = [-{hole}, {floor}]
to = [{hole}, {floor}]
until = {open}

[[fill]]
method = "lattice"
material = "grain"
radius = {radius}
spread = 0.2
jitter = 1
min = [-{half}, {floor}]
max = [{half}, {surface}]

[[fill]]
method = "rain"
material = "grain"
radius = {radius}
spread = 0.2
min = [-{half}, {level}]
max = [{half}, {top}]
velocity = [0, -0.5]
count = 1000000
batch = 300
every = 0.01
"""

SILO_3D = """
dimension = 3
seed = {seed}

[time]
end = {end}
fraction = 0.045

[domain]
min = [{left}, {left}, 0]
max = [{right}, {right}, {top}]

[[material]]
name = "grain"
density = 2500
stiffness = 600

[[wall]]
name = "silo"
kind = "cylinder"
material = "grain"
point = [0, 0, 0]
axis = [0, 0, 1]
radius = {half}

[[wall]]
name = "floor"
kind = "disc"
material = "grain"
centre = [0, 0, {floor}]
normal = [0, 0, 1]
radius = {half}
inner_radius = {hole}

[[wall]]
name = "plug"
kind = "disc"
material = "grain"
centre = [0, 0, {floor}]
normal = [0, 0, 1]
radius = {hole}
until = {open}

[[fill]]
method = "lattice"
material = "grain"
radius = {radius}
spread = 0.2
jitter = 1
min = [-{inscribed}, -{inscribed}, {floor}]
max = [{inscribed}, {inscribed}, {surface}]

[[fill]]
method = "rain"
material = "grain"
radius = {radius}
spread = 0.2
min = [-{inscribed}, -{inscribed}, {level}]
max = [{inscribed}, {inscribed}, {top}]
velocity = [0, 0, -0.4]
count = 1000000
batch = 400
every = 0.005
"""

# Lengths in diameters. `surface` is that of the loose lattice at the start; above `level` it rains. The law holds for
# outlets that are small against the width of the silo and the height of the bed: those of 11 to 13 d flow too fast here.
CASES = {
    2: {"diameter": 5e-3, "width": 60, "surface": 52, "level": 42, "top": 54, "outlets": (6, 8, 10, 12, 15, 20),
        "open": 0.3, "begin": 0.8, "end": 2.6, "power": 1.5, "scene": BIN_2D},
    3: {"diameter": 2e-3, "width": 44, "surface": 30, "level": 16, "top": 32, "outlets": (5, 6, 7, 8.5, 10),
        "open": 0.25, "begin": 0.4, "end": 0.9, "power": 2.5, "scene": SILO_3D},
}


def scene_text(case, outlet, seed, friction):
    d = case["diameter"]
    half = 0.5 * case["width"] * d
    floor = 4 * d
    values = {
        "seed": seed, "friction": friction, "radius": 0.5 * d, "half": half, "inscribed": half / math.sqrt(2),
        "left": -half - d, "right": half + d, "floor": floor, "gate": floor - 2 * d, "hole": 0.5 * outlet * d,
        "surface": case["surface"] * d, "level": case["level"] * d, "top": case["top"] * d, "below": -4 * d, "above": (case["top"] + 4) * d,
        "open": case["open"], "begin": case["begin"], "end": case["end"], "row": (case["end"] - case["begin"]) / 40,
    }
    # More digits than a reader wants, but none that rounding adds.
    return (case["scene"] + COMMON).format(**{k: float(f"{v:.10g}") if isinstance(v, float) else v for k, v in values.items()})


def measure(options, case, outlet, seed, folder):
    """Grains per sqrt(d/g) through an outlet of so many diameters, its error, grains, and seconds taken."""
    scene = folder / f"outlet_{outlet}_{seed}.toml"
    scene.write_text(scene_text(case, outlet, seed, options.friction))
    began = time.monotonic()
    summary = runs.run(options.program, scene, {}, folder / scene.stem)
    flux = summary["probes"]["flux"]
    unit = math.sqrt(case["diameter"] / GRAVITY)
    return (-flux["number_rate"] * unit, flux["number_rate_error"] * unit, summary["bodies"], time.monotonic() - began)


def fit(points, power=None):
    """Least squares of ln Q = ln C + p ln(D - k): values and errors of C, k, p, and chi^2 per degree of freedom. With
    `power` p is held."""
    def law(values, outlet):
        return values[0] + (values[2] if power is None else power) * math.log(max(outlet - values[1], 1e-9))

    first = 1.5 if power is None else power
    start = [math.log(points[-1][1] / points[-1][0] ** first), 1.0] + ([first] if power is None else [])
    values, errors, chi2 = runs.fit(law, start, [(outlet, math.log(q), error / q) for outlet, q, error in points])
    c = math.exp(values[0])
    rest = (values[2], errors[2]) if power is None else (power, 0.0)
    return (c, values[1], rest[0]), (c * errors[0], errors[1], rest[1]), chi2


def study(options, dimension):
    case = CASES[dimension]
    print(f"\n{dimension}D, friction {options.friction}, {options.seeds} seed(s): width {case['width']} d, "
          f"measured from {case['begin']} to {case['end']} s")
    print(f"{'D/d':>6} {'grains':>8} {'Q':>10} {'error':>8} {'fit':>10} {'seconds':>8}")
    points, lines = [], []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        taken = {(outlet, seed): pool.submit(measure, options, case, outlet, seed, pathlib.Path(name))
                for outlet in case["outlets"] for seed in range(1, options.seeds + 1)}
        for outlet in case["outlets"]:
            got = [taken[outlet, seed].result() for seed in range(1, options.seeds + 1)]
            q = sum(g[0] for g in got) / len(got)
            error = math.sqrt(sum(g[1] ** 2 for g in got)) / len(got)
            lines.append((outlet, got[0][2], q, error, sum(g[3] for g in got)))
            if q > 0:
                points.append((outlet, q, error))
            else:
                print(f"{outlet:6g}  clogged: left out of the fit")
    (c, k, p), errors, chi2 = fit(points)
    for outlet, grains, q, error, seconds in lines:
        there = c * (outlet - k) ** p if outlet > k else 0
        print(f"{outlet:6g} {grains:8d} {q:10.4g} {error:8.2g} {there:10.4g} {seconds:8.1f}")
    print(f"C = {c:.3g} +- {errors[0]:.2g}, k = {k:.3g} +- {errors[1]:.2g}, p = {p:.3f} +- {errors[2]:.2g} "
          f"(Beverloo: {case['power']}), chi^2 per degree of freedom {chi2:.2g}")
    (c, k, p), errors, chi2 = fit(points, case["power"])
    print(f"with p = {p}: C = {c:.3g} +- {errors[0]:.2g}, k = {k:.3g} +- {errors[1]:.2g}, "
          f"chi^2 per degree of freedom {chi2:.2g}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dimension", type=int, choices=(2, 3), help="without it, both")
    parser.add_argument("--seeds", type=int, default=1, help="runs for each outlet")
    parser.add_argument("--friction", type=float, default=0.5)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, each on one thread")
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    options = parser.parse_args()
    for dimension in (2, 3) if options.dimension is None else (options.dimension,):
        study(options, dimension)


if __name__ == "__main__":
    main()
