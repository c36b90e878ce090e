// Lines of a diff as they are drawn: signs beside colours, what differs inside a line, words of the language.
import { memo, type ReactNode } from 'react';
import { MOST } from '../lib/ansi.ts';
import type { DiffRow } from '../lib/diff.ts';
import { tokens } from '../lib/syntax.ts';
import { clean } from '../lib/text.ts';

export const ROW = 20;

const SIGN: Record<string, string> = { added: '+', removed: '−' };

/** Where a line is cut for the eye. */
const shown = (text: string) => (text.length > MOST ? `${text.slice(0, MOST)}… (${text.length - MOST} characters more)` : text);

export function Code({ text, rules, inner }: { text: string; rules: RegExp | undefined; inner?: [number, number] | undefined }) {
  const line = shown(text.endsWith('\r') ? text.slice(0, -1) : text);
  const out: ReactNode[] = [];
  let at = 0;
  tokens(line, rules).forEach((t, i) => {
    const from = at;
    at += t.text.length;
    const [a, b] = inner ? [Math.max(from, inner[0]), Math.min(at, inner[1])] : [0, 0];
    const body = a < b
      ? <>{clean(line.slice(from, a))}<mark>{clean(line.slice(a, b))}</mark>{clean(line.slice(b, at))}</>
      : clean(t.text);
    out.push(t.kind === '' ? <span key={i}>{body}</span> : <span key={i} className={`t-${t.kind}`}>{body}</span>);
  });
  return <>{out}</>;
}

interface LineProps {
  rules: RegExp | undefined;
  flag: string | undefined;
  pick?: (() => void) | undefined;
}

export const Unified = memo(function Unified({ row, rules, flag, pick }: LineProps & { row: DiffRow }) {
  if (row.kind === 'hunk' || row.kind === 'note')
    return <div className={`dl ${row.kind}`}><span className="no" /><span className="no" /><span className="text">{row.kind === 'hunk' ? `line ${row.now}  ` : ''}{clean(shown(row.text))}</span></div>;
  return (
    <div className={`dl ${row.kind}`} title={flag} onClick={pick}>
      <span className="no">{row.old || ''}</span>
      <span className="no">{row.now || ''}</span>
      <span className="sign" aria-label={row.kind === 'context' ? undefined : row.kind} role={row.kind === 'context' ? undefined : 'img'}>{flag ? '!' : SIGN[row.kind] ?? ' '}</span>
      <span className="text"><Code text={row.text} rules={rules} inner={row.inner} /></span>
    </div>
  );
});

export const Half = memo(function Half({ row, side, rules, flag, pick }: LineProps & { row: DiffRow | undefined; side: 'old' | 'now' }) {
  if (!row) return <div className="dl half nothing" />;
  if (row.kind === 'hunk' || row.kind === 'note')
    return <div className={`dl half ${row.kind}`}><span className="no" /><span className="text">{side === 'old' ? `${row.kind === 'hunk' ? `line ${row.now}  ` : ''}${clean(shown(row.text))}` : ''}</span></div>;
  return (
    <div className={`dl half ${row.kind}`} title={flag} onClick={pick}>
      <span className="no">{row[side] || ''}</span>
      <span className="sign" aria-hidden="true">{flag ? '!' : SIGN[row.kind] ?? ' '}</span>
      <span className="text"><Code text={row.text} rules={rules} inner={row.inner} /></span>
    </div>
  );
});
