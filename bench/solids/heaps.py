# SPDX-License-Identifier: MIT
"""Settled heaps of convex rocks, made and timed. Only the standard library."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import timing  # noqa: E402
from timing import say  # noqa: E402

# Convex rocks of 14 points (20 to 24 facets each), poured from a patch that grows with their number.
STIFFNESS = 2e5
STEP = 2e-5  # s, of both codes
RELAX = 1500  # steps


def taken_over(out, scene):
    """A scene with the bodies that a run has left, by soft contacts. The search for neighbours is the program's choice."""
    lines, inside, material = [], False, ""
    for text in (out / "scene.toml").read_text().splitlines():
        if text.startswith("["):
            inside = text in ("[[fill]]", "[hard]", "[search]")
        if inside and text.startswith("material ="):
            material = text
        if not inside and not text.startswith('method = "hard"'):
            lines.append(text)
    scene.write_text("\n".join(lines) + f'\n[[fill]]\nmethod = "checkpoint"\n{material}\nfile = "{out}"\n')
    return scene


def settle(program, count, work):
    """The heap, first hard, then with the overlaps of soft contacts."""
    half = 0.08 * count ** (1 / 3)
    high = 0.5 + 0.6 * half
    out = work / f"heap_{count}"
    batch = max(1, count // 30)
    summary = timing.run_moraine(program, "rock_heap", {
        "method": "hard", "hard.step": 0.004, "hard.substeps": 2, "time.end": 4.5, "fill.1.count": 1, "fill.0.count": count - 1,
        "fill.0.batch": batch, "fill.0.every": 0.1, "fill.0.min": f"[{-half}, {-half}, {high}]", "fill.1.min": f"[{-half}, {-half}, {high}]",
        "fill.0.max": f"[{half}, {half}, {high + 0.8}]", "fill.1.max": f"[{half}, {half}, {high + 0.8}]", "fill.1.solid": "block",
        "contact.0.restitution": 0.1, "material.0.stiffness": STIFFNESS, "output.trajectory": "false", "output.every": 4.5}, out, 2)
    say(f"{count} rocks: kinetic energy {summary['energy']['kinetic'] / count:.2g} J each, {summary['contacts'] / count:.2f} contacts each")
    soft = work / f"soft_{count}"
    timing.run_moraine(program, taken_over(out, work / f"hard_{count}.toml"),
                       {"time.step": STEP, "time.end": RELAX * STEP, "output.trajectory": "false", "output.every": 1e9}, soft, 2)
    return taken_over(soft, work / f"heap_{count}.toml"), soft


def time_ours(program, scene, work, steps):
    """Seconds of a step, and the summary."""
    sets = {"time.step": STEP, "time.end": f"{STEP * steps:.9g}", "output.every": 1e9} | timing.NO_FRAMES
    summary = timing.run_moraine(program, scene, sets, work / "timed", 1)
    return summary["timings"]["loop"] / summary["steps"], summary
