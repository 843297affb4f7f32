# SPDX-License-Identifier: MIT
"""What the studies share: running the program, fits by least squares, tables. Only the standard library is needed."""
import csv
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build" / "moraine"


def run(program, scene, sets, out):
    """Runs a scene on one thread, without frames, and returns its summary."""
    line = [str(program), "run", str(scene)]
    for key, value in (sets | {"output.trajectory": "false", "output.vtk": "false"}).items():
        line += ["--set", f"{key}={value}"]
    line += ["--out", str(out), "--threads", "1", "--quiet", "--overwrite"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(line)}\n{done.stdout[-2000:]}")
    return json.loads((pathlib.Path(out) / "summary.json").read_text())


def read_columns(file):
    """A CSV file of numbers as lists by the names of its columns."""
    with open(file) as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def mean_and_error(values):
    """Mean, and its standard error from the scatter of the values."""
    n = len(values)
    mean = sum(values) / n
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (n * (n - 1))) if n > 1 else 0.0


def solve(matrix, right):
    """Gauss with pivots."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def fit(function, start, points):
    """Least squares of y = function(parameters, x) to points (x, y, error) by Gauss-Newton with damping (Marquardt):
    parameters, their errors (larger where the points scatter more than their errors), chi^2 per degree of freedom."""
    values = list(start)
    free = len(values)

    def chi2_of(p):
        return sum(((y - function(p, x)) / error) ** 2 for x, y, error in points)

    def normal_of(p):
        normal, right = [[0.0] * free for _ in range(free)], [0.0] * free
        for x, y, error in points:
            slope = []
            for i in range(free):
                step = 1e-6 * max(abs(p[i]), 1e-6)
                up, down = list(p), list(p)
                up[i] += step
                down[i] -= step
                slope.append((function(up, x) - function(down, x)) / (2 * step * error))
            wrong = (y - function(p, x)) / error
            for i in range(free):
                right[i] += slope[i] * wrong
                for j in range(free):
                    normal[i][j] += slope[i] * slope[j]
        return normal, right

    chi2, damping = chi2_of(values), 1e-3
    for _ in range(500):
        normal, right = normal_of(values)
        damped = [[normal[i][j] * (1 + damping * (i == j)) for j in range(free)] for i in range(free)]
        tried = [v + c for v, c in zip(values, solve(damped, right))]
        new = chi2_of(tried)
        if new <= chi2:
            done = chi2 - new < 1e-12 * chi2
            values, chi2, damping = tried, new, max(damping * 0.1, 1e-12)
            if done:
                break
        else:
            damping *= 10
            if damping > 1e12:
                break
    normal, _ = normal_of(values)
    freedom = max(1, len(points) - free)
    scale = math.sqrt(max(1.0, chi2 / freedom))
    errors = [scale * math.sqrt(solve(normal, [float(j == i) for j in range(free)])[i]) for i in range(free)]
    return values, errors, chi2 / freedom


def write_csv(file, rows):
    """Rows are dictionaries with the same keys."""
    with open(file, "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
