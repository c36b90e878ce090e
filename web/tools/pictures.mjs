// For people who change the page: HYDRA_PLAIN=1 node tools/pictures.mjs [DIR]. The pictures of README and docs/, over the
// stand-in's answers without their hostile texts: 1440 and 360 px, light and dark.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, newPage } from '../tests/browser.mjs';
import { usually } from '../tests/fixtures.mjs';
import { go, signIn } from '../tests/pages.mjs';
import { start } from '../tests/server.mjs';

const to = process.argv[2] ?? fileURLToPath(new URL('../../docs', import.meta.url));
const server = await start({ races: 6 });
server.world.history = usually;
const browser = await launch();
const DONE = '#/race/01JX4KDONE', LIVE = '#/race/01JX4KLIVE', LANES = '.lanes path[d*="v14"]';
const PICTURES = [
  ['scoreboard', DONE, LANES, 1440, 1310, false], ['scoreboard-dark', DONE, LANES, 1440, 1310, true],
  ['scoreboard-360', DONE, '.card.winner', 360, 780, false], ['scoreboard-360-dark', LIVE, '.card.live', 360, 780, true],
  ['scoreboard-live', LIVE, LANES, 1440, 870, false], ['scoreboard-compare', `${DONE}/compare/codex/claude?mode=three`, '.n3 .pair', 1440, 560, false],
  ['scoreboard-evidence', `${DONE}/evidence`, '.cross td', 1440, 760, true],
];
for (const [name, route, ready, width, height, dark] of PICTURES) {
  const page = await newPage(browser, { origin: server.origin, width, height, dark });
  await signIn(page, server.url(), route);
  await page.waitForSelector(ready);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: join(to, `${name}.png`) });
  page.clean();
  await go(page, '#/races');
  await page.context().close();
}
await browser.close();
await server.stop();
