# SPDX-License-Identifier: MIT
"""The falling chain (Sun 1996, 6.3) and the stack of disks (6.4; Wierzba 1990, 8.1)."""
import functools
import math

import runs
from runs import say

# Which of position, velocity and energy are corrected, by the source's suffixes.
KINDS = {"none (nc)": "", "position, velocity (pv)": "pv", "energy (en)": "e", "all (wc)": "pve"}


MIXED = {"hard.integrator": "mixed-iteration", "hard.solver": "iterative"}


def corrections(kinds, when):
    return {f"hard.{name}": when if name[0] in kinds else "none" for name in ("position", "velocity", "energy")}


# ---- The chain ----
def turning_points(options):
    rows = []
    for scene, model in (("chain_bars", "bars"), ("chain_points", "points")):
        for length in (0.3048, 1 / 3):
            for form in ("newton-euler", "lagrange"):
                result = runs.run(options, scene, {
                    "setup.link": f"{length:.17g}", "hard.formulation": form, "time.step": 0.00025, "time.end": 1.2,
                    "probe.0.every": 0.001})
                seen = result.probes.get("centre", {})
                rows.append([model, f"{length:.4f}", form] +
                            [f"{seen[f'turning_{k}_time']:.4f} ({seen[f'turning_{k}_height']:.4f})"
                             if f"turning_{k}_time" in seen else "-" for k in (1, 2, 3)])
    return runs.print_table("Falling chain: when its centre turns, s (height, m)",
                            ["model", "link m", "formulation", "first", "second", "third"], rows,
                            ["Runge-Kutta, h = 0.00025 s, to 1.2 s. Published: 0.47 s and 0.68 s."])


def chain_errors(options):
    """Figures 6.10 and 6.11: the mixed iteration at a coarse tolerance and step."""
    rows, end, every = [], 1.0, 0.01
    base = {"time.end": end, "probe.0.every": every, "probe.1.every": every}
    exact = runs.run(options, "chain_points", base | corrections("pv", "end") | {"time.step": 0.0001})
    across = 3.0  # m, between the supports: the source divides by it
    energy = 14 * 1.0 * runs.GRAVITY  # J per metre of fall
    for tolerance, step in ((0.005, 0.005), (0.005, 0.002), (0.001, 0.001)):
        for when in ("inside", "end"):
            for name, kinds in KINDS.items():
                if not kinds and when == "end":
                    continue
                sets = base | corrections(kinds, when) | MIXED | {"hard.solver_tolerance": tolerance, "time.step": step}
                result = runs.run(options, "chain_points", sets)
                row = [tolerance, step, name, when if kinds else "-"]
                if result.finished:
                    found, true = result.series["centre"]["y"], exact.series["centre"]["y"]
                    errors = [abs(a - b) / across for a, b in zip(found, true)]
                    times = exact.series["centre"]["time"]
                    early = max(e for e, t in zip(errors, times) if t <= 0.6)
                    seen = result.probes["links"]
                    row += [early, max(errors), seen["position_violation"], seen["energy_error"] / energy,
                            result.sweeps]
                else:
                    row += [result.status] + [math.nan] * 4
                rows.append(row)
    return runs.print_table(
        "Falling chain, points, 1/3 m: error of the centre's relative height",
        ["TOL", "h s", "corrected", "when", "to 0.6 s", "to 1 s", "violation m", "energy error / (weight x 1 m)",
         "sweeps per step"], rows,
        ["Mixed iteration, swept, against rk4 with h = 0.0001 s; height over the 3 m between the supports."])


def chain(options):
    return [turning_points(options), chain_errors(options)]


# ---- The stack ----
def largest_laguerre_zero(n):
    """Of L_n: the largest eigenvalue of the tridiagonal matrix 2k+1 (diagonal), k (beside it), by Sturm's count."""
    def below(x):
        count, d = 0, 1.0
        for k in range(n):
            d = (2 * k + 1 - x) - (k * k / d if k else 0)
            if d == 0:
                d = 1e-300
            count += d < 0
        return count

    low, high = 0.0, 4.0 * n + 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if below(middle) == n else (middle, high)
    return (low + high) / 2


def fastest_rate(disks):
    """1/s: sqrt(g/l z). The stack is the hanging chain with gravity turned over, whose frequencies these are."""
    return math.sqrt(runs.GRAVITY * disks / runs.LENGTH * largest_laguerre_zero(disks))


@functools.cache
def linear_time(disks, lean, limit=0.001, most=5.0):
    """When a stack that leans has shrunk by so much, by the linear equations: x_k'' = (g/l) times the push of the disks
    above, and the loss of height sum (dx)^2 / 2l. Runge-Kutta in steps of 1/100 of the fastest growth."""
    link = runs.LENGTH / disks
    push = [(disks - k) * runs.GRAVITY / link for k in range(disks)] + [0.0]  # of link k, over a mass
    x = [lean * link * (k + 1) for k in range(disks)]
    v = [0.0] * disks
    h = 0.01 / fastest_rate(disks)

    def acceleration(x):
        slopes = [push[k] * (x[k] - (x[k - 1] if k else 0.0)) for k in range(disks)] + [0.0]
        return [slopes[k] - slopes[k + 1] for k in range(disks)]

    def shrunk():
        return sum((x[k] - (x[k - 1] if k else 0.0)) ** 2 for k in range(disks)) / (2 * link * runs.LENGTH)

    t, before = 0.0, shrunk()
    while t < most:
        # Nystroem's method of order four for x'' = f(x).
        k1 = acceleration(x)
        k2 = acceleration([a + h / 2 * b + h * h / 8 * c for a, b, c in zip(x, v, k1)])
        k3 = acceleration([a + h * b + h * h / 2 * c for a, b, c in zip(x, v, k2)])
        x = [a + h * b + h * h / 6 * (c + 2 * d) for a, b, c, d in zip(x, v, k1, k2)]
        v = [b + h / 6 * (c + 4 * d + e) for b, c, d, e in zip(v, k1, k2, k3)]
        t += h
        now = shrunk()
        if now >= limit:
            return t - h * math.log(now / limit) / math.log(now / before)
        before = now
    return math.nan


STEP = 0.001
COSINE = math.cos(math.pi / 2)  # 6.12e-17: what is left of it in double precision
METHODS = {
    "newton-euler, rk4": {"hard.integrator": "rk4"},
    "newton-euler, mixed": MIXED | {"hard.solver_tolerance": 1e-6},
    "lagrange, rk4": {"hard.integrator": "rk4", "hard.formulation": "lagrange"},
}


def lost_time(disks):
    """Lagrange's form without a lean: the first angle's acceleration is g/l cos(pi/2), and its steps h v are lost in
    the rounding of pi/2 until they reach half of its last digit."""
    return math.ulp(math.pi / 2) / 2 / (STEP * runs.GRAVITY * disks / runs.LENGTH * COSINE)


def long_enough(disks, lean, method):
    """What leans falls soon; what does not stands to the end."""
    if lean:
        return math.ceil((15 if "mixed" in method else 30) * linear_time(disks, lean)) / 10
    if "lagrange" in method:
        return math.ceil(1.2 * lost_time(disks) + 2)
    return 2.0 if "mixed" in method else 20.0


def stands(options, disks, lean, kinds, method, step=STEP):
    """The time to instability in words."""
    end = long_enough(disks, lean, method)
    if step < STEP:
        end *= 3  # the correction of energy holds the stack
    sets = {"setup.disks": disks, "setup.lean": f"{lean:g}", "time.end": end, "time.step": step,
            "probe.0.every": STEP, "probe.1.every": end} | corrections(kinds, "end") | METHODS[method]
    result = runs.run(options, "stack", sets)
    seen = result.probes.get("stack", {})
    if seen.get("unstable"):  # what comes of the run later does not matter
        return f"{seen['time_to_instability']:.4f}"
    return f"> {end:g}" if result.finished else result.status


def growth(rows):
    """From the times of two leans that differ by a factor of a million; none where a stack stood to the end."""
    times = [row[3:] for row in rows
             if row[0] == "newton-euler, rk4" and row[1] in ("1e-12", "1e-06") and "none" in row[2]]
    fell = [[float(text) if text[0].isdigit() else math.nan for text in row] for row in times]
    return [math.log(1e6) / (small - large) for small, large in zip(*fell)]


def held(options):
    """What the correction of energy does, over the step: it is at work only where a step changes velocities by less
    than a tenth, and what it takes for an error is the loss of height that is lost in rounding."""
    rows, disks, lean = [], 60, 1e-12
    for step in (0.001, 0.0005, 0.0002, 0.0001):
        rows.append([step] + [stands(options, disks, lean, kinds, "newton-euler, rk4", step) for kinds in ("", "e")] +
                    [math.exp(fastest_rate(disks) * step) - 1])
    return runs.print_table(f"Stack of disks: N = {disks}, lean {lean:g} rad, over the step",
                            ["h s", "none, s", "energy, s", "growth in a step"], rows,
                            [f"Linear theory: {linear_time(disks, lean):.4f} s; it ends early, see above."])


def stack(options):
    sizes = options.sizes or (10, 20, 30, 40, 50, 60)
    rows = []
    for method in METHODS:
        for lean in (0, 1e-12, 1e-6):
            for name, kinds in KINDS.items():
                rows.append([method, f"{lean:g}", name] + [stands(options, n, lean, kinds, method) for n in sizes])
            say(f"stack, {method}, lean {lean:g}: done")
    head = ["method", "lean rad", "corrected at the end", *(f"N = {n}" for n in sizes)]
    theory = [["largest zero of L_N", *(largest_laguerre_zero(n) for n in sizes)],
              ["fastest growth sqrt(g/l z), 1/s", *(fastest_rate(n) for n in sizes)],
              ["growth between leans of 1e-12 and 1e-6: newton-euler, rk4, none, 1/s", *growth(rows)]]
    for lean in (1e-12, 1e-6):
        theory.append([f"linear theory, lean of {lean:g} rad, s", *(f"{linear_time(n, lean):.4f}" for n in sizes)])
    theory.append(["Lagrange, no lean: steps are lost in rounding until, s", *(lost_time(n) for n in sizes)])
    return [runs.print_table("Stack of disks: time until it is 0.1 % lower, s", head, rows, [f"h = {STEP:g} s."]),
            runs.print_table("Stack of disks: theory", ["", *(f"N = {n}" for n in sizes)], theory,
                             ["Linear theory has no end of growth: it is early where 0.1 % are no small angles."]),
            held(options)]
