// Two results beside each other, line by line along the base.
import { useMemo, useRef, useState } from 'react';
import { compareFiles, threeWay, type CompareRow, type ComparedFile } from '../lib/compare.ts';
import { parseDiff } from '../lib/diff.ts';
import { hues, racers } from '../lib/hue.ts';
import { href } from '../lib/route.ts';
import { rulesFor } from '../lib/syntax.ts';
import { clean } from '../lib/text.ts';
import type { Results } from '../lib/types.ts';
import { replaceRoute, useApp, useLoad, useRoute } from '../ui/context.ts';
import { Code, ROW } from '../ui/diffrows.tsx';
import { FileList } from '../ui/filelist.tsx';
import { Delta, Empty, Failure, Said, Waiting } from '../ui/said.tsx';
import { Rows, type RowsHandle } from '../ui/rows.tsx';
import { Stepper } from '../ui/stepper.tsx';

type Mode = 'split' | 'three' | 'uni';

function Column({ row, side, rules }: { row: CompareRow; side: 'a' | 'b' | 'base'; rules: RegExp | undefined }) {
  const text = row[side];
  const differs = side === 'base' ? (row.a === undefined || row.b === undefined) && row.base !== undefined : false;
  if (text === undefined) return <div className={`dl half ${row.base !== undefined && side !== 'base' ? 'removed' : 'nothing'}`}>{row.base !== undefined && side !== 'base' ? <><span className="no" /><span className="sign" role="img" aria-label="removed">−</span><span className="text"><Code text={row.base} rules={rules} /></span></> : null}</div>;
  const look = row.base === undefined ? 'added' : differs ? 'hunkish' : 'context';
  return (
    <div className={`dl half ${look}${row.same && row.base === undefined ? ' same' : ''}`}>
      <span className="no">{row.at || ''}</span>
      <span className="sign" aria-hidden="true">{row.base === undefined ? (row.same ? '=' : '+') : ' '}</span>
      <span className="text"><Code text={text} rules={rules} /></span>
    </div>
  );
}

const WHERE: Record<ComparedFile['where'], string> = { both: 'both', a: 'only A', b: 'only B' };

function FileCompare({ file, mode, one, left, right, hue }: { file: ComparedFile; mode: Mode; one: 'a' | 'b'; left: string; right: string; hue(side: 'a' | 'b'): string | undefined }) {
  const rows = useMemo(() => threeWay(file.a, file.b), [file]);
  const handle = useRef<RowsHandle>(null);
  const rules = rulesFor(file.path);
  const changes = useMemo(() => rows.flatMap((r, i) => {
    const differs = (x: CompareRow | undefined) => x !== undefined && !x.gap && !(x.a === x.b && x.a === x.base);
    return differs(r) && !differs(rows[i - 1]) ? [i] : [];
  }), [rows]);
  const step = (by: 1 | -1) => {
    const here = handle.current?.at() ?? 0;
    const to = by > 0 ? changes.find((c) => c > here) : changes.findLast((c) => c < here);
    if (to !== undefined) handle.current?.show(to);
  };
  const sides: ('a' | 'b' | 'base')[] = mode === 'three' ? ['a', 'base', 'b'] : mode === 'split' ? ['a', 'b'] : [one];
  const names = { a: left, b: right, base: 'Base' };
  if (file.a?.binary || file.b?.binary) return <Empty title="A binary file" />;
  return (
    <>
      <div className="toolbar slim" role="toolbar" aria-label="Changes">
        <Stepper what="Change" keys={['p', 'n']} step={step} />
        {file.equal && <span className="good">✓ both made the same change</span>}
      </div>
      <div className={`sidenames n${sides.length}`}>{sides.map((s) => <strong key={s} className={s === 'base' ? '' : `hued ${hue(s)}`}><Said text={names[s]} most={60} />{s !== 'base' && <span className="muted"> <Delta added={file[s]?.added ?? 0} removed={file[s]?.removed ?? 0} /></span>}</strong>)}</div>
      <Rows
        className={`code diff n${sides.length}`} count={rows.length} height={ROW} label={`${clean(file.path)}, compared`} handle={handle}
        row={(i) => {
          const row = rows[i];
          if (!row) return null;
          if (row.gap) return <div className="dl hunk"><span className="no" /><span className="text">line {row.at}</span></div>;
          return <div className="pair">{sides.map((s) => <Column key={s} row={row} side={s} rules={rules} />)}</div>;
        }}
      />
    </>
  );
}

export function ComparePage({ race, results, a, b }: { race: string; results: Results; a: string; b: string }) {
  const { source } = useApp();
  const { query } = useRoute();
  const mode = (['split', 'three', 'uni'] as const).find((m) => m === query.get('mode')) ?? (innerWidth < 700 ? 'uni' : 'split');
  const [one, setOne] = useState<'a' | 'b'>('a');
  const { data, error, again } = useLoad(`${race} ${a} ${b}`, () => Promise.all([source.diff(race, a), source.diff(race, b)]));
  const files = useMemo(() => data && compareFiles(parseDiff(data[0]), parseDiff(data[1])), [data]);
  const colours = hues(racers(results));
  const display = (agent: string) => clean(results.agents.find((x) => x.agent === agent)?.display ?? agent);
  const to = (over: Record<string, string>) => href(['race', race, 'compare', a, b], { file: query.get('file') ?? '', mode: query.get('mode') ?? '', ...over });
  const choose = (side: 'a' | 'b') => (
    <select aria-label={side === 'a' ? 'Left result' : 'Right result'} value={side === 'a' ? a : b}
      onChange={(e) => { location.hash = href(['race', race, 'compare', side === 'a' ? e.target.value : a, side === 'b' ? e.target.value : b]); }}>
      {results.agents.map((x) => <option key={x.agent} value={x.agent} disabled={x.agent === (side === 'a' ? b : a)}>{clean(x.display)}</option>)}
    </select>
  );
  const at = Math.max(0, files?.findIndex((f) => f.path === query.get('file')) ?? 0);
  const file = files?.[at];
  const side = file && file.where !== 'both' ? file.where : one;
  const open = (i: number) => {
    const next = files?.[Math.max(0, Math.min(files.length - 1, i))];
    if (next) replaceRoute(to({ file: next.path }));
  };
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Compare">
        <span className="versus">{choose('a')} <span className="muted">vs</span> {choose('b')}</span>
        <div className="seg" role="group" aria-label="Columns">
          <button type="button" aria-pressed={mode === 'split'} data-key={mode === 'split' ? undefined : 'u'} onClick={() => replaceRoute(to({ mode: 'split' }))}>A | B</button>
          <button type="button" aria-pressed={mode === 'three'} onClick={() => replaceRoute(to({ mode: 'three' }))}>with base</button>
          <button type="button" aria-pressed={mode === 'uni'} data-key={mode === 'split' ? 'u' : undefined} onClick={() => replaceRoute(to({ mode: 'uni' }))}>one</button>
        </div>
        {mode === 'uni' && file?.where === 'both' && <button type="button" onClick={() => setOne(one === 'a' ? 'b' : 'a')}>Show {display(one === 'a' ? b : a)}</button>}
        <Stepper what="File" keys={['[', ']']} step={(by) => open(at + by)} />
      </div>
      {error && !files ? <Failure error={error} again={again} /> : !files ? <Waiting what="Reading both diffs" />
        : !file ? <Empty title="Neither changed anything" />
        : (
          <div className="diffpage">
            <FileList current={at} open={open} files={files.map((f) => ({
              path: f.path, note: f.equal ? 'same in both' : WHERE[f.where], added: (f.a?.added ?? 0) + (f.b?.added ?? 0), removed: (f.a?.removed ?? 0) + (f.b?.removed ?? 0),
              flagged: results.agents.some((x) => (x.agent === a || x.agent === b) && x.integrity?.findings.some((y) => y.path === f.path)),
            }))} />
            <div className="diffbox"><FileCompare key={file.path} file={file} mode={mode} one={side} left={display(a)} right={display(b)} hue={(s) => colours.get(s === 'a' ? a : b)} /></div>
          </div>
        )}
    </>
  );
}

/** Which two: the first two of the ranking, until others are chosen. */
export function CompareStart({ race, results }: { race: string; results: Results }) {
  const there = results.agents.filter((x) => x.diff.files_changed > 0);
  const [a, b] = there;
  if (!a || !b) return <Empty title="Nothing to compare"><p className="muted">Two results with changes are needed.</p></Empty>;
  return <ComparePage race={race} results={results} a={a.agent} b={b.agent} />;
}
