// Evidence about results (docs/selection.md): its words, and the table of whose tests pass on whose code.
import { words } from './format.ts';
import { count } from './text.ts';
import type { AgentResult, Evidence, Results } from './types.ts';

export type Cell = NonNullable<Evidence['cells']>[number];
export type Author = NonNullable<Evidence['authors']>[number];

const LOOKS: Record<string, string> = { confirmed: 'good', good: 'good', some: 'fair', disputed: 'poor' };

/** How a word of confidence looks; words of nothing are plain. */
export function confidenceLook(word: string): string {
  return LOOKS[word] ?? 'plain';
}

const REASONS: Record<string, string> = {
  off: 'cross tests are off for this race', no_new_tests: 'no result brought its own tests',
  no_tests_fail_before: 'no test of the race fails without the change',
};

/** The sentence behind the word; the word stands beside it, and the page shows the table that it names. */
export function confidenceText(agent: AgentResult): string {
  const c = agent.confidence;
  const text = (c?.text ?? '').replace(' (hydra explain --matrix)', '');
  return c?.word && text.startsWith(`${c.word}: `) ? text.slice(c.word.length + 2) : text;
}

/** Why there is none, or why it gives no points; empty where nothing is to be said. */
export function whyNot(evidence: Evidence | undefined): string {
  const reason = evidence?.state === 'measured' ? evidence.points_reason : evidence?.reason;
  return reason ? (REASONS[reason] ?? words(reason)) : '';
}

/** "4 tests of 2 authors fail without the change; of the others’ Ada passes 3 of 3, Brook 1 of 3". */
export function evidenceWords(results: Results, name: (agent: AgentResult) => string): string {
  const authors = (results.evidence?.authors ?? []).filter((a) => (a.fails_before ?? 0) > 0);
  if (authors.length === 0) return '';
  const tests = authors.reduce((n, a) => n + (a.fails_before ?? 0), 0);
  const who = results.agents.flatMap((a) => {
    const { tests_passed: passed = 0, tests_failed: failed = 0 } = a.confidence?.facts ?? {};
    return a.eligible && passed + failed > 0 ? [{ name: name(a), passed, all: passed + failed }] : [];
  });
  const said = who.map((w, i) => `${w.name} ${i === 0 ? 'passes ' : ''}${w.passed} of ${w.all}`);
  return `${count(tests, 'test')} of ${count(authors.length, 'author')} ${tests === 1 ? 'fails' : 'fail'} without the change${said.length > 0 ? `; of the others’ ${said.join(', ')}` : ''}`;
}

/** Columns of the table: the base, then the results that somebody's tests ran on, in the order of the ranking. */
export function crossColumns(results: Results): string[] {
  const there = new Set((results.evidence?.cells ?? []).map((c) => c.result));
  return ['@baseline', ...results.agents.map((a) => a.agent).filter((a) => there.has(a))];
}

export function crossCell(evidence: Evidence | undefined, author: string, result: string): Cell | undefined {
  return evidence?.cells?.find((c) => c.author === author && c.result === result);
}

/** "2/3" of the tests that count, and how that looks; "–" where none ran, or none had contact. */
export function tally(cell: Cell | undefined): { text: string; look: string; words: string } {
  const passed = cell?.passed ?? 0;
  const ran = passed + (cell?.failed ?? 0);
  if (ran === 0) return { text: '–', look: 'muted', words: (cell?.no_contact ?? 0) > 0 ? 'no contact' : 'nothing ran' };
  return { text: `${passed}/${ran}`, look: passed === ran ? 'good' : passed === 0 ? 'poor' : 'fair', words: `passes ${passed} of ${ran}` };
}

const STATUS: Record<string, { glyph: string; look: string; word: string }> = {
  pass: { glyph: '✓', look: 'good', word: 'passes' }, fail: { glyph: '✗', look: 'poor', word: 'fails' },
  no_contact: { glyph: '○', look: 'muted', word: 'no contact' }, unstable: { glyph: '≈', look: 'fair', word: 'unstable' },
};

export function statusLook(status: string | undefined): { glyph: string; look: string; word: string } {
  return STATUS[status ?? ''] ?? { glyph: '·', look: 'muted', word: 'not run' };
}

const CLASSES: Record<string, string> = {
  fails_before: 'fails before', no_contact_before: 'could not run before', passes_before: 'passes before: a regression check',
  alone: 'green for nobody else: counts half', void: 'does not count',
};

export function classWords(name: string | undefined): string {
  return CLASSES[name ?? ''] ?? words(name ?? '');
}

/** The facts behind a word, in the order of their weight; without those that are zero. */
export function facts(agent: AgentResult): string[] {
  const f = agent.confidence?.facts ?? {};
  const n = (value: number | undefined, words: (v: number) => string) => (value ? [words(value)] : []);
  return [
    ...n(f.hidden_failed, (v) => `${count(v, 'hidden test')} failed`), ...n(f.hidden_passed, (v) => `${count(v, 'hidden test')} passed`),
    ...n(f.tests_failed, (v) => `${count(v, 'test')} of others failed`), ...n(f.tests_passed, (v) => `${count(v, 'test')} of others passed`),
    ...n(f.left_failing, (v) => `${count(v, 'test')} of the base left failing that another fixes`), ...n(f.broken, (v) => `${count(v, 'test')} of the base broken`),
    ...n(f.broken_alone, (v) => `${count(v, 'test')} of the base broken that another passes`), ...n(f.out_of_contact, (v) => `no contact with ${count(v, 'test')} that others share`),
    ...n(f.fixed, (v) => `${count(v, 'test')} of the base fixed`), ...n(f.own_tests, (v) => count(v, 'own test')),
    ...((f.alike ?? 0) > 1 ? [`${f.alike} of ${f.results} results behave the same`] : []),
    ...(f.rivals?.length ? [`nothing but tests written in this race tells it from ${f.rivals.join(', ')}`] : []),
  ];
}
