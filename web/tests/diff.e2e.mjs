// Walking through a diff by its keys, over the stand-in, in boxes of different heights.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, newPage } from './browser.mjs';
import { signIn } from './pages.mjs';
import { bundle, start } from './server.mjs';

const built = bundle();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const FILES = 6, HUNKS = 4;
const hunk = (i) => `@@ -${i * 100 + 1},40 +${i * 100 + 1},41 @@\n${Array.from({ length: 40 }, (_, k) => ` line ${i * 100 + k + 1}\n`).join('')}+one more\n`;
const file = (i) => `diff --git a/f${i}.c b/f${i}.c\n--- a/f${i}.c\n+++ b/f${i}.c\n${Array.from({ length: HUNKS }, (_, k) => hunk(k)).join('')}`;
const codex = Array.from({ length: FILES }, (_, i) => file(i)).join('');

async function opened(t, height, path = 'agent/codex/diff') {
  const server = await start({ bundle: built, diffs: { codex, claude: file(0) } });
  t.after(() => server.stop());
  const page = await newPage(browser, { origin: server.origin, height });
  await signIn(page, server.url(), `#/race/01JX4KDONE/${path}`);
  await page.waitForSelector('.rows.diff .dl');
  return page;
}

/** What a key does has come: its scrolling is told with the next frames. */
const press = async (page, key) => {
  await page.keyboard.press(key);
  await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then, 50)))));
};
const chosen = (page) => page.textContent('.files [aria-current] .path');

for (const height of [700, 900, 1600]) {
  test(`each press leads to the next file, and the list says which it is, at ${height} px`, async (t) => {
    const page = await opened(t, height);
    const seen = [];
    for (let i = 1; i < FILES; i++) seen.push((await press(page, ']'), await chosen(page)));
    assert.deepEqual(seen, ['f1.c', 'f2.c', 'f3.c', 'f4.c', 'f5.c']);
    await press(page, '[');
    assert.equal(await chosen(page), 'f4.c');
    await page.click('.files button >> text=f2.c');
    await press(page, 'Shift');
    assert.equal(await chosen(page), 'f2.c');
    // Whoever scrolls is told where that led.
    await page.$eval('.rows.diff', (box) => { box.scrollTop = 0; });
    await page.waitForFunction(() => document.querySelector('.files [aria-current] .path').textContent === 'f0.c');
    page.clean();
  });

  for (const [path, down, up] of [['agent/codex/diff', 8, 6], ['compare/codex/claude', 2, 1]]) test(`each press leads to another change, at ${height} px, of ${path}`, async (t) => {
    const page = await opened(t, height, path);
    const place = () => page.$eval('.rows.diff', (box) => box.scrollTop);
    let last = await place();
    for (let i = 0; i < down; i++) {
      await press(page, 'n');
      const now = await place();
      assert.ok(now > last, `change ${i + 1} is at ${now}, as before`);
      last = now;
    }
    for (let i = 0; i < up; i++) {
      await press(page, 'p');
      const now = await place();
      assert.ok(now < last, `change ${i + 1} on the way back is at ${now}, as before`);
      last = now;
    }
    page.clean();
  });
}
