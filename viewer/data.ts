// SPDX-License-Identifier: MIT
// What the server tells: runs, frames, series. The addresses are relative, so that the token stays in them.

export interface Wall { name: string; kind: string; from: number[]; to: number[]; force: number[] }

export interface Frame {
  dimension: number; time: number; step: number; walls: Wall[]; materials: string[];
  domain_min: number[]; domain_max: number[]; periodic: number[];
  id: Float64Array; position: Float32Array; velocity: Float32Array; spin: Float32Array; orientation: Float32Array;
  radius: Float32Array; mass: Float32Array; material: Int32Array; held: Int32Array; clump: Float64Array; form: Int32Array;
  contact_a: Int32Array; contact_b: Int32Array; contact_point: Float32Array; contact_force: Float32Array;
  line_from: Float32Array; line_to: Float32Array; line_wall: Int32Array;
  form_radius: Float32Array; form_vertex_start: Int32Array; form_facet_start: Int32Array; form_vertex: Float32Array;
  form_facet: Int32Array;
}

export interface Run { title: string; live: boolean; times: number[]; series: string[]; contacts: boolean; summary: Record<string, unknown> | null }
export interface Column { name: string; unit: string; values: number[] }
export interface Series { rows: number; every: number; columns: Column[] }
export interface Body {
  id: number; time: number; position: number[]; velocity: number[]; spin: number[]; radius: number; mass: number;
  material: string; held: string; clump: number; contacts: number;
}
export interface History { id: number; time: number[]; speed: number[]; x: number[]; y: number[]; z: number[] }
export interface LiveState {
  state: string; trouble: string; time: number; step: number; frames: number; pace: number; rate: number; looking: number;
  sets: string[]; generation: number;
}

async function ask(path: string, options?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch("api/" + path, options);
  } catch {
    throw new Error("The program that showed this run has ended.");
  }
  if (!answer.ok) throw new Error((await answer.text()).trim() || `the server said ${answer.status}`);
  return answer;
}

export async function get<T>(path: string): Promise<T> { return await (await ask(path)).json() as T; }
export async function post(path: string, body = ""): Promise<void> { await ask(path, { method: "POST", body }); }

export function parseFrame(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  if (bytes.byteLength < 8 || view.getUint32(0, false) !== 0x4d465231) throw new Error("what came is no frame");
  const size = view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, size)));
  for (const [name, a] of Object.entries<any>(head.arrays)) {
    const at = 8 + size + a.at, n = a.parts * a.count;
    head[name] = a.type === "f64" ? new Float64Array(bytes, at, n)
      : a.type === "f32" ? new Float32Array(bytes, at, n) : new Int32Array(bytes, at, n);
  }
  delete head.arrays;
  return head as Frame;
}

export async function getFrame(which: number | "newest"): Promise<Frame> {
  return parseFrame(await (await ask(`frame/${which}`)).arrayBuffer());
}
