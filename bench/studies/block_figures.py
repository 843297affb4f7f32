#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures 7 and 8 of Muth and Eberhard: the way of a block on a slope of 30 degrees, for three coefficients of friction, and the two that hold it
in millimetres; beside them the law that depends on velocity alone, which creeps.

    bench/studies/block_figures.py --svg docs/figures/block_on_slope.svg
"""
import argparse
import math
import pathlib
import tempfile

import runs

CASES = [("0.5", "cundall-strack", "#c4501b"), ("0.58", "cundall-strack", "#1f6fb4"), ("0.6", "cundall-strack", "#3a8f3a"), ("0.6", "viscous", "#777777")]


def way(program, folder, friction, law, options, end, every):
    out = pathlib.Path(folder) / f"{friction}-{law}"
    sets = {"setup.friction": friction, "setup.tangential": law, "time.end": end, "probe.0.every": every, "method": options.method}
    if options.method == "hard":
        sets["hard.step"] = "1 ms"
    runs.run(program, "block_on_slope", sets, out)
    rows = runs.read_columns(out / "series" / "block.csv")
    return list(zip(rows["time [s]"], rows["distance [m]"]))


class Panel:
    """One diagram of way over time."""
    def __init__(self, left, end, most, unit, label):
        self.left, self.end, self.most, self.unit, self.label = left, end, most, unit, label
        self.wide, self.high, self.top = 300, 220, 30
        self.parts = []
        for k in range(6):
            t, w = end * k / 5, most * k / 5
            self.parts.append(f'<line x1="{self.x(t):.1f}" x2="{self.x(t):.1f}" y1="{self.top}" y2="{self.y(0):.1f}" stroke="#ddd"/>')
            self.parts.append(f'<line x1="{left}" x2="{left + self.wide}" y1="{self.y(w * unit):.1f}" y2="{self.y(w * unit):.1f}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{self.x(t):.1f}" y="{self.y(0) + 16:.1f}" text-anchor="middle">{t:g}</text>')
            self.parts.append(f'<text x="{left - 6}" y="{self.y(w * unit) + 4:.1f}" text-anchor="end">{w:g}</text>')
        self.parts.append(f'<rect x="{left}" y="{self.top}" width="{self.wide}" height="{self.high}" fill="none" stroke="#444"/>')
        self.parts.append(f'<text x="{left + self.wide / 2}" y="{self.y(0) + 34:.1f}" text-anchor="middle">time [s]</text>')
        self.parts.append(f'<text x="{left}" y="{self.top - 10}">{label}</text>')

    def x(self, t):
        return self.left + self.wide * t / self.end

    def y(self, way):
        return self.top + self.high * (1 - way / self.unit / self.most)

    def line(self, points, colour, text, at=0.6, anchor="end"):
        inside = [(t, w) for t, w in points if w / self.unit <= self.most]
        self.parts.append(f'<polyline points="{" ".join(f"{self.x(t):.1f},{self.y(w):.1f}" for t, w in inside)}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        t, w = inside[int(len(inside) * at)]
        self.parts.append(f'<text x="{self.x(t):.1f}" y="{self.y(w) - 6:.1f}" fill="{colour}" text-anchor="{anchor}">{text}</text>')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=runs.PROGRAM)
    parser.add_argument("--end", type=float, default=5.0, help="seconds")
    parser.add_argument("--method", choices=("soft", "hard"), default="soft")
    parser.add_argument("--svg", type=pathlib.Path, help="draw the figure there")
    options = parser.parse_args()
    coarse = Panel(60, options.end, 10 * (options.end / 5) ** 2, 1.0, "way [m]")
    fine = Panel(440, 0.1, 0.025, 1e-3, "way [mm]")
    with tempfile.TemporaryDirectory() as folder:
        for friction, law, colour in CASES:
            if options.method == "hard" and law == "viscous":
                continue
            points = way(options.program, folder, friction, law, options, options.end, "5 ms")
            exact = 0.5 * 9.81 * options.end ** 2 * max(0.0, math.sin(math.pi / 6) - float(friction) * math.cos(math.pi / 6))
            print(f"mu = {friction}, {law}: {points[-1][1]:.6g} m after {options.end:g} s (expected {exact:.6g} m)")
            if friction == "0.5":
                coarse.line(points, colour, friction)
            elif law != "viscous":
                coarse.line(points, colour, "0.58 and 0.6" if friction == "0.6" else "")
            if friction != "0.5":
                start = way(options.program, folder, friction, law, options, 0.1, "0.1 ms")
                fine.line(start, colour, "0.6, velocity law" if law == "viscous" else friction, 0.8, "start" if law == "viscous" else "end")
    if options.svg:
        options.svg.parent.mkdir(parents=True, exist_ok=True)
        options.svg.write_text("\n".join(
            ['<svg xmlns="http://www.w3.org/2000/svg" width="770" height="300" font-family="sans-serif" font-size="12">', '<rect width="770" height="300" fill="white"/>']
            + coarse.parts + fine.parts + ["</svg>\n"]))


if __name__ == "__main__":
    main()
