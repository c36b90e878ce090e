// One log: search, jump to what failed, raw download.
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { plain } from '../lib/ansi.ts';
import { isFailure, parseLines } from '../lib/failure.ts';
import { href } from '../lib/route.ts';
import { clean, runName } from '../lib/text.ts';
import type { LogPlace } from '../lib/source.ts';
import { replaceRoute, useApp, useLoad, useRoute } from '../ui/context.ts';
import { useLog } from '../ui/logdata.ts';
import { WholeLog } from '../ui/logview.tsx';
import { save } from '../ui/save.ts';
import { Empty, Failure, Said, Waiting } from '../ui/said.tsx';

/** Other runs: of other agents, of other attempts, of other kinds. */
function Runs({ race, subject, kind, attempt }: { race: string; subject: string; kind: string; attempt: string }) {
  const { source } = useApp();
  const { data } = useLoad(`attempts ${race}`, () => source.attempts(race));
  if (!data || data.length === 0) return null;
  const same = data.filter((a) => a.subject === subject && a.kind === kind);
  return (
    <select
      aria-label="Another run" value={data.some((a) => a.attempt === attempt) ? attempt : (same.at(-1)?.attempt ?? '')}
      onChange={(e) => {
        const to = data.find((a) => a.attempt === e.target.value);
        if (to) location.hash = href(['race', race, 'agent', to.subject, 'log', to.kind], { attempt: to.attempt });
      }}
    >
      {same.length === 0 && <option value="">other runs</option>}
      {data.map((a) => <option key={a.attempt} value={a.attempt}>{clean(`${runName(a.subject, a.purpose)} ${a.kind}${a.number > 1 ? ` #${a.number}` : ''}${a.exit_code === null ? '' : `, exit ${a.exit_code}`}`)}</option>)}
    </select>
  );
}

const KINDS = ['agent', 'setup', 'build', 'tests', 'lint'];

export function LogPage({ race, subject, kind, tick }: { race: string; subject: string; kind: string; tick: unknown }) {
  const { source } = useApp();
  const { query } = useRoute();
  // Set-ups and checks have one log: what they write as errors stands in it where it came.
  const apart = kind === 'agent';
  const stream = apart && query.get('stream') === 'err' ? 'err' : 'out';
  const attempt = query.get('attempt') ?? '';
  const place = useMemo<LogPlace>(() => ({ subject, kind, stream, attempt: attempt || undefined }), [subject, kind, stream, attempt]);
  const [log, version] = useLog(race, place, tick);
  const [text, setText] = useState(query.get('q') ?? '');
  const wanted = useDeferredValue(text);
  const [at, setAt] = useState(-1);
  const hits = useMemo(() => (wanted === '' ? [] : log.find(wanted)), [wanted, version]);
  const failures = useMemo(() => log.lines.flatMap((l, i) => (isFailure(plain(l)) ? [i] : [])), [version]);
  // The page shows the first match; Enter shows the next one.
  useEffect(() => {
    if (wanted !== '' && at < 0) setAt(hits[0] ?? -1);
  }, [wanted, hits]);
  const marks = useMemo(() => new Set(hits), [hits]);
  const lines = useMemo(() => parseLines(query.get('line')), [query.get('line')]);
  const to = (over: Record<string, string | number | undefined>, k = kind) => href(['race', race, 'agent', subject, 'log', k], { stream: stream === 'err' ? 'err' : '', attempt, ...over });
  const stops = wanted === '' ? failures : hits;
  const from = at >= 0 ? at : lines ? lines[0] - 1 : -1;
  const step = (by: 1 | -1) => {
    const next = by > 0 ? (stops.find((i) => i > from) ?? stops[0]) : (stops.findLast((i) => i < from) ?? stops.at(-1));
    if (next !== undefined) setAt(next);
  };
  const download = async () => {
    const blob = (await source.rawLog(race, place)) ?? new Blob([log.lines.join('\n')], { type: 'application/octet-stream' });
    save(blob, `${subject.replace(/[^\w@.-]/g, '_')}-${kind}-${stream}.log`);
  };
  const what = wanted === '' ? 'failure' : 'match';
  return (
    <>
      <div className="pagehead">
        <h2>Log of <Said text={runName(subject, 'the baseline')} /></h2>
        <nav className="seg" aria-label="Kind of log">
          {KINDS.filter((k) => k !== 'agent' || subject !== '@baseline').map((k) => <a key={k} href={href(['race', race, 'agent', subject, 'log', k], { stream: stream === 'err' ? 'err' : '' })} aria-current={k === kind ? 'page' : undefined}>{k}</a>)}
        </nav>
        <Runs race={race} subject={subject} kind={kind} attempt={attempt} />
        {apart && (
          <nav className="seg" aria-label="Stream">
            <a href={to({ stream: '' })} aria-current={stream === 'out' ? 'page' : undefined}>output</a>
            <a href={to({ stream: 'err' })} aria-current={stream === 'err' ? 'page' : undefined}>errors</a>
          </nav>
        )}
      </div>
      <div className="toolbar" role="toolbar" aria-label="Log">
        <input type="search" data-key="/" aria-label="Search in the log" placeholder="Search" value={text} onChange={(e) => (setText(e.target.value), setAt(-1))} onKeyDown={(e) => e.key === 'Enter' && step(e.shiftKey ? -1 : 1)} />
        <button type="button" data-key="p" disabled={stops.length === 0} onClick={() => step(-1)}>Previous {what}</button>
        <button type="button" data-key="n" disabled={stops.length === 0} onClick={() => step(1)}>{at < 0 && wanted === '' ? 'Go to first failure' : `Next ${what}`}</button>
        <span className="muted" role="status">{stops.length > 0 ? `${stops.length.toLocaleString('en')} ${what}${stops.length === 1 ? '' : what === 'match' ? 'es' : 's'}` : wanted !== '' ? 'no match' : ''}</span>
        <button type="button" className="end quiet" onClick={() => void download()}>Download raw</button>
      </div>
      {log.error && log.lines.length === 0 ? (log.error.status === 404 ? <Empty title="No such log"><p className="muted"><Said text={log.error.message} /></p></Empty> : <Failure error={log.error} />)
        : version === 0 ? <Waiting what="Reading the log" />
        : log.lines.length === 0 ? <Empty title={log.ended ? 'No output' : 'Nothing yet'}>{apart && stream === 'out' && log.ended && <p className="muted">Standard error has <a href={to({ stream: 'err' })}>its own log</a>.</p>}</Empty>
        : (
          <>
            <WholeLog log={log} version={version} label={`Log of ${subject}, ${kind}`} lines={lines} hits={marks} current={at} follow={!log.ended && !lines && at < 0} hrefOf={(n) => to({ line: n })} />
            <p className="muted">{log.lines.length.toLocaleString('en')} lines, {log.ended ? 'ended' : 'goes on'}{log.cut && ' · cut in the middle: the beginning and the end are kept'}
              {lines && <> · <button type="button" className="linky" onClick={() => replaceRoute(to({}))}>clear mark</button></>}</p>
          </>
        )}
    </>
  );
}
