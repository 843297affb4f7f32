# SPDX-License-Identifier: MIT
"""Pendulums: Sun 1996, Table 5.1, figures 6.1 to 6.7; and violations over a long time."""
import functools
import math
import re
import shutil
import subprocess

import runs
from runs import pendulum, say

STEP = 0.001
LARK = {"formulation": "lagrange", "integrator": "rk4"}
OURS = {"integrator": "rk4", "correction": "end"}  # Newton-Euler, direct: the program's defaults
MIXED = {"integrator": "mixed-iteration", "solver": "iterative"}
SOLVER_TOLERANCE = 1e-6  # of the iterative solver below Runge-Kutta


def timed(options, table, links, end, step, steps=None):
    """Each method of the table in turns."""
    calls = {name: functools.partial(runs.run, options, "pendulum", pendulum(links, end, step, steps, **hard))
             for name, hard in table.items()}
    return runs.take_turns(options, calls)


# ---- Table 5.1 ----
def table51(options):
    adams = {"integrator": "adams", "correction": "none", "tolerance": 1e-6}
    methods = {
        "lagrange, adams": LARK | adams,
        "lagrange, rk4": LARK,
        "newton-euler, adams": adams,
        "newton-euler, adams, tolerance 1e-8": adams | {"tolerance": 1e-8},
        "newton-euler, rk4 (ours: direct)": OURS,
    }
    swept = {"newton-euler, rk4, iterative": OURS | {"solver": "iterative", "solver_tolerance": SOLVER_TOLERANCE}}
    rows = []
    for links in options.sizes or (100, 200, 400):
        # Sweeps grow with the square of N, so that the iterative solver gets a shorter time.
        for table, end in ((methods, options.end or 1.0), (swept, 4 / links)):
            exact = runs.reference(options, links, end, STEP)
            finer = runs.reference(options, links, end, STEP, finer=32)
            say(f"table51, N = {links}, {end:g} s: the reference moves by {runs.apart(exact.tip, finer.tip):.1e} m"
                " with half its step")
            for name, results in timed(options, table, links, end, STEP).items():
                last = results[-1]
                energy = last.probes.get("links", {}).get("energy_error", math.nan) / runs.swing_energy(links)
                rows.append([links, name, end, runs.median(results, "per_second"), energy,
                             runs.apart(last.tip, exact.tip) if last.finished else last.status, len(results)])
    return [runs.print_table(
        "Table 5.1: formulations and integrators",
        ["N", "method", "simulated s", "s per simulated s", "relative energy error", "tip error m", "runs"], rows,
        [f"h = {STEP:g} s; adams: its own steps, tolerance 1e-6 if not said; iterative: to {SOLVER_TOLERANCE:g}.",
         "Energy error at the end, against the energy of the start above the hanging pendulum."])]


# ---- Figure 6.1 ----
def instructions(options, sets):
    """Instructions of a whole run, by perf or callgrind, whichever works here; None without."""
    line = runs.command(options, "pendulum", sets, options.work / "counted")
    if shutil.which("perf"):
        done = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", *line], capture_output=True, text=True)
        found = re.search(r"^(\d+),", done.stderr, re.M)
        if found:
            return int(found.group(1))
    if shutil.which("valgrind"):
        counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run(counter + line, capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if found:
            return int(found.group(1))
    return None


def instructions_per_step(options, links, step, hard, steps):
    """From two runs of different length, so that the start does not count."""
    few, many = (instructions(options, pendulum(links, None, step, n, **hard)) for n in (steps, 3 * steps))
    return (many - few) / (2 * steps) if few and many else math.nan


def stable_step(links):
    """1/omega of the fastest swing of a string of N point masses."""
    return 0.5 / math.sqrt(links * runs.GRAVITY / (runs.LENGTH / links))


def fig61(options):
    methods = {
        "lark: lagrange, rk4": LARK,
        "nerk: newton-euler, rk4, iterative": OURS | {"solver": "iterative", "solver_tolerance": SOLVER_TOLERANCE},
        "neit: mixed, end, TOL 0.003": MIXED | {"correction": "end", "solver_tolerance": 0.003},
        "neitc: mixed, inside, TOL 0.005": MIXED | {"correction": "inside", "solver_tolerance": 0.005},
        "ours: newton-euler, rk4, direct": OURS,
    }
    rows = []
    for links in options.sizes or (10, 20, 50, 100, 200, 400):
        steps = 100 if links <= 100 else 20
        exact = runs.reference(options, links, steps * STEP, STEP)
        results = timed(options, methods, links, None, STEP, steps)
        for name, found in results.items():
            row = [links, name, steps, 1e3 * runs.median(found, "per_step"),
                   runs.median(found, "per_step") / runs.median(results["ours: newton-euler, rk4, direct"], "per_step"),
                   found[-1].sweeps, runs.apart(found[-1].tip, exact.tip) if found[-1].finished else found[-1].status]
            if options.instructions:
                counted = links in (10, 100)  # counting is slow
                row.append(instructions_per_step(options, links, STEP, methods[name], 3) if counted else math.nan)
            rows.append(row)
        say(f"fig61, N = {links}: done")
    head = ["N", "method", "steps", "ms per step", "times ours", "sweeps per step", "tip error m"]
    return [runs.print_table("Figure 6.1: work over N", head + ["instructions per step"] * options.instructions, rows,
                             [f"h = {STEP:g} s, from rest. Sweeps of Runge-Kutta: all four stages; of `end`: with those of corrections.",
                              "The tip error is that of the simulated time, steps x h, which is short."])]


def linear(options):
    """Ours, far beyond the sources: time per link and step."""
    rows, sizes = [], [100, 1000, 10_000, 100_000] + [1_000_000] * options.million
    steps = {links: max(5, 2_000_000 // links) for links in sizes}
    sets = {links: pendulum(links, None, stable_step(links), steps[links], **OURS) for links in sizes}
    calls = {links: functools.partial(runs.run, options, "pendulum", sets[links]) for links in sizes}
    results = runs.take_turns(options, calls, slow=30)
    costs = {links: 1e9 * runs.median(found, "per_step") / links for links, found in results.items()}
    for links, found in results.items():
        row = [links, steps[links], stable_step(links), costs[links],
               1e9 * min(r.per_step for r in found) / links, len(found)]
        if options.instructions:
            counted = links <= 10_000
            row.append(instructions_per_step(options, links, stable_step(links), OURS, 5) / links if counted else math.nan)
        rows.append(row)
    few = {links: cost for links, cost in costs.items() if links <= 100_000}
    best = {links: 1e9 * min(r.per_step for r in results[links]) / links for links in few}
    return [runs.print_table(
        "Ours to long chains", ["N", "steps", "h s", "ns per link and step", "fastest run", "runs"] +
        ["instructions per link and step"] * options.instructions, rows,
        [f"Largest over smallest from N = 100 to 100 000: {max(few.values()) / min(few.values()):.2f} (medians),"
         f" {max(best.values()) / min(best.values()):.2f} (fastest runs); within 1.5 asked for."])]


# ---- Figures 6.2 to 6.7 ----
CORRECTIONS = ("none", "end", "inside")


def tolerances(options):
    rows = []
    for links in options.sizes or (50, 100, 150):
        for step in (0.001, 0.0005):
            for tolerance in (0.01, 0.005, 0.002, 0.001, 1e-4, 1e-6):
                calls = {}
                for c in CORRECTIONS:
                    hard = MIXED | {"correction": c, "solver_tolerance": tolerance}
                    sets = pendulum(links, 0.05, step, every=0.01, **hard)
                    calls[c] = functools.partial(runs.run, options, "pendulum", sets)
                found = runs.take_turns(options, calls, slow=0.5)
                rows.append([links, step, tolerance] +
                            [found[c][0].status if not found[c][0].finished else
                             f"{runs.median(found[c], 'per_second'):.3g} ({found[c][0].sweeps:.0f})" for c in CORRECTIONS])
            say(f"fig62_67, N = {links}, h = {step:g} s: done")
    return runs.print_table("Figures 6.2, 6.6, 6.7: seconds per simulated second (sweeps per step) over TOL",
                            ["N", "h s", "TOL", *CORRECTIONS], rows, ["Over the first 0.05 s."])


def phase_distance(result, exact):
    """Largest differences in angle and rate of the first link, over all looks; the state of the run if it failed."""
    if not result.finished:
        return result.status, result.status
    a, b = result.series["tip"], exact.series["tip"]
    return tuple(max(abs(p - q) for p, q in zip(a[name], b[name])) for name in ("angle", "angle_rate"))


def phases(options):
    """N = 50, the source's tolerances and steps, beside the benchmark lagrange + rk4."""
    end, rows = options.end or 2.0, []
    exact = runs.run(options, "pendulum", pendulum(50, end, 0.0005, every=0.01, **LARK))
    finer = runs.run(options, "pendulum", pendulum(50, end, 0.00025, every=0.01, **LARK))
    figures = {("none", 0.002, 0.0005): "6.3", ("end", 0.003, 0.001): "6.4", ("inside", 0.005, 0.001): "6.5"}
    for correction in CORRECTIONS:
        for tolerance in (0.002, 0.003, 0.005):
            for step in (0.001, 0.0005):
                hard = MIXED | {"correction": correction, "solver_tolerance": tolerance}
                result = runs.run(options, "pendulum", pendulum(50, end, step, every=0.01, **hard))
                rows.append([figures.get((correction, tolerance, step), ""), correction, tolerance, step,
                             *phase_distance(result, exact), result.per_second])
    own = phase_distance(exact, finer)
    return runs.print_table(
        "Figures 6.3 to 6.5: phase diagram of the first link, N = 50",
        ["figure", "correction", "TOL", "h s", "largest error of angle rad", "of rate rad/s", "s per simulated s"], rows,
        [f"Over {end:g} s, against lagrange + rk4 with h = 0.0005 s, which moves by {own[0]:.1e} rad and {own[1]:.1e} rad/s"
         " with half its step."])


def large(options):
    """Figure 6.7's remark: N = 150 without corrections."""
    links, end, step, rows = 150, options.end or 2.0, 0.0005, []
    exact = runs.run(options, "pendulum", pendulum(links, end, step, every=0.01, **LARK))
    for tolerance in (0.05, 0.01, 0.005, 0.002, 0.001, 1e-4, 1e-5):
        row = [tolerance]
        for correction in ("none", "inside"):
            hard = MIXED | {"correction": correction, "solver_tolerance": tolerance}
            result = runs.run(options, "pendulum", pendulum(links, end, step, every=0.01, **hard))
            seen = result.probes.get("links", {})
            row += [phase_distance(result, exact)[0], seen.get("position_violation", math.nan) / (runs.LENGTH / links),
                    seen.get("energy_error", math.nan) / runs.swing_energy(links), result.sweeps]
        rows.append(row)
        say(f"fig62_67, N = {links}, TOL = {tolerance:g}: done")
    names = [f"{c}: {what}" for c in ("none", "inside")
             for what in ("angle error rad", "gap / link", "energy error", "sweeps")]
    return runs.print_table(f"N = {links}, with and without corrections", ["TOL", *names], rows,
                            [f"Largest over {end:g} s, h = {step:g} s, against lagrange + rk4; energy against that of the"
                             " start above rest."])


def fig62_67(options):
    return [tolerances(options), phases(options), large(options)]


# ---- Violations ----
def violations(options):
    rows, links, end = [], 10, options.end or 10.0
    energy = runs.swing_energy(links)
    methods = {"rk4": {"integrator": "rk4"}, "mixed-iteration, TOL 1e-10": MIXED | {"solver_tolerance": 1e-10},
               "mixed-iteration, TOL 0.003": MIXED | {"solver_tolerance": 0.003}}
    for name, hard in methods.items():
        for step in (0.005, 0.002, 0.001) + (0.0005,) * (name == "rk4"):
            for correction in CORRECTIONS:
                sets = pendulum(links, end, step, every=0.1, correction=correction, **hard)
                result = runs.run(options, "pendulum", sets)
                seen = result.probes.get("links", {})
                rows.append([name, step, correction] +
                            ([seen["final_position_violation"], seen["final_velocity_violation"],
                              abs(seen["final_energy_error"]) / energy, result.per_second]
                             if result.finished else [result.status] * 4))
        say(f"violations, {name}: done")
    return [runs.print_table(f"Violations after {end:g} s, N = {links}",
                             ["integrator", "h s", "correction", "position m", "velocity m/s", "relative energy error",
                              "s per simulated s"], rows, ["Energy itself is not corrected. Links are 0.3 m long."])]
