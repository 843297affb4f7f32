# SPDX-License-Identifier: MIT
"""What all measurements share: running the program, reading its summary, describing the machine. Only the standard library."""
import datetime
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# ---- What is assumed of the program: its arguments, scene keys and the numbers in summary.json. Only here. ----
PROGRAM = ROOT / "build" / "moraine"
PEERS = ROOT.parent / "shared" / "peers"  # start states, and decks for other codes
PEER_SCENE = ROOT / "bench" / "peer_bed.toml"  # the peers' physics; its first fill reads a start state
STATE_KEY = "fill.0.file"
BOX_KEY = "domain.max"
STEP = 3e-6  # s, of the peers
SUMMARY_FILE = "summary.json"
LOOP_SECONDS = "timings.loop"
BODIES = "bodies"
STEPS = "steps"
CONTACTS = "contacts"
RATE = "particle_steps_per_second"
PEAK_BYTES = "memory.peak_bytes"
KINETIC = "energy.kinetic"  # J, of translation and rotation together
TRANSLATION = "energy.translational"
NO_FRAMES = {"output.trajectory": "false", "output.vtk": "false"}  # they would be timed too


def run_length(steps):
    """The settings for a run of so many of the peers' steps."""
    return {"time.step": STEP, "time.end": f"{steps * STEP:.9g}"}


def box_of(state):
    """The domain of a start state, from its first line: # box Lx Ly Lz."""
    opener = gzip.open if str(state).endswith(".gz") else open
    with opener(state, "rt") as file:
        lengths = file.readline().split()[2:5]
    return {BOX_KEY: f"[{', '.join(lengths)}]"}


def from_state(state):
    """The settings of PEER_SCENE that start it from a state."""
    return {STATE_KEY: state} | box_of(state)


def set_arguments(sets):
    return [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]


def moraine_command(program, scene, sets, out, threads):
    line = [str(program), "run", str(scene), *set_arguments(sets)]
    return line + ["--out", str(out), "--threads", str(threads), "--quiet", "--overwrite"]


def resume_command(program, out, sets, threads):
    return [str(program), "resume", str(out), *set_arguments(sets), "--threads", str(threads), "--quiet"]


class Trouble(Exception):
    pass


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


# ---- Running the program ----
def look_up(summary, path, file=SUMMARY_FILE):
    value = summary
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            raise Trouble(f"{file} has no '{path}' (names are set at the top of bench/timing.py)")
        value = value[part]
    return value


def call(line, **where):
    """Runs a program to its end and returns its words; Trouble with the last of them if it fails."""
    line = [str(word) for word in line]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **where)
    except OSError as error:
        raise Trouble(f"cannot start {line[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise Trouble(f"status {done.returncode} of: {' '.join(line)}\n{done.stdout[-2000:]}")
    return done.stdout


def summary_of(out):
    return json.loads((out / SUMMARY_FILE).read_text())


def run_moraine(program, scene, sets, out, threads):
    call(moraine_command(program, scene, sets, out, threads))
    return summary_of(out)


def resume_moraine(program, out, sets, threads):
    call(resume_command(program, out, sets, threads))
    return summary_of(out)


def rate(summary):
    """Million body-steps per second of a run from its start."""
    return look_up(summary, BODIES) * look_up(summary, STEPS) / look_up(summary, LOOP_SECONDS) / 1e6


# ---- The machine and the version ----
def cpu_model():
    try:
        match = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        match = None
    return match.group(1).strip() if match else os.uname().machine


def cores():
    return len(os.sched_getaffinity(0))


def commit():
    try:
        line = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--tags"]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def warn_if_busy():
    if os.getloadavg()[0] > 0.5:
        say(f"WARNING: the machine is busy (load {os.getloadavg()[0]:.1f}): poor numbers, above all on two ranks")


def results_file(ending):
    """bench/results/<date>-<cpu><ending>; its folder is there."""
    slug = re.sub(r"[^a-z0-9]+", "-", cpu_model().lower()).strip("-")
    file = ROOT / "bench" / "results" / f"{datetime.date.today().isoformat()}-{slug}{ending}"
    file.parent.mkdir(exist_ok=True)
    return file


def add_program_options(parser):
    parser.add_argument("--moraine", type=pathlib.Path, default=PROGRAM, help="the program (build/moraine)")
    parser.add_argument("--peers", type=pathlib.Path, default=PEERS,
                        help="folder of start states and decks of other codes (../shared/peers)")


def print_aligned(rows, left=0):
    """Columns as wide as their widest cell; the first `left` of them flush left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if i < left else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
