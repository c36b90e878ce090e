// Every refusal of the API, as the page shows it: its text, what helps, and a button that is off until the user acts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, launch, newPage } from './browser.mjs';
import { go, signIn, until } from './pages.mjs';
import { bundle, start } from './server.mjs';

const built = bundle();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const DONE = '#/race/01JX4KDONE', LIVE = '#/race/01JX4KLIVE';
const MERGED = { agent: 'codex', commit: 'bbbbbbbbbbbb', ref: 'refs/heads/main' };
const merge = 'dialog button.primary';
const enabled = (page, button) => page.locator(button).and(page.locator(':enabled')).waitFor();

/** What is refused, where the page is, what the user does, the button, and what the daemon says. */
const REFUSALS = [
  { what: 'merge', route: `${DONE}/merge/codex`, button: merge, says: [409, 'refused', 'the hook pre-commit refuses the merge', 'run `git commit` by hand to see why'] },
  { what: 'merge', route: `${DONE}/merge/codex`, button: merge, says: [409, 'conflict', 'main has moved since the preview', 'look at the new preview'] },
  { what: 'merge', route: `${DONE}/merge/codex`, button: merge, says: [507, 'environment', 'the disk is full', 'free some room'] },
  { what: 'preview', route: `${DONE}/merge/codex`, button: merge, acts: false, says: [409, 'refused', 'the repository is in the middle of a rebase', 'git rebase --continue'] },
  { what: 'undo', route: `${DONE}/merge/codex`, button: 'dialog button >> text=Undo the merge', merged: MERGED, says: [409, 'conflict', 'main has commits after the merge', 'git revert'] },
  { what: 'retry', route: DONE, opens: '.card.winner >> text=Retry', button: 'dialog button.primary', says: [409, 'conflict', 'the agent runs already', 'hydra watch'] },
  { what: 'cancel', route: LIVE, opens: 'text=Cancel race', button: 'dialog button.danger', says: [409, 'conflict', 'the race is ending', 'try again in a moment'] },
  { what: 'verify', route: DONE, button: 'button >> text=Verify again', says: [404, 'not_found', 'the results are not kept any more', 'hydra restore'] },
  { what: 'report', route: DONE, button: 'button >> text=Save report', says: [409, 'conflict', 'the race is being ranked again', 'try again when that is done'] },
];

async function opened(t, route) {
  const server = await start({ bundle: built });
  t.after(() => server.stop());
  const page = await newPage(browser, { origin: server.origin, expected: /Failed to load resource/ });
  await signIn(page, server.url(), '#/races');
  return { server, page, begin: () => go(page, route) };
}

for (const { what, route, opens, button, merged = null, acts = true, says } of REFUSALS)
  test(`${what} refused: ${says[2]}`, async (t) => {
    const { server, page, begin } = await opened(t, route);
    server.world.merged = merged;
    server.world.refuse[what] = says;
    await begin();
    if (opens) await page.click(opens);
    if (acts) await enabled(page, button), await page.click(button);
    const alert = page.locator('[role=alert]');
    await alert.waitFor();
    const shown = async () => (await alert.innerText()).replace(/\s+/g, ' ');
    assert.equal(await shown(), `${says[2]} (${says[3]}) Try again`);
    assert.ok(await page.locator(button).isDisabled(), 'what was refused can be clicked again');
    // News of the race is no answer to it.
    if (route !== LIVE) {
      const read = server.world.read;
      await until(() => server.world.quiet.size > 0, 'the page listens');
      server.tell('note');
      await until(() => server.world.read > read, 'the page reads the results again');
      assert.equal(await shown(), `${says[2]} (${says[3]}) Try again`);
      assert.ok(await page.locator(button).isDisabled());
    }
    delete server.world.refuse[what];
    await page.click('[role=alert] button');
    await alert.waitFor({ state: 'detached' });
    await enabled(page, button);
    page.clean();
  });

test('a merge that would overwrite the user’s changes can’t be clicked, and can once these are away', async (t) => {
  const { server, page, begin } = await opened(t, `${DONE}/merge/codex`);
  server.world.preview = { overlap: ['src/auth.py'] };
  await begin();
  await page.waitForSelector('[role=alert] >> text=would overwrite your uncommitted changes: src/auth.py (commit or stash them)');
  assert.ok(await page.locator(merge).isDisabled());
  await axe(page);
  server.world.preview = {};
  await page.click('[role=alert] button');
  await enabled(page, merge);
  page.clean();
});

test('another message is an act too: the refusal goes, and its preview is a new one', async (t) => {
  const { server, page, begin } = await opened(t, `${DONE}/merge/codex`);
  server.world.refuse.merge = [409, 'refused', 'the hook commit-msg refuses the message', 'begin it with a room'];
  await begin();
  await enabled(page, merge);
  await page.click(merge);
  await page.waitForSelector('[role=alert]');
  delete server.world.refuse.merge;
  await page.fill('dialog input[type=text]', 'auth: tokens expire');
  await page.locator('[role=alert]').waitFor({ state: 'detached' });
  await enabled(page, merge);
  await page.click(merge);
  await page.waitForSelector('dialog h2 >> text=Merged ✓');
  assert.equal(server.world.calls.at(-1)[1].message, 'auth: tokens expire');
  page.clean();
});
