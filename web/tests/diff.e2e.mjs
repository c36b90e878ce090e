// Walking through a diff by its keys, over the stand-in, in boxes of different heights.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, launch, newPage } from './browser.mjs';
import * as fx from './fixtures.mjs';
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

async function served(t, height, path = 'agent/codex/diff', world = {}) {
  const server = await start({ bundle: built, diffs: { codex, claude: file(0), 'codex since': file(2) } });
  t.after(() => server.stop());
  Object.assign(server.world, world);
  const page = await newPage(browser, { origin: server.origin, height, expected: /Failed to load resource/ });
  await signIn(page, server.url(), `#/race/01JX4KDONE/${path}`);
  await page.waitForSelector('.rows.diff .dl');
  return { server, page };
}
const opened = async (...args) => (await served(...args)).page;

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

const HOSTILE = 'why <img src=x onerror=alert(1)>?\nplease';
const line = (page, text) => page.locator('.rows.diff .dl.half', { hasText: new RegExp(`${text}$`) }).last();
const comment = async (page, text, place) => {
  await page.waitForSelector('dialog textarea');
  await page.fill('dialog textarea', text);
  if (place) await page.fill('dialog input', place);
  await page.click('dialog .primary');
  await page.waitForSelector('dialog', { state: 'detached' });
};

test('a click on a line is a comment; comments gather, stay, and are sent as one retry of several', async (t) => {
  const { server, page } = await served(t, 900);
  await line(page, 'line 3').click();
  assert.equal(await page.inputValue('dialog input'), 'f0.c:3');
  assert.ok(await page.locator('dialog .primary').isDisabled(), 'a comment without words');
  await comment(page, HOSTILE);
  await press(page, 'c');
  await comment(page, 'all of it', 'f0.c:5-9');
  await page.reload();
  await page.click('text=Send 2 comments to codex…');
  await page.waitForSelector('dialog >> text=f0.c:5-9');
  assert.equal(await page.locator('dialog img').count(), 0, 'markup of a comment');
  await axe(page);
  await page.click('dialog >> text=claude, too');
  server.world.refuse.retry = [400, 'usage', 'f0.c has 4 lines, and no line 9', ''];
  await page.click('dialog .primary');
  await page.waitForSelector('dialog [role=alert] >> text=no line 9');
  delete server.world.refuse.retry;
  await page.click('dialog [role=alert] button');
  await page.click('dialog .primary:enabled');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KDONE/retry', {
    agents: ['codex', 'claude'], message: '', reviewed: 'codex',
    review: [{ path: 'f0.c', line: 3, end: 0, text: HOSTILE }, { path: 'f0.c', line: 5, end: 9, text: 'all of it' }],
  }]);
  await page.goBack();
  await page.waitForSelector('.rows.diff .dl');
  assert.equal(await page.locator('text=/Send .* comment/').count(), 0, 'what was sent is kept');
  page.clean();
});

test('a comment can be taken back, and what is no list of comments is none', async (t) => {
  const { page } = await served(t, 900);
  await line(page, 'line 4').click();
  await comment(page, 'first');
  await page.click('text=Send 1 comment to codex…');
  await page.click('dialog >> text=Remove');
  await page.locator('dialog >> text=f0.c:4').waitFor({ state: 'detached' });
  await page.click('dialog >> text=Cancel');
  assert.equal(await page.locator('text=/Send .* comment/').count(), 0);
  for (const kept of ['nonsense', '{}', 'null', '[7]']) {
    await page.evaluate((text) => localStorage.setItem('hydra-review-01JX4KDONE', text), kept);
    await page.reload();
    await page.waitForSelector('.rows.diff .dl');
  }
  page.clean();
});

test('an agent that was retried shows what has changed since', async (t) => {
  const { page } = await served(t, 900, 'agent/codex/diff', { over: { agents: fx.results().agents.map((a) => ({ ...a, attempt: 2 })) } });
  await page.click('text=Since your review');
  await page.waitForSelector('.files >> text=f2.c');
  await page.locator('.files >> text=f0.c').waitFor({ state: 'detached' });
  await page.click('text=All changes');
  await page.waitForSelector('.files >> text=f0.c');
  page.clean();
});
