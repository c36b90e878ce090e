// Debian's Chromium, and what every page must keep: an empty console, no dialog, no request to anybody else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });

/** A page that collects what it must not have; `expected` are console lines that a test provokes. */
export async function newPage(browser, { origin, width = 1440, height = 900, dark = false, expected = /^$/ } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // of a machine that builds beside it
  const bad = [];
  page.on('console', (m) => (m.type() === 'error' || m.type() === 'warning') && !expected.test(m.text()) && bad.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => bad.push(`error: ${e}`));
  page.on('dialog', (d) => (bad.push(`dialog: ${d.message()}`), void d.dismiss()));
  page.on('request', (r) => !/^(data|blob):/.test(r.url()) && !(origin && r.url().startsWith(origin)) && !r.url().startsWith('file:') && bad.push(`foreign request: ${r.url()}`));
  page.clean = () => assert.deepEqual(bad, []);
  return page;
}

export async function axe(page) {
  await page.evaluate(`${axeSource};0`); // through the debugger: the CSP stays as it is
  const result = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags }), TAGS);
  const lines = result.violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\n')[1] ?? ''}`));
  assert.deepEqual(lines, [], `axe on ${page.url().replace(/^.*#/, '#')}`);
}

/** CPU of the page's main thread, in seconds since `begin`. */
export async function cpu(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  const begin = await read();
  return async () => (await read()) - begin;
}
