# SPDX-License-Identifier: MIT
"""Rows of bench/peers beside ourselves: hard contacts beside plain projected Gauss-Seidel, rocks beside an older program."""
import pathlib
import statistics
import sys

import shapes
import timing
from reach import Row
from timing import look_up, say

BENCH = pathlib.Path(__file__).resolve().parent
sys.path += [str(BENCH / "hard"), str(BENCH / "solids")]
import heaps  # noqa: E402
import piles  # noqa: E402
import runs  # noqa: E402

# ---- What is assumed of the program, beside what timing.py and the modules of hard/ and solids/ say. ----
PILE = timing.ROOT / "examples" / "pile_2d.toml"
PILE_STEP = piles.STEP  # s
LOOK_STEPS = 10
OVERLAPS = {"probe": f'[{{kind = "overlaps", every = {LOOK_STEPS * PILE_STEP!r}}}]'}  # and no books of energy
RESIDUALS, RESIDUAL = "series/overlaps.csv", "residual"  # m/s: what two surfaces are off by
END_KEY = "time.end"
WINDOW = 120  # steps: half a second


def plain(sweeps):
    """Projected Gauss-Seidel with so many sweeps of a whole step, and nothing else."""
    return {"hard.contact_solver": "gauss-seidel", "hard.substeps": 1, "hard.least_iterations": sweeps,
            "hard.most_iterations": sweeps, "hard.wide_motions": "false"}


MOST_CONTACT_SWEEPS = 41_000_000  # disks times sweeps of a step: beyond, the search for their number ends


class Solving:
    """A settled pile that goes on by some solver, from impulses of zero."""

    def __init__(self, bench, scene, name, sets):
        self.bench, self.folder, self.steps = bench, bench.work / name, 2 * WINDOW
        bench.run(scene, OVERLAPS | sets | self.end(), self.folder, min(2, timing.cores()))

    def end(self):
        return {END_KEY: f"{self.steps * PILE_STEP:.12g}"}

    def go_on(self):
        """Seconds of a step of another window, on one thread."""
        self.steps += WINDOW
        summary = timing.resume_moraine(self.bench.options.moraine, self.folder, self.end(), 1)
        return look_up(summary, timing.LOOP_SECONDS) / WINDOW

    def residual(self, windows=1):
        """m/s, the median over the last windows."""
        seen = runs.read_columns(self.folder / RESIDUALS)[RESIDUAL]
        return statistics.median(seen[-max(1, windows * WINDOW // LOOK_STEPS):])


def sweeps_for(bench, scene, count, wanted):
    """The fewest plain sweeps (to a fifth) that come to this residual, their run, and whether they do."""
    def tried(sweeps):
        run = Solving(bench, scene, f"plain_{sweeps}", plain(sweeps))
        say(f"plain, {sweeps} sweeps: residual {run.residual():.2g} m/s")
        return run

    few, sweeps, run = 8, 16, tried(16)
    while run.residual() > wanted:
        if 2 * sweeps * count > MOST_CONTACT_SWEEPS:
            return sweeps, run, False
        few, sweeps = sweeps, 2 * sweeps
        run = tried(sweeps)
    for _ in range(2):
        middle = round((few * sweeps) ** 0.5)
        if middle in (few, sweeps):
            break
        between = tried(middle)
        if between.residual() > wanted:
            few = middle
        else:
            sweeps, run = middle, between
    return sweeps, run, True


def hard(bench):
    return [pile(bench, count) for count in bench.effort.piles]


def pile(bench, count):
    """Settled by the default; both solvers then go on from there, first for two windows that are not timed."""
    settle = bench.effort.pile_settle * (count / 10000) ** 0.25
    say(f"settling {count} disks for {settle:.1f} s")
    folder = bench.work / f"pile_{count}"
    sizes = dict(word.split("=", 1) for word in piles.sizes_of(count))
    bench.run(PILE, sizes | OVERLAPS | {END_KEY: f"{settle:.6g}"}, folder, min(2, timing.cores()))
    scene = shapes.taken_over(folder)
    ours = Solving(bench, scene, f"default_{count}", {})
    wanted = ours.residual()
    say(f"default: residual {wanted:.2g} m/s")
    sweeps, theirs, equal = sweeps_for(bench, scene, count, wanted)
    row = Row(10, f"pile_2d, {count} disks: plain Gauss-Seidel / default, time of a step", least=3.0)
    taken = bench.in_turns(row.what, theirs.go_on, ours.go_on)
    row.values = [slow / fast for slow, fast in taken]
    fewest = "the fewest tried with" if equal else "the most tried, which did NOT come to (so the ratio is a lower bound)"
    row.note = (f"plain: {sweeps} sweeps of one part a step, {fewest} the default's residual {wanted:.2g} m/s in steps {WINDOW} to"
                f" {2 * WINDOW} from the same settled pile and impulses of 0; while timed {theirs.residual(bench.pairs):.2g} and"
                f" {ours.residual(bench.pairs):.2g} m/s; {milliseconds(taken)}")
    return row


def milliseconds(taken):
    return "{:.3g} and {:.3g} ms a step, one thread".format(*(1e3 * statistics.median(side) for side in zip(*taken)))


def rocks(bench):
    """Both programs on the heap that ours has settled."""
    row = Row(11, f"rock_heap {bench.effort.rocks}: older program / ours, time of a step", least=5.0)
    first = bench.options.first
    if not first:
        row.note = "left out: name an older program by --first PROGRAM"
        return [row]
    say(f"settling {bench.effort.rocks} rocks")
    scene, _ = heaps.settle(bench.options.moraine, bench.effort.rocks, bench.work)
    taken = bench.in_turns(row.what, *(lambda program=program: heaps.time_ours(program, scene, bench.work, bench.effort.rock_steps)[0]
                                       for program in (first, bench.options.moraine)))
    row.values = [old / new for old, new in taken]
    row.note = f"{milliseconds(taken)}; {first}"
    return [row]
