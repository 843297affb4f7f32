// SPDX-License-Identifier: MIT
// A curve with its axes on a small canvas.

export interface Curve { x: number[]; y: number[]; xTitle: string; yTitle: string; mark?: number }

const style = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function numberText(v: number): string {
  if (v === 0) return "0";
  const a = Math.abs(v);
  return (a >= 1e5 || a < 1e-3 ? v.toExponential(2) : String(Number(v.toPrecision(4)))).replace(/-/g, "\u2212");
}

function ticks(low: number, high: number, most: number): number[] {
  const raw = (high - low) / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= raw) ?? raw;
  const out: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12) + 1e-300 && out.length < 20; ++k) out.push(k * step);
  return out;
}

export function drawCurve(canvas: HTMLCanvasElement, curve: Curve): void {
  const ratio = Math.min(window.devicePixelRatio, 2), w = canvas.clientWidth, h = canvas.clientHeight || 160;
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  const c = canvas.getContext("2d");
  if (!c || w < 40) return;
  c.scale(ratio, ratio);
  c.font = "11px system-ui, sans-serif";
  const good = curve.y.map((_, i) => i).filter(i => Number.isFinite(curve.x[i]) && Number.isFinite(curve.y[i]));
  c.fillStyle = style("--soft");
  if (good.length === 0) {
    c.fillText("no rows yet", 8, 20);
    return;
  }
  const range = (v: number[]): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const i of good) { low = Math.min(low, v[i]); high = Math.max(high, v[i]); }
    const pad = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.1 || 1;
    return [low - pad, high + pad];
  };
  const [x0, x1] = range(curve.x), [y0, y1] = range(curve.y);
  const left = 54, right = 8, top = 22, bottom = 30;
  const px = (x: number): number => left + (x - x0) / (x1 - x0) * (w - left - right);
  const py = (y: number): number => h - bottom - (y - y0) / (y1 - y0) * (h - top - bottom);
  c.strokeStyle = style("--line");
  c.lineWidth = 1;
  c.textAlign = "center";
  for (const x of ticks(x0, x1, Math.max(2, Math.floor(w / 90)))) {
    c.beginPath(); c.moveTo(px(x), top); c.lineTo(px(x), h - bottom); c.stroke();
    c.fillText(numberText(x), px(x), h - bottom + 13);
  }
  c.textAlign = "right";
  for (const y of ticks(y0, y1, 4)) {
    c.beginPath(); c.moveTo(left, py(y)); c.lineTo(w - right, py(y)); c.stroke();
    c.fillText(numberText(y), left - 5, py(y) + 4);
  }
  c.textAlign = "left";
  c.fillText(curve.yTitle, 4, 11);
  c.textAlign = "right";
  c.fillText(curve.xTitle, w - right, h - 4);
  c.strokeStyle = style("--mark");
  c.lineWidth = 1.5;
  c.beginPath();
  good.forEach((i, k) => { if (k === 0) c.moveTo(px(curve.x[i]), py(curve.y[i])); else c.lineTo(px(curve.x[i]), py(curve.y[i])); });
  c.stroke();
  if (curve.mark !== undefined && curve.mark >= x0 && curve.mark <= x1) {
    c.strokeStyle = style("--ink");
    c.lineWidth = 1;
    c.beginPath(); c.moveTo(px(curve.mark), top); c.lineTo(px(curve.mark), h - bottom); c.stroke();
  }
}
