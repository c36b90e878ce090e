// Tests by name across agents: what a letter of the table means.
import type { TestRow } from './types.ts';

export interface CellLook {
  glyph: string;
  word: string;
  look: string;
}

const LOOKS: Record<string, CellLook> = {
  p: { glyph: '✓', word: 'passed', look: 'good' },
  f: { glyph: '✗', word: 'failed', look: 'poor' },
  e: { glyph: '✗', word: 'error', look: 'poor' },
  s: { glyph: '–', word: 'skipped', look: 'muted' },
  u: { glyph: '≈', word: 'unstable', look: 'fair' },
  n: { glyph: '', word: 'not run', look: 'muted' },
  '.': { glyph: '·', word: 'not there', look: 'muted' },
  '-': { glyph: '·', word: 'not there', look: 'muted' },
};

const UNKNOWN: CellLook = { glyph: '?', word: 'not known', look: 'muted' };

export function cellLook(letter: string): CellLook {
  return LOOKS[letter] ?? UNKNOWN;
}

/** The row, with the agents whose tests did not run marked: what they do not have they did not remove. */
export function onlyRan(row: TestRow, columns: readonly string[], ran: ReadonlySet<string>): TestRow {
  return { ...row, cells: columns.map((c, i) => (c === '@baseline' || ran.has(c) ? (row.cells[i] ?? '.') : 'n')).join('') };
}

/** "fixed by codex, claude; broken by cursor". */
export function rowWords(row: Pick<TestRow, 'cells'>, columns: readonly string[]): string {
  const base = row.cells[0] ?? '.';
  const ok = (c: string) => c === 'p';
  const by = new Map<string, string[]>();
  columns.slice(1).forEach((agent, i) => {
    const cell = row.cells[i + 1] ?? '.';
    if (cell === base || cell === 'n' || (base === 'u' && cell !== '.')) return;
    const word =
      cell === 'u' ? 'unstable with'
      : base === '.' || base === '-' ? (ok(cell) ? 'added by' : 'added, failing, by')
      : cell === '.' || cell === '-' ? 'removed by'
      : cell === 's' ? 'skipped by'
      : ok(cell) ? 'fixed by'
      : ok(base) ? 'broken by'
      : 'changed by';
    by.set(word, [...(by.get(word) ?? []), agent]);
  });
  return [...by].map(([word, agents]) => `${word} ${agents.join(', ')}`).join('; ');
}

/** The part of a test's name that its runner prints: the last one, without module and class. */
export function needle(name: string): string {
  const last = name.split(/::|\/| › /).at(-1) ?? name;
  return /\s/.test(last) ? last : (last.split('.').at(-1) ?? last);
}
