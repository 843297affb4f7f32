# SPDX-License-Identifier: MIT
"""LAMMPS on the peers' start states: runs the deck, reads its log. Knows nothing of Moraine."""
import os
import re
import shutil
import subprocess
import sys

DEGREES = 24  # the tilt of the chute
SKIN = 1e-4  # m, the neighbour skin that suits LAMMPS best here
TIME = "/usr/bin/time"  # the deck's runner takes the memory from it


class PeerError(Exception):
    pass


def lacking():
    """The first program that is needed and not here, or None."""
    return next((tool for tool in ("lmp", "mpirun", TIME) if not shutil.which(tool)), None)


def version():
    text = subprocess.run(["lmp", "-h"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    match = re.search(r"Simulator - (.+)", text)
    return match.group(1).strip() if match else "of unknown version"


class Peers:
    """A writable copy of the peers' folder, with larger states made when they are asked for."""

    def __init__(self, source, work):
        self.folder = work / "peers"
        # Contents and not modes: the source may be read-only.
        shutil.copytree(source, self.folder, copy_function=shutil.copyfile)
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" else 0o644)

    def state(self, case):
        """The file with the start state of a case."""
        file = self.folder / "state" / f"flow_{case.name}.csv.gz"
        if not file.exists():
            if not case.tile:
                raise PeerError(f"there is no start state {file.name}")
            name, nx, ny = case.tile
            source = self.folder / "state" / f"flow_{name}.csv.gz"
            self._run([sys.executable, "tile.py", source, file, nx, ny])
        return file

    def time(self, case, ranks):
        """Runs the deck; returns spheres, steps, seconds of the loop, kinetic energy in J, peak bytes of all ranks."""
        self.state(case)
        environment = os.environ | {"ANALYSE": "0", "EVERY": str(case.steps)}
        self._run(["bash", "lammps/run.sh", f"flow_{case.name}", ranks, case.steps, DEGREES, SKIN, 1], environment)
        log = (self.folder / "out" / f"lammps_flow_{case.name}_c{ranks}_r1.log").read_text()
        loop = re.search(rf"Loop time of (\S+) on {ranks} procs for {case.steps} steps with (\d+) atoms", log)
        if not loop:
            raise PeerError(f"LAMMPS did not finish:\n{log[-2000:]}")
        dangerous = re.search(r"Dangerous builds = (\d+)", log)
        if dangerous and int(dangerous.group(1)):
            raise PeerError(f"LAMMPS reports {dangerous.group(1)} dangerous builds: its skin is too thin")
        return (int(loop.group(2)), case.steps, float(loop.group(1)), kinetic_energy(log),
                1024 * sum(int(kb) for kb in re.findall(r"RSS_KB (\d+)", log)))

    def _run(self, line, environment=None):
        line = [str(word) for word in line]
        done = subprocess.run(line, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise PeerError(f"status {done.returncode} of {' '.join(line)}\n{done.stdout[-2000:]}")


def kinetic_energy(log):
    """Translation and rotation of the mobile grains, from the last table of the log."""
    lines = log.splitlines()
    heads = [i for i, line in enumerate(lines) if line.split()[:3] == ["Step", "c_kt", "c_kr"]]
    if not heads:
        raise PeerError("LAMMPS printed no kinetic energy")
    values = lines[heads[-1] + 1].split()
    return float(values[1]) + float(values[2])
