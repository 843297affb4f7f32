# SPDX-License-Identifier: MIT
"""Rows of bench/peers: beds of spheres beside other codes, on two threads, of disks, with another law, sizes and clumps; and
whether all codes have computed the same thing."""
import dataclasses
import statistics

import peer_codes
import shapes
import timing
from timing import look_up, rate, say

# ---- What is assumed of the program, beside what timing.py says. ----
TILT_KEY = "gravity.tilt"
DISKS = timing.ROOT / "bench" / "bed_2d.toml"
HERTZ = {"contact": '[{normal = "hertz", tangential = "mindlin", restitution = 0.7, shear_damping = 0.1, friction = 0.5,'
                    ' friction_limit = "total", no_tension = false}]',
         "material.0.young": 1.1e8}  # Pa: overlaps as those of the peers' linear springs
PROBES = {"probe": '[{kind = "coordination", every = 1}, {kind = "overlaps", every = 1}]'}  # looked at at the end
COORDINATION = "probes.coordination.mean"  # contacts of a mobile body, those with frozen ones included
OVERLAP = "probes.overlaps.mean_overlap"  # over the radius


def disks_wide(width):
    """The settings for a bed of disks so wide (m)."""
    return {"domain.max": f"[{width}, 60e-3]", "fill.0.max": f"[{width}, 1.2e-3]", "fill.1.max": f"[{width}, 38.4e-3]"}


# ---- How much is measured ----
@dataclasses.dataclass(frozen=True)
class Effort:
    size: str = "32k"  # of the peers' states
    steps: int = 2000
    yade_steps: int = 200
    physics_steps: int = 600
    large: str = "1m"
    tile: tuple = (8, 4)
    large_steps: int = 400
    frame_steps: int = 30  # between two frames
    disks_width: float = 1.2  # m: 32 000 disks
    disks_settle: int = 50000
    piles: tuple = (10000,)
    pile_settle: float = 18  # s, of 10 000 disks
    rocks: int = 1000
    rock_steps: int = 200


QUICK = Effort(size="8k", steps=60, yade_steps=20, physics_steps=60, large="16k", tile=(2, 1), large_steps=20, frame_steps=5,
               disks_width=0.06, disks_settle=2000, piles=(200,), rocks=20, rock_steps=20)


@dataclasses.dataclass
class Row:
    """A line of the table: what was asked for, and what each pair has given."""

    number: int
    what: str
    least: float = None
    most: float = None
    values: list = dataclasses.field(default_factory=list)
    note: str = ""  # how, or why it was left out
    unit: str = ""
    comparable: bool = True  # otherwise the numbers are not of what was asked for

    @property
    def asked(self):
        words = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"{words} {self.unit}".rstrip()

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def quartiles(self):
        if len(self.values) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return low, high

    @property
    def met(self):
        return self.comparable and (self.median >= self.least if self.least is not None else self.median <= self.most)


@dataclasses.dataclass
class Bench:
    """What every row needs: options, the peers' copy (or None), a folder, and what is kept from row to row."""

    options: object
    effort: Effort
    work: object
    peers: object
    large_runs: list = dataclasses.field(default_factory=list)

    @property
    def pairs(self):
        return self.options.pairs

    def flow(self):
        return self.peers.state(f"flow_{self.effort.size}")

    def ours(self, state, steps, threads=1, sets=None, scene=timing.PEER_SCENE):
        """The summary of a run of the peers' scene from a state."""
        return self.run(scene, timing.from_state(state) | timing.run_length(steps) | (sets or {}), self.work / "ours", threads)

    def run(self, scene, sets, out, threads=1):
        return timing.run_moraine(self.options.moraine, scene, timing.NO_FRAMES | sets, out, threads)

    def in_turns(self, what, first, second):
        """Results of both, pair by pair; the one that goes first changes."""
        taken = []
        for pair in range(self.pairs):
            say(f"{what}, pair {pair + 1} of {self.pairs}")
            if pair % 2 == 0:
                a = first()
                b = second()
            else:
                b = second()
                a = first()
            taken.append((a, b))
        return taken



# ---- Rows 1 to 3 ----
def beside_peers(bench, number, threads):
    """Rows 1 and 2: each state, beside each code that is here."""
    rows = []
    for code in peer_codes.CODES:
        for kind, degrees in (("flow", peer_codes.DEGREES), ("settled", 0)):
            row = Row(number, f"{kind}_{bench.effort.size}, {core_words(threads)}: ours / {peer_codes.CODES[code].name}",
                      least=3.0 if code == "lmp" else 1.0)
            lacking = peer_codes.lacking(code)
            if lacking or threads > timing.cores():
                row.note = f"left out: no {lacking} here" if lacking else f"left out: {timing.cores()} cores here"
            else:
                measure_beside(bench, row, code, kind, degrees, threads)
            rows.append(row)
    return rows


def core_words(threads):
    return "one core" if threads == 1 else f"{threads} threads, {threads} ranks"


def measure_beside(bench, row, code, kind, degrees, threads):
    state = bench.peers.state(f"{kind}_{bench.effort.size}")
    steps = bench.effort.yade_steps if code == "yade" else bench.effort.steps
    taken = bench.in_turns(row.what,
                           lambda: rate(bench.ours(state, bench.effort.steps, threads, {TILT_KEY: f"{degrees} deg"})),
                           lambda: bench.peers.time(code, state, threads, steps, degrees).rate)
    row.values = [ours / theirs for ours, theirs in taken]
    row.note = (f"{statistics.median(a for a, _ in taken):.2f} and {statistics.median(b for _, b in taken):.2f} million particle-steps/s;"
                f" {bench.effort.steps} and {steps} steps")


def one_core(bench):
    return beside_peers(bench, 1, 1)


def two_cores(bench):
    return beside_peers(bench, 2, 2)


def second_thread(bench):
    row = Row(3, f"our two threads / our one, flow_{bench.effort.size}", least=1.9)
    if timing.cores() < 2:
        row.note = "left out: one core here"
        return [row]
    taken = bench.in_turns(row.what, *(lambda n=n: rate(bench.ours(bench.flow(), bench.effort.steps, n)) for n in (2, 1)))
    row.values = [two / one for two, one in taken]
    row.note = f"{statistics.median(a for a, _ in taken):.2f} and {statistics.median(b for _, b in taken):.2f} million particle-steps/s"
    return [row]


# ---- Rows 6 to 9 ----
SAME_COORDINATION = 0.1


def disks(bench):
    """Both beds settled: in flow the contacts per dimension of disks and spheres differ too much."""
    width = disks_wide(bench.effort.disks_width)
    say("settling the bed of disks")
    flat = shapes.settled(lambda scene, sets, out: bench.run(scene, sets, out, min(2, timing.cores())), DISKS, width,
                          timing.STEP, bench.effort.disks_settle, bench.work / "disks")
    spheres, level = bench.peers.state(f"settled_{bench.effort.size}"), {TILT_KEY: "0 deg"}

    def run_disks(sets=None):
        return bench.run(flat, timing.run_length(bench.effort.steps) | (sets or {}), bench.work / "ours")

    def run_spheres(sets=None):
        return bench.ours(spheres, bench.effort.steps, 1, level | (sets or {}))

    seen = [(look_up(run(PROBES), COORDINATION), D) for run, D in ((run_disks, 2), (run_spheres, 3))]
    row = Row(6, "2D disks / 3D spheres, body-steps per second", least=2.0)
    taken = bench.in_turns(row.what, run_disks, run_spheres)
    row.values = [rate(flat_run) / rate(solid_run) for flat_run, solid_run in taken]
    per_dimension = [z / D for z, D in seen]
    row.note = (f"both settled; contacts of a mobile body {seen[0][0]:.2f} and {seen[1][0]:.2f}, over the dimension"
                f" {per_dimension[0]:.2f} and {per_dimension[1]:.2f} ({per_dimension[0] / per_dimension[1] - 1:+.0%})")
    row.comparable = abs(per_dimension[0] / per_dimension[1] - 1) <= SAME_COORDINATION
    if not row.comparable:
        row.note += ": NOT the same coordination"
    return [row]


def hertz(bench):
    state, steps = bench.flow(), bench.effort.steps
    overlaps = [look_up(bench.ours(state, steps, 1, law | PROBES), OVERLAP) for law in (HERTZ, {})]
    row = Row(7, f"Hertz-Mindlin against linear, flow_{bench.effort.size}, cost", most=1.3)
    taken = bench.in_turns(row.what, *(lambda law=law: rate(bench.ours(state, steps, 1, law)) for law in (HERTZ, {})))
    row.values = [linear / curved for curved, linear in taken]
    row.note = f"mean overlaps after {steps} steps {overlaps[0]:.2g} and {overlaps[1]:.2g} R"
    return [row]


def shape_beside_bed(bench, name):
    """Summaries of a case of shapes.py and of its bed, and what both have in contacts per body."""
    shape = next(case for case in shapes.CASES if case.name == name)
    if bench.options.quick:
        shape = shapes.shortened(shape)
    shape = dataclasses.replace(shape, pairs=bench.pairs)
    work = bench.work / name
    work.mkdir(exist_ok=True)
    say(f"{name}: settling, then {shape.pairs} pairs")
    scenes = shapes.settle(bench.run, work, shape, min(2, timing.cores()))
    taken = shapes.take_turns(bench.run, work, shape, scenes, 1)
    return list(zip(taken[name], taken["bed"]))


def contacts_per_body(summary):
    return max(1, look_up(summary, timing.CONTACTS)) / look_up(summary, timing.BODIES)


def sizes(bench):
    row = Row(8, "sizes 10:1 against one size, cost of a contact-step", most=1.5)
    taken = shape_beside_bed(bench, "wide_10")
    row.values = [rate(bed) * contacts_per_body(bed) / (rate(wide) * contacts_per_body(wide)) for wide, bed in taken]
    row.note = "contacts per body {:.2f} and {:.2f}".format(*map(contacts_per_body, taken[-1]))
    return [row]


def clumps(bench):
    row = Row(9, "clumps of four against spheres, cost of a member-step", most=1.3)
    taken = shape_beside_bed(bench, "drum_10k")
    row.values = [rate(bed) / rate(drum) for drum, bed in taken]
    row.note = "contacts per member and per sphere {:.2f} and {:.2f}".format(*map(contacts_per_body, taken[-1]))
    return [row]


# ---- The same physics? ----
TRANSLATION_TOLERANCE, COORDINATION_TOLERANCE = 0.002, 0.01


@dataclasses.dataclass
class Physics:
    """After the same steps of flow: J of translation, and contacts of a mobile grain."""

    code: str
    translation: float
    coordination: float

    def differ(self, other):
        return self.translation / other.translation - 1, self.coordination / other.coordination - 1


def physics(bench):
    """Ours first; that of LAMMPS, if it is here, is what the others are held against."""
    state, steps = bench.flow(), bench.effort.physics_steps
    say(f"physics after {steps} steps")
    own = bench.ours(state, steps, 1, PROBES)
    seen = [Physics("Moraine", look_up(own, timing.TRANSLATION), look_up(own, COORDINATION))]
    for code, about in peer_codes.CODES.items():
        if not peer_codes.lacking(code):
            found = bench.peers.physics(code, state, steps)
            seen.append(Physics(about.name, found["ket"], found["Z"]))
    return seen
