// Where the checks ran: the baseline, the check workspaces, the templates they are made from.
import { bytes, took, words } from '../lib/format.ts';
import { href } from '../lib/route.ts';
import type { Figures, Results, Workspace } from '../lib/types.ts';
import { useApp, useLoad } from '../ui/context.ts';
import { Said, StateMark } from '../ui/said.tsx';

const KINDS = ['build', 'tests', 'lint'] as const;

function counts(check: Figures): string {
  const one = (key: string, word: string) => (typeof check[key] === 'number' ? `${String(check[key])} ${word}` : '');
  return [one('passed', 'passed'), one('failed', 'failed'), one('skipped', 'skipped'), one('errors', 'errors'), one('warnings', 'warnings')].filter((x) => x !== '').join(', ');
}

function Place({ workspace: w }: { workspace: Workspace | null }) {
  if (!w) return <span className="muted">–</span>;
  return <>{w.tree}{w.warm ? ', warm' : ''}{w.setup_again ? ', set up again' : ''}{w.reasons.map((r, i) => <small key={i} className="muted"> <Said text={r} most={300} /></small>)}</>;
}

function Templates() {
  const { source } = useApp();
  const { data } = useLoad('templates', () => source.templates());
  if (!data || data.length === 0) return null;
  return (
    <section className="panel"><h2>Kept templates</h2>
      <ul className="plainlist">{data.map((t) => <li key={t.template}><code>{t.template.slice(0, 16)}</code> {bytes(t.bytes)}{t.warm ? ', warm' : ''}{t.in_use ? ', in use' : ''}</li>)}</ul>
    </section>
  );
}

export function ChecksPage({ race, results }: { race: string; results: Results }) {
  const { source } = useApp();
  const b = results.baseline;
  return (
    <div className="sections">
      <section className="panel">
        <h2>Baseline</h2>
        <p><StateMark state={b.state} />{b.cached && <span className="muted">, taken from an earlier race</span>} · <Place workspace={b.workspace} /></p>
        {b.reason !== '' && <p className="reasons"><Said text={b.reason} /></p>}
        {b.problem !== '' && <p className="reasons"><Said text={b.problem} /></p>}
        {b.advice !== '' && <p><Said text={b.advice} /></p>}
        <ul className="runs">
          {KINDS.map((kind) => {
            const check = b[kind];
            return check && (
              <li key={kind}>
                <StateMark state={String(check['status'])} before={`${kind} `} /> <span className="muted">{[counts(check), took(Number(check['wall_seconds'] ?? 0) * 1000)].filter((x) => x !== '').join(', ')}</span>
                <br /><code><Said text={String(check['command'] ?? '')} most={300} /></code> <a data-nav href={href(['race', race, 'agent', '@baseline', 'log', kind])} aria-label={`log of the baseline’s ${kind}`}>log</a>
              </li>
            );
          })}
        </ul>
        {b.unstable.length > 0 && <p>Unstable: {b.unstable.map((t) => <code key={t} className="item"><Said text={t} most={200} /></code>)}</p>}
        {b.cold_difference !== '' && <p className="fair">From nothing it ends differently: <Said text={b.cold_difference} /></p>}
      </section>
      {b.template && (
        <section className="panel"><h2>Template</h2>
          <p className="muted">{b.template.cached ? 'Kept from an earlier race' : 'Made for this race'}{b.template.warm ? ', with build results' : ''}</p>
          <ul className="plainlist">{b.template.steps.map((s) => <li key={s.name}>{words(s.name)} <span className="muted">{took(s.wall_seconds * 1000)}</span></li>)}</ul>
        </section>
      )}
      <section className="panel"><h2>Check workspaces</h2>
        <ul className="plainlist">{results.agents.map((a) => <li key={a.agent}><strong><Said text={a.display} /></strong> <Place workspace={a.workspace} /></li>)}</ul>
      </section>
      {!source.offline && <Templates />}
    </div>
  );
}
