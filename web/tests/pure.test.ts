// What knows neither React nor the DOM.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLAIN, nearest, penAfter, plain, spans } from '../src/lib/ansi.ts';
import { cellLook, needle, onlyRan, rowWords } from '../src/lib/cells.ts';
import { conflictLooks } from '../src/lib/conflict.ts';
import { confidenceText, crossCell, crossColumns, evidenceWords, facts, tally, whyNot } from '../src/lib/evidence.ts';
import { compareFiles, threeWay } from '../src/lib/compare.ts';
import { parseDiff, sideBySide, unquote } from '../src/lib/diff.ts';
import { isFailure, parseLines } from '../src/lib/failure.ts';
import { parseFilter, passes } from '../src/lib/filter.ts';
import { ago, bytes, duration, money, short, took } from '../src/lib/format.ts';
import { path, picture, step } from '../src/lib/lanes.ts';
import { usual } from '../src/lib/usual.ts';
import { hues, racers } from '../src/lib/hue.ts';
import { href, parseRoute } from '../src/lib/route.ts';
import { USUAL, composite, distance, grade, whatIf } from '../src/lib/score.ts';
import { SseParser, type Frame } from '../src/lib/sse.ts';
import { shared } from '../src/lib/store.ts';
import { delay } from '../src/lib/stream.ts';
import { rulesFor, tokens } from '../src/lib/syntax.ts';
import { clean } from '../src/lib/text.ts';
import { paint } from '../src/ui/image.ts';
import type { AgentResult, Attempt, DimensionName, Results } from '../src/lib/types.ts';
import { rowAt, scaleOf, topFor, visible } from '../src/lib/window.ts';

test('what hides or turns a line is shown by name', () => {
  assert.equal(clean('a\u202eb\u200bc\x00d\x9be'), 'a‹202e›b‹200b›c‹00›d‹9b›e');
  assert.equal(clean('tab\tstays'), 'tab\tstays');
});

test('terminal output: colours are of sixteen, every other escape goes', () => {
  assert.deepEqual(spans('\x1b[31;1mred\x1b[0m plain', PLAIN), [{ text: 'red', style: 'f1 bold' }, { text: ' plain', style: '' }]);
  assert.deepEqual(spans('\x1b]8;;http://x\x07link\x1b]8;;\x07 \x1b]0;title\x1b\\end', PLAIN).map((s) => s.text).join(''), 'link end');
  assert.deepEqual(spans('\x1b[2J\x1b[10;3Hmoved', PLAIN).map((s) => s.text), ['moved']);
  assert.deepEqual(spans('\x1b[?25l\x1b[>4mhidden cursor\x1b[?25h', PLAIN), [{ text: 'hidden cursor', style: '' }]);
  assert.equal(spans('\x1b[38;5;196mx', PLAIN)[0]?.style, 'f9');
  assert.equal(spans('\x1b[38;2;10;200;20mx', PLAIN)[0]?.style, 'f10');
  assert.equal(spans('\x1b[97mx', PLAIN)[0]?.style, 'f15');
  assert.equal(nearest(10, 10, 10), 0);
  assert.equal(nearest(250, 250, 250), 15);
});

test('a progress bar shows its last state, and an unfinished escape nothing', () => {
  assert.equal(plain(' 10%\r 50%\r100%'), '100%');
  assert.equal(plain('done\r'), 'done');
  assert.deepEqual(spans('text\x1b[3', PLAIN).map((s) => s.text).join(''), 'text');
  assert.deepEqual(spans('text\x1b', PLAIN).map((s) => s.text).join(''), 'text');
});

test('the pen goes on over lines', () => {
  const pen = penAfter('\x1b[32mgreen', PLAIN);
  assert.equal(spans('still', pen)[0]?.style, 'f2');
  assert.equal(spans('x', penAfter('\x1b[39m', pen))[0]?.style, '');
});

test('a line of a megabyte is cut with a mark', () => {
  const out = spans('x'.repeat(1_000_000), PLAIN);
  assert.equal(out[0]?.text.length, 4096);
  assert.match(out[1]?.text ?? '', /995904 characters more/);
});

test('server-sent events out of pieces cut anywhere', () => {
  const text = ': hello\r\nid: 7\nevent: live\ndata: {"a":\ndata: 1}\n\nid: 8\r\ndata:x\r\n\r\ndata: last';
  const of = (size: number) => {
    const frames: Frame[] = [];
    const parser = new SseParser((f) => frames.push(f));
    for (let i = 0; i < text.length; i += size) parser.feed(text.slice(i, i + size));
    return frames;
  };
  const expected = [{ id: '7', event: 'live', data: '{"a":\n1}' }, { id: '8', event: 'message', data: 'x' }];
  for (const size of [1, 2, 3, 5, 7, 1000]) assert.deepEqual(of(size), expected, `pieces of ${size}`);
});

const DIFF = `diff --git a/a.sql b/a.sql
index 1..2 100644
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,3 @@ create
 keep
--- a comment
+++ b comment
 end
\\ No newline at end of file
diff --git a/old.txt b/new.txt
similarity index 90%
rename from old.txt
rename to new.txt
diff --git a/logo.bin b/logo.bin
new file mode 100644
Binary files /dev/null and b/logo.bin differ
diff --git "a/\\303\\244 x.txt" "b/\\303\\244 x.txt"
deleted file mode 100644
--- "a/\\303\\244 x.txt"
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;

test('a diff: counts of a hunk decide what is content', () => {
  const [sql, renamed, binary, gone] = parseDiff(DIFF);
  assert.deepEqual(sql?.rows.map((r) => [r.kind, r.old, r.now, r.text]), [
    ['hunk', 1, 1, 'create'], ['context', 1, 1, 'keep'], ['removed', 2, 0, '-- a comment'], ['added', 0, 2, '++ b comment'],
    ['context', 3, 3, 'end'], ['note', 0, 0, 'No newline at end of file'],
  ]);
  assert.deepEqual([sql?.added, sql?.removed, sql?.status], [1, 1, 'M']);
  assert.deepEqual([renamed?.from, renamed?.path, renamed?.status], ['old.txt', 'new.txt', 'R']);
  assert.deepEqual([binary?.path, binary?.binary, binary?.status], ['logo.bin', true, 'A']);
  assert.deepEqual([gone?.path, gone?.status, gone?.removed], ['ä x.txt', 'D', 1]);
  assert.equal(unquote('"a\\tb\\"c"'), 'a\tb"c');
});

test('a changed line says what of it changed', () => {
  const rows = parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-the old value\n+the new value\n')[0]?.rows ?? [];
  assert.deepEqual(rows[1]?.inner, [4, 7]);
  assert.deepEqual(rows[2]?.inner, [4, 7]);
});

test('side by side: removed lines stand beside those added after them', () => {
  const rows = parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n-a\n-b\n+c\n+d\n+e\n')[0]?.rows ?? [];
  assert.deepEqual(sideBySide(rows).slice(1).map((r) => [r.left?.text, r.right?.text]), [['a', 'c'], ['b', 'd'], [undefined, 'e']]);
});

test('two results along the base: what one does not touch is the base’s', () => {
  const a = parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n');
  const b = parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -2,3 +2,4 @@\n two\n three\n+and a half\n four\ndiff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n');
  assert.deepEqual(compareFiles(a, b).map((f) => [f.path, f.where, f.equal]), [['x', 'both', false], ['y', 'b', false]]);
  assert.deepEqual(threeWay(a[0], b[0]).map((r) => [r.base, r.a, r.b]), [
    ['one', 'one', 'one'], ['two', undefined, 'two'], [undefined, 'TWO', undefined], ['three', 'three', 'three'],
    [undefined, undefined, 'and a half'], ['four', 'four', 'four'],
  ]);
  assert.equal(compareFiles(a, a)[0]?.equal, true);
  assert.deepEqual(threeWay(undefined, b[1]).map((r) => [r.a, r.b]), [[undefined, 'new']]);
});

test('rows: what is seen and a little more, also where the scroll bar stands for more than itself', () => {
  assert.deepEqual(visible(0, 400, 1000, 20), { first: 0, end: 30 });
  assert.deepEqual(visible(10_000, 400, 1000, 20), { first: 490, end: 530 });
  assert.deepEqual(visible(0, 400, 3, 20), { first: 0, end: 3 });
  const rows = 2_000_000;
  const end = (rows * 20) / scaleOf(rows, 20);
  assert.ok(end <= 8_000_000);
  assert.equal(visible(end, 400, rows, 20).end, rows);
  const top = topFor(1_234_567, 400, rows, 20);
  assert.equal(rowAt(top, 400, rows, 20), 1_234_567);
  const seen = visible(top, 400, rows, 20);
  assert.ok(seen.first <= 1_234_567 && seen.end > 1_234_567);
});

const agent = (name: string, points: number[], more: Partial<AgentResult> = {}): AgentResult => {
  const names: DimensionName[] = ['build', 'tests', 'lint', 'diff_size', 'speed'];
  const dimensions = Object.fromEntries(names.map((n, i) => [n, { status: 'scored', points: points[i] ?? 0, reason: '', detail: {} }]));
  return { agent: name, display: name, rank: 1, eligible: true, dimensions, ...more } as unknown as AgentResult;
};

test('the composite is that of the specification’s example', () => {
  assert.equal(composite(agent('codex', [100, 80, 100, 95, 100]), USUAL), 93.25);
  assert.equal(composite(agent('claude', [100, 95, 90, 75, 80]), USUAL), 91.25);
  assert.equal(composite(agent('cursor', [0, 0, 0, 60, 70]), USUAL), 16);
});

test('a dimension without a command is left out, and the others are scaled up', () => {
  const one = agent('a', [100, 0, 50, 50, 50]);
  one.dimensions.tests = { status: 'not_configured', points: 0, reason: '', detail: {} };
  assert.equal(composite(one, USUAL), (100 * 30 + 50 * 40) / 70);
  // Judges count once somebody gives them a weight: the rest is (100 * 30 + 50 * 40), of 70.
  const judged = { ...one, judges: { status: 'scored' as const, score: 0.8, points: 80, text: '', votes: [] } };
  assert.equal(composite(judged, { ...USUAL, judges: 30 }, true), (100 * 30 + 50 * 40 + 80 * 30) / 100);
  assert.equal(composite(one, { ...USUAL, judges: 30 }, true), (100 * 30 + 50 * 40) / 100, 'no score of judges is 0 points');
  assert.equal(composite(judged, USUAL, true), (100 * 30 + 50 * 40) / 70);
});

test('other weights: eligible ones first, ties share a rank, what did not run is not placed', () => {
  const results = { agents: [
    agent('fast', [100, 50, 50, 50, 100], { rank: 2 }), agent('good', [100, 100, 100, 100, 10], { rank: 1 }),
    agent('out', [100, 100, 100, 100, 100], { rank: 3, eligible: false }), agent('same', [100, 50, 50, 50, 100], { rank: 2 }), agent('none', [], { rank: 0 }),
  ] } as unknown as Results;
  const order = (w: typeof USUAL) => whatIf(results, w).map((p) => `${p.rank}${p.agent.agent}${p.tied ? '=' : ''}`);
  assert.deepEqual(order(USUAL), ['1good', '2fast=', '2same=', '4out']);
  assert.deepEqual(order({ build: 0, tests: 0, lint: 0, diff_size: 0, speed: 10 }), ['1fast=', '1same=', '3good', '4out']);
});

test('where evidence decides, weights only order what it leaves equal', () => {
  const results = { order: 'evidence', told_apart: true, agents: [
    agent('proved', [100, 90, 50, 50, 10], { rank: 1, evidence_points: 80 }), agent('fast', [100, 100, 100, 100, 100], { rank: 2, evidence_points: 20 }), agent('also', [100, 90, 100, 50, 10], { rank: 3, evidence_points: 80 }),
  ] } as unknown as Results;
  assert.deepEqual(whatIf(results, USUAL).map((p) => p.agent.agent), ['also', 'proved', 'fast']);
  assert.deepEqual(whatIf({ ...results, told_apart: false }, USUAL).map((p) => p.agent.agent), ['fast', 'also', 'proved']);
});

test('evidence in words: who passes whose tests, why there is none, and what is behind a word', () => {
  const cell = (result: string, author: string, passed: number, failed: number, no_contact = 0) => ({ result, author, passed, failed, no_contact });
  const sure = (tests_passed: number, tests_failed: number) => ({ confidence: { word: 'good' as const, text: 'good: passes 2 (hydra explain --matrix); more', facts: { tests_passed, tests_failed, own_tests: 1, alike: 2, results: 3 } } });
  const results = {
    agents: [agent('ada', [], { rank: 1, ...sure(2, 0) }), agent('brook', [], { rank: 2, ...sure(1, 3) }), agent('cleo', [], { rank: 3, eligible: false, ...sure(9, 9) })],
    evidence: { state: 'measured', authors: [{ author: 'ada', fails_before: 3 }, { author: 'brook', fails_before: 1 }, { author: 'x', fails_before: 0 }], cells: [cell('@baseline', 'ada', 0, 3), cell('brook', 'ada', 1, 2), cell('ada', 'ada', 3, 0), cell('ada', 'brook', 0, 0, 1)] },
  } as unknown as Results;
  assert.equal(evidenceWords(results, (a) => a.agent.toUpperCase()), '4 tests of 2 authors fail without the change; of the others’ ADA passes 2 of 2, BROOK 1 of 4');
  assert.equal(evidenceWords({ ...results, evidence: undefined } as unknown as Results, (a) => a.agent), '');
  assert.deepEqual(crossColumns(results), ['@baseline', 'ada', 'brook']);
  const of = (author: string, result: string) => tally(crossCell(results.evidence, author, result));
  assert.deepEqual([of('ada', '@baseline'), of('ada', 'ada'), of('ada', 'brook')].map((t) => [t.text, t.look]), [['0/3', 'poor'], ['3/3', 'good'], ['1/3', 'fair']]);
  assert.deepEqual([of('brook', 'ada').words, of('brook', 'brook').words], ['no contact', 'nothing ran']);
  const first = results.agents[0]!;
  assert.equal(confidenceText(first), 'passes 2; more');
  assert.deepEqual(facts(first), ['2 tests of others passed', '1 own test', '2 of 3 results behave the same']);
  assert.equal(whyNot({ state: 'not_measured', reason: 'no_new_tests' } as Results['evidence']), 'no result brought its own tests');
  assert.equal(whyNot({ state: 'measured', points_reason: 'no_tests_fail_before' } as Results['evidence']), 'no test of the race fails without the change');
  assert.equal(whyNot({ state: 'measured', reason: '' } as Results['evidence']), '');
});

test('a test is looked for in a log by what its runner prints', () => {
  assert.deepEqual(['tests/test_a.py::T::test_one[x]', 'tests.test_a.T.test_one', 'greets by name', 'a.b: keeps 1.5 blanks', 'suite › deep › works'].map(needle),
    ['test_one[x]', 'test_one', 'greets by name', 'a.b: keeps 1.5 blanks', 'works']);
});

test('a conflict: each line is of a side, or says where', () => {
  assert.deepEqual(conflictLooks(['@@ line 3 @@', 'before', '<<<<<<< main', 'a', '=======', 'b', '=======', '>>>>>>> hydra/x-1', '=======']),
    ['where', '', 'mark', 'ours', 'mark', 'theirs', 'mark', 'mark', '']);
});

test('what is over in tenths of a second, what goes on in whole ones', () => {
  assert.deepEqual([0, 360, 3140, 9949, 9951, 61_000].map(took), ['0.0s', '0.4s', '3.1s', '9.9s', '10s', '1m 1s']);
  assert.deepEqual([360, 61_000].map(duration), ['0s', '1m 1s']);
});

test('colours come from points that are not rounded', () => {
  assert.deepEqual([80.04, 80, 79.99, 50, 49.999, 0].map(grade), ['good', 'fair', 'fair', 'fair', 'poor', 'poor']);
});

test('how far from the first, by dimension', () => {
  const rows = distance(agent('b', [100, 95, 90, 75, 80]), agent('a', [100, 80, 100, 95, 100]), USUAL);
  assert.deepEqual(rows, [{ name: 'tests', by: 4.5 }, { name: 'diff_size', by: -3 }, { name: 'speed', by: -2 }, { name: 'lint', by: -1.5 }]);
});

test('the filter’s language', () => {
  const hit = (filter: string) => passes(parseFilter(filter), { s: 'failed', a: 'codex claude', f: 'src/x.c' }, 'speed up the parser');
  assert.deepEqual(['', 'parser', 'PARSER s:fail', 's:failed a:codex f:src/ !flaky', 's:done', '!parser', '"the parser"', 'http://x', '!s:failed'].map(hit),
    [true, true, true, true, false, false, true, false, false]);
});

test('routes keep what is in names', () => {
  const to = href(['race', '01J', 'agent', '@baseline/ä?#', 'log', 'tests'], { line: '120-131', attempt: '' });
  const back = parseRoute(to);
  assert.deepEqual(back.path, ['race', '01J', 'agent', '@baseline/ä?#', 'log', 'tests']);
  assert.deepEqual([...back.query], [['line', '120-131']]);
  assert.deepEqual(parseRoute('#/%E0%A4%A').path, ['%E0%A4%A']);
});

test('figures in words', () => {
  assert.deepEqual([0, 59_400, 252_000, 7_500_000, 90_000_000].map(duration), ['0s', '59s', '4m 12s', '2h 5m', '1d 1h']);
  assert.deepEqual([money(null), money(0.42), money(1.1, true), money(0.001)], ['', '$0.42', '~$1.10', '<$0.01']);
  assert.deepEqual([950, 12_400, 99_960, 1_250_000].map(short), ['950', '12.4k', '100k', '1.3M']);
  assert.deepEqual([12, 3500, 1_258_291].map(bytes), ['12 B', '3.4 KiB', '1.2 MiB']);
  assert.deepEqual([ago(0, 30_000), ago(0, 60_000), ago(0, 7_200_000), ago(0, 864e5)], ['just now', '1 minute ago', '2 hours ago', '1 day ago']);
});

test('failures of logs, and not their absence', () => {
  for (const line of ['FAILED tests/x.py::y', 'x.c:3: error: no', 'thread panicked at', '  ✗ works', 'not ok 3']) assert.ok(isFailure(line), line);
  for (const line of ['3 passed, 0 failed', 'test_error_handling ... ok', 'errors: 0']) assert.ok(!isFailure(line), line);
  assert.deepEqual([parseLines('7'), parseLines('120-131'), parseLines('9-3'), parseLines('0'), parseLines('x'), parseLines(null)], [[7, 7], [120, 131], [9, 9], undefined, undefined, undefined]);
});

test('words of a language are told apart, whatever stands in a line', () => {
  assert.deepEqual(tokens('if (x) return "a"; // why 1', rulesFor('a.c')).filter((t) => t.kind !== '').map((t) => [t.kind, t.text]),
    [['keyword', 'if'], ['keyword', 'return'], ['string', '"a"'], ['comment', '// why 1']]);
  const line = 'unfinished "string \\';
  for (const path of ['a.c', 'a.py', 'a.sql', 'a.unknown']) assert.equal(tokens(line, rulesFor(path)).map((t) => t.text).join(''), line);
});

test('what has not changed keeps its identity', () => {
  const before = { agents: [{ a: 1, tags: ['x'] }, { a: 2, tags: [] }], at: 1 };
  const after = shared(before, { agents: [{ a: 1, tags: ['x'] }, { a: 3, tags: [] }], at: 1 });
  assert.equal(after.agents[0], before.agents[0]);
  assert.notEqual(after.agents[1], before.agents[1]);
  assert.equal(shared(before, structuredClone(before)), before);
  assert.deepEqual(shared<object>({ a: 1, b: 2 }, { a: 1 }), { a: 1 });
});

test('tries to connect come later and later, but not later than 15 s and a bit', () => {
  assert.deepEqual([0, 1, 2, 20].map((n) => delay(n, 0.5)), [500, 1000, 2000, 15_000]);
  assert.ok(delay(20, 1) <= 18_750);
});

test('a row of tests in words', () => {
  const columns = ['@baseline', 'codex', 'claude'];
  const words = ['ppf', 'fpp', '.pf', 'pp.', 'pps', 'ppu', 'ppp', 'upf', 'ppn'].map((cells) => rowWords({ cells }, columns));
  assert.deepEqual(words, [
    'broken by claude', 'fixed by codex, claude', 'added by codex; added, failing, by claude', 'removed by claude', 'skipped by claude', 'unstable with claude', '', '', '',
  ]);
  assert.equal(onlyRan({ name: '', cells: 'pp.', class: 'same' }, columns, new Set(['codex'])).cells, 'ppn');
  assert.deepEqual(['p', 'f', '.', 'z'].map((c) => cellLook(c).word), ['passed', 'failed', 'not there', 'not known']);
});

// Contrast of the theme's colours, as WCAG 2.2 computes it.
function channel(hex: string, at: number): number {
  const c = parseInt(hex.slice(at, at + 2), 16) / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function luminance(hex: string): number {
  return 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Colours of both themes by their names. */
function themes(): Record<string, string>[] {
  const css = readFileSync(process.env['HYDRA_THEME'] ?? 'src/theme.css', 'utf8');
  const blocks = [/:root \{([^}]*)\}/.exec(css)?.[1] ?? '', /:root\[data-theme='dark'\] \{\n([^}]*)\}/.exec(css)?.[1] ?? ''];
  const dark = /not\(\[data-theme='light'\]\) \{\n([^}]*)\}/.exec(css)?.[1] ?? '';
  assert.equal(dark.trim(), blocks[1]?.trim(), 'both ways to dark are the same');
  return blocks.map((block) => Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]])));
}

test('contrasts of the theme, in light and dark', () => {
  for (const colour of themes()) {
    const ratio = (a: string, b: string) => contrast(colour[a] ?? '#000000', colour[b] ?? '#000000');
    for (const ground of ['ground', 'surface', 'hover'])
      for (const text of ['text', 'muted', 'link', 'good', 'fair', 'poor']) assert.ok(ratio(text, ground) >= 4.5, `${text} on ${ground}: ${ratio(text, ground)}`);
    for (let i = 0; i < 16; i++) assert.ok(ratio(`a${i}`, 'surface') >= 4.5, `terminal colour ${i}: ${ratio(`a${i}`, 'surface')}`);
    for (const bar of ['good-bar', 'fair-bar', 'poor-bar', 'border', ...HUES]) for (const ground of ['surface', 'ground']) assert.ok(ratio(bar, ground) >= 3, `${bar} on ${ground}: ${ratio(bar, ground)}`);
    for (const ground of ['added', 'removed', 'added-inner', 'removed-inner', 'hit']) assert.ok(ratio('text', ground) >= 4.5, `text on ${ground}`);
    for (const ground of ['added', 'removed']) for (const word of ['keyword', 'string', 'number']) assert.ok(ratio(`t-${word}`, ground) >= 4.5, `${word} on ${ground}: ${ratio(`t-${word}`, ground)}`);
    for (const look of ['good', 'fair', 'poor']) assert.ok(ratio(look, `${look}-soft`) >= 4.5, `badge ${look}`);
    assert.ok(ratio('accent-text', 'accent') >= 4.5, 'the first button');
  }
});

const HUES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'];

// Matrices turn linear red, green and blue into the colours that an eye perceives, as Machado, Oliveira and Fernandes (2009) model it.
const EYES: Record<string, number[][]> = {
  'all cones': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  'no red ones': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  'no green ones': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  'no blue ones': [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** Oklab of a colour as this eye sees it: black and white are 1 apart. */
function seen(hex: string, eye: number[][]): number[] {
  const light = [1, 3, 5].map((at) => channel(hex, at));
  const [r = 0, g = 0, b = 0] = eye.map((row) => Math.min(1, Math.max(0, row.reduce((sum, x, i) => sum + x * (light[i] ?? 0), 0))));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

test('colours of agents stay apart whichever cones an eye lacks', () => {
  const apart = (a: string, b: string, eye: number[][]) => { const x = seen(b, eye); return Math.hypot(...seen(a, eye).map((v, i) => v - (x[i] ?? 0))); };
  assert.ok(Math.abs(apart('#000000', '#ffffff', EYES['all cones'] ?? []) - 1) < 0.001);
  for (const colour of themes())
    for (const [name, eye] of Object.entries(EYES))
      HUES.forEach((a, i) => HUES.slice(0, i).forEach((b) => {
        const d = apart(colour[a] ?? '', colour[b] ?? '', eye);
        assert.ok(d >= 0.1, `${a} and ${b}, ${name}: ${d}`);
      }));
});

test('an agent keeps its colour in every order, and the first eight differ', () => {
  const names = ['zed', 'ada', 'codex#2', 'codex#1', 'brook', 'cleo', 'dune', 'eve'].map((agent) => ({ agent }));
  const there = hues(names);
  assert.deepEqual(new Map([...hues([...names].reverse())].sort()), new Map([...there].sort()));
  assert.deepEqual([...there.values()].sort(), HUES);
  assert.equal(hues([...names, { agent: 'zoe' }]).get('zoe'), 'c0');
  // A live race has test writers among its agents, a ranking has them apart.
  const [first, ...others] = names;
  assert.deepEqual(hues(racers({ agents: others, testers: [first] } as unknown as Results)), there);
});

/** In seconds after the creation, which is at 1,000 s. */
const ran = (subject: string, kind: string, from: number | null, to: number | null = null): Attempt =>
  ({ attempt: '', subject, kind, number: 1, purpose: '', exit_code: null, started_ms: from === null ? null : (1000 + from) * 1000, ended_ms: to === null ? null : (1000 + to) * 1000 });

test('lanes: work, checks and verification of each agent, and what it waited for between them', () => {
  const { lanes, total, pause } = picture([
    ran('@baseline', 'setup', 0, 4), ran('@baseline@cold', 'build', 30, 31), ran('ada', 'agent', 2, 10), ran('ada', 'build', 12, 15), ran('ada', 'tests', 14, 20), ran('ada@own', 'tests', 22, 24),
    ran('ada#2', 'agent', 3, 5), ran('+0123', 'tests', 25, 27), ran('_4567', 'judge', 26, 29), ran('gone', 'agent', 1, 2), ran('ada', 'lint', null),
  ], ['@baseline', 'ada', 'ada#2', 'eve', '+'], 1_000_000);
  assert.deepEqual(lanes.map((l) => [l.who, l.parts.work, l.parts.checks, l.parts.verification, l.ms.waiting, l.end]), [
    ['@baseline', [], [[0, 4000]], [[30_000, 31_000]], 26_000, 31_000],
    ['ada', [[2000, 10_000]], [[12_000, 20_000]], [[22_000, 24_000]], 6000, 24_000],
    ['ada#2', [[3000, 5000]], [], [], 3000, 5000],
    ['eve', [], [], [], 0, 0],
    ['+', [], [], [[25_000, 29_000]], 0, 29_000],
  ]);
  assert.deepEqual([total, pause], [31_000, 0]);
});

test('lanes of a race that goes on reach to now, and those that have ended do not', () => {
  const { lanes, total } = picture([ran('ada', 'agent', 2), ran('eve', 'agent', 2, 5)], ['ada', 'eve', 'zoe'], 1_000_000, 1_009_000, new Set(['ada', 'zoe']));
  assert.deepEqual(lanes.map((l) => [l.parts.work, l.ms.waiting, l.end]), [[[[2000, 9000]], 2000, 9000], [[[2000, 5000]], 2000, 5000], [[], 9000, 9000]]);
  assert.equal(total, 9000);
});

test('a retry a day later leaves no empty picture: the pause is taken out, of every lane', () => {
  const { lanes, total, pause } = picture([ran('ada', 'agent', 0, 10), ran('eve', 'agent', 0, 4), ran('eve', 'agent', 86_410, 86_420)], ['ada', 'eve'], 1_000_000);
  assert.deepEqual([total, pause], [20_000, 86_400_000]);
  assert.deepEqual(lanes.map((l) => [l.parts.work, l.ms.waiting]), [[[[0, 10_000]], 0], [[[0, 4000], [10_000, 20_000]], 6000]]);
});

test('marks below a picture are six at most, at times people read; what is short can be seen', () => {
  assert.deepEqual([1, 6000, 6001, 59_000, 252_000, 36e5, 8e8].map(step), [1000, 1000, 2000, 10_000, 60_000, 600_000, 172_800_000]);
  assert.equal(path([[0, 500], [1000, 1001]], 2000, 8), 'M0.0 4h250.0v8h-250.0zM500.0 4h2.0v8h-2.0z');
});

test('the usual time of a race: the median of the newest that ended', () => {
  const race = (seconds: number, state = 'done') => ({ race: '', state, created_ms: 1000, ended_ms: 1000 + seconds * 1000, labels: {}, attempts: [] });
  assert.deepEqual(usual([race(1), race(900, 'cancelled'), race(3), race(2)]), { ms: 2000, of: 3 });
  assert.deepEqual(usual([]), { ms: 0, of: 0 });
  assert.deepEqual(usual([...Array.from({ length: 30 }, () => race(9)), ...Array.from({ length: 20 }, () => race(4))]), { ms: 4000, of: 20 });
});

test('the image of a race names agents and figures, and nothing that an agent, a repository or a task says', () => {
  const said: string[] = [];
  const drawn = { font: '', fillStyle: '', fillRect() {}, fill() {}, save() {}, restore() {}, translate() {}, scale() {}, measureText: (text: string) => ({ width: text.length * 12 }), fillText: (text: string) => said.push(text) };
  Object.assign(globalThis, { Path2D: class {} });
  const secret = 'SECRET/path';
  const agent = (name: string, display: string, rank: number) => ({
    agent: name, display, model: secret, branch: secret, commit: secret, message: secret, final_text: secret, question: secret, warnings: [secret], flags: [secret], rank, composite: rank > 0 ? 100 - rank : null,
    diff: { lines_added: 10, lines_removed: 2, files_changed: 1 }, duration_seconds: 36, cost_usd: 0.42, cost_estimated: true,
  });
  const race = {
    race: secret, task: secret, repository: secret, base: secret, reason: secret, notes: [secret], created_ms: 0, duration_seconds: 252, winner: 'ada', verdict: 'ada wins: fixes 1 of 1 failing test with 12 lines; eve breaks 1 test; every other result is not eligible.',
    agents: [agent('ada', 'Ada \u202eevil', 1), agent('mixed', `ada:${secret}, eve:tests/`, 2), agent('eve', 'E'.repeat(80), 0), ...['b', 'c', 'd', 'e', 'f'].map((n) => agent(n, n, 0))],
  } as unknown as Results;
  paint(drawn as unknown as CanvasRenderingContext2D, race, [ran('ada', 'agent', -998, -990)], () => '#000000');
  const all = said.join('\n');
  assert.ok(!all.includes('SECRET') && !all.includes('\u202e'), all);
  assert.match(all, /Hydra race · 8 agents · 4m 12s[\s\S]*ada wins: fixes 1 of 1 failing test with 12 lines;[\s\S]*#1 Ada ‹202e›evil\n99\.0\n\+10 −2 · 36s · ~\$0\.42\n#2 mixed\n/);
  assert.match(all, /\nE+…\n[\s\S]*and 1 more\nwork\nchecks\nverification$/);
});

test('members that the bundle renames are in no answer of the daemon', () => {
  const root = `${process.env['HYDRA_THEME'] ?? 'src/theme.css'}/../../..`;
  const [, list = ''] = /set\(members "([^"]*)"\)/.exec(readFileSync(join(root, 'cmake/EmbedAssets.cmake'), 'utf8')) ?? [];
  const renamed = new RegExp(`^${list.replaceAll('\\\n', '')}$`);
  assert.ok(renamed.test('memoizedState') && renamed.test('isBackwards') && renamed.test('useState'));
  const names = [...readFileSync(join(root, 'docs/openapi.json'), 'utf8').matchAll(/"(\w+)":/g)].map((m) => m[1] ?? '');
  assert.ok(names.length > 1000);
  assert.deepEqual(names.filter((name) => renamed.test(name)), []);
});
