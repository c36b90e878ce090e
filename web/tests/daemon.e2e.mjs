// The pages over a real daemon whose agents are scripts (world.mjs). HYDRA_SHOTS=DIR keeps a picture of every page.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, newPage } from './browser.mjs';
import { ask, everyPage, go, inert, mergeByKeyboard, readReport, signIn } from './pages.mjs';
import { world } from './world.mjs';

let browser, there;
before(async () => {
  [browser, there] = await Promise.all([launch(), world()]);
}, { timeout: 300_000 });
after(async () => {
  await browser?.close();
  there?.stop();
});

/** A signed-in page on `route`. */
async function open(route, options = {}) {
  const url = await there.link();
  return signIn(await newPage(browser, { origin: new URL(url).origin, ...options }), url, route);
}

const SHOTS = process.env.HYDRA_SHOTS;
async function shot(page, route, width, dark) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  const name = route.replace(there.done, '').replace(there.live, 'live').replace(/\W+/g, '-').replace(/^-|-$/g, '');
  await page.screenshot({ path: join(SHOTS, `${name}-${width}${dark ? '-dark' : ''}.png`) });
}

test('every page of a real daemon: axe in light and dark, 320 to 2560 px, console, nobody else is asked', async () => {
  const page = await open('#/races');
  await everyPage(page, there, [{ width: 1440 }, { width: 1440, dark: true, rules: false }, { width: 360, rules: false }, { width: 360, dark: true }, { width: 320, rules: false }, { width: 2560, rules: false }], shot);
});

test('text of agents is text on every page', async () => {
  const page = await open('#/races');
  await inert(page, there, [[`#/race/${there.done}/agent/dune`, '.explain'], [`#/race/${there.done}/agent/dune/log/agent`, '.ll'], [`#/race/${there.done}/agent/dune/diff`, '.dl.added']]);
});

test('evidence: whose tests pass on whose code, and a word for each result', async () => {
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.card.winner');
  assert.match(await page.textContent('.headline.evidence'), /3 tests of 2 authors fail without the change; of the others’ Ada passes 1 of 1, Brook 2 of 2, Cleo 0 of 3/);
  assert.deepEqual(await page.$$eval('.card.ranked', (all) => all.map((c) => /(good evidence|disputed)/.exec(c.querySelector('.badges').textContent)?.[0])), ['good evidence', 'good evidence', 'disputed', undefined]);
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.waitForSelector('.cross');
  const cells = await page.$$eval('.cross tr', (rows) => rows.slice(0, 3).map((r) => [...r.children].map((c) => (c.querySelector('[aria-hidden]') ?? c.querySelector('bdi') ?? c).textContent)));
  assert.deepEqual(cells, [['Tests of', 'base', 'Ada', 'Brook', 'Cleo'], ['Ada', '0/2', '2/2*', '2/2', '0/2'], ['Brook', '0/1', '1/1', '1/1*', '0/1']]);
  await go(page, `#/race/${there.done}/agent/cleo`);
  await page.waitForSelector('#evidence');
  assert.match(await page.textContent('#evidence'), /disputed[\s\S]*3 tests of others failed/);
  page.clean();
});

/** Names of the lanes that have work, checks, verification. */
const lanes = (page) => page.$$eval('.lanes tbody tr', (rows) => rows.map((row) => [row.querySelector('th').textContent.slice(0, 5), ...[...row.querySelectorAll('.num')].slice(0, 3).map((c) => c.textContent !== '–')]));

test('lanes: what ran when, of a race that is over and of one that goes on', async () => {
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.lanes path[d*="v14"]');
  assert.deepEqual(await lanes(page), [['Base', false, true, false], ['Ada', true, true, true], ['Brook', true, true, true], ['Cleo', true, true, false], ['Dune ', true, true, false], ['Cross', false, false, true]]);
  await go(page, `#/race/${there.live}`);
  await page.waitForFunction(() => [...document.querySelectorAll('.lanes tbody tr')].some((row) => /Slow One/.test(row.textContent) && /^\d+/.test(row.querySelector('.num').textContent)));
  page.clean();
});

test('several attempts: entries with what all of them came to', async () => {
  const page = await open(`#/race/${there.several}`);
  await page.waitForSelector('.leaders li');
  assert.deepEqual(await page.$$eval('.leaders li strong:first-of-type', (all) => all.map((e) => e.textContent)).then((all) => all.filter((t) => /ada|brook/.test(t))), ['ada', 'brook']);
  assert.match(await page.textContent('.leaders'), /100 % 51–100[\s\S]*4 attempts, mean/);
  page.clean();
});

test('weights: the daemon says the order, and nothing of it is stored', async () => {
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.card.winner');
  await page.keyboard.press('w');
  await page.$eval('.sliders input', (input) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '0');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.waitForFunction(() => document.body.textContent.includes('The daemon agrees'));
  await page.click('text=As configured');
  assert.equal((await ask(page, `/v1/races/${there.done}/results`)).weights.build, 30);
  page.clean();
});

test('the link of `hydra ui RACE` opens the race, signed in', async () => {
  const { out } = await there.hydra('ui', '--no-open', there.done);
  const url = /http:\S+/.exec(out)[0];
  const page = await newPage(browser, { origin: new URL(url).origin });
  await page.goto(url);
  await page.waitForSelector('.card.winner');
  assert.ok(page.url().endsWith(`/#/race/${there.done}`), page.url());
  page.clean();
});

test('a merge in the terminal and its undo reach an open page', async () => {
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.card.winner a >> text=Merge winner…');
  const { code, err } = await there.hydra('merge', `${there.done}/ada`, '--yes');
  assert.equal(code, 0, err);
  await page.waitForSelector('.headline >> text=Merged ✓ ada into main');
  assert.equal((await there.hydra('merge', '--undo', `${there.done}/ada`)).code, 0);
  await page.waitForSelector('.card.winner a >> text=Merge winner…');
  page.clean();
});

test('a merge over uncommitted changes is refused beforehand, with what helps', async () => {
  there.write('auth.py', '# mine\n');
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.card.winner');
  await go(page, `#/race/${there.done}/merge/ada`);
  await page.waitForSelector('dialog [role=alert] >> text=auth.py (commit or stash them)');
  assert.ok(await page.locator('dialog button.primary').isDisabled());
  await there.git('checkout', '-q', 'auth.py');
  await page.click('dialog >> text=Try again');
  await page.waitForFunction(() => !document.querySelector('dialog button.primary').disabled);
  page.clean();
});

test('by keyboard alone: from the list to a merge, and its undo', async () => {
  const before = await there.git('rev-parse', 'HEAD');
  await mergeByKeyboard(await open('#/races'), there.done);
  assert.equal(await there.git('rev-parse', 'HEAD'), before);
  assert.equal(await there.git('status', '--porcelain'), '');
});

test('a merge that conflicts says where, and can’t be done', async () => {
  const before = await there.git('rev-parse', 'HEAD');
  there.write('auth.py', 'def check(token):\n    return token == "mine"\n');
  await there.commit('meanwhile');
  const page = await open(`#/race/${there.done}`);
  await page.waitForSelector('.card.winner');
  await go(page, `#/race/${there.done}/merge/ada`);
  await page.waitForSelector('dialog >> text=1 conflict');
  assert.match(await page.textContent('dialog .conflict'), /<<<<<<< main\n[\s\S]*"mine"[\s\S]*\n=======\n[\s\S]*>>>>>>> hydra\/ada-\d+/);
  await page.waitForTimeout(700); // longer than a preview has to be read
  assert.ok(await page.locator('dialog button.primary').isDisabled());
  await shot(page, `#/race/${there.done}/conflict`, 1440, false);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await there.git('reset', '-q', '--hard', before);
  page.clean();
});

test('a report of a real race: one file, offline, inert', async () => {
  const { out } = await there.hydra('report', there.done, '--logs', 'all');
  const file = join(there.root, 'race.html');
  writeFileSync(file, out);
  for (const dark of [false, true]) {
    const page = await newPage(browser, { dark });
    const of = (path) => `#/race/${there.done}${path}`;
    await readReport(page, file, [[of('/tests'), '.matrix [role=cell]'], [of('/evidence'), '.cross td'], [of('/agent/ada'), '.dimension'], [of('/agent/ada/diff'), '.dl.added'], [of('/agent/ada/log/tests'), '.ll'], [of('/compare/ada/brook'), '.pair'], [of('/checks'), '.panel'], [of('/integrity'), '.panel'], [of(''), '.lanes path[d*="v14"]']]);
  }
});

const step = (page) => page.evaluate(() => Number(/step (\d+)/.exec([...document.querySelectorAll('.card.live')].map((c) => c.textContent).join(' '))?.[1] ?? 0));

test('a live race moves; the daemon is killed, and after a new link everything goes on where it was', async () => {
  const page = await open(`#/race/${there.live}`, { expected: /ERR_|Failed to load|401/ });
  const port = new URL(page.url()).port;
  await page.waitForFunction(() => /step \d+/.test(document.querySelector('.cards')?.textContent ?? ''));
  await page.waitForFunction(() => document.querySelector('.cards').textContent.includes('ranked')); // the other agent's state changes no more
  const first = await step(page);
  await page.evaluate(() => { globalThis.shifted = 0; new PerformanceObserver((l) => l.getEntries().forEach((e) => { globalThis.shifted += e.value; })).observe({ type: 'layout-shift' }); });
  await page.waitForFunction((n) => Number(/step (\d+)/.exec(document.querySelector('.cards').textContent)?.[1]) > n, first);
  assert.equal(await page.evaluate(() => globalThis.shifted), 0, 'nothing moves while it streams');
  await there.kill();
  await page.waitForSelector('.banner');
  assert.match(await page.textContent('.banner'), /does not answer[\s\S]*hydra ui/);
  assert.ok(await page.locator('text=Cancel race').isDisabled());
  const before = await step(page);
  assert.ok(before > 0, 'what was there stays');
  // Sessions end with the daemon: the page asks to sign in, and keeps its place.
  await there.link('--port', port);
  await page.click('.banner button', { timeout: 2000 }).catch(() => undefined); // it may have tried by itself
  await page.waitForSelector('.signin');
  assert.ok(page.url().endsWith(`#/race/${there.live}`), page.url());
  const second = await page.context().newPage();
  await second.goto(await there.link()); // a link is good for a minute, and the page may have tried late
  await second.waitForSelector('.races');
  // The other tab has signed in: this one goes on by itself.
  await page.waitForFunction((n) => Number(/step (\d+)/.exec(document.querySelector('.cards')?.textContent ?? '')?.[1]) > n, before);
  // Adopted, not started again; and no event is there twice.
  const { agents } = await ask(page, `/v1/races/${there.live}`);
  assert.equal(agents.find((a) => a.agent === 'slow').attempt, 1);
  await go(page, `#/race/${there.live}/timeline`);
  await page.waitForSelector('.timeline [role=cell]');
  assert.equal(await page.$$eval('.timeline .ev', (all) => all.filter((e) => /race created/.test(e.textContent)).length), 1);
  page.clean();
});

test('the end of a race is said, and its results come', async () => {
  const page = await open(`#/race/${there.live}`);
  await page.waitForSelector('.card.live');
  await page.click('text=Cancel race');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Go on');
  await page.click('dialog .danger');
  await page.waitForSelector('.card.ranked');
  // The results and the race's state are two answers: either may come first.
  await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent.includes('cancelled'));
  page.clean();
});
