// SPDX-License-Identifier: MIT
// The page of `moraine view` in a real browser: what it shows is held against the files.
// MORAINE: the program; CHROMIUM: the browser. Run by `./dev check browser`.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const program = process.env.MORAINE, folder = mkdtempSync(join(tmpdir(), "moraine-browser-"));
const pictures = process.env.PICTURES; // where to leave screenshots, if anywhere
let browser;
const started = [];

const run = (scene, out, ...more) =>
  execFileSync(program, ["run", scene, "--quiet", "--out", join(folder, out), ...more.flatMap(s => ["--set", s])], { cwd: folder });

// Starts `moraine view` and gives its address.
function view(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["view", "--no-browser", ...args], { cwd: folder });
    started.push(child);
    let out = "", err = "";
    child.stdout.on("data", d => { out += d; if (out.includes("\n")) resolve({ address: out.split("\n")[0], child }); });
    child.stderr.on("data", d => { err += d; });
    child.on("exit", status => reject(new Error(`ended with ${status}: ${err}`)));
  });
}

async function open(address, size = { width: 1200, height: 760 }) {
  const page = await browser.newPage({ viewport: size });
  page.errors = [];
  page.on("pageerror", e => page.errors.push(String(e)));
  page.on("console", m => { if (m.type() === "error") page.errors.push(m.text()); });
  await page.goto(address);
  await page.waitForSelector("body[data-ready=yes]", { timeout: 30000 });
  return page;
}
const data = (page, name) => page.evaluate(n => document.body.dataset[n], name);
const shot = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, name + ".png") }); };
async function until(what, holds, patience = 20000) {
  const end = Date.now() + patience;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `${what}: waited in vain`);
    await new Promise(r => setTimeout(r, 50));
  }
}

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  run("heap_2d", "heap", "fill.1.count=300", "time.end=0.9", "output.every=0.1");
  run("rock_heap", "rocks", "fill.0.count=12", "fill.1.count=4", "time.end=0.6", "output.every=0.2");
});
after(async () => {
  for (const child of started) child.kill("SIGTERM");
  await browser?.close();
  rmSync(folder, { recursive: true });
});

test("a run: frames, slider, play, colours, a picked body, series", async () => {
  const { address } = await view("heap");
  const summary = JSON.parse(readFileSync(join(folder, "heap/summary.json")));
  const page = await open(address);
  assert.match(await page.title(), /heap/i);
  assert.equal(Number(await data(page, "bodies")), summary.bodies);
  assert.ok(Math.abs(Number(await data(page, "time")) - summary.time) < 1e-12);
  assert.equal(await page.inputValue("#time"), "9");
  await shot(page, "heap");

  const { times } = JSON.parse(await page.evaluate(async () => await (await fetch("api/run")).text()));
  const time = async () => Number(await data(page, "time"));
  assert.equal(times.length, 10);
  await page.fill("#time", "0");
  await until("the first frame", async () => await time() === 0);
  await page.focus("#scene");
  await page.keyboard.press("End");
  await until("the last frame", async () => await time() === times[9]);
  await page.keyboard.press("ArrowLeft");
  await until("the frame before", async () => await time() === times[8]);
  await page.keyboard.press("Home");
  await until("the first frame", async () => await time() === 0);
  await page.selectOption("#speed", "20");
  await page.click("#play");
  await until("the end of the film", async () => await time() === times[9]);

  // A button that was clicked leaves the keys to the page.
  await page.keyboard.press("Home");
  await until("the first frame", async () => await time() === 0);
  await page.keyboard.press("End");
  await until("the last frame", async () => await time() === times[9]);

  // Each colour is drawn, and differs from the one before.
  const canvas = () => page.evaluate(() => window.moraine.stage.picture());
  let last = "";
  for (const name of ["speed", "material", "y", "largest force", "contacts", "id"]) {
    await page.selectOption("#colour", name);
    const now = await canvas();
    assert.notEqual(now, last, name);
    last = now;
  }
  await page.keyboard.press("Escape");
  await page.focus("#scene");
  for (const key of ["f", "v"]) {
    await page.keyboard.press(key);
    const now = await canvas();
    assert.notEqual(now, last, key);
    last = now;
  }
  await shot(page, "heap-forces");

  // The body that is asked for by a click is the one that the files have there.
  const { index, id, x, y } = await page.evaluate(() => {
    const m = window.moraine, f = m.frame, i = Math.floor(f.id.length / 2);
    return { index: i, id: f.id[i], ...m.stage.where(i) };
  });
  assert.ok(index > 0);
  const box = await page.locator("#scene").boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
  await until("a picked body", async () => (await data(page, "picked")) === String(id));
  await until("its numbers", async () => (await page.textContent("#body")).includes("contacts"));
  const told = JSON.parse(await page.evaluate(async n => await (await fetch(`api/body/9/${n}`)).text(), id));
  const rows = await page.$$eval("#body td", cells => cells.map(c => c.textContent));
  assert.equal(rows[rows.indexOf("id") + 1], String(id));
  assert.ok(rows[rows.indexOf("radius") + 1].startsWith(String(Number(told.radius.toPrecision(4)))));
  await until("its history", async () => await page.isVisible("#history"));

  // Series as in the file.
  const csv = readFileSync(join(folder, "heap/series/energy.csv"), "utf8").trim().split("\n");
  const series = JSON.parse(await page.evaluate(async () => await (await fetch("api/series/energy")).text()));
  assert.equal(series.rows, csv.length - 1);
  assert.equal(series.columns[1].values[0], Number(csv[1].split(",")[1]));
  await page.click("#theme");
  await shot(page, "heap-dark");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("solids are drawn, seen from all sides, cut and picked", async () => {
  const { address } = await view("rocks");
  const page = await open(address);
  let last = "";
  for (const name of ["corner", "front", "side", "top"]) {
    await page.click(`[data-view=${name}]`);
    const now = await page.evaluate(() => window.moraine.stage.picture());
    assert.notEqual(now, last, name);
    last = now;
  }
  await page.click("[data-view=corner]");
  await shot(page, "rocks");
  const hit = await page.evaluate(() => {
    const m = window.moraine, f = m.frame, { x, y } = m.stage.where(0);
    const i = m.stage.pick(x, y);
    return i >= 0 ? f.id[i] : -1;
  });
  assert.ok(hit >= 0, "there is a rock where a rock is");
  await page.selectOption("#clip", "2");
  const whole = await page.evaluate(() => window.moraine.stage.picture());
  await page.fill("#clip-at", "0.1");
  assert.notEqual(await page.evaluate(() => window.moraine.stage.picture()), whole);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a scene is run while it is shown: pause, step, go on, start anew", async () => {
  const { address } = await view("heap_2d", "--set", "fill.1.count=200", "--set", "time.end=1.2");
  const page = await open(address);
  await until("it runs", async () => Number(await data(page, "time")) > 0.05);
  await page.click("#live-go");
  await until("it is paused", async () => (await data(page, "state")) === "paused");
  await new Promise(r => setTimeout(r, 300));
  const state = async () => JSON.parse(await page.evaluate(async () => await (await fetch("api/state")).text()));
  const before = await state();
  await new Promise(r => setTimeout(r, 400));
  assert.equal((await state()).step, before.step, "a paused run stands still");
  await page.click("#live-step");
  await until("one step", async () => (await state()).step === before.step + 1);
  await page.click("#live-steps");
  await until("a hundred", async () => (await state()).step === before.step + 101);
  await until("the page shows it", async () => Math.abs(Number(await data(page, "time")) - (await state()).time) < 1e-12);
  await shot(page, "live");

  await page.fill("#sets", "fill.1.count=-3");
  await page.click("#restart");
  await until("the mistake is told", async () => (await page.textContent("#message")).includes("fill[1].count"));
  assert.equal((await state()).generation, before.generation, "what was there goes on");
  await page.fill("#sets", "fill.1.count=120\ntime.end=0.3");
  await page.selectOption("#pace", "0");
  await page.click("#restart");
  await until("it is at its end", async () => (await data(page, "state")) === "finished");
  await until("the last frame is shown", async () => Math.abs(Number(await data(page, "time")) - 0.3) < 1e-3);
  run("heap_2d", "same", "fill.1.count=120", "time.end=0.3");
  const summary = JSON.parse(readFileSync(join(folder, "same/summary.json")));
  assert.equal(Number(await data(page, "bodies")), summary.bodies);
  assert.deepEqual(page.errors.filter(e => !e.includes("400")), []);
  await page.close();
});

test("keys: every one does what it says", async () => {
  const { address } = await view("heap");
  const page = await open(address);
  const canvas = () => page.evaluate(() => window.moraine.stage.picture());
  const press = async key => { await page.keyboard.press(key); };
  await page.focus("#scene");
  await press("Home");
  await until("the first frame", async () => Number(await data(page, "time")) === 0);
  await press(" ");
  assert.equal(await page.textContent("#play"), "stop");
  await until("it plays", async () => Number(await data(page, "time")) > 0);
  await press(" ");
  assert.equal(await page.textContent("#play"), "play");
  await press("End");
  const end = JSON.parse(readFileSync(join(folder, "heap/summary.json"))).time;
  await until("the last frame", async () => Math.abs(Number(await data(page, "time")) - end) < 1e-12);
  const colour = await page.inputValue("#colour");
  await press("c");
  assert.notEqual(await page.inputValue("#colour"), colour);
  const home = await canvas();
  for (const [key, box] of [["b", "#show-bodies"], ["f", "#show-forces"], ["v", "#show-velocity"]]) {
    const before = await page.isChecked(box);
    await press(key);
    assert.equal(await page.isChecked(box), !before, key);
    assert.notEqual(await canvas(), home, key);
    await press(key);
    assert.equal(await canvas(), home, key);
  }
  for (const key of ["+", "w", "d"]) {
    await press(key);
    assert.notEqual(await canvas(), home, key);
  }
  await press("r");
  assert.equal(await canvas(), home, "r goes back");
  await press("-");
  assert.notEqual(await canvas(), home);
  const dark = await page.evaluate(() => document.documentElement.classList.contains("dark"));
  await press("l");
  assert.equal(await page.evaluate(() => document.documentElement.classList.contains("dark")), !dark);
  await press("m");
  assert.ok(!(await page.isVisible("#panel")));
  await press("m");
  assert.ok(await page.isVisible("#panel"));
  const [saved] = await Promise.all([page.waitForEvent("download"), press("p")]);
  assert.match(saved.suggestedFilename(), /\.png$/);
  assert.equal(readFileSync(await saved.path()).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the colours are those of the legend", async () => {
  const { address } = await view("heap");
  const page = await open(address);
  await page.fill("#time", "4");
  await until("the frame", async () => (await page.textContent("#status")).includes("frame 4"));
  await page.selectOption("#colour", "speed");
  const { low, high, place, tint } = await page.evaluate(() => {
    const f = window.moraine.frame, speeds = [...f.id].map((_, i) => Math.hypot(f.velocity[3 * i], f.velocity[3 * i + 1]));
    const i = speeds.indexOf(Math.max(...speeds)), { stage } = window.moraine, canvas = document.querySelector("#scene");
    stage.zoom(0.05);
    const { x, y } = stage.where(i);
    stage.moveBy(canvas.clientWidth / 2 - x, canvas.clientHeight / 2 - y);
    return { low: 0, high: Math.max(...speeds), place: stage.where(i), tint: [...window.moraine.tints.slice(3 * i, 3 * i + 3)] };
  });
  const ends = await page.$$eval("#legend .ends span", all => all.map(s => Number(s.textContent.replace("\u2212", "-").replace(/×10/, "e"))));
  assert.ok(Math.abs(ends[1] - high) <= 2e-3 * high, `${ends[1]} is ${high}`);
  assert.ok(Math.abs(ends[0] - low) <= 2e-3 * high);
  for (const [k, v] of [0xFD, 0xE7, 0x25].entries()) assert.ok(Math.abs(255 * tint[k] - v) < 1, "the fastest has the topmost colour");
  // Most of the pixels around the middle of that body have it (some are its spoke).
  const share = await page.evaluate(async ({ place, tint }) => {
    const image = new Image();
    image.src = window.moraine.stage.picture();
    await image.decode();
    const c = document.createElement("canvas");
    c.width = image.width; c.height = image.height;
    const context = c.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(Math.round(place.x) - 5, Math.round(place.y) - 5, 11, 11).data;
    let same = 0;
    for (let p = 0; p < 121; ++p) if ([0, 1, 2].every(k => Math.abs(pixels[4 * p + k] - 255 * tint[k]) < 12)) ++same;
    return same / 121;
  }, { place, tint });
  assert.ok(share > 0.6, `${share} of the pixels`);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a viewer that is closed: the run goes on", async () => {
  const run = spawn(program, ["run", "heap_2d", "--quiet", "--out", join(folder, "slow"), "--threads", "1",
    ...["fill.1.count=150", "time.end=1.5", "output.every=0.02"].flatMap(s => ["--set", s])], { cwd: folder });
  const ended = new Promise(r => run.on("exit", status => r(status)));
  await until("its first frames", async () => existsSync(join(folder, "slow/trajectory.h5")));
  const { address, child } = await view("slow");
  const page = await open(address);
  await until("a row of its energy", async () => JSON.parse(await page.evaluate(async () => await (await fetch("api/series/energy")).text())).rows > 0);
  child.removeAllListeners("exit");
  child.kill("SIGTERM");
  await page.close();
  assert.equal(await ended, 0);
  assert.match(JSON.parse(readFileSync(join(folder, "slow/summary.json"))).status, /finished|at rest/);
});

test("two pages on one scene that is run", async () => {
  const { address } = await view("heap_2d", "--set", "fill.1.count=1500", "--set", "time.end=30");
  const one = await open(address), two = await open(address);
  assert.equal(await one.inputValue("#sets"), "fill.1.count=1500\ntime.end=30", "what was set stands there");
  await until("both run", async () => Number(await data(one, "time")) > 0 && Number(await data(two, "time")) > 0);
  const names = await one.$$eval("#series option", all => all.map(o => o.value));
  for (const name of ["energy", "counts"]) assert.ok(names.includes(name), `${name} of ${names}`);
  await one.click("#live-go");
  await until("the other knows that it is paused", async () => (await data(two, "state")) === "paused");
  await until("both show the same", async () => (await data(one, "time")) === (await data(two, "time")));
  const before = Number(await data(one, "bodies"));
  await two.fill("#sets", "fill.1.count=50\ntime.end=30");
  await two.click("#restart");
  for (const page of [one, two]) await until("the new run", async () => Number(await data(page, "bodies")) < before);
  assert.deepEqual(one.errors.concat(two.errors), []);
  await one.close();
  await two.close();
});

test("a trajectory that becomes foreign while it is looked at", async () => {
  run("heap_2d", "spoilt", "fill.1.count=50", "time.end=0.2", "output.every=0.1");
  writeFileSync(join(folder, "spoilt/summary.json"), JSON.stringify({ status: "interrupted" }));
  const { address } = await view("spoilt");
  const page = await open(address);
  assert.ok(!(await page.isVisible("#message")));
  rmSync(join(folder, "spoilt/trajectory.h5"));
  writeFileSync(join(folder, "spoilt/trajectory.h5"), "this is no HDF5 file");
  await until("the page says so", async () => (await page.textContent("#message")).includes("trajectory.h5"));
  await page.close();
});

test("walls have faces, and the cut goes through spheres and solids", async () => {
  run("silo_3d", "silo", `fill.0.max=["12.5 mm", "12.5 mm", "10 mm"]`, "time.end=0.01", "output.every=0.01");
  const { address } = await view("silo");
  const page = await open(address);
  const canvas = () => page.evaluate(() => window.moraine.stage.picture());
  assert.ok(await page.evaluate(() => window.moraine.stage.faces.geometry.attributes.position.count > 0));
  await shot(page, "silo");
  await page.focus("#scene");
  await page.click("[data-view=front]");
  await page.selectOption("#clip", "1");
  // A little of a sphere is cut off, not the whole: what is picked there lies in the plane of the cut.
  const cut = await page.evaluate(() => {
    const s = window.moraine.stage, f = window.moraine.frame, middle = Math.floor(f.id.length / 2);
    const at = f.position[3 * middle + 1] - 0.3 * f.radius[middle];
    s.cut = { axis: 1, at };
    const through = [...f.id].map((_, i) => i).filter(i => Math.abs(f.position[3 * i + 1] - at) < 0.7 * f.radius[i]);
    s.look("side");
    s.turnBy(-Math.PI / 2 / 0.008, 0); // against y
    const seen = through.filter(i => { const { x, y } = s.where(i); return s.pick(x, y) === i; });
    return { through: through.length, seen: seen.length };
  });
  assert.ok(cut.through > 0);
  assert.ok(cut.seen > 0.5 * cut.through, JSON.stringify(cut));
  await page.evaluate(() => window.moraine.stage.draw());
  await shot(page, "silo-cut");
  assert.ok((await canvas()).length > 1000);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a narrow window: nothing is wider than it", async () => {
  const { address } = await view("heap");
  const page = await open(address, { width: 360, height: 700 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  assert.ok(await page.isVisible("#play"));
  await shot(page, "narrow");
  await page.click("#panel-button");
  assert.ok(!(await page.isVisible("#panel")));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a series that cannot be read, and contacts that were not written", async () => {
  run("heap_2d", "few", "fill.1.count=50", "time.end=0.2", "output.every=0.1", "output.contacts=false");
  writeFileSync(join(folder, "few/series/energy.csv"), "");
  const { address } = await view("few");
  const page = await open(address);
  assert.ok(Math.abs(Number(await data(page, "time")) - 0.2) < 1e-9);
  assert.match(await page.textContent("#message"), /energy/);
  assert.match(await page.textContent("#status"), /contacts not written/);
  assert.ok(await page.$eval("#colour option[value=contacts]", o => o.disabled));
  await page.close();
});

test("a run that goes on while it is looked at", async () => {
  run("heap_2d", "grows", "fill.1.count=50", "time.end=0.2", "output.every=0.1");
  writeFileSync(join(folder, "grows/summary.json"), JSON.stringify({ status: "interrupted" }));
  const { address } = await view("grows");
  const page = await open(address);
  assert.equal(await page.getAttribute("#time", "max"), "2");
  execFileSync(program, ["run", "heap_2d", "--quiet", "--overwrite", "--out", join(folder, "grows"),
    ...["fill.1.count=60", "time.end=0.4", "output.every=0.05"].flatMap(s => ["--set", s])], { cwd: folder });
  await until("the new frames", async () => await page.getAttribute("#time", "max") === "8");
  await page.focus("#scene");
  await page.keyboard.press("End");
  await until("the last of them", async () => Math.abs(Number(await data(page, "time")) - 0.4) < 1e-3);
  const { bodies } = JSON.parse(readFileSync(join(folder, "grows/summary.json")));
  assert.equal(Number(await data(page, "bodies")), bodies);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("two pages on one run, and the program that goes away", async () => {
  const { address, child } = await view("heap");
  const one = await open(address), two = await open(address);
  await one.fill("#time", "0");
  await until("one shows the first", async () => Number(await data(one, "time")) === 0);
  assert.ok(Number(await data(two, "time")) > 0.8, "the other stays where it was");
  await two.close();
  child.removeAllListeners("exit");
  child.kill("SIGTERM");
  await new Promise(r => child.on("exit", r));
  await one.fill("#time", "3");
  await until("the page says so", async () => (await one.textContent("#message")).includes("has ended"));
  await one.close();
});

test("a hundred thousand spheres", async () => {
  const n = 100000, side = 47;
  writeFileSync(join(folder, "many.toml"), `title = "Many"
dimension = 3
[time]
steps = 1
[[material]]
name = "glass"
density = 2500
stiffness = 1e4
[[contact]]
restitution = 0.5
[[fill]]
method = "lattice"
material = "glass"
radius = 0.004
spacing = 0.01
count = ${n}
min = [0, 0, 0]
max = [${side / 100}, ${side / 100}, ${side / 100}]
[output]
vtk = false
`);
  run("many.toml", "many");
  const { address } = await view("many");
  const page = await open(address);
  assert.equal(Number(await data(page, "bodies")), n);
  const speed = await page.evaluate(() => {
    const { stage } = window.moraine, gl = document.querySelector("#scene").getContext("webgl2");
    const info = gl.getExtension("WEBGL_debug_renderer_info"), pixel = new Uint8Array(4);
    const card = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "unknown";
    stage.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const begin = performance.now(), frames = 10;
    for (let k = 0; k < frames; ++k) {
      stage.turnBy(3, 1);
      stage.draw();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
    return { card, frames: 1000 * frames / (performance.now() - begin) };
  });
  console.log(`100 000 spheres: ${speed.frames.toFixed(1)} frames a second with ${speed.card}`);
  if (!/swiftshader|llvmpipe|software/i.test(speed.card)) assert.ok(speed.frames > 20, `${speed.frames} frames a second`);
  assert.deepEqual(page.errors, []);
  await page.close();
});
