// The pages in Debian's Chromium against the stand-in of server.mjs; with HYDRA_UI_URL (of `hydra ui --no-open`) the first
// two against a real daemon that has a race that is done, with two results, in a repository to merge into.
import assert from 'node:assert/strict';
import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { axe, cpu, launch, newPage } from './browser.mjs';
import * as fx from './fixtures.mjs';
import { bundle, start } from './server.mjs';

const built = bundle();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const DONE = '#/race/01JX4KDONE', LIVE = '#/race/01JX4KLIVE';
const REAL = process.env.HYDRA_UI_URL;
const standIn = { skip: REAL ? 'of the stand-in only' : false };

async function serve(t, options = {}) {
  const server = await start({ bundle: built, ...options });
  t.after(() => server.stop());
  return server;
}

/** A signed-in page on `route`. */
async function open(server, route, options = {}) {
  const page = await newPage(browser, { origin: server.origin, ...options });
  await page.goto(server.url());
  await page.waitForFunction(() => localStorage.getItem('hydra-tab') !== null);
  await page.waitForSelector('h1');
  await go(page, route);
  return page;
}
const go = (page, route) => page.evaluate((to) => { location.hash = to; }, route);

/** A page at the daemon of HYDRA_UI_URL, whose code is good for one browser, else at a stand-in. */
let signedIn;
async function anyDaemon(t) {
  if (!REAL) return open(await serve(t), '#/races');
  if (signedIn) return signedIn;
  signedIn = await newPage(browser, { origin: new URL(REAL).origin });
  await signedIn.goto(REAL);
  await signedIn.waitForFunction(() => localStorage.getItem('hydra-tab') !== null);
  await signedIn.waitForSelector('h1');
  return signedIn;
}

const ask = (page, path) => page.evaluate(async (p) => (await fetch(p, { headers: { 'x-hydra-tab': localStorage.getItem('hydra-tab') } })).json(), path);

/** Every page there is, with what shows that it has come: of the newest race that is done, and of one that runs. */
async function routes(page) {
  const { races } = await ask(page, '/v1/races?limit=100');
  const done = races.find((r) => r.state === 'done' && r.winner !== '').race;
  const live = races.find((r) => r.state === 'running')?.race;
  const { agents } = await ask(page, `/v1/races/${done}/results`);
  const [a, b] = agents.filter((x) => x.diff.files_changed > 0).map((x) => x.agent);
  const of = (path) => `#/race/${done}${path}`;
  const list = [
    ['#/races', '.races .vrow a'], [of(''), '.card.ranked'], [of('/tests'), '.matrix [role=cell], .empty'], [of(`/agent/${a}`), '.dimension'], [of(`/agent/${a}/diff`), '.dl.added'],
    [of(`/agent/${a}/log/tests`), '.ll, .empty'], [of(`/compare/${a}/${b}`), '.pair'], [of(`/compare/${a}/${b}?mode=three`), '.n3 .pair'], [of(`/merge/${a}`), 'dialog .badge'], [of('/checks'), '.panel'],
    [of('/integrity'), '.panel'], [of('/timeline'), '.timeline [role=cell]'], ['#/leaderboard', '.leaders li, .empty'], ['#/agents', '.agentlist li'], ['#/settings', '.panel'],
  ];
  return live ? [...list, [`#/race/${live}`, '.card.live']] : list;
}

test('every page at 1440 and 360 px, light and dark: axe, width, targets, console, nobody else is asked', async (t) => {
  const page = await anyDaemon(t);
  const all = await routes(page);
  for (const [width, dark] of [[1440, false], [1440, true], [360, false], [360, true]]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    for (const [route, ready] of all) {
      await go(page, route);
      await page.waitForSelector(ready);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${route} scrolls sideways at ${width}`);
      await axe(page);
      const small = await page.evaluate(() => [...document.querySelectorAll('main button, main select, main input, main .button')].filter((e) => e.checkVisibility() && e.type !== 'checkbox' && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], `${route}: targets`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 800 });
  page.clean();
});

test('by keyboard alone: from the list to a merge, and its undo', async (t) => {
  const page = await anyDaemon(t);
  const { races } = await ask(page, '/v1/races?limit=100');
  const { race } = races.find((r) => r.state === 'done' && r.winner !== '' && !r.merged) ?? races.find((r) => r.race === '01JX4KDONE');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (match) => { for (let i = 0; i < 20 && !(await page.evaluate(match)); i++) await page.keyboard.press('Tab'); };
  await go(page, '#/races');
  await page.waitForSelector('.races .vrow a');
  await page.keyboard.press('/');
  await page.keyboard.type(race);
  await page.waitForFunction(() => document.querySelectorAll('.races .vrow a').length === 1);
  await tabTo(() => document.activeElement.matches('.races .vrow a'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.card.winner');
  await page.keyboard.press('j');
  await page.keyboard.press('m');
  await page.waitForSelector('dialog .badge');
  assert.equal(await focused(), 'Cancel');
  await page.waitForFunction(() => !document.querySelector('dialog button.primary').disabled);
  await tabTo(() => document.activeElement.matches('dialog button.primary'));
  assert.match(await focused(), /^Merge into /);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog >> text=Undo the merge');
  await tabTo(() => document.activeElement.textContent === 'Undo the merge');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog >> text=Taken back');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  page.clean();
});

test('the code leaves the address, works once, and both halves are needed', standIn, async (t) => {
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

test('a live race: figures move, nothing else does, and no figure talks', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, LIVE);
  await page.waitForSelector('.card.live');
  const places = () => page.$$eval('.card.live', (all) => all.map((c) => JSON.stringify(c.getBoundingClientRect())));
  const before = await places();
  const tokens = await page.textContent('.card.live .figures');
  await page.waitForFunction((old) => document.querySelector('.card.live .figures').textContent !== old, tokens);
  assert.deepEqual(await places(), before);
  assert.equal(await page.$$eval('.card.live [aria-live], .card.live [role=status]', (all) => all.length), 0);
  assert.match(await page.textContent('.cards'), /silent for 5m 10s, stopped at 15m 0s/);
  assert.match(await page.textContent('.cards'), /waits for a free place/);
  page.clean();
});

test('the daemon goes: a word at once, what changes something is off; it comes back and all goes on', standIn, async (t) => {
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

test('the end of a race is said, and its results come', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, LIVE);
  await page.waitForSelector('.card.live');
  await page.click('text=Cancel race');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Go on');
  await page.click('dialog .danger');
  await page.waitForSelector('.card.ranked');
  assert.match(await page.textContent('[role=status]'), /cancelled/);
  assert.match(await page.textContent('.headline'), /was cancelled/);
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KLIVE/cancel', { agent: '' }]);
  page.clean();
});

test('weights re-rank at once; a what-if can’t be merged; as configured is one click away', standIn, async (t) => {
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
  await page.waitForFunction(() => document.body.textContent.includes('The daemon agrees: Claude Code wins'));
  assert.equal(await page.$$eval('.card a.button[href*=merge]', (all) => all.length), 0);
  await page.click('text=As configured');
  await page.waitForSelector('.card.winner a.button.primary');
  assert.equal(await first(), 'Codex CLI');
  page.clean();
});

test('a merge that needs a word: only with it, and with the preview that was looked at', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  await go(page, `${DONE}/merge/claude`);
  await page.waitForSelector('dialog .badge');
  await page.waitForTimeout(700); // longer than a preview has to be read
  assert.ok(await page.locator('dialog button.primary').isDisabled(), 'a consent is open');
  await page.click('text=It changes the configuration of a CI service');
  await page.click('dialog button.primary');
  await page.waitForSelector('dialog >> text=Merged');
  const [, body] = server.world.calls.at(-1);
  assert.deepEqual([body.race, body.agent, body.allow, body.preview.length, body.dry_run], ['01JX4KDONE', 'claude', ['ci'], 32, undefined]);
  await page.click('text=Undo the merge');
  await page.waitForSelector('dialog >> text=Taken back');
  assert.deepEqual(server.world.calls.at(-1), ['/v1/merge', { race: '01JX4KDONE', undo: true }]);
  page.clean();
});

test('a merge with a conflict shows it and can’t be done; Back closes the dialog', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.waitForSelector('.card.winner');
  await go(page, `${DONE}/merge/cursor`);
  await page.waitForSelector('dialog >> text=1 conflict');
  await page.click('dialog summary');
  assert.match(await page.textContent('dialog'), /<<<<<<< main/);
  await page.waitForTimeout(700); // longer than a preview has to be read
  assert.ok(await page.locator('dialog button.primary').isDisabled());
  await page.goBack();
  await page.waitForSelector('dialog', { state: 'detached' });
  page.clean();
});

test('retry tells the agent what it is told', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  await page.click('.card.winner >> text=Retry');
  await page.fill('dialog textarea', 'use the other header');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog', { state: 'detached' });
  assert.deepEqual(server.world.calls.at(-1), ['/v1/races/01JX4KDONE/retry', { agent: 'codex', message: 'use the other header' }]);
  page.clean();
});

test('text of agents is text: in names, tasks, logs, diffs, findings and tests', standIn, async (t) => {
  const server = await serve(t);
  const page = await open(server, DONE);
  const log = [`${DONE}/agent/codex/log/tests?line=120-131`, '.ll.marked'], timeline = [`${LIVE}/timeline`, '.timeline [role=cell]'];
  for (const [name, ready] of [...(await routes(page)), log, timeline]) {
    await go(page, name);
    await page.waitForSelector(ready);
    assert.equal(await page.$$eval('main img, main script, main b, main a[href^=http]', (all) => all.length), 0, name);
    assert.ok(!(await page.evaluate(() => document.documentElement.outerHTML)).includes('\u202e'), `${name} turns a line`);
  }
  page.clean();
});

test('a log: jump to what failed, search, the raw file', standIn, async (t) => {
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
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download raw')]);
  assert.equal(download.suggestedFilename(), 'codex-tests-out.log');
  assert.equal(await page.$$eval('.ll', (all) => all.length < 120), true, 'rows are windowed');
  await go(page, `${DONE}/agent/nobody/log/tests`);
  await page.waitForSelector('text=No such log');
});

test('states: no races, cleaned evidence, nothing of this name', standIn, async (t) => {
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

test('10,000 races: paged, filtered, windowed', standIn, async (t) => {
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

test('100,000 lines of a log and 20,000 of a diff: a bounded page, and CPU within bounds', standIn, async (t) => {
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

test('32 agents that say something ten times a second: little CPU, and a page that does not grow', standIn, async (t) => {
  const server = await serve(t, { crowd: 32 });
  const page = await open(server, LIVE);
  await page.waitForFunction(() => document.querySelectorAll('.card.live').length === 32);
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  const [before, used, from] = [await nodes(), await cpu(page), server.world.tick];
  await page.waitForFunction((tick) => Number(/step (\d+)/.exec(document.querySelector('.card.live').textContent)?.[1]) > tick + 20, from);
  const share = (await used()) / ((server.world.tick - from) * 0.5);
  assert.ok(share < 0.3, `${(share * 100).toFixed(1)} % of a core`); // three times the goal: busy machines
  assert.equal(await nodes(), before);
  t.diagnostic(`${(share * 100).toFixed(1)} % of a core`);
  page.clean();
});

test('a report: one file, offline, no request, its texts inert', standIn, async () => {
  const results = fx.results();
  const data = {
    schema: 1, results, explain: Object.fromEntries(results.agents.map((a) => [a.agent, fx.explain(a.agent)])), tests: fx.tests, diffs: { codex: fx.diffs.codex, claude: fx.diffs.claude },
    logs: [{ subject: 'codex', kind: 'tests', attempt: '01JX4K/codex/tests/1', stream: 'out', text: `${fx.logText(150)}</script><script>alert(1)</script>`, cut: true }], left_out: [{ what: 'diff of cursor', bytes: 5_000_000, why: 'too large for this report' }],
  };
  const html = built.report.replace('@HYDRA_DATA@', deflateRawSync(JSON.stringify(data)).toString('base64'));
  const file = join(mkdtempSync(join(tmpdir(), 'hydra-report-')), 'race.html');
  writeFileSync(file, html);
  for (const dark of [false, true]) {
    const page = await newPage(browser, { dark });
    await page.goto(`file://${file}`);
    await page.waitForSelector('.card.winner');
    assert.equal(await page.$$eval('text=/Merge|Retry|Cancel/', (all) => all.length), 0);
    await axe(page);
    for (const [route, ready] of [['tests', '.matrix [role=cell]'], ['agent/claude', '.dimension'], ['agent/claude/diff', '.dl.added'], ['agent/codex/log/tests', '.ll'], ['compare/codex/claude', '.pair'], ['checks', '.panel'], ['integrity', '.findings']]) {
      await go(page, `#/race/${results.race}/${route}`);
      await page.waitForSelector(ready);
      await axe(page);
    }
    assert.match(await page.textContent('.notes'), /diff of cursor: too large for this report, 4.8 MiB/);
    page.clean();
  }
});
