// SPDX-License-Identifier: MIT
// Colours fit for the colour-blind: viridis for quantities, Okabe and Ito's set for kinds.

import type { Frame } from "./data";

const VIRIDIS = [
  [0.267, 0.005, 0.329], [0.283, 0.141, 0.458], [0.254, 0.265, 0.530], [0.207, 0.372, 0.553], [0.164, 0.471, 0.558],
  [0.128, 0.567, 0.551], [0.135, 0.659, 0.518], [0.267, 0.749, 0.441], [0.478, 0.821, 0.318], [0.741, 0.873, 0.150],
  [0.993, 0.906, 0.144]];
const KINDS = [
  [0.00, 0.45, 0.70], [0.90, 0.62, 0.00], [0.00, 0.62, 0.45], [0.80, 0.47, 0.65], [0.34, 0.71, 0.91], [0.84, 0.37, 0.00],
  [0.94, 0.89, 0.26], [0.45, 0.45, 0.50]];
export const HELD = [0.62, 0.62, 0.63];

export function viridis(share: number): number[] {
  const t = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1), i = Math.min(Math.floor(t), VIRIDIS.length - 2);
  return [0, 1, 2].map(k => VIRIDIS[i][k] + (t - i) * (VIRIDIS[i + 1][k] - VIRIDIS[i][k]));
}
export const kind = (number: number): number[] => KINDS[((number % KINDS.length) + KINDS.length) % KINDS.length];
export const css = (c: number[]): string => `rgb(${c.map(v => Math.round(255 * v)).join(",")})`;

const length3 = (a: Float32Array, i: number): number => Math.hypot(a[3 * i], a[3 * i + 1], a[3 * i + 2]);

// The largest force of a contact of each body.
function forces(f: Frame): Float32Array {
  const out = new Float32Array(f.id.length);
  for (let c = 0; c < f.contact_a.length; ++c) {
    const force = length3(f.contact_force, c);
    for (const i of [f.contact_a[c], f.contact_b[c]]) if (i >= 0 && force > out[i]) out[i] = force;
  }
  return out;
}
function contacts(f: Frame): Float32Array {
  const out = new Float32Array(f.id.length);
  for (let c = 0; c < f.contact_a.length; ++c)
    for (const i of [f.contact_a[c], f.contact_b[c]]) if (i >= 0) ++out[i];
  return out;
}

export interface Quantity { name: string; unit: string; of: (f: Frame) => ArrayLike<number> }
const component = (key: "position" | "velocity" | "spin", k: number) => (f: Frame) =>
  Float32Array.from(f.radius, (_, i) => f[key][3 * i + k]);
const size = (key: "velocity" | "spin") => (f: Frame) => Float32Array.from(f.radius, (_, i) => length3(f[key], i));

export const QUANTITIES: Quantity[] = [
  { name: "speed", unit: "m/s", of: size("velocity") },
  { name: "velocity x", unit: "m/s", of: component("velocity", 0) },
  { name: "velocity y", unit: "m/s", of: component("velocity", 1) },
  { name: "velocity z", unit: "m/s", of: component("velocity", 2) },
  { name: "spin", unit: "rad/s", of: size("spin") },
  { name: "x", unit: "m", of: component("position", 0) },
  { name: "y", unit: "m", of: component("position", 1) },
  { name: "z", unit: "m", of: component("position", 2) },
  { name: "radius", unit: "m", of: f => f.radius },
  { name: "mass", unit: "kg", of: f => f.mass },
  { name: "largest force", unit: "N", of: forces },
  { name: "contacts", unit: "", of: contacts },
  { name: "id", unit: "", of: f => f.id },
];

export interface Colouring { rgb: Float32Array; legend: Legend }
export type Legend = { kinds: { name: string; colour: number[] }[] } | { name: string; unit: string; low: number; high: number };

// A colour per body. Quantities go from their least to their largest value among the free bodies of the frame.
export function colour(f: Frame, by: string): Colouring {
  const n = f.id.length, rgb = new Float32Array(3 * n);
  const quantity = QUANTITIES.find(q => q.name === by);
  const put = (i: number, c: number[]): void => rgb.set(f.held[i] !== 0 ? HELD : c, 3 * i);
  if (!quantity) {
    for (let i = 0; i < n; ++i) put(i, kind(f.material[i]));
    const used = [...new Set(f.material)].sort((a, b) => a - b);
    const kinds = used.map(m => ({ name: f.materials[m] ?? `material ${m}`, colour: kind(m) }));
    if (f.held.some(h => h !== 0)) kinds.push({ name: "held", colour: HELD });
    return { rgb, legend: { kinds } };
  }
  const values = quantity.of(f);
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < n; ++i) {
    if (f.held[i] !== 0) continue;
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  if (!(low <= high)) low = high = 0;
  if (quantity.name === "speed" || quantity.name === "largest force") low = 0;
  for (let i = 0; i < n; ++i) put(i, viridis(high > low ? (values[i] - low) / (high - low) : 0.3));
  return { rgb, legend: { name: quantity.name, unit: quantity.unit, low, high } };
}
