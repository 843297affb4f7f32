// SPDX-License-Identifier: MIT
// The picture: bodies, walls, forces and velocities of one frame, drawn by the graphics card. Spheres and disks are
// squares that the fragment shader makes round, so that a hundred thousand of them are one draw call of four corners
// each. Parallel projection, as in the figures.

import * as THREE from "three";
import type { Frame } from "./data";

export interface Show { bodies: boolean; walls: boolean; forces: boolean; velocity: boolean }
export interface Cut { axis: number; at: number } // hides what lies beyond `at` along the axis

const BALL_VERTEX = `
attribute vec3 centre; attribute float size; attribute vec3 tint; attribute vec4 turn; attribute float mark;
uniform vec4 cut;
varying vec2 at; varying vec3 colour; varying float depth; varying float reach; varying vec4 turned; varying float marked;
varying float beyond;
void main() {
  vec4 view = modelViewMatrix * vec4(centre, 1.0);
  at = position.xy; colour = tint; reach = size; turned = turn; marked = mark;
  beyond = dot(cut.xyz, centre) - cut.w;
  float hidden = beyond > size ? 0.0 : 1.0;
  view.xy += position.xy * size * 1.03 * hidden;
  depth = view.z;
  gl_Position = projectionMatrix * view;
}`;
const BALL_FRAGMENT = `
uniform float flatness; uniform mat4 projectionMatrix; uniform float pixel; uniform mat3 toWorld; uniform vec3 across;
varying float beyond;
varying vec2 at; varying vec3 colour; varying float depth; varying float reach; varying vec4 turned; varying float marked;
vec3 back(vec4 q, vec3 v) { vec3 u = -q.yzw; vec3 t = 2.0 * cross(u, v); return v + q.x * t + cross(u, t); }
void main() {
  vec2 p = at * 1.03;
  float r = length(p), soft = pixel / max(reach, 1e-30);
  if (r > 1.0) discard;
  vec3 shade;
  float z = depth;
  if (flatness > 0.5) {
    if (beyond + reach * dot(across.xy, p) > 0.0) discard;
    float edge = smoothstep(1.0 - max(0.1, 1.5 * soft), 1.0, r);
    shade = mix(colour, colour * 0.5, edge);
    float angle = 2.0 * atan(turned.w, turned.x);
    vec2 along = vec2(cos(angle), sin(angle));
    float across = abs(along.x * p.y - along.y * p.x), forth = dot(along, p);
    if (soft < 0.2) shade = mix(shade, vec3(dot(colour, vec3(0.3, 0.6, 0.1)) < 0.45 ? 0.95 : 0.1),
                                (1.0 - smoothstep(0.05, 0.05 + soft, across)) * step(0.0, forth) * 0.75);
  } else {
    float h = sqrt(1.0 - r * r);
    vec3 normal = vec3(p, h);
    z += reach * h;
    // Beyond the cut: what is seen there lies in its plane, within the sphere.
    float over = beyond + reach * dot(across, normal), sunk = over / max(across.z, 1e-6);
    if (over > 0.0) {
      if (across.z < 1e-6 || sunk > 2.0 * reach * h) discard;
      z -= sunk;
      normal = across;
    }
    float light = 0.38 + 0.62 * max(0.0, dot(normal, normalize(vec3(-0.45, 0.6, 0.66))));
    vec3 own = back(turned, toWorld * normal);
    float band = soft < 0.15 && over <= 0.0 ? smoothstep(0.06, 0.06 + 2.0 * soft, abs(own.x)) : 1.0;
    shade = colour * light * mix(0.72, 1.0, band);
  }
  if (marked > 0.5 && r > 0.82) shade = vec3(0.9, 0.1, 0.1);
  gl_FragColor = vec4(shade, 1.0);
  vec4 clip = projectionMatrix * vec4(0.0, 0.0, z, 1.0);
  gl_FragDepthEXT = 0.5 * clip.z / clip.w + 0.5;
}`;
// Bars that face the reader, from a to b, as wide as they should be in space, and never thinner than a pixel.
const BAR_VERTEX = `
attribute vec3 a; attribute vec3 b; attribute vec3 wide; attribute vec3 tint;
uniform float pixel; varying vec3 colour;
void main() {
  vec4 p = modelViewMatrix * vec4(a, 1.0), q = modelViewMatrix * vec4(b, 1.0);
  vec2 along = q.xy - p.xy;
  float far = length(along);
  vec2 across = far > 0.0 ? vec2(-along.y, along.x) / far : vec2(1.0, 0.0);
  float half_width = 0.5 * max(mix(wide.x, wide.y, position.y), (wide.z > 0.5 && position.y > 0.5) ? 0.0 : pixel);
  vec4 view = mix(p, q, position.y);
  view.xy += across * position.x * half_width;
  colour = tint;
  gl_Position = projectionMatrix * view;
}`;
const BAR_FRAGMENT = `varying vec3 colour; uniform float opacity; void main() { gl_FragColor = vec4(colour, opacity); }`;

function quad(corners: number[]): any {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners), 3));
  geometry.setIndex([0, 1, 2, 2, 1, 3]);
  return geometry;
}
function instanced(geometry: any, name: string, array: Float32Array, size: number): void {
  const old = geometry.attributes[name];
  if (old && old.array.length === array.length) {
    old.array = array;
    old.needsUpdate = true;
  } else {
    geometry.setAttribute(name, new THREE.InstancedBufferAttribute(array, size));
  }
}

class Bars {
  readonly mesh: any;
  private a: number[] = []; private b: number[] = []; private wide: number[] = []; private tint: number[] = [];
  constructor(opacity: number, over: boolean) {
    const material = new THREE.ShaderMaterial({
      vertexShader: BAR_VERTEX, fragmentShader: BAR_FRAGMENT, side: THREE.DoubleSide, transparent: opacity < 1,
      depthTest: !over, depthWrite: opacity >= 1,
      uniforms: { pixel: { value: 0 }, opacity: { value: opacity } } });
    this.mesh = new THREE.Mesh(quad([-1, 0, 0, 1, 0, 0, -1, 1, 0, 1, 1, 0]), material);
    this.mesh.frustumCulled = false;
    if (over) this.mesh.renderOrder = 2;
  }
  clear(): void { this.a = []; this.b = []; this.wide = []; this.tint = []; }
  // Widths at both ends; `tip`: it may run out to nothing.
  add(a: number[], b: number[], from: number, to: number, colour: number[], tip = false): void {
    this.a.push(...a); this.b.push(...b); this.wide.push(from, to, tip ? 1 : 0); this.tint.push(...colour);
  }
  done(): void {
    const geometry = quad([-1, 0, 0, 1, 0, 0, -1, 1, 0, 1, 1, 0]);
    instanced(geometry, "a", new Float32Array(this.a), 3);
    instanced(geometry, "b", new Float32Array(this.b), 3);
    instanced(geometry, "wide", new Float32Array(this.wide), 3);
    instanced(geometry, "tint", new Float32Array(this.tint), 3);
    geometry.maxInstancedCount = this.a.length / 3;
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = this.a.length > 0;
  }
}

type V = number[];
const at3 = (a: ArrayLike<number>, i: number): V => [a[3 * i], a[3 * i + 1], a[3 * i + 2]];
const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a: V, b: V): V => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const mul = (a: V, s: number): V => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a: V): number => Math.hypot(a[0], a[1], a[2]);
function turn(q: ArrayLike<number>, at: number, v: V): V {
  const u = [q[at + 1], q[at + 2], q[at + 3]], t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[at])), cross(u, t));
}

// The corners of all triangles that lines make, nine numbers each.
function triangles(lines: V[][]): number[] {
  const names = new Map<string, number>(), points: V[] = [], next: Set<number>[] = [];
  const number = (x: V): number => {
    const key = x.join();
    let n = names.get(key);
    if (n === undefined) {
      n = points.length;
      names.set(key, n);
      points.push(x);
      next.push(new Set());
    }
    return n;
  };
  for (const [a, b] of lines) {
    const i = number(a), j = number(b);
    next[Math.min(i, j)].add(Math.max(i, j));
  }
  const out: number[] = [];
  for (let i = 0; i < points.length; ++i)
    for (const j of next[i])
      for (const k of next[j])
        if (next[i].has(k)) out.push(...points[i], ...points[j], ...points[k]);
  return out;
}

export class Stage {
  private readonly renderer: any;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly balls: any;
  private readonly solids: any;
  private readonly forces = new Bars(1, true);
  private readonly arrows = new Bars(1, true);
  private readonly walls = new Bars(1, false);
  private readonly wires: any;
  private readonly faces: any; // of walls
  private readonly box: any;
  private frame: Frame | null = null;
  private centre: V = [0, 0, 0];
  private reach = 1;   // half of what is seen upwards, m
  private radius = 1;  // of all that there is
  private azimuth = -Math.PI / 3; private height = 25 * Math.PI / 180;
  private wanted = false;
  private placed = false;
  private colours = { space: 0xffffff, wall: 0x475569 };
  show: Show = { bodies: true, walls: true, forces: false, velocity: false };
  cut: Cut | null = null;
  marked = -1;         // id of a body
  drawn = 0;           // pictures so far
  onView: () => void = () => undefined;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!context) throw new Error("this browser has no WebGL 2, which the picture needs");
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.localClippingEnabled = true;
    const material = new THREE.ShaderMaterial({
      vertexShader: BALL_VERTEX, fragmentShader: BALL_FRAGMENT,
      uniforms: { flatness: { value: 0 }, cut: { value: new THREE.Vector4(0, 0, 0, 1) }, pixel: { value: 0 },
                  toWorld: { value: new THREE.Matrix3() }, across: { value: new THREE.Vector3() } } });
    (material as any).extensions = { fragDepth: true };
    this.balls = new THREE.Mesh(quad([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), material);
    this.balls.frustumCulled = false;
    this.solids = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshLambertMaterial({ vertexColors: THREE.VertexColors, side: THREE.DoubleSide }));
    this.solids.frustumCulled = false;
    this.wires = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.5 }));
    this.wires.frustumCulled = false;
    this.faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.13, side: THREE.DoubleSide, depthWrite: false }));
    this.faces.frustumCulled = false;
    this.faces.renderOrder = 1;
    this.box = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 }));
    this.scene.add(this.balls, this.solids, this.wires, this.faces, this.box, this.walls.mesh, this.forces.mesh, this.arrows.mesh);
    this.scene.add(new THREE.AmbientLight(0xffffff, 0.45));
    const lamp = new THREE.DirectionalLight(0xffffff, 0.65);
    lamp.position.set(-0.45, 0.6, 0.66);
    this.camera.add(lamp);
    this.scene.add(this.camera);
    new ResizeObserver(() => this.redraw()).observe(canvas);
    this.listen();
  }

  get flat(): boolean { return this.frame?.dimension === 2; }

  // ---- what is shown

  set(frame: Frame, rgb: Float32Array): void {
    this.frame = frame;
    if (!this.placed) {
      this.placed = true;
      this.look("corner");
    }
    this.setBalls(frame, rgb);
    this.setSolids(frame, rgb);
    this.setForces(frame);
    this.setArrows(frame);
    this.setWalls(frame);
    this.redraw();
  }

  // Whether anything of a body there is on this side of the cut.
  private visible(x: V, radius = 0): boolean { return !this.cut || x[this.cut.axis] - radius <= this.cut.at; }

  private setBalls(f: Frame, rgb: Float32Array): void {
    const round: number[] = [];
    for (let i = 0; i < f.id.length; ++i) if (f.form[i] < 0) round.push(i);
    const all = round.length === f.id.length;
    const pick = (a: Float32Array, parts: number): Float32Array => {
      if (all) return a.slice();
      const out = new Float32Array(parts * round.length);
      round.forEach((i, k) => { for (let p = 0; p < parts; ++p) out[parts * k + p] = a[parts * i + p]; });
      return out;
    };
    const g = this.balls.geometry;
    instanced(g, "centre", pick(f.position, 3), 3);
    instanced(g, "size", pick(f.radius, 1), 1);
    instanced(g, "tint", pick(rgb, 3), 3);
    instanced(g, "turn", pick(f.orientation, 4), 4);
    const mark = new Float32Array(round.length);
    round.forEach((i, k) => { if (f.id[i] === this.marked) mark[k] = 1; });
    instanced(g, "mark", mark, 1);
    g.maxInstancedCount = this.show.bodies ? round.length : 0;
    this.balls.visible = g.maxInstancedCount > 0;
  }

  private setSolids(f: Frame, rgb: Float32Array): void {
    const places: number[] = [], normals: number[] = [], tints: number[] = [];
    for (let i = 0; i < f.id.length && this.show.bodies; ++i) {
      const form = f.form[i];
      if (form < 0 || !this.visible(at3(f.position, i), f.radius[i])) continue;
      const scale = f.radius[i] / f.form_radius[form], first = f.form_vertex_start[form];
      const corner = (v: number): V => add(at3(f.position, i), turn(f.orientation, 4 * i, mul(at3(f.form_vertex, first + v), scale)));
      const tint = f.id[i] === this.marked ? [0.9, 0.1, 0.1] : at3(rgb, i);
      const put = (a: V, b: V, c: V): void => {
        let n = cross(sub(b, a), sub(c, a));
        n = mul(n, 1 / (norm(n) || 1));
        for (const x of [a, b, c]) { places.push(...x); normals.push(...n); tints.push(...tint); }
      };
      for (let k = f.form_facet_start[form]; k < f.form_facet_start[form + 1]; ++k) {
        const a = f.form_facet[4 * k], b = f.form_facet[4 * k + 1], c = f.form_facet[4 * k + 2];
        if (c >= 0) put(corner(a), corner(b), corner(c));
      }
      if (f.dimension === 2) this.putPolygon(f, i, corner, put);
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(places), 3));
    g.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(normals), 3));
    g.setAttribute("color", new THREE.BufferAttribute(new Float32Array(tints), 3));
    this.solids.geometry.dispose();
    this.solids.geometry = g;
    this.solids.visible = places.length > 0;
  }

  private putPolygon(f: Frame, i: number, corner: (v: number) => V, put: (a: V, b: V, c: V) => void): void {
    const form = f.form[i], count = f.form_vertex_start[form + 1] - f.form_vertex_start[form];
    const outline = Array.from({ length: count }, (_, v) => corner(v));
    const points = outline.map(x => new THREE.Vector2(x[0], x[1]));
    for (const [a, b, c] of THREE.ShapeUtils.triangulateShape(points, [])) put(outline[a], outline[b], outline[c]);
  }

  private meanRadius(f: Frame): number {
    let sum = 0;
    for (const r of f.radius) sum += r;
    return f.radius.length > 0 ? sum / f.radius.length : 1;
  }

  // As the sources draw them: a bar along each contact, as wide as its force.
  private setForces(f: Frame): void {
    this.forces.clear();
    let strongest = 0;
    const n = f.contact_a.length;
    for (let c = 0; c < n; ++c) strongest = Math.max(strongest, norm(at3(f.contact_force, c)));
    const widest = 1.2 * this.meanRadius(f);
    for (let c = 0; c < n && this.show.forces && strongest > 0; ++c) {
      const point = at3(f.contact_point, c), force = at3(f.contact_force, c), width = widest * norm(force) / strongest;
      for (const i of [f.contact_a[c], f.contact_b[c]]) {
        if (i < 0) continue;
        const x = at3(f.position, i);
        if (norm(sub(point, x)) > 2.5 * f.radius[i] || !this.visible(x)) continue; // over a periodic boundary
        const pulls = dot(force, sub(point, at3(f.position, f.contact_a[c]))) > 0;
        this.forces.add(x, point, width, width, pulls ? [0.05, 0.36, 0.66] : [0.70, 0.11, 0.12]);
      }
    }
    this.forces.done();
  }

  private setArrows(f: Frame): void {
    this.arrows.clear();
    let fastest = 0;
    for (let i = 0; i < f.id.length; ++i) if (f.held[i] === 0) fastest = Math.max(fastest, norm(at3(f.velocity, i)));
    const length = 6 * this.meanRadius(f), step = Math.ceil(f.id.length / 20000);
    for (let i = 0; i < f.id.length && this.show.velocity && fastest > 0; i += step) {
      const x = at3(f.position, i), v = at3(f.velocity, i);
      if (f.held[i] !== 0 || norm(v) < 0.01 * fastest || !this.visible(x)) continue;
      this.arrows.add(x, add(x, mul(v, length / fastest)), 0.12 * length, 0, this.dark ? [0.55, 0.75, 1] : [0.07, 0.22, 0.55], true);
    }
    this.arrows.done();
  }

  private setWalls(f: Frame): void {
    this.walls.clear();
    const lines: number[] = [], colour = new THREE.Color(this.colours.wall);
    const tint = [colour.r, colour.g, colour.b];
    const link = 0.25 * this.meanRadius(f), faces: number[] = [];
    const quad = (a: V, b: V, c: V, d: V): void => { faces.push(...a, ...b, ...c, ...a, ...c, ...d); };
    for (let k = 0; k < f.line_wall.length; ++k) {
      const a = at3(f.line_from, k), b = at3(f.line_to, k);
      if (f.line_wall[k] === -1) this.walls.add(a, b, link, link, tint);
      else if (this.show.walls) lines.push(...a, ...b);
    }
    for (const wall of this.show.walls ? f.walls : []) {
      if (wall.kind === "segment") {
        const width = 0.006 * this.radius;
        this.walls.add(wall.from, wall.to, width, width, tint);
      } else if (wall.kind === "plane") {
        const grid = this.planeGrid(f, wall.from, wall.to), last = grid.length - 12;
        lines.push(...grid);
        if (f.dimension === 3) quad(at3(grid, 0), at3(grid, 1), at3(grid, last / 3 + 1), at3(grid, last / 3));
      }
    }
    if (this.show.walls) this.addFaces(f, faces, quad);
    this.walls.done();
    const skin = new THREE.BufferGeometry();
    skin.setAttribute("position", new THREE.BufferAttribute(new Float32Array(faces), 3));
    this.faces.geometry.dispose();
    this.faces.geometry = skin;
    this.faces.visible = faces.length > 0;
    this.faces.material.color.set(this.colours.wall);
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(lines), 3));
    this.wires.geometry.dispose();
    this.wires.geometry = g;
    this.wires.visible = lines.length > 0;
    this.wires.material.color.set(this.colours.wall);
    this.setBox(f);
  }

  // Frames hold curved walls as lines. Between the two rings of a cylinder or cone there are strips, and where three
  // lines of a mesh make a triangle there is a face of it.
  private addFaces(f: Frame, faces: number[], quad: (a: V, b: V, c: V, d: V) => void): void {
    const around = 48, lines = new Map<number, number[]>();
    for (let k = 0; k < f.line_wall.length; ++k) {
      const wall = f.line_wall[k];
      if (wall < 0) continue;
      const of = lines.get(wall);
      if (of) of.push(k);
      else lines.set(wall, [k]);
    }
    for (const [wall, of] of lines) {
      const kind = f.walls[wall]?.kind;
      if (kind === "skin" && of.length === 2 * around + around / 4) {
        for (let k = 0, at = 0; k < around; ++k) {
          const low = of[at++], high = of[at++];
          if (k % 4 === 0) ++at; // the line from ring to ring
          quad(at3(f.line_from, low), at3(f.line_to, low), at3(f.line_to, high), at3(f.line_from, high));
        }
      } else if (kind === "mesh" && f.dimension === 3) {
        faces.push(...triangles(of.map(k => [at3(f.line_from, k), at3(f.line_to, k)])));
      }
    }
  }

  private planeGrid(f: Frame, point: V, normal: V): number[] {
    const n = mul(normal, 1 / (norm(normal) || 1));
    if (f.dimension === 2) {
      const along = mul([-n[1], n[0], 0], 3 * this.radius);
      return [...sub(point, along), ...add(point, along)];
    }
    const helper = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    let e = cross(helper, n);
    e = mul(e, 1 / norm(e));
    const g = cross(n, e), out: number[] = [];
    const foot = sub(this.home, mul(n, dot(sub(this.home, point), n))), half = 1.1 * this.radius, count = 12;
    for (let k = 0; k <= count; ++k) {
      const s = half * (2 * k / count - 1);
      out.push(...add(foot, add(mul(e, s), mul(g, -half))), ...add(foot, add(mul(e, s), mul(g, half))));
      out.push(...add(foot, add(mul(g, s), mul(e, -half))), ...add(foot, add(mul(g, s), mul(e, half))));
    }
    return out;
  }

  // The domain, where it repeats.
  private setBox(f: Frame): void {
    const lines: number[] = [];
    if (f.periodic.some(p => p !== 0)) {
      const corner = (bits: number): V => [0, 1, 2].map(k => ((bits >> k) & 1) !== 0 ? f.domain_max[k] : f.domain_min[k]);
      for (let from = 0; from < (f.dimension === 2 ? 4 : 8); ++from)
        for (let k = 0; k < f.dimension; ++k)
          if (((from >> k) & 1) === 0) lines.push(...corner(from), ...corner(from | (1 << k)));
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(lines), 3));
    this.box.geometry.dispose();
    this.box.geometry = g;
    this.box.visible = lines.length > 0;
    this.box.material.color.set(this.colours.wall);
  }

  // ---- from where it is seen

  private home: V = [0, 0, 0];
  private low: V = [-1, -1, -1]; private high: V = [1, 1, 1];

  private measure(): void {
    const f = this.frame;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const grow = (x: ArrayLike<number>, at: number, r: number): void => {
      for (let k = 0; k < 3; ++k) {
        low[k] = Math.min(low[k], x[at + k] - r);
        high[k] = Math.max(high[k], x[at + k] + r);
      }
    };
    if (f) {
      for (let i = 0; i < f.id.length; ++i) grow(f.position, 3 * i, f.radius[i]);
      for (const w of f.walls) if (w.kind === "segment") { grow(w.from, 0, 0); grow(w.to, 0, 0); }
      for (let k = 0; k < f.line_wall.length; ++k) { grow(f.line_from, 3 * k, 0); grow(f.line_to, 3 * k, 0); }
    }
    if (!(low[0] <= high[0])) { low.fill(-1); high.fill(1); }
    if (f?.dimension === 2) low[2] = high[2] = 0;
    this.low = low;
    this.high = high;
    this.home = mul(add(low, high), 0.5);
    this.radius = Math.max(0.5 * norm(sub(high, low)), 1e-12);
  }

  look(view: string): void {
    const quarter = Math.PI / 2;
    const views: Record<string, [number, number]> = {
      corner: [-Math.PI / 3, 25 * Math.PI / 180], front: [-quarter, 0], side: [0, 0], top: [-quarter, quarter] };
    [this.azimuth, this.height] = this.flat ? views.top : views[view] ?? views.corner;
    this.measure();
    this.centre = [...this.home];
    const wide = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1), { right, up } = this.axes();
    let across = 0, upwards = 0;
    for (let bits = 0; bits < 8; ++bits) {
      const corner = sub([0, 1, 2].map(k => ((bits >> k) & 1) !== 0 ? this.high[k] : this.low[k]), this.home);
      across = Math.max(across, Math.abs(dot(corner, right)));
      upwards = Math.max(upwards, Math.abs(dot(corner, up)));
    }
    this.reach = 1.06 * Math.max(upwards, across / Math.max(wide, 0.1), 1e-12);
    this.redraw();
  }

  private axes(): { right: V; up: V; toward: V } {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ch = Math.cos(this.height), sh = Math.sin(this.height);
    return { right: [-sa, ca, 0], up: [-sh * ca, -sh * sa, ch], toward: [ch * ca, ch * sa, sh] };
  }

  turnBy(dx: number, dy: number): void {
    if (this.flat) return this.moveBy(dx, dy);
    this.azimuth -= 0.008 * dx;
    this.height = Math.min(Math.max(this.height + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
    this.redraw();
  }
  moveBy(dx: number, dy: number): void {
    const { right, up } = this.axes(), metres = 2 * this.reach / Math.max(this.canvas.clientHeight, 1);
    this.centre = add(this.centre, add(mul(right, -dx * metres), mul(up, dy * metres)));
    this.redraw();
  }
  // `x`, `y`: what stays where it is, in pixels from the middle.
  zoom(factor: number, x = 0, y = 0): void {
    const before = this.reach;
    this.reach = Math.min(Math.max(this.reach * factor, 1e-6 * this.radius), 50 * this.radius);
    const { right, up } = this.axes(), metres = 2 * (before - this.reach) / Math.max(this.canvas.clientHeight, 1);
    this.centre = add(this.centre, add(mul(right, x * metres), mul(up, -y * metres)));
    this.redraw();
  }

  private listen(): void {
    const down = new Map<number, { x: number; y: number }>();
    let moved = 0, spread = 0;
    const c = this.canvas;
    c.addEventListener("pointerdown", e => {
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      moved = 0;
      spread = 0;
      c.setPointerCapture(e.pointerId);
    });
    c.addEventListener("pointermove", e => {
      const last = down.get(e.pointerId);
      if (!last) return;
      const dx = e.clientX - last.x, dy = e.clientY - last.y;
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      moved += Math.abs(dx) + Math.abs(dy);
      if (down.size === 2) {
        const [p, q] = [...down.values()], now = Math.hypot(p.x - q.x, p.y - q.y);
        if (spread > 0 && now > 0) this.zoom(spread / now);
        spread = now;
        this.moveBy(dx / 2, dy / 2);
      } else if (e.shiftKey || e.buttons === 2 || e.buttons === 4) {
        this.moveBy(dx, dy);
      } else {
        this.turnBy(dx, dy);
      }
    });
    const up = (e: PointerEvent): void => {
      if (!down.delete(e.pointerId)) return;
      if (e.type === "pointerup" && moved < 4 && e.button === 0) {
        const r = c.getBoundingClientRect();
        this.onPick(this.pick(e.clientX - r.left, e.clientY - r.top));
      }
    };
    c.addEventListener("pointerup", up);
    c.addEventListener("pointercancel", up);
    c.addEventListener("contextmenu", e => e.preventDefault());
    c.addEventListener("wheel", e => {
      e.preventDefault();
      const r = c.getBoundingClientRect();
      this.zoom(Math.exp(0.0012 * e.deltaY), e.clientX - r.left - r.width / 2, e.clientY - r.top - r.height / 2);
    }, { passive: false });
  }

  // ---- which body is there

  onPick: (index: number) => void = () => undefined;

  // The place in the arrays of the nearest body under a point of the canvas, or -1.
  pick(x: number, y: number): number {
    const f = this.frame;
    if (!f || !this.show.bodies) return -1;
    const { right, up, toward } = this.axes(), w = this.canvas.clientWidth, h = Math.max(this.canvas.clientHeight, 1);
    const metres = 2 * this.reach / h;
    const p = add(this.centre, add(mul(right, (x - w / 2) * metres), mul(up, (h / 2 - y) * metres)));
    const along = dot(p, toward);
    let best = -1, nearest = -Infinity;
    for (let i = 0; i < f.id.length; ++i) {
      const c = at3(f.position, i), away = sub(c, p);
      const u = dot(away, right), v = dot(away, up), r2 = f.radius[i] * f.radius[i] - u * u - v * v;
      if (r2 < 0 || !this.visible(c, f.radius[i])) continue;
      let depth = f.form[i] < 0 ? dot(c, toward) + (this.flat ? 0 : Math.sqrt(r2)) : this.hit(f, i, p, toward);
      if (this.cut && f.form[i] < 0) {
        const { axis, at } = this.cut, over = p[axis] + toward[axis] * (depth - along) - at;
        if (over > 0) depth = toward[axis] > 1e-6 ? depth - over / toward[axis] : -Infinity;
        if (depth < dot(c, toward) - Math.sqrt(r2)) continue;
      }
      if (depth > nearest) {
        nearest = depth;
        best = i;
      }
    }
    return best;
  }

  // How near the facets of a solid come to the reader along a line; -Infinity: it passes by.
  private hit(f: Frame, i: number, p: V, toward: V): number {
    const form = f.form[i], scale = f.radius[i] / f.form_radius[form], first = f.form_vertex_start[form];
    const c = at3(f.position, i);
    const corner = (v: number): V => add(c, turn(f.orientation, 4 * i, mul(at3(f.form_vertex, first + v), scale)));
    if (f.dimension === 2) {
      let inside = false;
      const count = f.form_vertex_start[form + 1] - first;
      for (let v = 0; v < count; ++v) {
        const a = corner(v), b = corner((v + 1) % count);
        if ((a[1] > p[1]) !== (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) inside = !inside;
      }
      return inside ? 0 : -Infinity;
    }
    let nearest = -Infinity;
    for (let k = f.form_facet_start[form]; k < f.form_facet_start[form + 1]; ++k) {
      const a = corner(f.form_facet[4 * k]), e = sub(corner(f.form_facet[4 * k + 1]), a), g = sub(corner(f.form_facet[4 * k + 2]), a);
      const n = cross(e, g), slope = dot(n, toward);
      if (Math.abs(slope) < 1e-300) continue;
      const t = dot(sub(a, p), n) / slope, x = sub(add(p, mul(toward, t)), a), nn = dot(n, n);
      const s = dot(cross(x, g), n) / nn, r = dot(cross(e, x), n) / nn;
      if (s >= 0 && r >= 0 && s + r <= 1 && this.visible(add(p, mul(toward, t)))) nearest = Math.max(nearest, dot(add(p, mul(toward, t)), toward));
    }
    return nearest;
  }

  // Where a body is on the canvas, in pixels.
  where(index: number): { x: number; y: number } {
    const { right, up } = this.axes(), away = sub(at3(this.frame!.position, index), this.centre);
    const pixels = Math.max(this.canvas.clientHeight, 1) / (2 * this.reach);
    return { x: this.canvas.clientWidth / 2 + dot(away, right) * pixels, y: this.canvas.clientHeight / 2 - dot(away, up) * pixels };
  }

  // ---- drawing

  private dark = false;
  theme(dark: boolean): void {
    this.dark = dark;
    this.colours = dark ? { space: 0x10141a, wall: 0x94a3b8 } : { space: 0xfbfbfc, wall: 0x475569 };
    if (this.frame) {
      this.setArrows(this.frame);
      this.setWalls(this.frame);
    }
    this.redraw();
  }

  redraw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    this.wanted = false;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    if (w < 1 || h < 1) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    const { right, up, toward } = this.axes(), far = 4 * this.radius + norm(sub(this.centre, this.home));
    const camera = this.camera;
    camera.left = -this.reach * w / h; camera.right = this.reach * w / h; camera.top = this.reach; camera.bottom = -this.reach;
    camera.near = 0; camera.far = 2 * far;
    camera.position.set(...add(this.centre, mul(toward, far)));
    const basis = new THREE.Matrix4().makeBasis(new THREE.Vector3(...right), new THREE.Vector3(...up), new THREE.Vector3(...toward));
    camera.quaternion.setFromRotationMatrix(basis);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld(true);
    const pixel = 2 * this.reach / h;
    const u = this.balls.material.uniforms;
    u.flatness.value = this.flat ? 1 : 0;
    u.pixel.value = pixel;
    u.toWorld.value.set(right[0], up[0], toward[0], right[1], up[1], toward[1], right[2], up[2], toward[2]);
    // Without a cut everything lies far on this side of it.
    const n = [0, 0, 0];
    if (this.cut) n[this.cut.axis] = 1;
    u.cut.value.set(n[0], n[1], n[2], this.cut ? this.cut.at : 4 * far);
    u.across.value.set(dot(n, right), dot(n, up), dot(n, toward));
    const planes = this.cut ? [new THREE.Plane(new THREE.Vector3(-n[0], -n[1], -n[2]), this.cut.at)] : null;
    this.solids.material.clippingPlanes = this.faces.material.clippingPlanes = planes;
    for (const bars of [this.forces, this.arrows, this.walls]) bars.mesh.material.uniforms.pixel.value = pixel;
    this.renderer.setClearColor(this.colours.space, 1);
    this.renderer.render(this.scene, camera);
    ++this.drawn;
    this.onView();
  }

  bounds(axis: number): [number, number] {
    this.measure();
    return [this.low[axis], this.high[axis]];
  }
  picture(): string {
    this.draw();
    return this.canvas.toDataURL("image/png");
  }
}
