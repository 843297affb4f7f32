# SPDX-License-Identifier: MIT
"""Rows of bench/peers at a million spheres: the peers' flow, repeated in x and y."""
import statistics
import subprocess
import time

import timing
from reach import Row
from timing import Trouble, look_up, rate, say

# ---- What is assumed of the program, beside what timing.py says. ----
# A run that has come to its end writes its checkpoint anew: first beside the old one, under this name.
PART_FILE = "checkpoint.h5.part"
END_KEY = "time.end"
FRAMES_EVERY = "output.every_steps"
FRAMES = {"trajectory.h5 alone": {"output.trajectory": "true"},
          "all that is written by default": {"output.trajectory": "true", "output.vtk": "true", "output.contacts": "true"}}


def large_state(bench):
    name = f"flow_{bench.effort.large}"
    if not (bench.peers.folder / "state" / f"{name}.csv.gz").exists():
        say(f"making {name}")
    return bench.peers.state(name, (f"flow_{bench.effort.size}", *bench.effort.tile))


def growth(bench):
    """As many steps of both, so that lists are made anew as often."""
    row = Row(4, f"flow_{bench.effort.large} against flow_{bench.effort.size}, cost of a particle-step", most=1.25)
    steps, large = bench.effort.large_steps, large_state(bench)
    taken = bench.in_turns(row.what, lambda: bench.ours(large, steps), lambda: bench.ours(bench.flow(), steps))
    bench.large_runs += [big for big, _ in taken]
    row.values = [rate(small) / rate(big) for big, small in taken]
    row.note = "{:.2f} and {:.2f} million particle-steps/s, one thread; {} steps".format(
        *(statistics.median(map(rate, runs)) for runs in zip(*taken)), steps)
    return [row]


def memory(bench):
    if not bench.large_runs:
        say(f"memory of flow_{bench.effort.large}")
        bench.large_runs.append(bench.ours(large_state(bench), max(1, bench.effort.large_steps // 8)))
    row = Row(5, f"peak memory per sphere, flow_{bench.effort.large}", most=500, unit="bytes")
    row.values = [look_up(run, timing.PEAK_BYTES) / look_up(run, timing.BODIES) for run in bench.large_runs]
    row.note = "of the process, reading the table of the start included"
    return [row]


def start_up(bench):
    """Each time the same run goes on by one step."""
    out, steps, threads = bench.work / "large", 10, timing.cores()
    say(f"a checkpoint of flow_{bench.effort.large}")
    bench.run(timing.PEER_SCENE, timing.from_state(large_state(bench)) | timing.run_length(steps), out, threads)
    row = Row(12, f"from a checkpoint of flow_{bench.effort.large} to the first step done", most=3.0, unit="s")
    wholes, seen = [], True
    for go in range(bench.pairs):
        first, whole = resumed(bench, out, steps + go + 1, threads)
        seen = seen and first is not None
        row.values.append(whole if first is None else first)
        wholes.append(whole)
        say(f"{row.what}: {row.values[-1]:.2f} s")
    row.note = (f"until the program begins to write its next checkpoint; the whole resume takes {statistics.median(wholes):.2f} s" if seen
                else "the whole resume of one step: the begin of the next checkpoint was not always seen")
    row.note += f"; threads: {threads}, files in the system's cache"
    return [row]


def resumed(bench, out, steps, threads):
    """Seconds until the run has made its step (None: not seen), and until all is written."""
    part = out / PART_FILE
    line = timing.resume_command(bench.options.moraine, out, {END_KEY: f"{steps * timing.STEP:.9g}"}, threads)
    begin, first = time.monotonic(), None
    with (out / "words.txt").open("w+") as words, subprocess.Popen(line, stdout=words, stderr=words) as process:
        while process.poll() is None:
            if first is None and part.exists():
                first = time.monotonic() - begin
            time.sleep(0.002)
        whole = time.monotonic() - begin
        words.seek(0)
        if process.returncode != 0:
            raise Trouble(f"status {process.returncode} of: {' '.join(line)}\n{words.read()[-2000:]}")
    if look_up(timing.summary_of(out), timing.STEPS) != steps:
        raise Trouble(f"{out} has not gone on to step {steps}")
    return first, whole


def frames(bench):
    """A run with frames at start, middle and end, beside one without that in the middle."""
    state, half = large_state(bench), bench.effort.frame_steps
    rows = []
    for what, formats in FRAMES.items():
        row = Row(13, f"writing a frame of flow_{bench.effort.large}, {what}", most=20, unit="steps' time")
        with_it, without = (lambda every=every: look_up(bench.ours(state, 2 * half, 1, formats | {FRAMES_EVERY: every}), timing.LOOP_SECONDS)
                            for every in (half, 2 * half))
        taken = bench.in_turns(row.what, with_it, without)
        frame = [a - b for a, b in taken]
        step = [(b - f) / (2 * half) for f, (_, b) in zip(frame, taken)]
        row.values = [f / s for f, s in zip(frame, step)]
        row.note = f"{statistics.median(frame):.2f} s, a step {statistics.median(step) * 1e3:.1f} ms, one thread"
        rows.append(row)
    return rows
