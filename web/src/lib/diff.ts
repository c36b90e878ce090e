// A unified diff of git as files and rows.
export type RowKind = 'context' | 'added' | 'removed' | 'hunk' | 'note';

export interface DiffRow {
  kind: RowKind;
  /** Line in the old and in the new file; 0 where it has none. */
  old: number;
  now: number;
  text: string;
  /** Of a removed line and the added one beside it: what differs, [from, to) of this text. */
  inner?: [number, number];
}

export interface DiffFile {
  path: string;
  /** Where it came from, if that is another path. */
  from: string;
  status: 'M' | 'A' | 'D' | 'R' | 'T';
  binary: boolean;
  added: number;
  removed: number;
  rows: DiffRow[];
}

/** git's quoting of names with unusual bytes: "a/\303\244.txt". */
export function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const named: Record<string, number> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '"': 34, '\\': 92 };
  const bytes: number[] = [];
  const body = name.slice(1, -1);
  const encoder = new TextEncoder();
  for (let i = 0; i < body.length; i++) {
    if (body[i] !== '\\') {
      const point = String.fromCodePoint(body.codePointAt(i) ?? 0);
      bytes.push(...encoder.encode(point));
      i += point.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(body.slice(i + 1, i + 4))?.[0];
    if (octal) bytes.push(parseInt(octal, 8));
    else bytes.push(named[body[i + 1] ?? ''] ?? 63);
    i += octal ? 3 : 1;
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const stripped = (name: string) => unquote(name.trimEnd()).replace(/^[ab]\//, '');

/** "diff --git a/x b/x" where no other line says the name: both halves are the same. */
function nameOf(header: string): string {
  const rest = header.slice('diff --git '.length);
  if (rest.startsWith('"')) return stripped(/^"(?:\\.|[^"\\])*"/.exec(rest)?.[0] ?? rest);
  return rest.slice(2, 2 + (rest.length - 5) / 2);
}

/** The middle of both lines, without their common beginning and end. */
function markInner(a: DiffRow, b: DiffRow): void {
  const most = Math.min(a.text.length, b.text.length);
  let head = 0;
  while (head < most && a.text[head] === b.text[head]) head++;
  let tail = 0;
  while (tail < most - head && a.text.at(-1 - tail) === b.text.at(-1 - tail)) tail++;
  if (head + tail < most / 4) return; // nothing much in common: the whole line says it better
  a.inner = [head, a.text.length - tail];
  b.inner = [head, b.text.length - tail];
}

/** Pairs each run of removed lines with the added lines after it. */
function pair(rows: DiffRow[]): void {
  for (let i = 0; i < rows.length; i++) {
    if (rows[i]?.kind !== 'removed') continue;
    let split = i;
    while (rows[split]?.kind === 'removed') split++;
    let end = split;
    while (rows[end]?.kind === 'added') end++;
    for (let k = 0; i + k < split && split + k < end; k++) {
      const a = rows[i + k];
      const b = rows[split + k];
      if (a && b) markInner(a, b);
    }
    i = Math.max(i, end - 1);
  }
}

function header(file: DiffFile, line: string): void {
  if (line.startsWith('new file')) file.status = 'A';
  else if (line.startsWith('deleted file')) file.status = 'D';
  else if (line.startsWith('rename from ')) (file.status = 'R'), (file.from = unquote(line.slice(12)));
  else if (line.startsWith('rename to ')) file.path = unquote(line.slice(10));
  else if (line.startsWith('--- ') && line !== '--- /dev/null') file.path = stripped(line.slice(4));
  else if (line.startsWith('+++ ') && line !== '+++ /dev/null') file.path = stripped(line.slice(4));
  else if (line.startsWith('Binary files') || line.startsWith('GIT binary patch')) file.binary = true;
  else if (/^(old|new) mode /.test(line)) file.rows.push({ kind: 'note', old: 0, now: 0, text: line });
}

export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let old = 0, now = 0, leftOld = 0, leftNow = 0;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (file && (leftOld > 0 || leftNow > 0)) {
      // Inside a hunk by its counts: '--- x' and '+++ x' are content here.
      const body = line.slice(1);
      if (line[0] === '+') (file.rows.push({ kind: 'added', old: 0, now: now++, text: body }), leftNow--, file.added++);
      else if (line[0] === '-') (file.rows.push({ kind: 'removed', old: old++, now: 0, text: body }), leftOld--, file.removed++);
      else if (line[0] === '\\') file.rows.push({ kind: 'note', old: 0, now: 0, text: line.slice(2) });
      else (file.rows.push({ kind: 'context', old: old++, now: now++, text: body }), leftOld--, leftNow--);
      continue;
    }
    if (line.startsWith('diff --git ')) {
      const path = nameOf(line);
      file = { path, from: '', status: 'M', binary: false, added: 0, removed: 0, rows: [] };
      files.push(file);
      continue;
    }
    if (!file) continue;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line);
    if (hunk) {
      old = Number(hunk[1]);
      now = Number(hunk[3]);
      leftOld = Number(hunk[2] ?? 1);
      leftNow = Number(hunk[4] ?? 1);
      // "-3,0" stands behind line 3: what it adds comes before line 4.
      file.rows.push({ kind: 'hunk', old: leftOld === 0 ? old + 1 : old, now, text: (hunk[5] ?? '').trim() });
    } else if (line.startsWith('\\')) file.rows.push({ kind: 'note', old: 0, now: 0, text: line.slice(2) });
    else header(file, line);
  }
  for (const each of files) pair(each.rows);
  return files;
}

/** A row of two columns; either side may be empty. */
export interface SideRow {
  left: DiffRow | undefined;
  right: DiffRow | undefined;
}

/** The rows side by side: runs of removed lines beside the added ones after them. */
export function sideBySide(rows: readonly DiffRow[]): SideRow[] {
  const out: SideRow[] = [];
  for (let i = 0; i < rows.length; ) {
    const row = rows[i];
    if (!row) break;
    if (row.kind !== 'removed' && row.kind !== 'added') {
      out.push({ left: row, right: row });
      i++;
      continue;
    }
    const removed: DiffRow[] = [];
    const added: DiffRow[] = [];
    for (let r = rows[i]; r?.kind === 'removed'; r = rows[++i]) removed.push(r);
    for (let r = rows[i]; r?.kind === 'added'; r = rows[++i]) added.push(r);
    for (let k = 0; k < Math.max(removed.length, added.length); k++) out.push({ left: removed[k], right: added[k] });
  }
  return out;
}
