// Entries that ran several times: what all their attempts came to; and who only wrote tests.
import { money, points, took } from '../lib/format.ts';
import { count } from '../lib/text.ts';
import type { Entry, Results } from '../lib/types.ts';
import { Measure } from './measure.tsx';
import { Said, StateMark } from './said.tsx';

function Row({ entry: e }: { entry: Entry }) {
  return (
    <li>
      <span className="rank">{e.rank === null || e.rank === undefined ? '–' : `#${e.rank}`}</span>
      <strong><Said text={e.entry ?? ''} most={80} /></strong>
      <span><small className="muted">Success rate</small><Measure what="Success rate" value={e.success_rate ?? null} interval={e.interval ?? null} scale={[0, 1]} /></span>
      <span><small className="muted">Best</small>{typeof e.best === 'number' ? <strong className="num">{points(e.best)}</strong> : '–'} <span className="muted"><Said text={e.best_attempt ?? ''} most={80} /></span></span>
      <small className="muted">
        {count(e.attempts ?? 0, 'attempt')}{(e.lost ?? 0) > 0 && `, ${e.lost} lost`}
        {typeof e.mean === 'number' && `, mean ${points(e.mean)}`}{typeof e.deviation === 'number' && (e.attempts ?? 0) > 1 && ` ± ${points(e.deviation)}`}
        {typeof e.mean_seconds === 'number' && `, ${took(e.mean_seconds * 1000)}`}{typeof e.cost_usd === 'number' && `, ${money(e.cost_usd)}`}
      </small>
    </li>
  );
}

/** Nothing where each entry ran once: its card says all of it. */
export function Entries({ results }: { results: Results }) {
  const entries = results.entries ?? [];
  if (!entries.some((e) => (e.attempts ?? 0) + (e.lost ?? 0) > 1)) return null;
  return <section className="after"><h2>Entries, over all attempts</h2><ol className="leaders">{entries.map((e) => <Row key={e.entry} entry={e} />)}</ol></section>;
}

export function Testers({ results }: { results: Results }) {
  const testers = results.testers ?? [];
  if (testers.length === 0) return null;
  return (
    <section className="after"><h2>Test writers</h2>
      <ul className="plainlist">
        {testers.map((t) => <li key={t.agent}><strong><Said text={t.display || (t.agent ?? '')} most={80} /></strong> <StateMark state={t.state ?? ''} />{typeof t.duration_seconds === 'number' && <span className="muted"> {took(t.duration_seconds * 1000)}</span>} <span className="muted">{money(t.cost_usd)}</span>{t.message && <span className="muted"> <Said text={t.message} most={300} /></span>}</li>)}
      </ul>
    </section>
  );
}
