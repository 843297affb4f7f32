# SPDX-License-Identifier: MIT
"""Clumps, mesh walls and wide spreads of sizes beside the plain bed of spheres, with about as many bodies, in one run.

Each scene is first settled; then it and the bed take turns, both from their settled states. See bench/README.md.
"""
import dataclasses
import pathlib
import statistics

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str
    scene: str
    sets: dict
    bodies: int  # of the bed beside it
    step: float  # s
    settle: int  # steps
    steps: int = 1000
    pairs: int = 3


HEAVY = {"gravity.acceleration": 100}  # and hardly bouncing, to be settled soon
LARGE_30 = {"gravity.acceleration": 30, "fill.1.radius": 0.015, "fill.1.spacing": 0.036, "fill.1.max": "[0.072, 0.072, 0.0468]"}
HOURGLASS = HEAVY | {"material.0.stiffness": 3000, "contact.0.restitution": 0.2, "wall.0.around": 400, "wall.0.along": 62, "fill.0.radius": 0.0005, "fill.0.spacing": 0.00115,
                     "fill.0.min": "[-0.0085, -0.0085, 0.018]", "fill.0.max": "[0.0085, 0.0085, 0.044]"}
CASES = [
    Shape("drum_10k", str(FOLDER / "drum_clumps.toml"), {}, 40_000, 1.2e-6, settle=18000),
    Shape("hourglass_50k", "hourglass_3d", HOURGLASS, 4_500, 3e-6, settle=8000, steps=5000),
    Shape("wide_10", str(FOLDER / "wide_bed.toml"), {}, 32_000, 3e-6, settle=5000),
    Shape("wide_30", str(FOLDER / "wide_bed.toml"), LARGE_30, 32_000, 3e-6, settle=9000),
]


def shortened(shape):
    """To see that it works."""
    return dataclasses.replace(shape, pairs=1, settle=shape.settle // 20, steps=shape.steps // 10)


def length(step, steps):
    return {"time.step": step, "time.end": f"{step * steps:.9g}"}


def settled(run, scene, sets, step, steps, folder):
    """The scene with its fills replaced by what they have become after so many steps."""
    run(scene, sets | length(step, steps), folder)
    return taken_over(folder)


def taken_over(folder):
    """The scene of a run that starts with the bodies another one has left in its folder."""
    lines, inside = [], False
    for line in (folder / "scene.toml").read_text().splitlines():
        if line.startswith("["):
            inside = line == "[[fill]]"
        if inside and line.startswith("material ="):
            material = line
        if not inside:
            lines.append(line)
    lines += ["[[fill]]", 'method = "checkpoint"', material, f'file = "{folder}"', ""]
    file = folder / "settled.toml"
    file.write_text("\n".join(lines))
    return file


def settle(run, work, shape, threads):
    """Of the shape and of its bed: the scene that starts settled, and its step."""
    fast = lambda *what: run(*what, threads)  # noqa: E731
    return {
        shape.name: (settled(fast, shape.scene, shape.sets, shape.step, shape.settle, work / shape.name), shape.step),
        "bed": (settled(fast, "bed_3d", HEAVY | {"setup.restitution": 0.2, "setup.count": shape.bodies}, 3e-6, min(shape.settle, 8000), work / "bed"), 3e-6),
    }


def take_turns(run, work, shape, scenes, count):
    """Summaries of the timed runs of each, with the rate in million body-steps per second."""
    taken = {name: [] for name in scenes}
    for pair in range(shape.pairs):
        for name in sorted(scenes, reverse=pair % 2 == 0):
            scene, step = scenes[name]
            summary = run(scene, length(step, shape.steps), work / "timed", count)
            summary["rate"] = summary["bodies"] * summary["steps"] / summary["timings"]["loop"] / 1e6
            taken[name].append(summary)
    return taken


def measure(run, work, shape, threads, say):
    """run(scene, sets, out, threads) gives the summary of a run. Returns the rows of the table."""
    say(f"{shape.name}: settling")
    scenes = settle(run, work, shape, max(threads))
    rows = []
    for count in threads:
        taken = take_turns(run, work, shape, scenes, count)
        ratios = [a["rate"] / b["rate"] for a, b in zip(taken[shape.name], taken["bed"])]
        rows.append([shape.name, count] + [taken[n][-1]["bodies"] for n in scenes]
                    + [statistics.median(s["rate"] for s in taken[n]) for n in scenes]
                    + [statistics.median(ratios), min(ratios), max(ratios)]
                    + [taken[n][-1]["contacts"] / taken[n][-1]["bodies"] for n in scenes])
        say(f"{shape.name}, on {count}: {rows[-1][4]:.2f} million body-steps/s, bed {rows[-1][5]:.2f}")
    return rows


def print_table(rows):
    form = "{:>14} {:>7} {:>7} {:>7} {:>11} {:>11} {:>22} {:>9} {:>9}"
    print(form.format("case", "threads", "bodies", "bed's", "Mbs/s", "bed's", "ratio (range)", "contacts", "bed's"))
    for r in rows:
        print(form.format(*r[:4], f"{r[4]:.2f}", f"{r[5]:.2f}", f"{r[6]:.2f} ({r[7]:.2f}-{r[8]:.2f})", f"{r[9]:.2f}",
                          f"{r[10]:.2f}"))
    print("Mbs/s: million body-steps per second, of clumps member-steps; contacts: per body, at the end.")
