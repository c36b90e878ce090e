// The pages in Debian's Chromium against the stand-in of server.mjs: every state, also those that no race of scripts has.
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { axe, cpu, launch, newPage } from './browser.mjs';
import * as fx from './fixtures.mjs';
import { everyPage, go, inert, until, mergeByKeyboard, readReport, routes, signIn, tabWalk } from './pages.mjs';
import { bundle, start } from './server.mjs';

const built = bundle();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const RACES = { done: '01JX4KDONE', live: '01JX4KLIVE' };
const DONE = `#/race/${RACES.done}`, LIVE = `#/race/${RACES.live}`;

async function serve(t, options = {}) {
  const server = await start({ bundle: built, ...options });
  t.after(() => server.stop());
  return server;
}

/** A signed-in page on `route`. */
const open = async (server, route, options = {}) => signIn(await newPage(browser, { origin: server.origin, ...options }), server.url(), route);

test('every page in light and dark, at 360, 1440 and 2560 px: axe, width, targets, console, nobody else is asked', async (t) => {
  const page = await open(await serve(t), '#/races');
  await everyPage(page, RACES, [{ width: 1440 }, { width: 1440, dark: true }, { width: 360 }, { width: 360, dark: true, rules: false }, { width: 2560, rules: false }, { width: 320, rules: false }, { width: 1280, text: 2, rules: false }]);
});

test('by keyboard alone: from the list to a merge, and its undo', async (t) => {
  await mergeByKeyboard(await open(await serve(t), '#/races'), RACES.done);
});

test('Tab leads through every page, and the focus is always seen', async (t) => {
  const page = await open(await serve(t), '#/races');
  for (const [route, ready] of await routes(page, RACES)) {
    await go(page, route);
    await page.waitForSelector(ready);
    assert.ok((await tabWalk(page)) > 3, route);
  }
  page.clean();
});

test('in forced colours nothing is lost: bars, marks, what is chosen and where one is', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForSelector('.card.winner .fill');
  const look = (selector, property) => page.$eval(selector, (e, p) => getComputedStyle(e)[p], property);
  const canvas = await look('body', 'backgroundColor');
  assert.notEqual(await look('.card.winner .fill', 'backgroundColor'), canvas, 'a bar is seen');
  await page.waitForSelector('.lanes path[d*="v14"]');
  assert.notEqual(await look('.lanes path:not(.line)', 'fill'), canvas, 'a lane is seen');
  assert.notEqual(await look('.badge', 'borderTopStyle'), 'none', 'a badge has its edge');
  assert.notEqual(await look('.tabs [aria-current]', 'borderBottomColor'), await look('.tabs a:not([aria-current])', 'borderBottomColor'));
  await go(page, `${DONE}/tests`);
  await page.waitForSelector('.matrix [role=cell]');
  assert.notEqual(await look('.seg [aria-pressed=true]', 'backgroundColor'), await look('.seg [aria-pressed=false]', 'backgroundColor'));
  await go(page, `${DONE}/agent/codex/log/tests?line=120`);
  await page.waitForSelector('.ll.marked');
  assert.notEqual(await look('.ll.marked', 'outlineStyle'), 'none', 'a marked line is seen');
  await go(page, '#/leaderboard');
  await page.waitForSelector('.interval .dot');
  assert.notEqual(await look('.interval .dot', 'backgroundColor'), canvas);
  assert.notEqual(await look('.interval .range', 'backgroundColor'), canvas);
  page.clean();
});

test('the page of a suite run says who solved which task', async (t) => {
  const server = await serve(t);
  const page = await newPage(browser, { origin: server.origin });
  await signIn(page, server.url(), '#/suite/tb1');
  await page.waitForSelector('.leaders li');
  const tasks = await page.locator('.plainlist li:has(a)').allInnerTexts();
  assert.deepEqual(tasks, ['add: codex, claude', 'sub: nobody solved it']);
  page.clean();
});

test('the code leaves the address, works once, and both halves are needed', async (t) => {
  const server = await serve(t);
  const url = server.url();
  const page = await newPage(browser, { origin: server.origin, expected: /401/ });
  await page.goto(url);
  await page.waitForSelector('.races');
  assert.ok(!page.url().includes('code'), page.url());
  const other = await newPage(browser, { origin: server.origin, expected: /401/ });
  await other.goto(url);
  await other.waitForSelector('.signin');
  assert.match(await other.textContent('.signin'), /used already/);
  // The cookie alone is worth nothing.
  assert.equal(await page.evaluate(async () => (await fetch('/v1/health')).status), 401);
  // The daemon forgot this session: the sign-in page, and the route stays.
  server.signOutAll();
  await go(page, `${DONE}/tests`);
  await page.waitForSelector('.signin');
  assert.ok(page.url().endsWith('/tests'));
  page.clean();
});

test('a live race: figures move, nothing else does, and no figure talks', async (t) => {
  const server = await serve(t);
  const page = await open(server, LIVE);
  await page.waitForSelector('.card.live');
  const places = () => page.$$eval('.card.live, .card.live .figures > div, .racehead .facts > span, .progress > *, .lanes tr > *', (all) => all.map((c) => [c.getBoundingClientRect()].map(({ x, y }) => `${x} ${y}`).join()));
  const cards = () => page.$$eval('.card.live', (all) => all.map((c) => JSON.stringify(c.getBoundingClientRect())));
  const before = [await cards(), await places()];
  await page.evaluate(() => { globalThis.shifts = []; new PerformanceObserver((l) => l.getEntries().forEach((e) => globalThis.shifts.push(...e.sources.map((s) => s.node?.parentElement?.outerHTML.slice(0, 100))))).observe({ type: 'layout-shift' }); });
  // Figures that gain a digit push nothing aside.
  const length = (what) => page.$eval(what, (e) => e.textContent.length);
  const [time, lines] = [await length('.racehead .num'), await length('.card.live .plus')];
  await page.waitForFunction(([t, n]) => document.querySelector('.racehead .num').textContent.length > t && document.querySelector('.card.live .plus').textContent.length > n, [time, lines]);
  assert.deepEqual([await cards(), await places()], before);
  const seen = server.world.tick;
  await until(() => server.world.tick > seen + 3, 'three more pictures'); // the browser tells of a shift later
  assert.deepEqual(await page.evaluate(() => globalThis.shifts), [], 'not even a text within its place');
  assert.equal(await page.$$eval('.card.live [aria-live], .card.live [role=status]', (all) => all.length), 0);
  assert.match(await page.textContent('.cards'), /silent for 5m 10s, stopped at 15m 0s/);
  assert.match(await page.textContent('.cards'), /waits for a free place/);
  // Nothing is captured of an agent at work, however much it has changed: no link that leads nowhere.
  const diffs = await page.$$eval('.card.live', (all) => all.filter((c) => c.querySelector('a[href$="/diff"]')).map((c) => c.getAttribute('aria-label')));
  assert.deepEqual(diffs, ['Claude Code', 'Aider']);
  page.clean();
});

/** Rows of the lanes, as a table's reader gets them. */
const lanes = (page) => page.$$eval('.lanes tbody tr', (all) => all.map((row) => [...row.children].map((c) => c.textContent).filter((text) => text !== '')));

test('lanes of a race that is over: who worked, was checked, verified and waited, in the colour of its card', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.lanes path[d*="v14"]');
  assert.deepEqual(await lanes(page), [
    ['Base', '–', '54s', '–', '1.0s'], ['Codex CLI', '36s', '1m 0s', '30s', '54s'], ['Claude Code', '45s', '1m 9s', '–', '46s'], ['Cursor CLI ‹202e›<b>', '51s', '4.0s', '–', '30s'], ['Gemini CLI (tests)', '–', '–', '–', '–'], ['Cross runs', '–', '–', '1m 0s', '–'],
  ]);
  // Without colours the parts differ in height.
  assert.deepEqual(await page.$$eval('.lanes tbody tr:nth-child(2) path:not(.line)', (all) => all.map((p) => /v\d+/.exec(p.getAttribute('d'))[0])), ['v14', 'v8', 'v3']);
  const colour = (of, property, pseudo) => page.$eval(of, (e, [p, s]) => getComputedStyle(e, s)[p], [property, pseudo]);
  const codex = await colour('.card[aria-label$="Codex CLI"] h2', 'backgroundColor', '::before');
  assert.equal(await colour('.lanes tbody tr:nth-child(2) path:not(.line)', 'fill'), codex);
  assert.notEqual(await colour('.card[aria-label$="Claude Code"] h2', 'backgroundColor', '::before'), codex);
  await page.setViewportSize({ width: 360, height: 800 });
  const [table, drawn] = [await page.locator('.lanes table').boundingBox(), await page.locator('.lanes .drawn').first().boundingBox()];
  assert.ok(drawn.width > table.width * 0.6, `the picture has room on a phone: ${drawn.width} of ${table.width}`);
  assert.deepEqual((await lanes(page))[1], ['Codex CLI', '36s', '1m 0s', '30s', '54s'], 'a reader has the figures on a phone, too');
  await axe(page);
  // Logs that were cleaned away had the times.
  server.world.attempts = [];
  await page.reload();
  await page.waitForSelector('.card.winner');
  await until(() => server.world.timed > 1, 'the times are asked for');
  await page.waitForSelector('.lanes', { state: 'detached' });
  page.clean();
});

test('lanes of a live race grow with it, ask for times only after a step, and say what is left of a usual race', async (t) => {
  const server = await serve(t);
  server.world.history = fx.usually;
  const page = await open(server, LIVE);
  await page.waitForSelector('.lanes path[d*="v14"]');
  await page.waitForSelector('.progress progress');
  assert.match(await page.textContent('.progress'), /^2 running, 1 in checks, 1 queued, 1 endedabout [12]m \d+s leftestimate from 3 races$/);
  const [, codex] = await lanes(page);
  const from = server.world.tick;
  await page.waitForFunction((before) => document.querySelector('.lanes tbody tr:nth-child(2) .num').textContent !== before, codex[1]);
  await until(() => server.world.tick > from + 8, 'more pictures');
  assert.equal(server.world.timed, 1, 'no step, no question');
  assert.deepEqual((await lanes(page)).map((row) => [row[0], row[1] === '–']), [['Base', true], ['Codex CLI', false], ['Claude Code', false], ['Cursor CLI', false], ['Gemini CLI', true], ['Aider', false], ['Cross runs', true]]);
  server.world.live = 'cancelled';
  await until(() => server.world.timed > 1, 'the times after the end');
  page.clean();
});

test('a live race longer than its kind says so', async (t) => {
  const server = await serve(t);
  server.world.history = fx.usually.map((r) => ({ ...r, ended_ms: r.created_ms + 1000 }));
  const page = await open(server, LIVE);
  await page.waitForSelector('.progress >> text=longer than usual');
  page.clean();
});

test('the winner is large and the others are rows that open; without a winner all are cards', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  const boxes = () => page.$$eval('.card.ranked', (all) => all.map((c) => { const { x, y, width, height } = c.getBoundingClientRect(); return { x, y, width, height, score: parseFloat(getComputedStyle(c.querySelector('.score')).fontSize) }; }));
  const [winner, ...rows] = await boxes();
  for (const [i, row] of rows.entries()) {
    assert.deepEqual([row.x, row.width], [winner.x, winner.width], 'a row is as wide as the board');
    assert.ok(row.y >= (rows[i - 1] ?? winner).y + (rows[i - 1] ?? winner).height, 'one below the other');
    assert.ok(row.score < winner.score && row.height < 260, JSON.stringify(row));
  }
  const second = page.locator('.card.ranked').nth(1);
  await second.locator('summary', { hasText: 'Tests output' }).click();
  await second.locator('.tail').waitFor();
  const [card, tail] = [await second.boundingBox(), await second.locator('.tail').boundingBox()];
  assert.ok(tail.width > card.width / 2, 'an output has room');
  await axe(page);
  await page.setViewportSize({ width: 800, height: 900 });
  const narrow = await boxes();
  assert.ok(narrow.every((b) => b.x === narrow[0].x && b.width <= 800), JSON.stringify(narrow));
  server.world.over = { winner: '' };
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.waitForSelector('.card.ranked');
  assert.equal(new Set((await boxes()).map((b) => b.y)).size, 1, 'beside each other');
  page.clean();
});

test('a report to keep, and one to share: without task, names, diffs and logs', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  const asked = [];
  page.on('request', (r) => r.url().includes('/report') && asked.push(new URL(r.url()).search));
  for (const [button, name] of [['Save report', 'hydra-report-01JX4KDONE.html'], ['Save to share', 'hydra-anonymous-01JX4KDONE.html']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`text=${button}`)]);
    assert.equal(download.suggestedFilename(), name);
  }
  assert.deepEqual(asked, ['', '?anonymous=1&diffs=0&logs=none']);
  page.clean();
});

test('copy as image: 1200 by 630, into the clipboard; a file where the browser refuses', async (t) => {
  const server = await serve(t);
  for (const dark of [false, true]) {
    const page = await open(server, DONE, { dark });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.waitForSelector('.lanes path[d*="v14"]');
    await page.click('text=Copy as image');
    await page.waitForSelector('button >> text=Image copied ✓');
    const image = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const picture = await createImageBitmap(await item.getType('image/png'));
      const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(picture, 0, 0);
      const hex = (x, y) => `#${[...context.getImageData(x, y, 1, 1).data.slice(0, 3)].map((v) => v.toString(16).padStart(2, '0')).join('')}`;
      const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
      return { size: [picture.width, picture.height], ground: hex(3, 3) === colour('ground'), swatch: hex(56, 228) === colour('c1'), data: canvas.toDataURL() };
    });
    assert.deepEqual([image.size, image.ground, image.swatch], [[1200, 630], true, true]);
    if (process.env.HYDRA_SHOTS) writeFileSync(join(process.env.HYDRA_SHOTS, `image${dark ? '-dark' : ''}.png`), Buffer.from(image.data.split(',')[1], 'base64'));
    page.clean();
  }
  const page = await open(server, DONE);
  await page.evaluate(() => { navigator.clipboard.write = () => Promise.reject(new Error('refused')); });
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Copy as image')]);
  assert.equal(download.suggestedFilename(), 'hydra-01JX4KDONE.png');
  await page.waitForSelector('button >> text=Image saved ✓');
  page.clean();
});

test('the daemon goes: a word at once, what changes something is off; it comes back and all goes on', async (t) => {
  const server = await serve(t);
  const page = await open(server, LIVE, { expected: /ERR_|Failed to load/ });
  await page.waitForSelector('.card.live');
  await server.kill();
  await page.waitForSelector('.banner');
  assert.match(await page.textContent('.banner'), /does not answer/);
  await page.waitForFunction(() => [...document.querySelectorAll('button')].find((b) => b.textContent === 'Cancel race').disabled);
  assert.ok((await page.$$('.card.live')).length > 0, 'what was there stays');
  await server.back();
  await page.click('.banner button');
  await page.waitForSelector('.banner', { state: 'detached' });
  const tick = server.world.tick;
  await page.waitForFunction((t) => /step (\d+)/.exec(document.querySelector('.card.live').textContent)?.[1] > t, tick);
  page.clean();
});

test('the end of a race is said, and its results come', async (t) => {
  const server = await serve(t);
  const page = await open(server, LIVE);
  await page.waitForSelector('.card.live');
  await page.click('text=Cancel race');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Go on');
  await page.click('dialog .danger');
  await page.waitForSelector('.card.ranked');
  // The results and the race's state are two answers: either may come first.
  await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent.includes('cancelled'));
  await page.waitForFunction(() => document.querySelector('.headline')?.textContent.includes('was cancelled'));
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KLIVE/cancel', { agent: '' }]);
  page.clean();
});

test('weights re-rank at once; a what-if can’t be merged; as configured is one click away', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  await page.keyboard.press('w');
  const first = () => page.textContent('.card.ranked h2');
  assert.equal(await first(), 'Codex CLI');
  const slide = (name, value) => page.$$eval('.sliders label', (all, [n, v]) => {
    const input = all.find((l) => l.textContent.startsWith(n)).querySelector('input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, v);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, [name, value]);
  await slide('Tests', '100');
  await page.waitForFunction(() => document.querySelector('.card.ranked h2').textContent === 'Claude Code');
  await page.waitForFunction(() => document.querySelector('.verdict').textContent.startsWith('claude wins: '));
  assert.equal(await page.$$eval('.card a.button[href*=merge]', (all) => all.length), 0);
  await page.click('text=As configured');
  await page.waitForSelector('.card.winner a.button.primary');
  assert.equal(await first(), 'Codex CLI');
  page.clean();
});

test('a merge that needs a word: only with it, and with the preview that was looked at', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  await go(page, `${DONE}/merge/claude`);
  await page.waitForSelector('dialog .badge');
  await page.waitForTimeout(700); // longer than a preview has to be read
  assert.ok(await page.locator('dialog button.primary').isDisabled(), 'a consent is open');
  await page.click('text=It changes the configuration of a CI service');
  await page.click('dialog button.primary');
  await page.waitForSelector('dialog h2 >> text=Merged ✓');
  const [, body] = server.world.calls.at(-1);
  assert.deepEqual([body.race, body.agent, body.allow, body.preview.length, body.dry_run], ['01JX4KDONE', 'claude', ['ci'], 32, undefined]);
  await page.click('text=Undo the merge');
  await page.waitForSelector('dialog >> text=Merge undone');
  assert.deepEqual(server.world.calls.at(-1), ['/v1/merge', { race: '01JX4KDONE', undo: true }]);
  page.clean();
});

test('a merge shows what it leaves out, and its files are chosen', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  server.world.preview = ({ with_generated, without }) => ({
    line_ends_only: 399, left_out: with_generated ? [] : [{ what: 'node_modules/', files: 2013, generated: true }],
    unnamed: ['_debug.py', '<img src=x onerror=alert(1)>'].filter((path) => !without.includes(path)),
  });
  await go(page, `${DONE}/merge/codex`);
  await page.waitForSelector('dialog >> text=line ends only: 399');
  await page.waitForSelector('dialog >> text=node_modules/ (2,013 files)');
  await axe(page);
  const choice = (text) => page.locator('dialog label.consent', { hasText: text }).locator('input');
  await choice('Bring in generated files').check();
  await choice('_debug.py').check();
  await choice('onerror=alert(1)').check();
  await choice('onerror=alert(1)').uncheck();
  await page.locator('dialog button.primary:enabled').click();
  await page.waitForSelector('dialog h2 >> text=Merged ✓');
  const [, body] = server.world.calls.at(-1);
  assert.deepEqual([body.with_generated, body.without], [true, ['_debug.py']]);
  page.clean();
});

test('a merge with a conflict shows it and can’t be done; Back closes the dialog', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  await go(page, `${DONE}/merge/cursor`);
  await page.waitForSelector('dialog >> text=1 conflict');
  assert.match(await page.textContent('dialog'), /<<<<<<< main/);
  await page.waitForTimeout(700); // longer than a preview has to be read
  assert.ok(await page.locator('dialog button.primary').isDisabled());
  await page.goBack();
  await page.waitForSelector('dialog', { state: 'detached' });
  page.clean();
});

test('retry tells the agent what it is told', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.click('.card.winner >> text=Retry');
  await page.fill('dialog textarea', 'use the other header');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KDONE/retry', { agents: ['codex'], message: 'use the other header' }]);
  page.clean();
});

test('only findings that block or warn are counted, on the card and on the tab', async (t) => {
  const page = await open(await serve(t), DONE);
  await page.waitForSelector('.card.winner');
  assert.deepEqual(await page.$$eval('.badges a[href*=integrity], .tabs .count', (all) => all.map((e) => `${e.textContent} ${e.title}`.trim())), ['1 1 to look at', '1 1 to look at', '! 1 finding']);
  page.clean();
});

test('compare below 900 px shows the side that changed the file, and no choice where there is none', async (t) => {
  const page = await open(await serve(t), `${DONE}/compare/codex/claude?file=tests/test_auth.py`, { width: 360 });
  await page.waitForSelector('.dl.added >> text=def test_refresh');
  assert.equal(await page.locator('button >> text=/^Show /').count(), 0);
  await go(page, `${DONE}/compare/codex/claude?file=src/auth.py`);
  await page.waitForSelector('.dl.added >> text=claims.valid');
  await page.click('text=Show Claude Code');
  await page.waitForSelector('.dl.added >> text=claims.fresh');
  page.clean();
});

test('compare at half a screen: both sides beside each other, and nothing of them needs scrolling sideways', async (t) => {
  const page = await open(await serve(t), `${DONE}/compare/codex/claude?file=src/auth.py`, { width: 768 });
  await page.waitForSelector('.n2 .pair');
  const box = await page.$eval('.rows.diff', (e) => ({ seen: e.clientWidth, all: e.scrollWidth, halves: [...e.querySelector('.pair').children].map((h) => h.getBoundingClientRect().width) }));
  assert.ok(box.all <= box.seen, JSON.stringify(box));
  assert.ok(Math.abs(box.halves[0] - box.halves[1]) < 2, JSON.stringify(box));
  await axe(page);
  page.clean();
});

test('the list names the winner on a phone too', async (t) => {
  const page = await open(await serve(t), '#/races', { width: 360 });
  await page.waitForSelector('.races .win >> text=Codex CLI');
  await page.waitForSelector('.races .win >> text=running');
  page.clean();
});

test('what happens in a terminal reaches the open page of a race that has ended: a merge, its undo, a retry', async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner a >> text=Merge winner…');
  assert.equal(await page.textContent('.linkstate'), '', 'nothing is live');
  await until(() => server.world.quiet.size === 1, 'the page listens');
  server.world.merged = { agent: 'codex', commit: 'bbbbbbbbbbbb', ref: 'refs/heads/main' };
  server.tell('merged', { agent: 'codex' });
  await page.waitForSelector('.headline >> text=Merged ✓ codex into main');
  assert.equal(await page.locator('.card.winner a >> text=Merge winner…').count(), 0);
  server.world.merged = null;
  server.tell('merge_undone');
  await page.waitForSelector('.card.winner a >> text=Merge winner…');
  server.world.over = { state: 'running' };
  server.tell('retry_requested', { agent: 'codex' });
  await page.waitForSelector('.linkstate >> text=live');
  page.clean();
});

test('text of agents is text: in names, tasks, logs, diffs, findings and tests', async (t) => {
  const page = await open(await serve(t), DONE);
  await inert(page, RACES, [[`${DONE}/agent/codex/log/tests?line=120-131`, '.ll.marked'], [`${LIVE}/timeline`, '.timeline [role=cell]']]);
});

test('a log: jump to what failed, search, the raw file', async (t) => {
  const server = await serve(t);
  const page = await open(server, `${DONE}/agent/codex/log/tests`);
  await page.click('text=Go to first failure');
  await page.waitForSelector('.ll.here >> text=FAILED');
  await page.keyboard.press('n');
  await page.waitForSelector('.ll.here >> text=AssertionError');
  await page.fill('input[type=search]', 'test_333.py');
  await page.waitForSelector('.ll.here >> text=test_333.py');
  await page.fill('input[type=search]', 'TEST_22');
  await page.waitForSelector('.ll.here >> text=test_22.py');
  await page.focus('input[type=search]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.ll.here >> text=test_220.py');
  await go(page, `${DONE}/tests`);
  await page.click('.matrix a[aria-label^="failed: log of Claude"]');
  await page.waitForSelector('.ll.here >> text=test_empty'); // of the matrix to the line
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download raw')]);
  assert.equal(download.suggestedFilename(), 'claude-tests-out.log');
  assert.equal(await page.$$eval('.ll', (all) => all.length < 120), true, 'rows are windowed');
  await go(page, `${DONE}/agent/nobody/log/tests`);
  await page.waitForSelector('text=No such log');
});

test('errors are kept apart of agents alone: an empty output names them, and the log of a check has no such choice', async (t) => {
  const server = await serve(t);
  server.world.log = '';
  const page = await open(server, `${DONE}/agent/codex/log/agent`);
  await page.click('.empty a');
  await page.waitForFunction(() => /stream=err/.test(location.hash));
  await page.click('nav[aria-label="Kind of log"] >> text=tests');
  await page.waitForFunction(() => document.querySelector('nav[aria-label="Kind of log"] [aria-current]')?.textContent === 'tests');
  assert.equal(await page.$('nav[aria-label=Stream]'), null);
  page.clean();
});

test('states: no races, cleaned evidence, nothing of this name', async (t) => {
  const server = await serve(t);
  server.world.races = [];
  const page = await open(server, '#/races', { expected: /404/ });
  await page.waitForSelector('text=No races yet');
  await axe(page);
  await go(page, '#/race/01JX4KGONE');
  await page.waitForSelector('text=hydra restore');
  await axe(page);
  await go(page, '#/nothing');
  await page.waitForSelector('text=No such page');
  page.clean();
});

test('states of a race that has ended, each in words: failed, all failed, tied, cancelled, told apart by nothing, contested', async (t) => {
  const server = await serve(t);
  const page = await open(server, '#/races');
  const base = fx.results();
  const none = { ...base.agents[0], confidence: null, evidence_points: null };
  const tied = base.agents.map((a, i) => (i < 2 ? { ...a, rank: 1, tied: true } : a));
  const left = base.agents.map((a) => ({ ...a, rank: 0, state: 'not_checked', unchecked: true, composite: null }));
  for (const [over, words] of [
    [{ state: 'failed', reason: 'the baseline does not build', agents: [], winner: '', verdict: '' }, /could not be prepared[\s\S]*No agents/],
    [{ all_failed: true, winner: '', verdict: 'No winner: 2 results do not build.' }, /No result reaches the minimum score. No winner: 2 results do not build/],
    [{ agents: tied, winner: '', verdict: 'No winner: undecided between codex and claude.' }, /undecided between codex and claude[\s\S]*tie/],
    [{ agents: base.agents.map((a) => ({ ...a, composite: null })) }, /codex wins: fixes 1 of 1 failing test with 12 lines; claude breaks 1 test; cursor does not build\.(?![\s\S]*#1)/],
    [{ state: 'cancelled', agents: left, winner: '', verdict: '' }, /was cancelled[\s\S]*captured, not checked/],
    [{ agents: [none, ...base.agents.slice(1)], evidence: { state: 'not_measured', reason: 'no_new_tests', authors: [], cells: [], clusters: [] } }, /claude above cursor/],
    [{ contested: [{ name: 'tests/test_auth.py::test_old', broken_by: 2, of: 2 }], points_winner: 'claude' }, /By points alone Claude Code would be first[\s\S]*Probably changed by the task: tests\/test_auth.py::test_old[\s\S]*claude above cursor: cursor is not eligible/],
    [{ entries: [{ entry: 'codex', rank: 1, attempts: 4, lost: 1, best: 93.3, best_attempt: 'codex#2', success_rate: 0.75, interval: [0.3, 0.95], mean: 88, deviation: 3.2, mean_seconds: 30, cost_usd: 1 }] }, /Entries, over all attempts[\s\S]*75 % 30–95 %[\s\S]*4 attempts, 1 lost, mean 88.0 ± 3.2/],
  ]) {
    server.world.over = over;
    await page.reload();
    await go(page, DONE);
    await page.waitForSelector('.bar-row');
    assert.match(await page.textContent('main'), words);
    await axe(page);
    await go(page, `${DONE}/evidence`);
    await page.waitForSelector('.panel');
    if (over.evidence) assert.match(await page.textContent('main'), /No cross tests[\s\S]*no result brought its own tests/), await axe(page);
    await go(page, '#/races');
  }
  page.clean();
});

test('a race that goes on does not say why it has no evidence and no changed tests, but that they are to come', async (t) => {
  const server = await serve(t, { tests: { ...fx.tests, rows: [] } });
  const base = fx.results();
  server.world.liveOver = { agents: base.agents.map((a) => ({ ...a, rank: 0, composite: null, confidence: null })), evidence: { state: 'not_measured', reason: 'no_new_tests', authors: [], cells: [], clusters: [] } };
  const page = await open(server, `${LIVE}/evidence`);
  await page.waitForSelector('text=No cross tests');
  assert.match(await page.textContent('main'), /Nothing has been ranked yet[\s\S]*No cross tests yet(?![\s\S]*Why:)/);
  await go(page, `${LIVE}/tests`);
  await page.waitForSelector('text=No test changed');
  assert.match(await page.textContent('main'), /No test changed yet(?![\s\S]*Every test ended)/);
  server.world.live = 'cancelled';
  await go(page, `${LIVE}/evidence`);
  await page.waitForFunction(() => /No result has evidence[\s\S]*Why: no result brought its own tests/.test(document.querySelector('main').textContent));
  page.clean();
});

test('judges: every vote with its reason, an outlier and an answer that was none named, their text inert', async (t) => {
  const server = await serve(t);
  const page = await open(server, '#/races');
  const base = fx.results();
  const vote = (judge, score, over) => ({ judge, person: false, stake: 2, score, invalid: '', reason: 'reads well', outlier: false, ...over });
  const votes = [vote('style', 0.9), vote('grumpy', 0, { outlier: true, reason: '<img src=x onerror=alert(1)>' }), vote('late', null, { invalid: 'timed_out', reason: '' })];
  const judges = { status: 'scored', score: 0.85, points: 85, text: '3 judges gave an answer that counts', votes };
  server.world.over = { agents: [{ ...base.agents[0], judges }, ...base.agents.slice(1)] };
  await go(page, `${DONE}/evidence`);
  await page.waitForSelector('h2:has-text("Judges")');
  const told = await page.textContent('main');
  assert.match(told, /Codex CLI 0.85 3 judges gave an answer that counts[\s\S]*style: 0.90[\s\S]*grumpy: 0.00 outlier[\s\S]*<img src=x[\s\S]*late: timed out/);
  assert.equal(await page.$$eval('main img', (all) => all.length), 0);
  await axe(page);
  page.clean();
});

test('the final message of every result is a key away; under a result without changes it is open, and a question says how to answer', async (t) => {
  const server = await serve(t);
  const [first, second, third] = fx.results().agents;
  const nothing = { ...third, state: 'no_changes', ineligible_reasons: ['no_changes'], rank: 0, composite: null, commit: '', diff: { lines_added: 0, lines_removed: 0, files_changed: 0 } };
  server.world.over = { agents: [first, { ...second, final_text: '' }, { ...nothing, question: 'Two ways fit. Which one do you want?', final_text: 'Two ways fit. Which one do you want?\n- a header\n- a cookie <img src=x onerror=alert(1)>' }] };
  const page = await open(server, DONE);
  const card = (name) => page.locator(`.card.ranked[aria-label*="${name}"]`);
  await card('Cursor').locator('.finally pre >> text=a cookie <img').waitFor();
  assert.match(await card('Cursor').locator('.finally').innerText(), /^Question\n[\s\S]*To answer: hydra retry 01JX4KDONE\/cursor -m "…"$/);
  assert.equal(await page.$$eval('.card img', (all) => all.length), 0);
  assert.equal(await card('Claude').locator('.finally').count(), 0, 'no message, nothing to open');
  const codex = card('Codex').locator('.finally');
  assert.equal(await codex.locator('summary').innerText(), 'Final message');
  assert.ok(!(await codex.locator('pre').isVisible()));
  await page.keyboard.press('j');
  await page.keyboard.press('f');
  await codex.locator('pre').waitFor();
  await axe(page);
  await card('Cursor').locator('text=Answer…').click();
  await page.fill('dialog textarea', 'the header');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KDONE/retry', { agents: ['cursor'], message: 'the header' }]);
  page.clean();
});

test('a live race leads to the final message of who has ended, and of nobody else', async (t) => {
  const page = await open(await serve(t), LIVE);
  await page.waitForSelector('.card.live');
  assert.deepEqual(await page.$$eval('.card.live', (all) => all.filter((c) => c.querySelector('[data-key=f]')).map((c) => c.getAttribute('aria-label'))), ['Aider']);
  page.clean();
});

test('a link to a part of the explanation shows that part', async (t) => {
  const page = await open(await serve(t), `${DONE}/agent/codex?part=message`, { height: 500 });
  await page.waitForFunction(() => { const box = document.querySelector('#message')?.getBoundingClientRect(); return box && box.top >= 0 && box.top < innerHeight; });
  page.clean();
});

test('last words that are longer than their box can be scrolled by keys', async (t) => {
  const server = await serve(t);
  server.world.over = { agents: fx.results().agents.map((a) => ({ ...a, final_text: 'one more line\n'.repeat(80) })) };
  const page = await open(server, `${DONE}/agent/codex`);
  await page.waitForSelector('.said >> text=one more line');
  assert.match(await page.textContent('.explain'), /codex above claude: smaller change, 2.0 more points[\s\S]*claude above cursor/);
  await axe(page);
  page.clean();
});

test('10,000 races: paged, filtered, windowed', async (t) => {
  const server = await serve(t, { races: 10_000 });
  const page = await open(server, '#/races');
  await page.waitForSelector('.races .vrow a');
  await page.keyboard.press('/');
  await page.keyboard.type('number 9998');
  await page.waitForSelector('text=task number 9998');
  assert.equal(await page.$$eval('.races .vrow', (all) => all.length), 2, 'the head and one row');
  assert.match(page.url(), /q=number\+9998/);
  page.clean();
});

test('100,000 lines of a log and 20,000 of a diff: a bounded page, and CPU within bounds', async (t) => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i % 3 === 0 ? '+' : i % 3 === 1 ? '-' : ' '}line ${i} const x = "${i}"; // text`);
  const part = (i) => { const body = lines.slice(i * 500, i * 500 + 500); const n = (c) => body.filter((l) => l[0] !== c).length; return `diff --git a/src/f${i}.c b/src/f${i}.c\n--- a/src/f${i}.c\n+++ b/src/f${i}.c\n@@ -1,${n('+')} +1,${n('-')} @@\n${body.join('\n')}\n`; };
  const server = await serve(t, { log: fx.logText(100_000), diffs: { codex: Array.from({ length: 40 }, (_, i) => part(i)).join('') } });
  const page = await open(server, '#/settings');
  let used = await cpu(page);
  await go(page, `${DONE}/agent/codex/diff`);
  await page.waitForSelector('.dl.added');
  const diff = await used();
  assert.ok(diff < 1.5, `the diff took ${diff} s of CPU`); // three times the goal: busy machines
  assert.equal(await page.$$eval('.files li', (all) => all.length), 40);
  used = await cpu(page);
  await go(page, `${DONE}/agent/codex/log/tests?line=99990`);
  await page.waitForSelector('.ll.marked');
  const log = await used();
  assert.ok(log < 6, `the log took ${log} s of CPU`);
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 3000);
  t.diagnostic(`diff ${diff.toFixed(2)} s, log ${log.toFixed(2)} s of CPU`);
  page.clean();
});

test('32 agents that say something ten times a second: little CPU, and a page that does not grow', async (t) => {
  const server = await serve(t, { crowd: 32 });
  const page = await open(server, LIVE);
  await page.waitForFunction(() => document.querySelectorAll('.card.live').length === 32 && document.querySelector('.linkstate .state'));
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  const [before, used, from] = [await nodes(), await cpu(page), server.world.tick];
  await page.waitForFunction((tick) => Number(/step (\d+)/.exec(document.querySelector('.card.live').textContent)?.[1]) > tick + 20, from);
  const share = (await used()) / ((server.world.tick - from) * 0.5);
  assert.ok(share < 0.3, `${(share * 100).toFixed(1)} % of a core`); // three times the goal: busy machines
  assert.equal(await nodes(), before);
  t.diagnostic(`${(share * 100).toFixed(1)} % of a core`);
  page.clean();
});

test('a report: one file, offline, no request, its texts inert', async () => {
  const results = fx.results();
  const data = {
    schema: 1, results, explain: Object.fromEntries(results.agents.map((a) => [a.agent, fx.explain(a.agent)])), tests: fx.tests, diffs: { codex: fx.diffs.codex, claude: fx.diffs.claude },
    logs: { 'codex/tests/out': { attempt: '01JX4K/codex/tests/1', text: `${fx.logText(150)}</script><script>alert(1)</script>`, cut: true } }, runs: fx.attempts, left_out: ['diff of cursor: 5000000 bytes, more than this report may hold'],
  };
  const html = built.report.replace('@HYDRA_DATA@', deflateRawSync(JSON.stringify(data)).toString('base64'));
  const file = join(mkdtempSync(join(tmpdir(), 'hydra-report-')), 'race.html');
  writeFileSync(file, html);
  const of = (path) => `#/race/${results.race}/${path}`;
  for (const dark of [false, true]) {
    const page = await newPage(browser, { dark });
    await readReport(page, file, [[of('tests'), '.matrix [role=cell]'], [of('evidence'), '.cross td'], [of('agent/claude'), '.dimension'], [of('agent/claude/diff'), '.dl.added'], [of('agent/codex/log/tests'), '.ll'], [of('compare/codex/claude'), '.pair'], [of('checks'), '.panel'], [of('integrity'), '.findings']]);
    assert.match(await page.textContent('.notes'), /diff of cursor: 5000000 bytes, more than this report may hold/);
    await go(page, `#/race/${results.race}`);
    await page.waitForSelector('.lanes path[d*="v14"]');
  }
});
