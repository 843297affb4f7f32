// SPDX-License-Identifier: MIT
// The page: what is chosen, which frame is shown, what is told of it.

import { colour, css, QUANTITIES, viridis, type Legend } from "./colours";
import { get, getFrame, post, type Body, type Frame, type History, type LiveState, type Run, type Series } from "./data";
import { drawCurve, numberText } from "./plot";
import { Stage } from "./stage";

const byId = <T extends HTMLElement>(id: string): T => {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no ${id}`);
  return e as T;
};
const input = (id: string): HTMLInputElement => byId<HTMLInputElement>(id);
const select = (id: string): HTMLSelectElement => byId<HTMLSelectElement>(id);

let run: Run, frame: Frame | null = null, index = 0, playing = false, following = false;
let picked = -1, series: Series | null = null, history: History | null = null, live: LiveState | null = null;
let stage: Stage;

function say(words: string): void {
  byId("message").textContent = words;
  byId("message").hidden = words === "";
}
// What goes wrong is told on the page, not only in the browser's console.
function safely(work: () => Promise<void> | void): () => void {
  return () => { void (async () => { try { await work(); } catch (e) { say(e instanceof Error ? e.message : String(e)); } })(); };
}

// ---- frames

let frameTrouble = false; // the message is of a frame: the next good one takes it away
let asked: number | "newest" | null = null, busy = false;

// Of several that are asked for while one is on its way only the last is fetched.
async function show(which: number | "newest"): Promise<void> {
  asked = which;
  if (busy) return;
  busy = true;
  try {
    while (asked !== null) {
      const now: number | "newest" = asked;
      asked = null;
      frame = await getFrame(now);
      if (now !== "newest") index = now;
      if (frameTrouble) say("");
      frameTrouble = false;
      present();
    }
  } catch (e) {
    frameTrouble = true;
    throw e;
  } finally {
    busy = false;
  }
}

function present(): void {
  if (!frame) return;
  const { rgb, legend } = colour(frame, select("colour").value);
  stage.marked = picked;
  stage.set(frame, rgb);
  showLegend(legend);
  byId("clock").textContent = `t = ${numberText(frame.time)} s`;
  byId("status").textContent = `${frame.id.length} ${frame.id.length === 1 ? "body" : "bodies"}, ${run.contacts ? `${frame.contact_a.length} contacts` : "contacts not written"}` +
    (following ? ", newest" : `, frame ${index} of 0 to ${Math.max(run.times.length - 1, 0)}`);
  if (following) index = run.times.length; // one step back from the newest is the last that was kept
  input("time").value = String(Math.min(index, Math.max(run.times.length - 1, 0)));
  document.body.dataset.time = String(frame.time);
  document.body.dataset.bodies = String(frame.id.length);
  drawSeries();
  void tellBody();
}

function showLegend(legend: Legend): void {
  const box = byId("legend");
  box.replaceChildren();
  if ("kinds" in legend) {
    for (const k of legend.kinds) {
      const row = document.createElement("div"), dot = document.createElement("i");
      dot.style.background = css(k.colour);
      row.append(dot, k.name);
      box.append(row);
    }
    return;
  }
  const title = document.createElement("div"), ramp = document.createElement("canvas"), ends = document.createElement("div");
  title.textContent = legend.name + (legend.unit ? ` [${legend.unit}]` : "");
  ramp.width = 64;
  ramp.height = 1;
  const c = ramp.getContext("2d");
  for (let k = 0; c && k < 64; ++k) {
    c.fillStyle = css(viridis(k / 63));
    c.fillRect(k, 0, 1, 1);
  }
  ends.className = "ends";
  for (const v of [legend.low, legend.high]) {
    const s = document.createElement("span");
    s.textContent = numberText(v);
    ends.append(s);
  }
  box.append(title, ramp, ends);
}

// ---- playing

let timer = 0;
function play(on: boolean): void {
  playing = on;
  byId("play").textContent = on ? "stop" : "play";
  window.clearInterval(timer);
  if (!on) return;
  following = false;
  if (index >= run.times.length - 1) index = -1;
  timer = window.setInterval(safely(async () => {
    if (busy) return; // the page is slower than that: frames wait, none is lost
    if (index >= run.times.length - 1) return play(false);
    await show(index + 1);
  }), 1000 / Number(select("speed").value));
}
function go(to: number): void {
  following = false;
  safely(() => show(Math.min(Math.max(to, 0), run.times.length - 1)))();
}

// ---- a body

async function tellBody(): Promise<void> {
  if (picked < 0 || !frame) return;
  const id = picked, of = frame, which = following ? "newest" : index;
  let body: Body | null;
  try {
    body = await get<Body | null>(`body/${which}/${id}`);
  } catch {
    return; // the frame has gone meanwhile; what is wrong is told where frames are fetched
  }
  if (picked !== id || frame !== of) return; // too late
  const box = byId("body");
  if (!body) {
    box.textContent = `Body ${picked} is not there at this time.`;
    return;
  }
  const vector = (v: number[]): string => "(" + v.slice(0, frame!.dimension).map(numberText).join(", ") + ")";
  fill(box, [["id", String(body.id)], ["time", numberText(body.time) + " s"], ["position", vector(body.position) + " m"],
    ["velocity", vector(body.velocity) + " m/s"], ["speed", numberText(Math.hypot(...body.velocity)) + " m/s"],
    ["spin", frame.dimension === 2 ? numberText(body.spin[2]) + " rad/s" : vector(body.spin) + " rad/s"],
    ["radius", numberText(body.radius) + " m"], ["mass", numberText(body.mass) + " kg"], ["material", body.material],
    ["motion", body.held], ...(run.contacts ? [["contacts", String(body.contacts)]] : []), ...(body.clump >= 0 ? [["part of", `clump ${body.clump}`]] : [])]);
  if (history && history.id === picked && history.time.length > 1) {
    byId("history").hidden = false;
    drawCurve(byId<HTMLCanvasElement>("history"), { x: history.time, y: history.speed, xTitle: "time [s]", yTitle: "speed [m/s]", mark: frame.time });
  }
}

function fill(box: HTMLElement, rows: string[][]): void {
  const table = document.createElement("table");
  for (const [name, value] of rows) {
    const row = table.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  box.replaceChildren(table);
}

async function pick(place: number): Promise<void> {
  picked = place >= 0 && frame ? frame.id[place] : -1;
  history = null;
  byId("history").hidden = true;
  byId("body").textContent = picked < 0 ? "Click on a body." : "";
  document.body.dataset.picked = String(picked);
  present();
  if (picked < 0) return;
  await fetchHistory();
}

async function fetchHistory(): Promise<void> {
  const id = picked;
  if (id < 0) return;
  const found = await get<History>(`history/${id}`);
  if (picked !== id) return;
  history = found;
  await tellBody();
}

// ---- series and numbers

function drawSeries(): void {
  const canvas = byId<HTMLCanvasElement>("plot");
  const y = series?.columns.find(c => c.name === select("column").value), x = series?.columns[0];
  if (!x || !y) return drawCurve(canvas, { x: [], y: [], xTitle: "", yTitle: "" });
  const title = (c: { name: string; unit: string }): string => c.name.replace(/_/g, " ") + (c.unit ? ` [${c.unit}]` : "");
  drawCurve(canvas, { x: x.values, y: y.values, xTitle: title(x), yTitle: title(y), mark: x.name === "time" ? frame?.time : undefined });
}

async function chooseSeries(): Promise<void> {
  const name = select("series").value;
  if (!name) return;
  series = await get<Series>("series/" + encodeURIComponent(name));
  const before = select("column").value;
  select("column").replaceChildren(...series.columns.slice(1).map(c => new Option(c.name.replace(/_/g, " "), c.name)));
  if (series.columns.some(c => c.name === before)) select("column").value = before;
  drawSeries();
}

function rows(value: unknown, name: string, out: string[][]): void {
  if (Array.isArray(value)) {
    const long = value.length > 8 || value.some(v => typeof v === "object" && v !== null);
    out.push([name, long ? `${value.length} entries` : value.join(", ")]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) rows(inner, name ? `${name}.${key}` : key, out);
  } else {
    out.push([name, typeof value === "number" && !Number.isInteger(value) ? numberText(value) : String(value)]);
  }
}

function tellNumbers(): void {
  const out: string[][] = [];
  rows(run.summary ?? {}, "", out);
  if (out.length > 0) fill(byId("numbers"), out);
  else byId("numbers").textContent = run.live ? "" : "No summary yet: the run is still going on, or was cut off.";
}

// What has been written since: frames, series, the summary.
async function reload(): Promise<void> {
  run = await get<Run>("run");
  for (const o of select("colour").options) o.disabled = !run.contacts && ["largest force", "contacts"].includes(o.value);
  byId("title").textContent = run.title;
  document.title = run.title + " \u2013 Moraine";
  input("time").max = String(Math.max(run.times.length - 1, 0));
  const names = [...select("series").options].map(o => o.value);
  if (names.join() !== run.series.join()) {
    select("series").replaceChildren(...run.series.map(n => new Option(n.replace(/_/g, " "), n)));
    const energy = run.series.find(n => n.includes("energy"));
    if (energy) select("series").value = energy;
  }
  tellNumbers();
}

// ---- a run that is made now

let shownStep = -1;
async function watch(): Promise<void> {
  const before = live;
  live = await get<LiveState>("state");
  const words = [`${live.state}, t = ${numberText(live.time)} s, step ${live.step}`];
  if (live.state === "running" && live.rate > 0) words.push(`${numberText(live.rate)} of real time`);
  words.push(`showing it takes ${numberText(100 * live.looking)} % of the work`);
  byId("live-words").textContent = live.trouble || words.join("; ");
  byId("live-go").textContent = live.state === "running" ? "pause" : "go on";
  byId<HTMLButtonElement>("live-step").disabled = byId<HTMLButtonElement>("live-steps").disabled = live.state !== "paused";
  byId<HTMLButtonElement>("live-go").disabled = live.state === "finished" || live.state === "failed";
  document.body.dataset.state = live.state;
  const sets = byId<HTMLTextAreaElement>("sets");
  if (!before && sets.value === "") sets.value = live.sets.join("\n"); // those of the command line
  if (!before || before.frames !== live.frames || before.generation !== live.generation) {
    await reload();
    await chooseSeries();
    if (before && before.generation !== live.generation) history = null;
    await fetchHistory();
  }
  if (following && live.frames > 0 && (live.state === "running" || live.step !== shownStep)) {
    await show("newest");
    shownStep = frame?.step ?? -1;
  }
}

async function restart(): Promise<void> {
  const sets = byId<HTMLTextAreaElement>("sets").value.split("\n").map(s => s.trim()).filter(s => s !== "");
  say("");
  await post("restart", JSON.stringify(sets));
  play(false);
  following = true;
  shownStep = -1;
}

// ---- the whole

function cut(): void {
  const axis = select("clip").value;
  input("clip-at").hidden = axis === "";
  if (axis === "") {
    stage.cut = null;
  } else {
    const [low, high] = stage.bounds(Number(axis));
    stage.cut = { axis: Number(axis), at: low + Number(input("clip-at").value) * (high - low) };
  }
  present();
}

function theme(dark: boolean): void {
  document.documentElement.classList.toggle("dark", dark);
  stage.theme(dark);
  drawSeries();
  void tellBody();
}

function listen(): void {
  byId("play").onclick = () => play(!playing);
  select("speed").onchange = () => { if (playing) play(true); };
  input("time").oninput = () => { play(false); go(Number(input("time").value)); };
  select("colour").onchange = present;
  for (const what of ["bodies", "walls", "forces", "velocity"] as const)
    input("show-" + what).onchange = () => { stage.show[what] = input("show-" + what).checked; present(); };
  select("clip").onchange = cut;
  input("clip-at").oninput = cut;
  for (const b of document.querySelectorAll<HTMLButtonElement>("[data-view]")) b.onclick = () => stage.look(b.dataset.view ?? "");
  byId("screenshot").onclick = () => {
    const a = document.createElement("a");
    a.href = stage.picture();
    a.download = `${run.title} ${frame?.time ?? 0} s.png`.replace(/[/\\:]/g, "_");
    a.click();
  };
  byId("theme").onclick = () => theme(!document.documentElement.classList.contains("dark"));
  byId("panel-button").onclick = () => {
    const panel = byId("panel");
    panel.hidden = !panel.hidden;
    byId("panel-button").setAttribute("aria-expanded", String(!panel.hidden));
    drawSeries(); // nothing is drawn on what is hidden
    void tellBody();
  };
  select("series").onchange = safely(chooseSeries);
  select("column").onchange = drawSeries;
  stage.onPick = place => safely(() => pick(place))();
  byId("live-go").onclick = safely(async () => { await post(live?.state === "running" ? "pause" : "go"); play(false); following = true; });
  byId("live-step").onclick = safely(() => post("step", "1"));
  byId("live-steps").onclick = safely(() => post("step", "100"));
  select("pace").onchange = safely(() => post("pace", select("pace").value));
  byId("restart").onclick = safely(restart);
  byId("follow").onclick = safely(async () => { play(false); following = true; await show("newest"); });
  window.addEventListener("keydown", keys);
  window.addEventListener("resize", () => { drawSeries(); void tellBody(); });
}

function keys(e: KeyboardEvent): void {
  // What has the focus keeps the keys that it takes itself.
  const target = e.target as HTMLElement, kind = target instanceof HTMLInputElement ? target.type : "";
  if (e.ctrlKey || e.altKey || e.metaKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
  if ((target.tagName === "BUTTON" || kind === "checkbox") && [" ", "Enter"].includes(e.key)) return;
  if (kind === "range" && /^(Arrow|Home|End|Page)/.test(e.key)) return;
  const press = (id: string): void => byId(id).click();
  const acts: Record<string, () => void> = {
    " ": () => press(run.live ? "live-go" : "play"), ArrowRight: () => { play(false); go(index + 1); },
    ArrowLeft: () => { play(false); go(index - 1); }, Home: () => go(0), End: () => go(run.times.length - 1),
    "+": () => stage.zoom(0.8), "-": () => stage.zoom(1.25), w: () => stage.turnBy(0, -12), s: () => stage.turnBy(0, 12),
    a: () => stage.turnBy(12, 0), d: () => stage.turnBy(-12, 0), r: () => stage.look("corner"),
    f: () => press("show-forces"), v: () => press("show-velocity"), b: () => press("show-bodies"),
    c: () => { const s = select("colour"); s.selectedIndex = (s.selectedIndex + 1) % s.options.length; present(); },
    l: () => press("theme"), m: () => press("panel-button"), p: () => press("screenshot") };
  const act = acts[e.key];
  if (!act) return;
  e.preventDefault();
  act();
}

async function start(): Promise<void> {
  stage = new Stage(byId<HTMLCanvasElement>("scene"));
  select("colour").replaceChildren(new Option("material", "material"), ...QUANTITIES.map(q => new Option(q.name, q.name)));
  await reload();
  theme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  listen();
  // What cannot be read is told, and the rest is shown.
  const tried = async (work: () => Promise<void>): Promise<void> => {
    try { await work(); } catch (e) { say(e instanceof Error ? e.message : String(e)); }
  };
  await tried(chooseSeries);
  await tried(async () => {
    if (run.live) {
      byId("live").hidden = false;
      following = true;
      await show("newest");
    } else if (run.times.length > 0) {
      await show(run.times.length - 1);
    } else {
      say("The run has no frames yet.");
    }
  });
  // One kind of body: its speed says more.
  if (frame && new Set(frame.material).size < 2) {
    select("colour").value = "speed";
    present();
  }
  // For tests and for the curious.
  (window as any).moraine = { stage, get frame() { return frame; }, get index() { return index; },
    get tints() { return frame ? colour(frame, select("colour").value).rgb : null; } };
  document.body.dataset.ready = "yes";
  const again = async (): Promise<void> => {
    try {
      if (run.live) await watch();
      else {
        const before = run;
        await reload();
        if (run.times.join() !== before.times.join() || run.series.join() !== before.series.join()) {
          await tried(chooseSeries);
          await fetchHistory();
        }
        const count = run.times.length, first = before.times[0] !== run.times[0] || before.times.length > count;
        if (count > 0 && (before.times.length === 0 || first)) { say(""); await show(Math.min(Math.max(index, 0), count - 1)); }
      }
    } catch (e) {
      say((e as Error).message);
    }
    // What was interrupted or failed may be resumed.
    const ended = !run.live && ["finished", "at rest"].includes(String(run.summary?.status));
    if (!ended) window.setTimeout(() => void again(), run.live ? 50 : 1000);
  };
  void again();
}

safely(start)();
