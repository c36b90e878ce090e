// A world of answers as the daemon gives them: one race that is done, one that runs, one that was cancelled, and many.
// Texts of agents are as hostile as they come.
// HYDRA_PLAIN=1: a friendly world, for pictures.
const PLAIN = process.env.HYDRA_PLAIN === '1';
export const HOSTILE = PLAIN ? 'Every request is checked now; the tests pass.' : 'done <img src=x onerror=alert(1)> <script>alert(2)</script> \u202etxet\u202c \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \x1b[31mred\x1b[0m';
export const WEIGHTS = { build: 30, tests: 30, lint: 15, diff_size: 15, speed: 10 };
const BASE = '3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3';
const REPO = '/home/me/app';
export const NOW = Date.now();

const check = (subject, kind, exit, extra = {}) => ({
  exit_code: exit, wall_seconds: 3.1, command: { build: 'make -j2', tests: 'pytest -q', lint: 'ruff check .' }[kind],
  attempt: `01JX4K/${subject}/${kind}/1`, cached: false, ...extra,
});

const scored = (points, detail, reason = '') => ({ status: 'scored', points, reason, detail });

function agent(name, display, points, more) {
  const [build, tests, lint, diff, speed] = points;
  const dead = build === 0;
  const skipped = { status: 'skipped', points: 0, reason: 'build_failed', detail: {} };
  return {
    agent: name, display, model: '', branch: `hydra/${name}-1708646400`, commit: `${name}0123456789abcdef`.slice(0, 40), state: 'completed', outcome: 'completed',
    message: '', error_class: '', unchecked: false, eligible: true, ineligible_reasons: [], rank: 1, tied: false, composite: 0,
    dimensions: {
      build: dead ? { status: 'failed', points: 0, reason: '', detail: check(name, 'build', 2) } : scored(build, check(name, 'build', 0)),
      tests: dead ? skipped : scored(tests, check(name, 'tests', tests < 100 ? 1 : 0, { format: 'pytest', passed: 8, failed: 2, skipped: 0, errors: 0, total: 10, pass_rate: 0.8 }), 'by_name'),
      lint: dead ? skipped : scored(lint, check(name, 'lint', 0, { format: 'ruff', errors: 0, warnings: 2 })),
      diff_size: scored(diff, { lines_added: 10, lines_removed: 2, files_changed: 1, set_apart: [] }),
      speed: scored(speed, { duration_seconds: 36 }),
    },
    duration_seconds: 36, diff: { lines_added: 10, lines_removed: 2, files_changed: 1 }, flags: [], warnings: [], left_out: [], agent_commits: 0,
    tokens: { input: 1650, output: 185, cache_read: 11850, cache_write: 650 }, tokens_counted: 14335, cost_usd: 0.42, cost_estimated: false, usage_partial: false,
    exit_code: 0, signal: null, session: '', stopped: '', attempt: 1, earlier_attempts: [], final_text: HOSTILE, question: '', sandbox: 'bwrap',
    workspace: { tree: 'overlay', warm: true, setup_again: false, reasons: [], left_out: [] }, repository_changed: [], leaked_processes: 0, output_bytes: 1234,
    tests_by_name: null, integrity: { restored: [], unrestored: [], more_restored: 0, own_run: false, findings: [], suppressions: 0, not_shown: 0, error: '', unseen: [], blocking: 0 },
    ...more,
  };
}

export function composite(a, weights) {
  let sum = 0, total = 0;
  for (const [name, d] of Object.entries(a.dimensions))
    if (d.status !== 'not_configured') (sum += d.points * weights[name]), (total += weights[name]);
  return sum / total;
}

function ranked(agents, weights) {
  for (const a of agents) if (a.rank > 0) a.composite = composite(a, weights);
  agents.sort((a, b) => Number(b.eligible) - Number(a.eligible) || b.composite - a.composite);
  agents.forEach((a, i) => { if (a.rank > 0) a.rank = i + 1; });
  return agents;
}

export const info = { rule: 'skipped_test', severity: 'info', path: 'src/auth.py', line: 3, reason: 'a test is skipped', text: '' };

const names = (o) => ({ fixed: [], broken: [], removed: [], newly_skipped: [], added: [], unstable: [], hidden: [], ...o });

const baseline = {
  state: 'checked', reason: '', attempt: '', advice: '', problem: '', workspace: { tree: 'overlay', warm: true, setup_again: false, reasons: [], left_out: [] }, test_runs: 2,
  unstable: ['tests/test_clock.py::test_tick'], cold_difference: '', template: { cached: true, warm: true, steps: [{ name: 'setup', wall_seconds: 21 }, { name: 'warm', wall_seconds: 44 }] }, cached: false,
  build: { ...check('@baseline', 'build', 0), status: 'passed' }, tests: { ...check('@baseline', 'tests', 1), status: 'failed', format: 'pytest', passed: 12, failed: 1, skipped: 0, errors: 0, total: 13 },
  lint: { ...check('@baseline', 'lint', 0), status: 'passed', format: 'ruff', errors: 0, warnings: 2 },
};

// Whose tests pass on whose code: two authors and a test writer.
const cross = (result, author, statuses) => ({
  result, author, passed: statuses.filter((s) => s === 'pass').length, failed: statuses.filter((s) => s === 'fail').length, no_contact: 0, unstable: 0, not_run: 0, log: '',
  tests: statuses.map((status, i) => ({ name: `tests/test_${author}.py::test_${i + 1}${PLAIN ? '' : '<b>'}`, file: `tests/test_${author}.py`, class: 'fails_before', reason: '', status, log: '' })),
});
const author = (name, tests, more = {}) => ({ author: name, kind: 'result', members: [name], void_reason: '', tests, fails_before: tests, no_contact_before: 0, passes_before: 0, alone: 0, void: 0, ...more });
export const evidence = {
  state: 'measured', reason: '', points_configured: true, clusters: [['codex'], ['claude']],
  authors: [author('codex', 2), author('claude', 3), author('gemini-tests', 2, { kind: 'tester' })],
  cells: [['@baseline', 'ff', 'fff', 'ff'], ['codex', 'pp', 'ppp', 'pp'], ['claude', 'pp', 'ppp', 'pf']].flatMap(([result, ...of]) =>
    of.map((letters, i) => cross(result, ['codex', 'claude', 'gemini-tests'][i], [...letters].map((l) => (l === 'p' ? 'pass' : 'fail'))))),
};
const sure = (word, text, range, f) => ({ word, text, range, probability: null, n: null, facts: { passed_authors: [], failed_authors: [], tests_passed: 0, tests_failed: 0, own_tests: 0, fixed: 1, left_failing: 0, broken: 0, hidden_passed: 0, hidden_failed: 0, alike: 1, results: 2, ...f } });

// codex has 2 points more than claude, most of them for its size; cursor does not build.
const reasons = ([first, second, third]) => [
  { above: first.agent, below: second.agent, by: 'diff_size', tied: false, count: 0, points: 2, text: `${first.agent} above ${second.agent}: smaller change, 2.0 more points` },
  { above: second.agent, below: third.agent, by: 'eligible', tied: false, count: 0, points: 0, text: `${second.agent} above ${third.agent}: ${third.agent} is not eligible` },
];

export function results(over = {}, weights = WEIGHTS) {
  const agents = ranked([
    agent('codex', 'Codex CLI', [100, 80, 100, 95, 100], { evidence_points: 83.3, confidence: sure('good', 'passes all 5 tests of two other authors', '70 to 90', { tests_passed: 5, own_tests: 2 }), tests_by_name: names({ fixed: ['tests/test_auth.py::test_expired'] }) }),
    agent('claude', 'Claude Code', [100, 95, 90, 75, 80], {
      evidence_points: 66.7, confidence: sure('disputed', 'fails 1 of 4 tests of other authors', '21 to 36', { tests_passed: 3, tests_failed: 1, own_tests: 3, broken: 1 }),
      duration_seconds: 45, diff: { lines_added: 40, lines_removed: 3, files_changed: 3 }, cost_usd: 1.1, cost_estimated: true, attempt: 2,
      earlier_attempts: [{ attempt: 1, outcome: 'failed', error_class: 'provider', message: 'the provider answered 529', stopped: '', duration_seconds: 8, tokens: {}, cost_usd: 0.1, session: '', branch: '' }],
      tests_by_name: names({ fixed: ['tests/test_auth.py::test_expired'], broken: ['tests/test_auth.py::test_empty'], added: ['tests/test_auth.py::test_refresh'] }),
      integrity: {
        restored: [{ path: 'tests/test_auth.py', how: 'base', reason: 'test file of the base' }], unrestored: [], more_restored: 0, own_run: true, suppressions: 1, not_shown: 0, error: '', unseen: ['assets/logo.bin: binary'], blocking: 0,
        findings: [info, { rule: 'weakened_assertion', severity: 'warning', path: 'src/auth.py', line: 14, reason: 'a test of the base in the sources expects something else now, or is gone', text: `sys.modules['pytest'] = None${PLAIN ? '' : '  # <script>alert(3)</script>'}` }],
      },
    }),
    agent('cursor', PLAIN ? 'Cursor CLI' : 'Cursor CLI \u202e<b>', [0, 0, 0, 60, 70], { duration_seconds: 51, eligible: false, ineligible_reasons: ['build_failed'], flags: ['no_tests'], warnings: ['a very long line'], left_out: [{ path: 'node_modules', bytes: 1234, reason: 'ignored and large' }] }),
  ], weights);
  return {
    schema: 1, race: '01JX4KDONE', task: 'implement JWT auth', base: BASE, state: 'done', reason: '', repository: REPO, created_ms: NOW - 600_000, duration_seconds: 252,
    verdict: `${agents[0].agent} wins: fixes 1 of 1 failing test with 12 lines; ${agents[1].agent} breaks 1 test; ${agents[2].agent} does not build.`, winner: agents[0].eligible ? agents[0].agent : '', all_failed: false, auto_merged: false, merged: null, auto_merge_refused: '', notes: ['claude: not counted in its diff size: package-lock.json'],
    repository_changes: null, checks: 'fresh', verify: 'standard', hidden_tests: 0, verifies: '', baseline, agents, order: 'composite', told_apart: true, evidence, contested: [], points_winner: '', order_reasons: reasons(agents),
    testers: [{ agent: 'gemini-tests', display: 'Gemini CLI (tests)', model: '', state: 'completed', outcome: 'completed', message: '', branch: '', commit: '', duration_seconds: 31, cost_usd: 0.2 }],
    weights: WEIGHTS, thresholds: { auto_merge_minimum: 85, fail_maximum: 30 }, ...over,
  };
}

export function explain(name) {
  const r = results();
  const a = r.agents.find((x) => x.agent === name);
  const total = Object.values(WEIGHTS).reduce((x, y) => x + y);
  return {
    schema: 1, race: r.race, agent: name, display: a.display, checked_as: name, commit: a.commit, checked_commit: a.commit, ranked: true, race_state: 'done', state: a.state, message: a.message, unchecked: false,
    rank: a.rank, eligible: a.eligible, ineligible_reasons: a.ineligible_reasons, composite: a.composite, formula: 'the sum of points * weight over the sum of weights, of the dimensions that are configured',
    dimensions: Object.entries(a.dimensions).map(([dimension, d]) => ({
      dimension, status: d.status, points: d.points, share: WEIGHTS[dimension] / total, contribution: (d.points * WEIGHTS[dimension]) / total, reason: d.reason,
      formula: dimension === 'tests' ? 'pass_rate * 100 + bonus - regression_penalty, within 0 and 100' : '100 for exit code 0, else 0', inputs: dimension === 'tests' ? { agent_passed: 8, agent_total: 10, pass_rate: 0.8 } : {},
      runs: d.detail.command ? [{ ...check(name, dimension, d.detail.exit_code), subject: name, purpose: 'as captured', status: d.detail.exit_code === 0 ? 'passed' : 'failed', isolation: 'bwrap', evidence: dimension === 'tests' ? [{ format: 'pytest', first: 120, last: 131 }] : [] }] : [],
    })),
    tests_by_name: a.tests_by_name, unstable: [], integrity: a.integrity, workspace: a.workspace, hidden_tests: [], sandbox: 'bwrap', checks: 'fresh', set_apart: [], order_reasons: r.order_reasons,
  };
}

export const tests = {
  columns: ['@baseline', 'codex', 'claude', 'cursor'],
  rows: [
    { name: 'tests/test_auth.py::test_empty', cells: 'ppf.', class: 'broken' },
    { name: 'tests/test_auth.py::test_expired', cells: 'fpp.', class: 'fixed' },
    { name: 'tests/test_auth.py::test_refresh', cells: '..p.', class: 'added' },
    { name: `tests/test_clock.py::test_tick${PLAIN ? '' : ' <img src=x onerror=alert(4)>'}`, cells: 'upu.', class: 'flaky' },
  ],
  counts: { all: 4, failed: 2, changed: 4, shown: 4 }, next: null,
};

export const diffs = {
  codex: `diff --git a/src/auth.py b/src/auth.py
index 1111111..2222222 100644
--- a/src/auth.py
+++ b/src/auth.py
@@ -10,6 +10,7 @@ def check(token):
 def check(token):
     # what a token is worth
-    return False
+    claims = decode(token, "secret")  # one line that says "why"
+    return claims.valid(now=1_700_000_000)
 
 def other():
     return 42
`,
  claude: `diff --git a/src/auth.py b/src/auth.py
index 1111111..3333333 100644
--- a/src/auth.py
+++ b/src/auth.py
@@ -10,6 +10,9 @@ def check(token):
 def check(token):
     # what a token is worth
-    return False
+    if not token:
+        return False
+    claims = decode(token, "secret")
+    return claims is not None and claims.fresh()${PLAIN ? '' : ' \u202e'}
 
 def other():
     return 42
diff --git a/tests/test_auth.py b/tests/test_auth.py
new file mode 100644
index 0000000..4444444
--- /dev/null
+++ b/tests/test_auth.py
@@ -0,0 +1,4 @@
+import pytest
+
+def test_refresh():
+    assert refresh("<script>alert(5)</script>")
`,
  cursor: '',
};

export function logText(lines = 400) {
  const rows = [];
  for (let i = 1; i <= lines; i++)
    rows.push(i === 120 ? '\x1b[31;1mFAILED\x1b[0m tests/test_auth.py::test_empty - assert 3 == 4' : i === 131 ? 'E   AssertionError \x1b[38;2;255;120;0mtruecolour\x1b[0m <script>alert(6)</script>' : `tests/test_${i}.py \x1b[32m.\x1b[0m [${Math.round((i * 100) / lines)}%] \u202e${HOSTILE.slice(0, 20)}`);
  return `${rows.join('\n')}\n`;
}

export function status(state, tick = 0) {
  const one = (name, display, more) => ({
    agent: name, display, state: 'running', outcome: 'unknown', message: '', elapsed_ms: 61_000 + tick * 500, last_line: `reading src/auth.py, step ${tick}`, tool: 'Edit', diff: { lines_added: 10 + tick * 3, lines_removed: 2 + tick, files_changed: 1 },
    tokens: {}, tokens_counted: 14_335 + tick * 120, cost_usd: 0.42 + tick / 100, cost_estimated: true, usage_partial: false, attempt: 1, stopped: '', unchecked: false, checks: {}, composite: null, branch: '', left_out: [], progress_ms: 900, idle_limit_ms: 900_000,
    growth: Array.from({ length: 20 }, (_, i) => [i * 3000, Math.round(i * i * 0.6) + tick, i + (i > 10 ? 4 : 0)]), ...more,
  });
  return {
    race: '01JX4KLIVE', task: PLAIN ? 'make the parser twice as fast on long lines' : `make the parser faster ${HOSTILE.slice(0, 46)}`, state, reason: '', created_ms: NOW - 61_000, elapsed_ms: 61_000 + tick * 500, repository: REPO, base: BASE, sandbox: 'bwrap', winner: '', verdict: '', notes: [], repository_changes: null, last_event: 40, server_ms: NOW + tick * 500,
    order_reasons: [],
    agents: [
      one('codex', 'Codex CLI', {}),
      one('claude', 'Claude Code', { state: 'checking', tool: '', last_line: HOSTILE, checks: { build: 'passed', tests: 'running', lint: 'waiting' } }),
      one('cursor', 'Cursor CLI', { progress_ms: 310_000, tool: 'Shell' }),
      one('gemini', 'Gemini CLI', { state: 'queued', message: 'waits for a free place of provider google', elapsed_ms: 0, tokens_counted: null, cost_usd: null, tool: '', last_line: '', diff: { lines_added: 0, lines_removed: 0, files_changed: 0 }, growth: [], progress_ms: null }),
      one('aider', 'Aider', { state: 'launch_error', message: 'aider is not signed in; run `aider --login`', elapsed_ms: 400, tool: '', last_line: '', growth: [] }),
    ],
    baseline: { state: 'checking', step: '', command: '', checks: { build: 'passed', tests: 'running' } },
  };
}

export function doneStatus() {
  const r = results();
  return { ...status('done'), race: r.race, task: r.task, elapsed_ms: 252_000, winner: r.winner, agents: [], baseline: { state: 'checked', step: '', command: '', checks: {} } };
}

export function races(n) {
  const states = ['done', 'done', 'done', 'cancelled', 'failed'];
  return Array.from({ length: n }, (_, i) => ({
    race: i === 0 ? '01JX4KLIVE' : i === 1 ? '01JX4KDONE' : `01JX${String(i).padStart(6, '0')}`, task: i === 0 ? status('running').task : i === 1 ? 'implement JWT auth' : `task number ${i}: ${['speed up the parser', 'fix the flaky clock', 'add a retry to the client'][i % 3]}`,
    state: i === 0 ? 'running' : states[i % 5], created_ms: NOW - i * 3_600_000, repository: REPO, agents: ['codex', 'claude', 'cursor'], displays: { codex: 'Codex CLI', claude: 'Claude Code', cursor: 'Cursor CLI' },
    winner: i > 0 && i % 5 < 3 ? 'codex' : '', best: i > 0 && i % 5 < 3 ? 60 + (i % 40) : null, merged: i > 1 && i % 7 === 1 ? 'codex' : null, ended_ms: i === 0 ? null : NOW - i * 3_600_000 + 252_000,
  }));
}

export const agentRows = [
  { id: 'codex', display: 'Codex CLI', builtin: true, installed: true, path: '/usr/bin/codex', version: '1.2.3', signed_in: 'yes', sign_in_detail: '', problem: '', hint: '' },
  { id: 'claude', display: 'Claude Code', builtin: true, installed: true, path: '/usr/bin/claude', version: '2.0.0', signed_in: 'no', sign_in_detail: 'no key', problem: '', hint: 'claude login' },
  { id: 'aider', display: 'Aider', builtin: true, installed: false, path: '', version: '', signed_in: 'unknown', sign_in_detail: '', problem: 'not found in PATH', hint: 'pip install aider-chat' },
];

export const doctor = { ok: false, checks: [{ name: 'git', status: 'ok', detail: 'git 2.39.5', remedy: '' }, { name: 'sandbox', status: 'warn', detail: 'user namespaces are off', remedy: 'sysctl kernel.unprivileged_userns_clone=1' }] };
const leader = (rank, entry, rate, interval, strength, ends) => ({ rank, entry, attempts: 48, best: 97.5, success_rate: rate, mean: 88.1, deviation: 9.4, mean_seconds: 61.5, cost_usd: 1.92, interval, strength, tier: 1, strength_interval: ends, successes: 30, lost: 1, tasks: 48, solved: 30, tokens: 180000, priced_attempts: 12, cost_per_solved: 0.213, pass_at_k: 0.75, pass_all_k: 0.75, best_at_k: 88.1, tasks_k: 12 });
export const leaderboard = { schema: 1, by: 'agent', races: 48, tasks: 48, minimum: 5, k: 1, rows: [leader(1, 'codex', 0.75, [0.61, 0.85], 1041, [961, 1120]), leader(2, 'claude', 0.68, [0.53, 0.79], 1003, [930, 1071]), { ...leader(null, 'aider', null, null, null, null), tier: null, mean: null, deviation: null, mean_seconds: null, cost_per_solved: null }], comparison: null, notes: ['aider: too few attempts for a place'], methods: { order: 'share of tasks solved, best', interval: 'Wilson score, 95 %, n = attempts', strength: 'Bradley-Terry, prior of 1 virtual game' } };
const solvedBy = (task, ...entries) => ({ race: `01JX4K${task.toUpperCase()}`, labels: { suite: 's', 'suite-run': 'tb1', 'suite-task': task }, attempts: ['codex', 'claude'].map((entry) => ({ entry, solved: entries.includes(entry) })) });
export const suiteRaces = [solvedBy('add', 'codex', 'claude'), solvedBy('sub')];
/** Of the race that is done, or goes on: when each began and ended, in seconds since the beginning; without an end it runs. */
const run = (created, subject, kind, from, to, more) => ({ attempt: `01JX4K/${subject}/${kind}/1`, number: 1, subject, kind, purpose: subject.startsWith('+') ? 'a cross run' : subject === '@baseline' ? 'baseline' : 'as captured', exit_code: to === undefined ? null : kind === 'tests' ? 1 : 0, started_ms: created + from * 1000, ended_ms: to === undefined ? null : created + to * 1000, bytes: 100, ...more });
export const attempts = [
  ['+0f12', 'tests', 190, 205], ['+9a34', 'tests', 200, 250], ['@baseline', 'build', 1, 20], ['@baseline', 'tests', 20, 55],
  ['codex', 'agent', 24, 60], ['codex', 'build', 90, 110], ['codex', 'tests', 110, 150], ['codex@own', 'tests', 150, 180],
  ['claude', 'agent', 24, 69], ['claude', 'build', 69, 90], ['claude', 'tests', 112, 160], ['cursor', 'agent', 30, 81], ['cursor', 'build', 81, 85],
].map((of) => run(NOW - 600_000, ...of));
export const liveAttempts = [['@baseline', 'build', 1, 9], ['@baseline', 'tests', 9], ['codex', 'agent', 2], ['claude', 'agent', 2, 40], ['claude', 'build', 45, 52], ['claude', 'tests', 52], ['cursor', 'agent', 2], ['aider', 'agent', 2, 3]].map((of) => run(NOW - 61_000, ...of));
export const usually = [240, 90, 180].map((seconds, i) => ({ race: `01JX4KOLD${i}`, state: 'done', created_ms: NOW - 9e6, ended_ms: NOW - 9e6 + seconds * 1000, labels: {}, attempts: [] }));
export const findings = [{ file: 'src/auth.py', line: 14, column: 2, rule: 'E501', severity: 'warning', message: `too long ${HOSTILE}`, new: true }];
