# SPDX-License-Identifier: MIT
"""LAMMPS, LIGGGHTS and YADE on the peers' start states: runs the decks, reads what they print. Knows nothing of Moraine."""
import dataclasses
import os
import re
import shutil
import subprocess
import sys

from timing import Trouble, call

DEGREES = 24  # the tilt of the chute
TIME = "/usr/bin/time"  # the decks' runners take the memory from it


@dataclasses.dataclass(frozen=True)
class Code:
    name: str
    folder: str  # of its deck
    needs: tuple  # programs
    skin: float  # m, that suits it best here
    started: int = 0  # steps that its deck makes before the timed ones


CODES = {
    "lmp": Code("LAMMPS", "lammps", ("lmp", "mpirun", TIME), 1e-4),
    "liggghts": Code("LIGGGHTS", "liggghts", ("liggghts", "mpirun", TIME), 1e-4),
    "yade": Code("YADE", "yade", ("yade",), 5e-5, started=20),
}


@dataclasses.dataclass(frozen=True)
class Run:
    spheres: int
    steps: int
    seconds: float  # of the loop
    kinetic: float  # J, of translation and rotation; LAMMPS alone tells it
    peak_bytes: float  # of all ranks

    @property
    def rate(self):
        """Million particle-steps per second."""
        return self.spheres * self.steps / self.seconds / 1e6


def lacking(code):
    """The first program that a code needs and that is not here, or None."""
    return next((tool for tool in CODES[code].needs if not shutil.which(tool)), None)


def version(code):
    try:
        if code == "lmp":
            text = subprocess.run(["lmp", "-h"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
            match = re.search(r"Simulator - (.+)", text)
            return match.group(1).strip() if match else "of unknown version"
        line = ["dpkg-query", "-W", "-f", "${Version}", code]
        return subprocess.run(line, capture_output=True, text=True).stdout.strip() or "of unknown version"
    except OSError:
        return "of unknown version"


class Peers:
    """A writable copy of the peers' folder, with larger states made when they are asked for."""

    def __init__(self, source, work):
        self.folder = work / "peers"
        # Contents and not modes: the source may be read-only.
        shutil.copytree(source, self.folder, copy_function=shutil.copyfile)
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" else 0o644)

    def state(self, name, tile=()):
        """The file of a start state; tile: of which other one, how often in x and in y it is made if need be."""
        file = self.folder / "state" / f"{name}.csv.gz"
        if not file.exists():
            if not tile:
                raise Trouble(f"there is no start state {file.name}")
            source, nx, ny = tile
            call([sys.executable, "tile.py", self.state(source), file, nx, ny], cwd=self.folder)
        return file

    def time(self, code, state, cores, steps, degrees=DEGREES):
        """A timed run from the file of a state, on so many ranks or threads."""
        return READERS[code](self._run_deck(code, state, cores, steps, degrees, analyse=False), cores, steps)

    def physics(self, code, state, steps, degrees=DEGREES):
        """What analyse.py says of the state after so many steps: ket, Z and others by name."""
        steps -= CODES[code].started
        words = self._run_deck(code, state, 1, steps, degrees, analyse=True)[0]
        found = re.findall(r"(\w+)=(\S+)", words[words.rfind("N="):])
        if "ket" not in dict(found):
            raise Trouble(f"no analysis of what {CODES[code].name} has left:\n{words[-2000:]}")
        return {name: float(value) for name, value in found}

    def _run_deck(self, code, state, cores, steps, degrees, analyse):
        """What its runner prints, and the log."""
        folder, name = CODES[code].folder, state.name.removesuffix(".csv.gz")
        environment = os.environ | {"ANALYSE": str(int(analyse)), "EVERY": str(max(1, steps))}
        line = ["bash", f"{folder}/run.sh", name, cores, steps, degrees, CODES[code].skin, 1]
        log = self.folder / "out" / f"{folder}_{name}_c{cores}_r1.log"
        log.unlink(missing_ok=True)
        try:
            words = call(line, cwd=self.folder, env=environment)
        except Trouble as trouble:
            raise Trouble(f"{trouble}\n{log.read_text(errors='replace')[-2000:] if log.exists() else ''}") from trouble
        return words, log.read_text(errors="replace")


def read_lammps(printed, ranks, steps):
    """LIGGGHTS writes the same kind of log, but other names over its columns."""
    log = printed[1]
    loop = re.search(rf"Loop time of (\S+) on {ranks} procs for {steps} steps with (\d+) atoms", log)
    if not loop:
        raise Trouble(f"LAMMPS or LIGGGHTS did not finish:\n{log[-2000:]}")
    dangerous = re.search(r"Dangerous builds = (\d+)", log)
    if dangerous and int(dangerous.group(1)):
        raise Trouble(f"{dangerous.group(1)} dangerous builds are reported: the skin is too thin")
    memory = 1024 * sum(int(kb) for kb in re.findall(r"RSS_KB (\d+)", log))
    return Run(int(loop.group(2)), steps, float(loop.group(1)), kinetic_energy(log), memory)


def read_yade(printed, threads, steps):
    log = printed[1]
    loop = re.search(r"YADELOOP N=(\d+) steps=\d+ wall=\S+ psteps_per_s=(\S+) .*rss_kb=(\d+)", log)
    if not loop:
        raise Trouble(f"YADE did not finish on {threads}:\n{log[-2000:]}")
    spheres = int(loop.group(1))
    return Run(spheres, steps, spheres * steps / float(loop.group(2)), None, 1024 * int(loop.group(3)))


READERS = {"lmp": read_lammps, "liggghts": read_lammps, "yade": read_yade}


def kinetic_energy(log):
    """Translation and rotation of the mobile grains, from the last table of a log of LAMMPS."""
    lines = log.splitlines()
    heads = [i for i, line in enumerate(lines) if line.split()[:3] == ["Step", "c_kt", "c_kr"]]
    if not heads:
        return None
    values = lines[heads[-1] + 1].split()
    return float(values[1]) + float(values[2])
