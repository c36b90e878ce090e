// A stand-in of hydrad's door: the built bundle with its headers, the session of two halves, and answers of fixtures.mjs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fx from './fixtures.mjs';

const web = fileURLToPath(new URL('..', import.meta.url));
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp',
};
const TYPES = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

/** The bundle as hydrad's build makes it: the files by path, and the page of the report. */
export function bundle() {
  const out = mkdtempSync(join(tmpdir(), 'hydra-web-'));
  execFileSync('cmake', [`-DDIR=${out}`, `-DWEB=${web}`, '-DESBUILD=esbuild', '-DGZIP=gzip', '-P', join(web, '../cmake/EmbedAssets.cmake')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const files = new Map();
  for (const name of readdirSync(join(out, 'out'))) if (!name.startsWith('report')) files.set(`/${name}`, readFileSync(join(out, 'out', name)));
  const report = readFileSync(join(out, 'report.html'), 'utf8');
  rmSync(out, { recursive: true });
  return { files, report };
}

export async function start(options = {}) {
  const built = options.bundle ?? bundle();
  let { files } = built;
  const world = { races: fx.races(options.races ?? 6), merged: null, dead: false, streams: new Set(), calls: [], log: options.log ?? fx.logText(), diffs: { ...fx.diffs, ...options.diffs }, tests: options.tests ?? fx.tests, live: 'running', tick: 0, crowd: options.crowd ?? 0, over: {}, liveOver: {}, refuse: {}, preview: {}, read: 0, timed: 0, attempts: fx.attempts, history: [], quiet: new Set() };
  const tabs = new Set(), cookies = new Set();
  let codes = 0;
  const json = (res, body, status = 200, more = {}) => res.writeHead(status, { ...HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store', ...more }).end(JSON.stringify(body));
  const fail = (res, status, code, message, hint = '') => json(res, { error: { code, message, where: '', hint } }, status);
  const done = () => fx.results({ merged: world.merged, ...world.over });
  const liveResults = () => ({ ...fx.results(), race: '01JX4KLIVE', task: fx.status('running').task, state: world.live, winner: '', agents: fx.results().agents.map((a) => ({ ...a, rank: 0, composite: null })), ...world.liveOver });
  const isLive = (id) => id === '01JX4KLIVE' && world.live === 'running';

  /** Events of races that have ended. */
  function quiet(res) {
    res.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(': here\n\n');
    world.quiet.add(res);
    res.on('close', () => world.quiet.delete(res));
  }
  let event = 100;
  const tell = (kind, body = {}) => { event++; for (const res of world.quiet) res.write(`id: ${event}\nevent: ${kind}\ndata: ${JSON.stringify({ race: '01JX4KDONE', at_ms: fx.NOW, ...body })}\n\n`); };
  /** Whether this is to be refused, and is. */
  const refused = (res, what) => world.refuse[what] && (fail(res, ...world.refuse[what]), true);

  function stream(req, res, single) {
    res.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const last = Number(req.headers['last-event-id'] ?? new URL(req.url, 'http://x').searchParams.get('after') ?? 0) || 0;
    if (single) for (let id = last + 1; id <= 40; id++) res.write(`id: ${id}\nevent: ${id === 1 ? 'race_created' : 'note'}\ndata: ${JSON.stringify({ race: '01JX4KLIVE', at_ms: fx.NOW - 61_000 + id * 900, subject: 'codex', text: `step ${id} ${fx.HOSTILE}` })}\n\n`);
    const send = () => res.write(`event: live\ndata: ${JSON.stringify(fx.status(world.live, world.tick))}\n\n`);
    send();
    const timer = setInterval(() => { world.tick++; send(); if (single && world.live !== 'running') { res.end('event: end\ndata: {}\n\n'); clearInterval(timer); } }, 300);
    world.streams.add(res);
    res.on('close', () => { clearInterval(timer); world.streams.delete(res); });
  }

  // Many agents that all say something ten times a second.
  function crowd(req, res) {
    res.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    let id = 40;
    const timer = setInterval(() => {
      let text = '';
      for (const { agent } of crowdStatus().agents) text += `id: ${++id}\nevent: note\ndata: ${JSON.stringify({ race: '01JX4KLIVE', at_ms: fx.NOW, subject: agent, text: `step ${id}` })}\n\n`;
      if (id % 5 === 0) world.tick++, (text += `event: live\ndata: ${JSON.stringify(crowdStatus())}\n\n`);
      res.write(text);
    }, 100);
    res.on('close', () => clearInterval(timer));
  }
  const crowdStatus = () => {
    const status = fx.status('running', world.tick);
    return { ...status, agents: Array.from({ length: world.crowd }, (_, i) => ({ ...status.agents[i % 3], agent: `a${i}`, display: `Agent ${i}` })) };
  };

  function list(res, query) {
    const limit = Number(query.get('limit') ?? 100), from = Number(query.get('cursor') || 0);
    json(res, { races: world.races.slice(from, from + limit), next: from + limit < world.races.length ? String(from + limit) : null, total: world.races.length });
  }

  function merge(res, body) {
    const conflict = body.agent === 'cursor';
    const answer = { race: '01JX4KDONE', agent: body.agent ?? 'codex', branch: `hydra/${body.agent}-1708646400`, ref: 'refs/heads/main', old_commit: 'aaaaaaaaaaaa', new_commit: 'bbbbbbbbbbbb', dry_run: body.dry_run === true, already_merged: false, conflicts: conflict ? ['src/auth.py'] : [], overlap: [], diff: { lines_added: 10, lines_removed: 2, files_changed: 1 }, line_ends_only: 0, left_out: [], unnamed: [], consent: body.agent === 'claude' ? [{ kind: 'ci', paths: ['.github/workflows/ci.yml'] }] : [] };
    if (refused(res, body.undo ? 'undo' : body.dry_run ? 'preview' : 'merge')) return;
    if (body.undo) { world.merged = null; return json(res, answer); }
    if (body.dry_run) return json(res, { ...answer, ...(typeof world.preview === 'function' ? world.preview(body) : world.preview), preview: 'p'.repeat(32), expires_ms: fx.NOW + 300_000, conflict_text: conflict ? [{ path: 'src/auth.py', text: '<<<<<<< main\nold\n=======\nnew\n>>>>>>> hydra/cursor' }] : [] });
    if (body.preview !== 'p'.repeat(32)) return fail(res, 400, 'usage', 'a merge needs the preview that was looked at');
    if (conflict || (body.agent === 'claude' && !body.allow?.includes('ci'))) return fail(res, 409, 'refused', 'needs a word');
    world.merged = { agent: body.agent, commit: 'bbbbbbbbbbbb', ref: 'refs/heads/main' };
    json(res, answer);
  }

  function log(res, parts, query) {
    const subject = parts[5];
    if (query.get('kind') === 'lint' || subject === 'nobody') return fail(res, 404, 'not_found', 'there is no such log');
    const all = Buffer.from(world.log);
    const tail = Number(query.get('tail') ?? 0);
    const from = tail > 0 ? Math.max(0, all.length - tail) : Number(query.get('offset') ?? 0);
    const piece = all.subarray(from, from + (1 << 20));
    res.writeHead(200, { ...HEADERS, 'content-type': 'application/octet-stream', 'content-disposition': 'attachment', 'x-hydra-next-offset': String(from + piece.length), 'x-hydra-ended': from + piece.length >= all.length ? '1' : '0', 'x-hydra-cut': '0' }).end(piece);
  }

  function ofRace(req, res, parts, query, body) {
    const [, , , id, what] = parts;
    if (id === '01JX4KGONE') return fail(res, 404, 'not_found', 'the results of this race are not kept any more', '`hydra restore` brings it back');
    const post = req.method === 'POST';
    if (!what) return json(res, world.crowd ? crowdStatus() : isLive(id) ? fx.status('running', world.tick) : id === '01JX4KLIVE' ? fx.status(world.live, world.tick) : { ...fx.doneStatus(), ...(world.over.task ? { task: world.over.task } : {}), ...(world.over.state ? { state: world.over.state, reason: world.over.reason ?? '' } : {}) });
    if (refused(res, what)) return;
    if (what === 'results') return world.read++, json(res, id === '01JX4KLIVE' ? liveResults() : done());
    if (what === 'explain') return done().agents.some((a) => a.agent === parts[5]) ? json(res, fx.explain(parts[5])) : fail(res, 404, 'not_found', 'no such agent');
    if (what === 'tests') return json(res, { ...world.tests, rows: world.tests.rows.filter((r) => query.get('show') !== 'failed' || r.cells.includes('f')) });
    if (what === 'attempts') return world.timed++, json(res, { attempts: isLive(id) ? fx.liveAttempts : world.attempts });
    if (what === 'lint') return json(res, { findings: fx.findings, next: null });
    if (what === 'report') return res.writeHead(200, { ...HEADERS, 'content-type': 'text/html' }).end(built.report);
    if (what === 'diff') return res.writeHead(200, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(world.diffs[parts[5] + (query.get('since') ? ' since' : '')] ?? '');
    if (what === 'logs') return log(res, parts, query);
    if (what === 'events') return world.crowd ? crowd(req, res) : stream(req, res, true);
    if (what === 'rescore' && post) return json(res, { ...fx.results({}, body.weights), rescored: { identical: false, winner_before: 'codex', weights: body.weights } });
    if (what === 'cancel' && post) { world.live = 'cancelled'; return json(res, { race: id, agent: body.agent }, 202); }
    if (what === 'retry' && post) return json(res, { race: id, agents: body.agents.map((agent) => ({ agent, attempt: 2, resumed: true, session: '' })), after: 40, warnings: [] });
    if (what === 'verify' && post) return json(res, { race: '01JX4KLIVE', base: '', agents: [], warnings: [] }, 201);
    fail(res, 404, 'not_found', `no route ${req.method} ${req.url}`);
  }

  function v1(req, res, url, body) {
    const parts = url.pathname.split('/').map(decodeURIComponent);
    const what = parts[2];
    if (what === 'races' && parts.length === 3) return list(res, url.searchParams);
    if (what === 'races') return ofRace(req, res, parts, url.searchParams, body);
    if (what === 'events') return url.searchParams.get('races') === 'open' ? stream(req, res, false) : quiet(res);
    if (what === 'merge') return merge(res, body);
    if (what === 'agents') return json(res, { agents: fx.agentRows });
    if (what === 'doctor') return json(res, fx.doctor);
    if (what === 'templates') return json(res, { templates: [] });
    if (what === 'leaderboard') return json(res, fx.leaderboard);
    if (what === 'history') return json(res, { races: url.searchParams.get('label') === 'suite-run=tb1' ? fx.suiteRaces : url.searchParams.has('repository') ? world.history : [] });
    if (what === 'health') return json(res, { version: '0.1.0', api: 1, server_ms: fx.NOW });
    fail(res, 404, 'not_found', `no route ${req.method} ${url.pathname}`);
  }

  const server = createServer((req, res) => {
    const url = new URL(req.url, 'http://x');
    const parts = [];
    req.on('data', (d) => parts.push(d)).on('end', () => {
      const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : {};
      if (req.method === 'POST') world.calls.push([url.pathname, body]);
      if (url.pathname === '/ui/session') {
        if (body.code !== `code-${codes}` || codes === 0) return fail(res, 401, 'refused', 'this link was used before, or is too old');
        const tab = `tab-${codes}`, cookie = `c-${codes++}`;
        tabs.add(tab), cookies.add(cookie);
        return json(res, { tab, expires_ms: Date.now() + 1e7 }, 200, { 'set-cookie': `hydra-${server.address().port}=${cookie}; HttpOnly; SameSite=Strict; Path=/` });
      }
      if (url.pathname.startsWith('/v1/') || url.pathname === '/ui/sign-out') {
        const cookie = /hydra-\d+=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1];
        if (!tabs.has(req.headers['x-hydra-tab']) || !cookies.has(cookie)) return fail(res, 401, 'refused', 'nobody is signed in here', 'run `hydra ui`');
        if (url.pathname === '/ui/sign-out') return tabs.clear(), json(res, {});
        return v1(req, res, url, body);
      }
      const name = url.pathname === '/' ? '/index.html' : url.pathname;
      if (options.rebuild && name === '/index.html') files = options.rebuild();
      const file = files.get(name);
      if (!file) return fail(res, 404, 'not_found', 'no such page');
      res.writeHead(200, { ...HEADERS, 'content-type': TYPES[extname(name)] ?? 'text/html; charset=utf-8' }).end(file);
    });
  });
  const listen = (port) => new Promise((then) => server.listen(port, '127.0.0.1', () => then(server.address().port)));
  const port = await listen(0);
  const stop = () => new Promise((then) => { server.close(then); server.closeAllConnections(); });
  return {
    world, port, report: built.report, stop, tell,
    url: () => `http://127.0.0.1:${port}/#code=code-${++codes}`,
    origin: `http://127.0.0.1:${port}`,
    /** As when the daemon is killed: every connection breaks; `back` begins again on the same port. */
    kill: stop,
    back: () => listen(port),
    signOutAll: () => tabs.clear(),
  };
}
