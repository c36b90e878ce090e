// The frame that all pages of a race have, over the stand-in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, launch, newPage } from './browser.mjs';
import { signIn } from './pages.mjs';
import { bundle, start } from './server.mjs';

const built = bundle();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function opened(t, task) {
  const server = await start({ bundle: built });
  t.after(() => server.stop());
  server.world.over = { task };
  const page = await newPage(browser, { origin: server.origin });
  await signIn(page, server.url(), '#/race/01JX4KDONE');
  await page.waitForSelector('.card.ranked');
  return page;
}

test('a task of many lines can be read to its end, with its breaks', async (t) => {
  const page = await opened(t, `Make the login safe.\n\n- ${'one more wish\n- '.repeat(60)}<b>the last one</b>\n`);
  await page.click('text=The whole task');
  const box = page.locator('details.task pre');
  assert.match(await box.innerText(), /^Make the login safe\.\n\n- one more wish\n- one more wish[\s\S]*<b>the last one<\/b>/);
  await axe(page);
  page.clean();
});

test('a short task stands in the head alone', async (t) => {
  const page = await opened(t, 'make the login safe');
  assert.equal(await page.$('details.task'), null);
  page.clean();
});
