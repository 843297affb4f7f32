// SPDX-License-Identifier: MIT
// The page of `moraine view` in a real browser: what it shows is held against the files.
// MORAINE: the program; CHROMIUM: the browser. Run by `./dev check browser`.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  assert.equal(await data(page, "time"), "0.2");
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
  await until("the page says so", async () => await one.isVisible("#message"));
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
