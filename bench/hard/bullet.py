# SPDX-License-Identifier: MIT
"""Beside Bullet's articulated bodies. Debian: g++ pkg-config libbullet-dev (its double precision build)."""
import dataclasses
import functools
import json
import math
import pathlib
import shutil
import subprocess

import runs
from runs import pendulum, say

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "bullet-float64"


@dataclasses.dataclass
class BulletRun:
    seconds: float
    time: float
    tip: tuple
    finished: bool = True

    @property
    def per_second(self):
        return self.seconds / self.time


def lacking():
    for tool in ("g++", "pkg-config"):
        if not shutil.which(tool):
            return tool
    return None if subprocess.run(["pkg-config", "--exists", PACKAGE]).returncode == 0 else f"{PACKAGE} (libbullet-dev)"


def built(options, name="bullet_pendulum"):
    asked = subprocess.run(["pkg-config", "--cflags", "--libs", PACKAGE], capture_output=True, text=True, check=True)
    program = options.work / name
    line = ["g++", "-std=c++20", "-O2", str(HERE / f"{name}.cpp"), "-o", str(program), *asked.stdout.split()]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode != 0:
        raise runs.Trouble(f"{name}.cpp does not build:\n{done.stderr[-2000:]}")
    return program


def run(program, links, step, steps):
    line = [str(program), str(links), str(runs.LENGTH), "30", repr(step), str(steps)]
    out = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
    return BulletRun(out["seconds"], steps * step, (out["x"], out["y"]))


def ours(options, links, end, step, correction):
    steps = round(end / step)
    sets = pendulum(links, None, end / steps, steps, correction=correction)
    return functools.partial(runs.run, options, "pendulum", sets)


def bullet(options):
    missing = lacking()
    if missing:
        say(f"no {missing} here: bullet is left out")
        return []
    program = built(options)
    end, step, rows, notes = options.end or 1.0, 0.001, [], []
    for links in options.sizes or (400,):
        exact = runs.reference(options, links, end, step)
        finer = runs.reference(options, links, end, step, finer=32)
        calls = {"ours, end": ours(options, links, end, step, "end"),
                 "ours, end, h/1.1": ours(options, links, end, step / 1.1, "end"),
                 "ours, inside": ours(options, links, end, step, "inside"),
                 "bullet, rk4": functools.partial(run, program, links, step, round(end / step))}
        results = runs.take_turns(options, calls, slow=math.inf)
        theirs = results.pop("bullet, rk4")
        error = runs.apart(theirs[-1].tip, exact.tip)
        for name, found in results.items():
            own, (faster, least, most) = runs.apart(found[-1].tip, exact.tip), runs.ratios(theirs, found)
            best = min(r.seconds for r in theirs) / min(r.seconds for r in found)
            rows.append([links, name, runs.median(found, "per_second"), f"{faster:.1f} ({least:.1f}-{most:.1f})", best,
                         own, "yes" if faster >= 5 and own <= error else "NO"])
        rows.append([links, "bullet, rk4", runs.median(theirs, "per_second"), "1", 1.0, error, ""])
        fine = ours(options, links, end, step / 8, "end")()
        rows.append([links, "ours, end, h/8", fine.per_second, "", "", runs.apart(fine.tip, exact.tip), ""])
        fine = run(program, links, step / 8, round(8 * end / step))
        rows.append([links, "bullet, rk4, h/8", fine.per_second, "", "", runs.apart(fine.tip, exact.tip), ""])
        notes.append(f"N = {links}: the reference (h/16) moves by {runs.apart(exact.tip, finer.tip):.1e} m with half its"
                     f" step; {len(theirs)} runs of each.")
    return [runs.print_table("Beside Bullet (articulated bodies, Runge-Kutta)",
                             ["N", "code", "s per simulated s", "times faster (range)", "fastest runs", "tip error m",
                              "5 times faster, no larger error"], rows,
                             [f"h = {step:g} s, {end:g} s, one thread.", *notes])]
