# SPDX-License-Identifier: MIT
"""Dense piles by hard contacts: what a settled pile costs, overlaps, rests and drifts; growth with the number of bodies;
parts of a step and iterations."""
import json
import pathlib
import shutil
import subprocess

import bullet
import runs
from runs import say

STEP = 1 / 240


def start(options, name, sets, end):
    """Runs examples/pile_2d to `end`; the folder."""
    folder = pathlib.Path(options.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    line = [str(runs.PROGRAM), "run", "pile_2d", "--quiet", "--out", str(folder), "--threads", "2",
            "--set", f"time.end={end}", "--set", "output.every=1000"]
    for one in sets:
        line += ["--set", one]
    subprocess.run(line, check=True, capture_output=True)
    return folder


def go_on(folder, end, threads):
    """The same for a while longer: seconds per step, and what the probe saw."""
    before = json.loads((folder / "summary.json").read_text())
    subprocess.run([str(runs.PROGRAM), "resume", str(folder), "--quiet", "--threads", str(threads),
                    "--set", f"time.end={end}"], check=True, capture_output=True)
    after = json.loads((folder / "summary.json").read_text())
    return after["timings"]["loop"] / (after["steps"] - before["steps"]), after["probes"]["overlaps"]


def sizes_of(count):
    """A bin 200 R wide up to 10 000 disks (R = 0.5 m), wider beyond, so that piles are as deep as wide."""
    width = 100 * max(1.0, (count / 10000) ** 0.5) if count > 10000 else 100 * (count / 10000) ** 0.5
    return [f"fill.0.count={count}", f"wall.0.to=[{width},0]", f"wall.2.from=[{width},0]", f"wall.2.to=[{width},{4 * width}]",
            f"wall.1.from=[0,{4 * width}]", f"fill.0.max=[{width},{4 * width}]"]


def piles(options):
    rows = []
    for count in options.sizes or [1000, 10000]:
        settle = 18 * (count / 10000) ** 0.25
        folder = start(options, f"pile{count}", [*sizes_of(count), f"probe.1.from={settle}"], settle)
        two, seen = go_on(folder, settle + 10, 2)
        one, _ = go_on(folder, settle + 11, 1)
        rows.append([count, f"{settle:.1f}", f"{two * 1e3:.2f}", f"{one * 1e3:.2f}", f"{seen['mean_overlap']:.2g}",
                     f"{seen['max_overlap']:.2g}", f"{seen['kinetic']:.2g}", f"{seen['moved']:.2g}"])
    return [runs.print_table("Settled piles of disks, 1/240 s, friction 0.5",
                             ["disks", "settled for s", "ms per step, 2 threads", "1 thread", "mean overlap R", "max overlap R",
                              "kinetic m g R", "moved R in 10 s"], rows)]


def spheres(options):
    """Spheres beside Bullet, which is run with 10 and 50 iterations, one thread, no sleeping."""
    rows = []
    settle, measure = 12.0, 2.0
    for count in options.sizes or [10000]:
        folder = pathlib.Path(options.work) / f"spheres{count}"
        subprocess.run([str(runs.PROGRAM), "run", "pile_3d", "--quiet", "--out", str(folder), "--threads", "2",
                        "--set", f"fill.0.count={count}", "--set", f"time.end={settle}", "--set", "output.every=1000",
                        "--set", f"probe.1.from={settle}"],
                       check=True, capture_output=True)
        for threads in (2, 1):
            seconds, seen = go_on(folder, settle + 10 + measure * (2 - threads), threads)
            rows.append([count, f"ours, threads: {threads}", f"{seconds * 1e3:.2f}", f"{seen['mean_overlap']:.2g}",
                         f"{seen['max_overlap']:.2g}", f"{seen['kinetic']:.2g}", f"{seen['moved']:.2g}"])
        missing = bullet.lacking()
        if missing:
            say(f"Bullet left out: no {missing}")
            continue
        program = bullet.built(options, "bullet_pile")
        for iterations in (10, 50):
            line = [str(program), str(count), "20", str(settle), str(measure), str(iterations)]
            out = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
            rows.append([count, f"Bullet, iterations: {iterations}", f"{out['ms']:.2f}", f"{out['mean']:.2g}",
                         f"{out['max']:.2g}", f"{out['kinetic']:.2g}", "-"])
    return [runs.print_table("Settled spheres beside Bullet, 1/240 s, friction 0.5",
                             ["spheres", "code", "ms per step", "mean overlap R", "max overlap R", "kinetic m g R",
                              "moved R in 10 s"], rows)]
