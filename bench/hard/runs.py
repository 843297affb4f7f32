# SPDX-License-Identifier: MIT
"""What the measurements of hard systems share: running the program, taking turns, tables. Only the standard library."""
import csv
import dataclasses
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# ---- What is assumed of the program: its arguments, scene keys and the numbers in summary.json. Only here. ----
PROGRAM = ROOT / "build" / "moraine"
PHASES = ("integrate", "correct")  # of timings.phases: the steps, without looks, files and start
NO_FRAMES = {"output.trajectory": "false", "output.vtk": "false"}
TROUBLE_IN_THE_RUN = 3

GRAVITY = 9.81
LENGTH = 3.0  # m, of the pendulum and of the stack


class Trouble(Exception):
    pass


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


@dataclasses.dataclass
class Run:
    """One run of the program."""

    status: str  # "finished", or in a few words why not
    time: float = math.nan  # simulated, s
    steps: int = 0
    seconds: float = math.nan  # of integration and correction
    probes: dict = dataclasses.field(default_factory=dict)
    series: dict = dataclasses.field(default_factory=dict)  # columns by probe and name

    @property
    def finished(self):
        return self.status == "finished"

    @property
    def per_second(self):
        """Seconds of work per simulated second."""
        return self.seconds / self.time if self.time > 0 else math.nan

    @property
    def per_step(self):
        return self.seconds / self.steps if self.steps else math.nan

    @property
    def tip(self):
        tip = self.probes.get("tip", {})
        return tip.get("x", math.nan), tip.get("y", math.nan)

    @property
    def sweeps(self):
        """Per step, the mean over the steps that were looked at."""
        rows = self.series.get("links", {})
        seen = [n for n, steps in zip(rows.get("iterations", []), rows.get("steps", [])) if steps > 0]
        return sum(seen) / len(seen) if seen else 0.0


def read_columns(file):
    """Lists by the names of the columns, without units."""
    with open(file) as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return {name.split(" ")[0]: [float(row[name]) for row in rows] for name in (rows[0] if rows else ())}


def command(options, scene, sets, out):
    line = [str(options.moraine), "run", str(scene)]
    for key, value in (NO_FRAMES | sets).items():
        line += ["--set", f"{key}={value}"]
    return line + ["--out", str(out), "--threads", "1", "--quiet", "--overwrite"]


def run(options, scene, sets, limit=None):
    """A run on one thread. One that ends with trouble in the motion, or takes too long, is a result and no error."""
    out = options.work / "run"
    shutil.rmtree(out, ignore_errors=True)
    line = command(options, scene, sets, out)
    limit = limit or options.limit
    try:
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return Run(f"over {limit:g} s")
    status = "finished"
    if done.returncode == TROUBLE_IN_THE_RUN:
        status = "stops"
    elif done.returncode != 0:
        raise Trouble(f"status {done.returncode} of: {' '.join(line)}\n{done.stdout[-2000:]}")
    if not (out / "summary.json").exists():
        return Run(status)
    summary = json.loads((out / "summary.json").read_text())
    if status == "stops":
        status += f" at {summary['time']:.3g} s"
    phases = summary["timings"]["phases"]
    series = {file.stem: read_columns(file) for file in (out / "series").glob("*.csv")}
    seconds = sum(phases.get(name, 0) for name in PHASES)
    return Run(status, summary["time"], summary["steps"], seconds, summary["probes"], series)


def take_turns(options, runs, slow=5.0):
    """Runs of each name in turns, in the other order every second time: lists by name. What is slow runs once."""
    results = {}
    for turn in range(options.repeats):
        names = list(runs) if turn % 2 == 0 else list(reversed(runs))
        for name in names:
            before = results.setdefault(name, [])
            if turn > 0 and not (before[0].finished and before[0].seconds < slow):
                continue
            before.append(runs[name]())
    return results


def median(results, what):
    values = [getattr(result, what) for result in results if result.finished]
    return statistics.median(values) if values else math.nan


def ratios(above, below, what="seconds"):
    """Of the runs that were made in the same turn: median, smallest, largest."""
    values = [getattr(a, what) / getattr(b, what) for a, b in zip(above, below)]
    return statistics.median(values), min(values), max(values)


def apart(a, b):
    return math.hypot(a[0] - b[0], a[1] - b[1])


# ---- The pendulum ----
def pendulum(links, end=None, step=None, steps=None, every=1.0, **hard):
    """Settings of the example; hard: keys of [hard]. Energy is corrected only where it is asked for."""
    sets = {"setup.links": links, "probe.0.every": every, "probe.1.every": every, "hard.energy": "none"}
    if end is not None:
        sets["time.end"] = f"{end:.12g}"
    if step is not None:
        sets["time.step"] = f"{step:.17g}"
    if steps is not None:
        sets["time.steps"] = steps
    return sets | {f"hard.{key}": value for key, value in hard.items()}


def reference(options, links, end, step, every=1.0, finer=16):
    """Newton-Euler, direct, Runge-Kutta, with a step so many times finer."""
    return run(options, "pendulum", pendulum(links, end, step / finer, every=every, correction="end"))


def swing_energy(links):
    """J, of the start above the hanging pendulum (30 degrees, 1 kg each); relative energy errors are against it."""
    return links * GRAVITY * LENGTH * (links + 1) / (2 * links) * (1 - math.cos(math.pi / 6))


# ---- Tables ----
def form(value, spec=".3g"):
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return format(value, spec) if isinstance(value, float) else str(value)


def print_table(title, head, rows, notes=()):
    """As Markdown, so that it can go into docs/hard-studies.md as it is."""
    cells = [head] + [[form(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    print(f"\n### {title}\n")
    for number, row in enumerate(cells):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print()
    for note in notes:
        print(note)
    sys.stdout.flush()
    kept = [[None if isinstance(value, float) and math.isnan(value) else value for value in row] for row in rows]
    return {"title": title, "head": head, "rows": kept, "notes": list(notes)}
