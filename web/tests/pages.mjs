// What holds of the pages whoever answers: the stand-in of server.mjs, or a real daemon.
import assert from 'node:assert/strict';
import { axe } from './browser.mjs';

export const go = (page, route) => page.evaluate((to) => { location.hash = to; }, route);

/** Waits for what no page shows. */
export async function until(holds, what) {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return;
    await new Promise((then) => setTimeout(then, 100));
  }
  assert.fail(`it did not come: ${what}`);
}

export const ask = (page, path) => page.evaluate(async (p) => (await fetch(p, { headers: { 'x-hydra-tab': localStorage.getItem('hydra-tab') } })).json(), path);

/** Signs in by a link of `hydra ui`, and goes to `route`. */
export async function signIn(page, url, route = '#/races') {
  await page.goto(url);
  await page.waitForFunction(() => localStorage.getItem('hydra-tab') !== null);
  await page.waitForSelector('h1');
  await go(page, route);
  return page;
}

/** Every page there is, with what shows that it has come: of a race that is done and has a winner, and of one that runs. */
export async function routes(page, { done, live }) {
  const { agents } = await ask(page, `/v1/races/${done}/results`);
  const [a, b] = agents.filter((x) => x.diff.files_changed > 0).map((x) => x.agent);
  const of = (path) => `#/race/${done}${path}`;
  const list = [
    ['#/races', '.races .vrow a'], [of(''), '.card.ranked'], [of('/tests'), '.matrix [role=cell], .empty'], [of('/evidence'), '.cross td'], [of(`/agent/${a}`), '.dimension'], [of(`/agent/${a}/diff`), '.dl.added'],
    [of(`/agent/${a}/log/tests`), '.ll, .empty'], [of(`/compare/${a}/${b}`), '.pair'], [of(`/compare/${a}/${b}?mode=three`), '.n3 .pair'], [of(`/merge/${a}`), 'dialog .primary:enabled'], [of('/checks'), '.panel'],
    [of('/integrity'), '.panel'], [of('/timeline'), '.timeline [role=cell]'], ['#/leaderboard', '.leaders li'], ['#/agents', '.agentlist li'], ['#/settings', '.panel'],
  ];
  return [...list, [`#/race/${live}`, '.card.live']];
}

const small = () => [...document.querySelectorAll('main button, main select, main input, main .button')].filter((e) => e.checkVisibility() && e.type !== 'checkbox' && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML.slice(0, 80));

/** Names of the API that are shown as they are; what agents and programs said stands in elements of its own. */
const raw = () => {
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) if (/\b[a-z]+_[a-z]|@baseline/.test(walk.currentNode.data) && !walk.currentNode.parentElement.closest('bdi, code, pre, .code')) found.push(walk.currentNode.data);
  return found;
};

/** Each page in each of these forms (`text`: twice as large, `rules`: axe too): nothing scrolls sideways, every control is large enough, and axe finds nothing. */
export async function everyPage(page, races, forms, shots) {
  const all = await routes(page, races);
  for (const { width, dark = false, rules = true, text = 1 } of forms) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.evaluate((n) => { document.documentElement.style.fontSize = n === 1 ? '' : `${15 * n}px`; }, text);
    for (const [route, ready] of all) {
      await go(page, route);
      await page.waitForSelector(ready);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${route} scrolls sideways at ${width}${text > 1 ? ' with large text' : ''}`);
      assert.deepEqual(await page.evaluate(small), [], `${route}: targets`);
      assert.deepEqual(await page.evaluate(raw), [], `${route}: names of the API`);
      assert.ok(await page.evaluate(() => { const tab = document.querySelector('.tabs [aria-current]')?.getBoundingClientRect(); return !tab || (tab.left >= 0 && tab.right <= innerWidth); }), `${route}: the tab of this page is out of sight at ${width}`);
      if (rules) await axe(page);
      await shots?.(page, route, width, dark);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  page.clean();
}

/** Tab leads through the page and around again, and where one is can be seen. */
export async function tabWalk(page) {
  const here = () => page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return { name: '', seen: true };
    const outlined = (of) => getComputedStyle(of).outlineStyle !== 'none' && parseFloat(getComputedStyle(of).outlineWidth) > 0;
    let seen = false;
    for (let of = e; of && of !== document.body && !seen; of = of.parentElement) seen = outlined(of);
    globalThis.walked ??= new WeakMap();
    if (!globalThis.walked.has(e)) globalThis.walked.set(e, (globalThis.steps = (globalThis.steps ?? 0) + 1));
    return { name: `${globalThis.walked.get(e)} ${e.outerHTML.slice(0, 90)}`, seen };
  });
  await page.evaluate(() => { globalThis.walked = undefined; globalThis.steps = 0; document.activeElement?.blur(); });
  const names = new Set();
  for (let i = 0; i < 300; i++) {
    await page.keyboard.press('Tab');
    const { name, seen } = await here();
    assert.ok(seen, `the focus is not seen: ${name}`);
    if (names.has(name) && name !== '') return names.size; // around once
    names.add(name);
  }
  assert.fail(`no way around: ${[...names].at(-1)}`);
}

/** What agents say stays text: no element of theirs, and nothing that turns a line. */
export async function inert(page, races, more = []) {
  for (const [route, ready] of [...(await routes(page, races)), ...more]) {
    await go(page, route);
    await page.waitForSelector(ready);
    assert.equal(await page.$$eval('main img, main script, main b, main a[href^=http]', (all) => all.length), 0, route);
    assert.ok(!(await page.evaluate(() => document.documentElement.outerHTML)).includes('\u202e'), `${route} turns a line`);
  }
  page.clean();
}

/** By keyboard alone: from the list to a merge of the first result of this race, and its undo. */
export async function mergeByKeyboard(page, race) {
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
  await page.waitForSelector('dialog >> text=Merge undone');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  page.clean();
}

/** A report in a file: no request, no button that changes something, and axe finds nothing on these pages. */
export async function readReport(page, file, pages) {
  await page.goto(`file://${file}`);
  await page.waitForSelector('.card.winner');
  assert.equal(await page.$$eval('text=/Merge|Retry|Cancel/', (all) => all.length), 0);
  await axe(page);
  for (const [route, ready] of pages) {
    await go(page, route);
    await page.waitForSelector(ready);
    await axe(page);
  }
  page.clean();
}
