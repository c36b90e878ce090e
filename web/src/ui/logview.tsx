// Lines of a log: numbers, colours, marks.
import { useEffect, useMemo, useRef } from 'react';
import { PLAIN, penAfter, spans, type Pen } from '../lib/ansi.ts';
import type { LogPlace } from '../lib/source.ts';
import { useLog, type LogLines } from './logdata.ts';
import { Rows, type RowsHandle } from './rows.tsx';
import { Failure, Waiting } from './said.tsx';

export const LINE = 20;

export function Line({ text, pen }: { text: string; pen: Pen }) {
  return <>{spans(text, pen).map((s, i) => (s.style === '' ? s.text : <span key={i} className={s.style}>{s.text}</span>))}</>;
}

/** The last lines of a log, where there is no room for more. */
export function LogView({ race, place, tail }: { race: string; place: LogPlace; tail: number }) {
  const [log, version] = useLog(race, useMemo(() => ({ ...place, tail: 65_536 }), [place.subject, place.kind, place.stream]), 0);
  if (log.error) return log.error.status === 404 ? <p className="muted">No output is kept.</p> : <Failure error={log.error} />;
  if (version === 0) return <Waiting what="Reading the log" />;
  const first = Math.max(0, log.lines.length - tail);
  let pen = log.penAt(first);
  return (
    <div className="tail" tabIndex={0} role="region" aria-label={`${place.kind} output of ${place.subject}`}>
      {log.lines.length === 0 && <span className="muted">It said nothing.</span>}
      {log.lines.slice(first).map((text, i) => {
        const own = pen;
        pen = penAfter(text, pen);
        return <div key={i}><Line text={text} pen={own} />{'\n'}</div>;
      })}
    </div>
  );
}

interface WholeProps {
  log: LogLines;
  version: number;
  label: string;
  lines: [number, number] | undefined;
  hits: ReadonlySet<number>;
  current: number;
  follow: boolean;
  hrefOf(line: number): string;
}

/** The whole log, windowed. */
export function WholeLog(p: WholeProps) {
  const handle = useRef<RowsHandle>(null);
  const jumped = useRef('');
  useEffect(() => {
    if (p.current >= 0) handle.current?.show(p.current);
  }, [p.current]);
  // Only when the line has come: a jump behind the end stops at the end, and says nothing.
  useEffect(() => {
    const key = String(p.lines);
    if (!p.lines || jumped.current === key || p.log.lines.length < p.lines[0]) return;
    jumped.current = key;
    handle.current?.show(p.lines[0] - 1);
  }, [p.lines, p.version]);
  const pens = useRef<{ log: LogLines; at: number; pen: Pen }>({ log: p.log, at: 0, pen: PLAIN });
  const penOf = (i: number): Pen => {
    const kept = pens.current;
    // Rows are drawn in order: the pen goes along.
    const pen = kept.log === p.log && kept.at === i ? kept.pen : p.log.penAt(i);
    pens.current = { log: p.log, at: i + 1, pen: penAfter(p.log.lines[i] ?? '', pen) };
    return pen;
  };
  return (
    <Rows
      className="code log" count={p.log.lines.length} height={LINE} label={p.label} handle={handle} follow={p.follow}
      row={(i) => {
        const marked = p.lines && i + 1 >= p.lines[0] && i + 1 <= p.lines[1];
        return (
          <div className={`ll${marked ? ' marked' : ''}${p.hits.has(i) ? ' hit' : ''}${i === p.current ? ' here' : ''}`}>
            <a className="no" href={p.hrefOf(i + 1)} tabIndex={-1} aria-label={`line ${i + 1}`}>{i + 1}</a>
            <span className="text"><Line text={p.log.lines[i] ?? ''} pen={penOf(i)} /></span>
          </div>
        );
      }}
    />
  );
}
