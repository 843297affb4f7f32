# SPDX-License-Identifier: MIT
"""A figure of panels side by side: lines over logarithmic or linear axes, as SVG. Only the standard library."""
import math

COLOURS = ("#1f5fa8", "#c8452c", "#3d8a3a", "#8a5aa8", "#b08a1e", "#444444")
WIDE, HIGH, LEFT, TOP, GAP, BOTTOM = 230, 210, 58, 28, 62, 74


def ticks(low, high, log):
    if log:
        first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
        every = max(1, (last - first + 4) // 5)
        return [10.0**k for k in range(first, last + 1) if (k - first) % every == 0]
    step = 10 ** math.floor(math.log10(high - low))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if (high - low) / s <= 6)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def name(value):
    return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e") if value and not 1e-2 < abs(value) < 1e4 else f"{value:g}"


class Panel:
    """Lines of (name, [(x, y)...]). On a logarithmic axis values at or below `floor` lie on it."""

    def __init__(self, title, x_name, lines, log_x=True, log_y=True, floor=1e-17):
        self.title, self.x_name, self.log_x, self.log_y = title, x_name, log_x, log_y
        self.lines = [(label, [(x, max(y, floor) if log_y else y) for x, y in points]) for label, points in lines]
        xs = [x for _, points in self.lines for x, _ in points]
        ys = [y for _, points in self.lines for _, y in points]
        self.x_range = (min(xs), max(xs))
        low, high = min(ys), max(ys)
        if log_y:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
        if high <= low:
            low, high = (low / 10, high * 10) if log_y else (low - 1, high + 1)
        self.y_range = (low, high)

    def part(self, value, ends, log):
        change = math.log10 if log else float
        return (change(value) - change(ends[0])) / ((change(ends[1]) - change(ends[0])) or 1)

    def draw(self, left):
        at_x = lambda x: left + WIDE * self.part(x, self.x_range, self.log_x)
        at_y = lambda y: TOP + HIGH * (1 - self.part(y, self.y_range, self.log_y))
        out = [f'<rect x="{left}" y="{TOP}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#444"/>',
               f'<text x="{left + WIDE / 2}" y="{TOP - 10}" text-anchor="middle" font-weight="bold">{self.title}</text>',
               f'<text x="{left + WIDE / 2}" y="{TOP + HIGH + 34}" text-anchor="middle">{self.x_name}</text>']
        for tick in ticks(*self.x_range, self.log_x):
            out += [f'<line x1="{at_x(tick):.1f}" x2="{at_x(tick):.1f}" y1="{TOP}" y2="{TOP + HIGH}" stroke="#ddd"/>',
                    f'<text x="{at_x(tick):.1f}" y="{TOP + HIGH + 16}" text-anchor="middle">{name(tick)}</text>']
        for tick in ticks(*self.y_range, self.log_y):
            out += [f'<line x1="{left}" x2="{left + WIDE}" y1="{at_y(tick):.1f}" y2="{at_y(tick):.1f}" stroke="#ddd"/>',
                    f'<text x="{left - 5}" y="{at_y(tick) + 4:.1f}" text-anchor="end">{name(tick)}</text>']
        for k, (_, points) in enumerate(self.lines):
            path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="1.6"/>')
        return out


def write(file, panels):
    """Panels have the same lines, which are named once, below."""
    wide = LEFT + len(panels) * (WIDE + GAP) - GAP + 16
    high = TOP + HIGH + BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="sans-serif" font-size="11">',
             f'<rect width="{wide}" height="{high}" fill="white"/>']
    for k, panel in enumerate(panels):
        parts += panel.draw(LEFT + k * (WIDE + GAP))
    x = LEFT
    for k, (label, _) in enumerate(panels[0].lines):
        parts += [f'<line x1="{x}" x2="{x + 22}" y1="{high - 16}" y2="{high - 16}" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="2"/>',
                  f'<text x="{x + 27}" y="{high - 12}">{label}</text>']
        x += 50 + 6.2 * len(label)
    file.write_text("\n".join([*parts, "</svg>\n"]))
