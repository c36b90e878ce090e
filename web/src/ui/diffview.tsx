// A whole diff in one windowed box: its files one after the other, each under its head.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { sideBySide, type DiffFile, type DiffRow, type SideRow } from '../lib/diff.ts';
import type { Comment } from '../lib/review.ts';
import { clean } from '../lib/text.ts';
import { rulesFor } from '../lib/syntax.ts';
import type { Finding } from '../lib/types.ts';
import { Half, ROW, Unified } from './diffrows.tsx';
import { FileList } from './filelist.tsx';
import { Rows, type RowsHandle } from './rows.tsx';
import { Delta, Said } from './said.tsx';
import { Stepper } from './stepper.tsx';

interface Flat {
  file: number;
  row: DiffRow | undefined;
  side: SideRow | undefined;
}

/** Every row of every file; a row without content is a file's head. */
function flatten(files: readonly DiffFile[], split: boolean): { rows: Flat[]; heads: number[]; hunks: number[] } {
  const rows: Flat[] = [];
  const heads: number[] = [];
  const hunks: number[] = [];
  files.forEach((f, file) => {
    heads.push(rows.length);
    rows.push({ file, row: undefined, side: undefined });
    if (f.rows.length === 0) hunks.push(rows.length - 1);
    const note = (r: DiffRow | undefined) => r?.kind === 'hunk' && hunks.push(rows.length);
    if (split) for (const side of sideBySide(f.rows)) (note(side.left), rows.push({ file, row: undefined, side }));
    else for (const row of f.rows) (note(row), rows.push({ file, row, side: undefined }));
  });
  return { rows, heads, hunks };
}

const WORDS: Record<DiffFile['status'], string> = { M: '', A: 'new', D: 'deleted', R: 'renamed', T: 'type changed' };

export function fileNote(f: DiffFile): string {
  return [WORDS[f.status], f.binary ? 'binary' : ''].filter((w) => w !== '').join(', ');
}

interface DiffProps {
  files: readonly DiffFile[];
  findings: readonly Finding[];
  start: string;
  notes: readonly Comment[];
  /** A line of the result to comment on. */
  pick?: ((path: string, line: number) => void) | undefined;
  children?: ReactNode;
}

export function DiffView({ files, findings, start, notes, pick, children }: DiffProps) {
  const narrow = innerWidth < 900;
  const [split, setSplit] = useState(!narrow);
  const handle = useRef<RowsHandle>(null);
  const begin = Math.max(0, files.findIndex((f) => f.path === start));
  const [at, setAt] = useState(begin);
  const { rows, heads, hunks } = useMemo(() => flatten(files, split), [files, split]);
  const flags = useMemo(() => new Map([...findings.map((f) => ({ ...f, text: `${f.rule}: ${f.reason}` })), ...notes].map((f) => [`${f.path}:${f.line}`, clean(f.text)])), [findings, notes]);
  const rules = useMemo(() => files.map((f) => rulesFor(f.path)), [files]);
  const show = (row: number | undefined) => row !== undefined && handle.current?.show(row);
  // Where a jump leads to is the file that was asked for, though the box begins with the end of the one before.
  const asked = useRef(-1);
  const open = (i: number) => {
    const to = Math.max(0, Math.min(files.length - 1, i));
    setAt(to);
    asked.current = to;
    show(heads[to]);
  };
  const jumped = useRef(false);
  const range = (r: { first: number; end: number }) => {
    if (!jumped.current && start !== '') {
      jumped.current = true;
      open(begin);
    } else if (asked.current >= 0) {
      setAt(asked.current);
      asked.current = -1;
    } else setAt(rows[Math.min(rows.length - 1, r.first + (r.first > 0 ? 12 : 0))]?.file ?? 0);
  };
  const step = (by: 1 | -1) => {
    const here = handle.current?.at() ?? 0;
    show(by > 0 ? hunks.find((h) => h > here) : hunks.findLast((h) => h < here));
  };
  const picked = (file: number, row: DiffRow | undefined) => {
    const path = files[file]?.path;
    return pick && path !== undefined && row && row.now > 0 ? () => getSelection()?.isCollapsed !== false && pick(path, row.now) : undefined;
  };
  // By keyboard: the first line in view that the result has.
  const first = () => rows.slice(handle.current?.at() ?? 0).map((r) => picked(r.file, r.row ?? r.side?.right)).find((go) => go)?.();
  const flagOf = (file: number, row: DiffRow | undefined) => row && row.now > 0 ? flags.get(`${files[file]?.path}:${row.now}`) : undefined;
  return (
    <div className="diffpage">
      <FileList
        current={at} open={open}
        files={files.map((f) => ({ path: f.path, note: fileNote(f), added: f.added, removed: f.removed, flagged: findings.some((x) => x.path === f.path) }))}
      />
      <div className="diffbox">
        <div className="toolbar" role="toolbar" aria-label="Diff">
          <Stepper what="File" keys={['[', ']']} step={(by) => open(at + by)} />
          <Stepper what="Change" keys={['p', 'n']} step={step} />
          <button type="button" className="end" data-key="u" aria-pressed={split} onClick={() => setSplit(!split)}>Side by side</button>
          {pick && <button type="button" data-key="c" onClick={first}>Comment</button>}
          {children}
        </div>
        <Rows
          className={`code diff${split ? ' split' : ''}`} count={rows.length} height={ROW} label="Changed lines" handle={handle} onRange={range}
          row={(i) => {
            const flat = rows[i];
            const f = flat && files[flat.file];
            if (!flat || !f) return null;
            const rule = rules[flat.file];
            if (flat.side)
              return (
                <div className="pair">
                  <Half row={flat.side.left?.kind === 'added' ? undefined : flat.side.left} side="old" rules={rule} flag={undefined} />
                  <Half row={flat.side.right} side="now" rules={rule} flag={flagOf(flat.file, flat.side.right)} pick={picked(flat.file, flat.side.right)} />
                </div>
              );
            if (flat.row) return <Unified row={flat.row} rules={rule} flag={flagOf(flat.file, flat.row)} pick={picked(flat.file, flat.row)} />;
            return (
              <div className="dl filehead">
                <strong><Said text={f.from !== '' ? `${f.from} → ${f.path}` : f.path} most={300} /></strong>
                <span className="muted"> {fileNote(f)} <Delta added={f.added} removed={f.removed} /></span>
              </div>
            );
          }}
        />
      </div>
    </div>
  );
}
