// Two candidates' diffs against the same base, line by line: base / A / B.
import type { DiffFile, DiffRow } from './diff.ts';

export interface CompareRow {
  /** Line in the base, 0 for what only candidates have. */
  at: number;
  base: string | undefined;
  a: string | undefined;
  b: string | undefined;
  /** Both differ from the base in the same way. */
  same: boolean;
  gap: boolean;
}

export interface ComparedFile {
  path: string;
  where: 'both' | 'a' | 'b';
  /** Both made the very same change of it. */
  equal: boolean;
  a: DiffFile | undefined;
  b: DiffFile | undefined;
}

export function compareFiles(a: readonly DiffFile[], b: readonly DiffFile[]): ComparedFile[] {
  const right = new Map(b.map((f) => [f.path, f]));
  const key = (f: DiffFile) => JSON.stringify([f.status, f.binary, f.rows.map((r) => [r.kind, r.old, r.text])]);
  const files: ComparedFile[] = a.map((f) => {
    const other = right.get(f.path);
    const equal = other !== undefined && !f.binary && key(f) === key(other);
    return { path: f.path, where: other ? 'both' : 'a', equal, a: f, b: other };
  });
  const left = new Set(a.map((f) => f.path));
  for (const f of b) if (!left.has(f.path)) files.push({ path: f.path, where: 'b', equal: false, a: undefined, b: f });
  return files.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0));
}

interface Side {
  /** Base lines that it took away. */
  removed: Set<number>;
  /** Lines that the result inserted before this line of the base. */
  added: Map<number, string[]>;
  /** Base lines that its hunks show. */
  known: Map<number, string>;
}

function sideOf(file: DiffFile | undefined): Side {
  const side: Side = { removed: new Set(), added: new Map(), known: new Map() };
  let next = 1; // the base line before which an addition stands
  const add = (row: DiffRow) => {
    const list = side.added.get(next);
    if (list) list.push(row.text);
    else side.added.set(next, [row.text]);
  };
  for (const row of file?.rows ?? []) {
    if (row.kind === 'hunk') next = row.old;
    else if (row.kind === 'added') add(row);
    else if (row.kind === 'removed' || row.kind === 'context') {
      side.known.set(row.old, row.text);
      if (row.kind === 'removed') side.removed.add(row.old);
      next = row.old + 1;
    }
  }
  return side;
}

/** The rows of one file in base order. Where only one has a hunk, the other holds the base's lines. */
export function threeWay(a: DiffFile | undefined, b: DiffFile | undefined): CompareRow[] {
  const left = sideOf(a);
  const right = sideOf(b);
  const lines = new Set([...left.known.keys(), ...right.known.keys(), ...left.added.keys(), ...right.added.keys()]);
  const rows: CompareRow[] = [];
  let before = 0;
  for (const at of [...lines].sort((x, y) => x - y)) {
    if (rows.length > 0 && at > before + 1)
      rows.push({ at, base: undefined, a: undefined, b: undefined, same: false, gap: true });
    before = at;
    const inA = left.added.get(at) ?? [];
    const inB = right.added.get(at) ?? [];
    for (let i = 0; i < Math.max(inA.length, inB.length); i++)
      rows.push({ at: 0, base: undefined, a: inA[i], b: inB[i], same: inA[i] === inB[i], gap: false });
    const base = left.known.get(at) ?? right.known.get(at);
    if (base === undefined) continue;
    const goneA = left.removed.has(at);
    const goneB = right.removed.has(at);
    rows.push({ at, base, a: goneA ? undefined : base, b: goneB ? undefined : base, same: goneA === goneB, gap: false });
  }
  return rows;
}
