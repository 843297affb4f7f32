// SPDX-License-Identifier: MIT
// A picture of the page of `moraine view`, for the docs: node picture.mjs ADDRESS FILE. CHROMIUM: the browser.
// It shows force chains while the heap grows, and a body that was picked.
import { chromium } from "playwright-core";

const [address, file] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 980 }, colorScheme: "light" });
await page.goto(address);
await page.waitForSelector("body[data-ready=yes]", { timeout: 60000 });
const count = Number(await page.getAttribute("#time", "max"));
await page.fill("#time", String(Math.round(0.45 * count)));
await page.waitForFunction(k => window.moraine.index === k, Math.round(0.45 * count));
await page.check("#show-forces");
// The free body that carries the largest force stands for all.
const place = await page.evaluate(() => {
  const { frame: f, stage } = window.moraine;
  stage.zoom(0.6);
  const size = c => Math.hypot(...f.contact_force.slice(3 * c, 3 * c + 3));
  let most = -1;
  for (let c = 0; c < f.contact_a.length; ++c)
    if (f.held[f.contact_a[c]] === 0 && (most < 0 || size(c) > size(most))) most = c;
  return stage.where(most < 0 ? 0 : f.contact_a[most]);
});
const box = await page.locator("#scene").boundingBox();
await page.mouse.click(box.x + place.x, box.y + place.y);
await page.waitForSelector("#history:not([hidden])", { timeout: 60000 });
await page.evaluate(() => window.moraine.stage.draw());
await page.screenshot({ path: file });
await browser.close();
