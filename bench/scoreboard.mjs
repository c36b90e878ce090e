// The scoreboard's page and its daemon under load. Agents are scripts, everything else is real: hydrad, its bundle, and
// Chromium, told by its debugging protocol. Figures of the page are CPU time of its main thread (threadTicks), those of
// the daemon from /proc; wall time is beside them, and says little on a machine that is shared.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { launch, newPage } from '../web/tests/browser.mjs';
import { Daemon } from '../web/tests/daemon.mjs';
import { go, signIn } from '../web/tests/pages.mjs';

const USAGE = `bench/scoreboard [--only board,stream,log,diff,races,watchers] [--minutes 1] [--agents 32] [--lines 100000]
                 [--races 10000] [--watchers 100] [--json FILE] [--check]

  --minutes   how long the page is streamed to, and the watchers watch a third of it (the issue's figure: 5)
  --json      writes the figures there
  --check     exit code 1 where a figure is beyond its goal

The binaries are those of HYDRA_BIN_DIR, else of build/release/bin.`;

function options(words) {
  const of = { only: 'board,stream,log,diff,races,watchers', minutes: 1, agents: 32, lines: 100_000, races: 10_000, watchers: 100, json: '', check: false };
  for (let i = 0; i < words.length; i++) {
    const name = words[i].replace(/^--/, '');
    if (!(name in of)) return void console.log(USAGE), process.exit(name === 'help' ? 0 : 2);
    of[name] = typeof of[name] === 'boolean' ? true : typeof of[name] === 'number' ? Number(words[++i]) : words[++i];
  }
  return of;
}
const given = options(process.argv.slice(2));
const wait = (ms) => new Promise((then) => setTimeout(then, ms));

// --- what is measured ---------------------------------------------------------------------------------------------

/** The page's own figures: CPU of its main thread in seconds, its heap after a collection in bytes, its nodes. */
async function meter(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const one = async (name) => (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === name).value;
  return {
    cdp,
    cpu: () => one('TaskDuration'),
    nodes: () => page.evaluate(() => document.querySelectorAll('*').length),
    heap: async () => {
      for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage'); // what waited for the first one goes with the second
      return one('JSHeapUsedSize');
    },
  };
}

/** CPU seconds of a process since it began. */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A signed-in page that has shown nothing yet but its list. */
async function openPage(daemon, browser) {
  const url = await daemon.link();
  return signIn(await newPage(browser, { origin: new URL(url).origin }), url);
}

/** A new tab of this session, without a cache, at `route`: wall and CPU until `ready` holds, and the bytes that came. */
async function cold(page, route, ready) {
  const tab = await page.context().newPage();
  const m = await meter(tab);
  let bytes = 0;
  await m.cdp.send('Network.enable');
  await m.cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  m.cdp.on('Network.dataReceived', (e) => { bytes += e.encodedDataLength; });
  m.cdp.on('Network.responseReceived', (e) => { bytes += e.response.encodedDataLength; }); // its headers
  const origin = new URL(page.url()).origin;
  await tab.goto(`${origin}/${route}`, { waitUntil: 'commit' });
  const wall = await tab.waitForFunction((test) => (document.querySelector(test[0]) && document.querySelectorAll(test[0]).length >= test[1] ? performance.now() : 0), ready, { polling: 'raf' });
  const figures = { seconds: (await wall.jsonValue()) / 1000, cpu_seconds: await m.cpu(), kilobytes: 0 };
  await wait(500); // what is still on its way
  figures.kilobytes = bytes / 1000;
  await tab.close();
  return figures;
}

/** CPU a frame in ms, over 200 frames that scroll by so many pixels, and how many of them took longer than 16 ms. */
async function scrolled(page, m, pixels) {
  const before = await m.cpu();
  const late = await page.evaluate(async (by) => {
    const box = document.querySelector('.rows');
    box.scrollTop = 0;
    let slow = 0, last = performance.now();
    for (let i = 0; i < 200; i++) {
      box.scrollTop += by;
      await new Promise((then) => requestAnimationFrame(then));
      const now = performance.now();
      if (now - last > 33) slow++;
      last = now;
    }
    return slow;
  }, pixels);
  return { cpu_ms_a_frame: ((await m.cpu()) - before) * 5, late_of_200: late };
}

// --- what it is measured on ---------------------------------------------------------------------------------------

const script = (name, display, body, more = '') => `[agents.${name}]\ndisplay = "${display}"\ncommand = ["python3", "-u", "-c", '''\n${body.replaceAll('{', '{{')}\n''', "${name}", "{prompt}"]\n${more}`;
const SAYS = (name) => `[agents.${name}.stream]\nformat = "jsonl"\ntext_paths = ["/text"]\ntool_paths = ["/name"]\n`;
const TALKER = `import json, time
end, n = time.monotonic() + 1500, 0
while time.monotonic() < end:
    n += 1
    print(json.dumps({"event": "say", "text": f"step {n}: reading src/part_{n % 40}.py and thinking about it"} if n % 5 else {"event": "tool", "name": "edit"}))
    if n % 40 == 0:
        open("src/part_0.py", "a").write(f"# line {n}\\n")
    time.sleep(0.1)`;
const WRITER = (lines) => `import os
for n in range(${lines}):
    print(f"\\033[3{n % 8}mtests/test_{n}.py\\033[0m case {n} of ${lines} passed with a line of some length" if n != 99000 else "FAILED tests/test_99000.py - assert 3 == 4")
for part in range(40):
    with open(f"src/part_{part}.py", "w") as f:
        for n in range(500):
            f.write(f"def function_{n}(value):  # {part} of forty\\n" if n % 3 else f"x_{n} = \\"text {n}\\"\\n")`;

const FINISHER = (name) => `print("hello")\nopen("src/part_1.py", "a").write("# from ${name}\\n")`;

/** A daemon with a project, without sandbox and cross tests: they are measured elsewhere. */
async function place(agents) {
  const daemon = new Daemon();
  await daemon.project({
    'README.md': '# Parts\n', ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/part_${i}.py`, `# part ${i}\n`])),
    'hydra.toml': `[scoring]\nbuild_command = "true"\ntest_command = "printf 'ok 1 - one\\\\nok 2 - two\\\\n1..2\\\\n'"\nlint_command = "true"\n[sandbox]\nmode = "off"\n[evaluation]\nverify = "fast"\n[limits]\nagents = 64\n${agents}`,
  });
  return daemon;
}

async function board(browser) {
  const daemon = await place(script('quick', 'Quick', FINISHER('quick')));
  try {
    const race = await daemon.race('many results', '--agents', 'quick', '--attempts', String(given.agents));
    const page = await openPage(daemon, browser);
    const found = await cold(page, `#/race/${race}`, ['.card.ranked', given.agents]);
    await page.context().close();
    return found;
  } finally {
    daemon.stop();
  }
}

/** The page over a race in which every agent says something ten times a second; then its watchers alone. */
async function live(browser, which) {
  const daemon = await place(script('talker', 'Talker', TALKER, SAYS('talker')));
  try {
    const race = await daemon.begin('talk', '--agents', 'talker', '--attempts', String(given.agents));
    const all = async () => (await daemon.ask(`/v1/races/${race}`)).agents.filter((a) => a.state === 'running').length;
    for (let left = 600; left > 0 && (await all()) < given.agents; left--) await wait(500);
    const found = {};
    if (which.has('stream')) found.stream = await streamed(daemon, browser, race);
    if (which.has('watchers')) found.watchers = await watched(daemon, race);
    return found;
  } finally {
    daemon.stop();
  }
}

async function streamed(daemon, browser, race) {
  const page = await openPage(daemon, browser);
  await go(page, `#/race/${race}`);
  await page.waitForFunction((n) => document.querySelectorAll('.card.live').length === n && document.querySelector('.linkstate .state'), given.agents, { timeout: 120_000 });
  const m = await meter(page);
  // Growth lines are full after 60 points, some two seconds apart; until then a heap that grows is no leak.
  await wait(150_000);
  const heaps = [await m.heap()], nodes = [await m.nodes()], pid = await daemon.pid();
  const [began, used, served] = [performance.now(), await m.cpu(), cpuOf(pid)];
  await page.evaluate(() => { globalThis.drawn = 0; new MutationObserver(() => globalThis.drawn++).observe(document.querySelector('.cards'), { subtree: true, characterData: true }); });
  let collected = 0;
  for (let i = 0; i < 6; i++) {
    await wait((given.minutes * 60_000) / 6);
    const before = await m.cpu();
    heaps.push(await m.heap());
    nodes.push(await m.nodes());
    collected += (await m.cpu()) - before; // the measuring itself
  }
  const seconds = (performance.now() - began) / 1000;
  const share = ((await m.cpu()) - used - collected) / seconds;
  const found = { seconds, share_of_a_core: share, daemon_share: (cpuOf(pid) - served) / seconds, updates_a_second: (await page.evaluate(() => globalThis.drawn)) / seconds, heap_megabytes: heaps.map((h) => h / 1e6), nodes };
  await page.context().close();
  return found;
}

/** `n` streams over the unix socket, and what the daemon takes for them in CPU seconds a second. */
async function withWatchers(daemon, race, n, seconds) {
  const pid = await daemon.pid(), open = [];
  let bytes = 0;
  for (let i = 0; i < n; i++) {
    const call = request({ ...daemon.place(), path: `/v1/races/${race}/events?live=1&brief=1&after=now`, headers: { host: 'hydra', accept: 'text/event-stream' } }, (answer) => answer.on('data', (d) => { bytes += d.length; }));
    call.on('error', () => undefined).end();
    open.push(call);
  }
  await wait(3000);
  const [before, from] = [cpuOf(pid), performance.now()];
  bytes = 0;
  await wait(seconds * 1000);
  const took = (performance.now() - from) / 1000;
  const share = (cpuOf(pid) - before) / took;
  open.forEach((call) => call.destroy());
  await wait(500);
  return { share, kilobytes_a_second: bytes / 1000 / took };
}

async function watched(daemon, race) {
  const seconds = Math.max(6, given.minutes * 10), none = [], one = [], many = [];
  for (let i = 0; i < 3; i++) {
    none.push(await withWatchers(daemon, race, 0, seconds));
    one.push(await withWatchers(daemon, race, 1, seconds));
    many.push(await withWatchers(daemon, race, given.watchers, seconds));
  }
  const middle = (all) => all.map((x) => x.share).sort((a, b) => a - b)[1];
  return { watchers: given.watchers, share_without: middle(none), share_of_one: middle(one), share_of_many: middle(many), times: middle(many) / middle(one), kilobytes_a_second: many[1].kilobytes_a_second };
}

async function large(browser, which) {
  const daemon = await place(script('writer', 'Writer', WRITER(given.lines)) + script('quick', 'Quick', FINISHER('quick')));
  try {
    const race = await daemon.race('write much', '--agents', 'writer,quick');
    const page = await openPage(daemon, browser);
    const m = await meter(page);
    const found = {};
    const to = async (route, ready) => {
      await go(page, '#/settings');
      await page.waitForSelector('.panel');
      const empty = await m.heap();
      const [used, began] = [await m.cpu(), performance.now()];
      await go(page, route);
      await page.waitForSelector(ready, { timeout: 120_000 });
      const figures = { seconds: (performance.now() - began) / 1000, cpu_seconds: (await m.cpu()) - used };
      const row = await page.$eval('.rows .vrow', (e) => e.getBoundingClientRect().height);
      const screen = await page.$eval('.rows', (e) => e.clientHeight);
      return { ...figures, megabytes: ((await m.heap()) - empty) / 1e6, nodes: await m.nodes(), lines_3: await scrolled(page, m, 3 * row), screen: await scrolled(page, m, screen) };
    };
    if (which.has('log')) found.log = { lines: given.lines, ...(await to(`#/race/${race}/agent/writer/log/agent?line=${given.lines - 10}`, '.ll.marked')) };
    if (which.has('diff')) {
      found.diff = await to(`#/race/${race}/agent/writer/diff`, '.dl.added');
      found.diff.lines = Number(/\+(\d+)/.exec((await page.textContent('.pagehead .plus')).replaceAll(',', ''))?.[0]);
    }
    await page.context().close();
    return found;
  } finally {
    daemon.stop();
  }
}

async function races(browser) {
  const daemon = await place(script('quick', 'Quick', FINISHER('quick')) + script('other', 'Other', FINISHER('other')));
  try {
    const race = await daemon.race('one of many', '--agents', 'quick,other');
    await daemon.hydra('daemon', 'stop');
    execFileSync('python3', [new URL('copy_race.py', import.meta.url).pathname, join(daemon.root, 'state/hydra/hydra.db'), race, String(given.races - 1)]);
    const page = await openPage(daemon, browser);
    const pid = await daemon.pid();
    const served = cpuOf(pid);
    const found = { races: given.races, ...(await cold(page, '#/races', ['.races .vrow a', 5])), daemon_cpu_seconds: 0 };
    found.daemon_cpu_seconds = cpuOf(pid) - served;
    found.again = await cold(page, '#/races', ['.races .vrow a', 5]);
    await go(page, '#/settings');
    await go(page, '#/races');
    await page.waitForSelector('.races .vrow a');
    const m = await meter(page);
    const [used, began] = [await m.cpu(), performance.now()];
    await page.fill('input[type=search]', '"number 7:"'); // of the oldest: every page has to come
    await page.waitForFunction((text) => document.querySelector('.races .slice')?.textContent.includes(text), 'task number 7:', { timeout: 120_000 });
    found.filter_all = { seconds: (performance.now() - began) / 1000, cpu_seconds: (await m.cpu()) - used };
    await page.fill('input[type=search]', '');
    await page.waitForFunction(() => document.querySelectorAll('.races .slice .vrow').length > 5);
    found.scroll = await scrolled(page, m, 640);
    await page.context().close();
    return found;
  } finally {
    daemon.stop();
  }
}

// --- the whole ----------------------------------------------------------------------------------------------------

/** Goals of the page: what, the figure, what it must not pass, and how it is said. */
function goals(f) {
  const s = (n) => `${n.toFixed(2)} s`, ms = (n) => `${n.toFixed(1)} ms`, list = [];
  const add = (what, value, most, say, wall = '') => list.push({ what, value, most, met: value <= most, said: say(value), goal: say(most), wall });
  if (f.board) {
    add(`board of ${given.agents} results, cold: CPU until all cards are there`, f.board.cpu_seconds, 1.0, s, s(f.board.seconds));
    add('… bytes', f.board.kilobytes, 130, (n) => `${n.toFixed(0)} KB`);
  }
  if (f.stream) {
    const middle = (all) => [...all].sort((a, b) => a - b)[1];
    const [first, last] = [middle(f.stream.heap_megabytes.slice(0, 3)), middle(f.stream.heap_megabytes.slice(-3))];
    add(`${given.agents} agents, ten lines a second each, for ${(f.stream.seconds / 60).toFixed(1)} min: share of a core`, f.stream.share_of_a_core * 100, 10, (n) => `${n.toFixed(1)} %`);
    add('… heap, the middle of the last three looks against that of the first three', last / first, 1.1, (n) => `${n.toFixed(2)} times`, `${first.toFixed(1)} to ${last.toFixed(1)} MB`);
  }
  if (f.log) {
    add(`log of ${f.log.lines.toLocaleString('en')} lines: CPU until its last line is shown`, f.log.cpu_seconds, 2, s, s(f.log.seconds));
    add('… scrolling by 3 lines a frame', f.log.lines_3.cpu_ms_a_frame, 16, ms);
    add('… by a screen a frame', f.log.screen.cpu_ms_a_frame, 16, ms);
  }
  if (f.diff) {
    add(`diff of ${f.diff.lines.toLocaleString('en')} lines in 40 files: CPU until it is shown`, f.diff.cpu_seconds, 0.5, s, s(f.diff.seconds));
    add('… scrolling by 3 lines a frame', f.diff.lines_3.cpu_ms_a_frame, 16, ms);
    add('… by a screen a frame', f.diff.screen.cpu_ms_a_frame, 16, ms);
  }
  if (f.races) {
    add(`${f.races.races.toLocaleString('en')} races: CPU of page and daemon until the first rows`, f.races.cpu_seconds + f.races.daemon_cpu_seconds, 0.3, s, s(f.races.seconds));
    add('… scrolling', f.races.scroll.cpu_ms_a_frame, 16, ms);
  }
  if (f.watchers) add(`${f.watchers.watchers} watchers: CPU of the daemon against one`, f.watchers.times, 1.5, (n) => `${n.toFixed(2)} times`, `${(f.watchers.share_of_many * 100).toFixed(1)} % and ${(f.watchers.share_of_one * 100).toFixed(1)} % of a core`);
  return list;
}

const which = new Set(given.only.split(','));
const browser = await launch();
const figures = {};
try {
  if (which.has('board')) figures.board = await board(browser);
  if (which.has('log') || which.has('diff')) Object.assign(figures, await large(browser, which));
  if (which.has('races')) figures.races = await races(browser);
  if (which.has('stream') || which.has('watchers')) Object.assign(figures, await live(browser, which));
} finally {
  await browser.close();
}
const list = goals(figures);
const machine = { cores: cpus().length, load: loadavg().map((l) => Number(l.toFixed(1))), chromium: browser.version(), node: process.version };
if (given.json !== '') writeFileSync(given.json, `${JSON.stringify({ schema: 1, at: new Date().toISOString(), machine, options: given, figures, goals: list }, null, 1)}\n`);
console.log(`${machine.cores} cores, load ${machine.load.join(' ')}, Chromium ${machine.chromium}\n\n| | measured | goal | | beside it |\n|---|---|---|---|---|`);
for (const g of list) console.log(`| ${g.what} | ${g.said} | ${g.goal} | ${g.met ? 'met' : '**missed**'} | ${g.wall} |`);
if (given.check && list.some((g) => !g.met)) process.exit(1);
