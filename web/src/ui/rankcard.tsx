// One result in its rank: points, bars, how far it is from the first, and what is to be done with it.
import { memo, useState } from 'react';
import { money, points, short, took, words } from '../lib/format.ts';
import { href } from '../lib/route.ts';
import { LABELS, distance, grade } from '../lib/score.ts';
import { clean, count } from '../lib/text.ts';
import type { AgentResult, Weights } from '../lib/types.ts';
import { Bars } from './bars.tsx';
import { ConfidenceBadge } from './evidence.tsx';
import { LogView } from './logview.tsx';
import { MessagePart } from './message.tsx';
import { grave } from './findings.tsx';
import { Badge, Delta, Said, StateMark } from './said.tsx';

interface Props {
  race: string;
  agent: AgentResult;
  hue: string | undefined;
  first: AgentResult | undefined;
  weights: Weights;
  points: number | null;
  rank: number;
  tied: boolean;
  winner: boolean;
  merged: boolean;
  picked: boolean;
  off: boolean;
  offline: boolean;
  whatIf: boolean;
  why: string | undefined;
  pick(agent: string): void;
  retry(agent: string): void;
}

function Distance({ p }: { p: Props }) {
  if (!p.first || p.first === p.agent || p.points === null || !p.agent.eligible) return null;
  const rows = distance(p.agent, p.first, p.weights);
  const by = rows.reduce((sum, r) => sum + r.by, 0);
  const signed = (n: number) => `${n < 0 ? '−' : '+'}${Math.abs(n).toFixed(1)}`;
  return (
    <p className="distance">
      {p.tied && Math.abs(by) < 0.05 ? 'As good as the first' : <><strong>{signed(by)}</strong> against #1</>}
      {rows.length > 0 && <span className="muted">: {rows.map((r) => `${LABELS[r.name].toLowerCase()} ${signed(r.by)}`).join(', ')}</span>}
    </p>
  );
}

function Outputs({ race, agent }: { race: string; agent: AgentResult }) {
  const kinds = (['build', 'tests', 'lint'] as const).filter((k) => agent.dimensions[k]?.detail['command'] && agent.dimensions[k]?.status !== 'skipped');
  return (
    <div className="outputs">
      {kinds.map((kind) => <Output key={kind} race={race} agent={agent} kind={kind} />)}
    </div>
  );
}

function Output({ race, agent, kind }: { race: string; agent: AgentResult; kind: 'build' | 'tests' | 'lint' }) {
  const [open, setOpen] = useState(false);
  const dimension = agent.dimensions[kind];
  const code = dimension?.detail['exit_code'];
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {LABELS[kind]} output{typeof code === 'number' && <span className="muted"> exit {code}</span>}
      </summary>
      {open && <LogView race={race} place={{ subject: agent.agent, kind, stream: 'out' }} tail={200} />}
      {open && <p><a href={href(['race', race, 'agent', agent.agent, 'log', kind])}>Whole log</a></p>}
    </details>
  );
}

function Badges({ p }: { p: Props }) {
  const a = p.agent;
  const findings = grave(a);
  return (
    <ul className="badges">
      {p.winner && <li><Badge look="good">★ {p.whatIf ? 'First with these weights' : 'Winner'}</Badge></li>}
      {p.agent.confidence?.word && a.eligible && <li><ConfidenceBadge race={p.race} agent={a} /></li>}
      {p.merged && <li><Badge look="good">Merged ✓</Badge></li>}
      {p.tied && <li><Badge>tie</Badge></li>}
      {a.state !== 'completed' && a.state !== 'ranked' && <li><StateMark state={a.state} /></li>}
      {findings > 0 && (
        <li>
          <a className={`badge ${(a.integrity?.blocking ?? 0) > 0 ? 'poor' : 'fair'}`} href={href(['race', p.race, 'agent', a.agent], { part: 'integrity' })}>
            ! {count(findings, 'finding')}
          </a>
        </li>
      )}
      {a.attempt > 1 && <li><Badge>attempt {a.attempt}</Badge></li>}
      {a.flags.map((flag) => <li key={flag}><Badge look="fair"><Said text={words(flag)} most={60} /></Badge></li>)}
      {a.warnings.length > 0 && <li><Badge look="fair">{count(a.warnings.length, 'warning')}</Badge></li>}
      {a.left_out.length > 0 && <li><Badge>{a.left_out.length} left out</Badge></li>}
    </ul>
  );
}

export const RankCard = memo(function RankCard(p: Props) {
  const a = p.agent;
  const mergeable = a.diff.files_changed > 0 && a.commit !== '';
  return (
    <article className={`card ranked ${p.hue}${p.winner ? ' winner' : ''}`} data-card aria-label={clean(`${p.rank > 0 ? `#${p.rank} ` : ''}${a.display}`)}>
      <div className="about">
      <header>
        <span className="rank">{p.rank > 0 ? `#${p.rank}` : '–'}</span>
        <h2><a data-nav data-key="e" href={href(['race', p.race, 'agent', a.agent])}><Said text={a.display} /></a></h2>
        {p.points !== null && <strong className={`score ${grade(p.points)}`}>{points(p.points)}<span className="sr"> of 100 points</span></strong>}
      </header>
      <p className="facts">
        <Delta added={a.diff.lines_added} removed={a.diff.lines_removed} />
        <span> in {count(a.diff.files_changed, 'file')}</span>
        {a.duration_seconds !== null && <span> · {took(a.duration_seconds * 1000)}</span>}
        {a.tokens_counted !== null && <span> · {short(a.tokens_counted)} tokens</span>}
        {a.cost_usd !== null && <span> · {money(a.cost_usd, a.cost_estimated)}</span>}
      </p>
      <Badges p={p} />
      {!a.eligible && (a.ineligible_reasons.length > 0 || p.rank > 0) && (
        <p className="reasons">
          Not eligible: {a.ineligible_reasons.map((r, i) => <span key={r}>{i > 0 && '; '}<Said text={words(r)} most={300} /></span>)}
        </p>
      )}
      {a.message !== '' && <p className="message"><Said text={a.message} most={600} /></p>}
      </div>
      <Bars agent={a} weights={p.weights} />
      <div className="more">{p.why && <p className="distance"><Said text={p.why} most={200} /></p>}<Distance p={p} /><MessagePart race={p.race} agent={a} /><Outputs race={p.race} agent={a} /></div>
      <footer>
        <a data-key="d" href={href(['race', p.race, 'agent', a.agent, 'diff'])}>Diff</a>
        <a data-key="l" href={href(['race', p.race, 'agent', a.agent, 'log', 'agent'])}>Log</a>
        <a href={href(['race', p.race, 'agent', a.agent])}>Explain</a>
        {!p.offline && <button type="button" className="quiet" disabled={p.off} onClick={() => p.retry(a.agent)}>{a.question !== '' ? 'Answer…' : 'Retry'}</button>}
        <label className="pick end"><input type="checkbox" data-key="x" checked={p.picked} onChange={() => p.pick(a.agent)} aria-label={clean(`Compare ${a.display}`)} /> compare</label>
        {!p.offline && mergeable && (
          p.merged ? <a className="button wide" data-key="m" href={href(['race', p.race, 'merge', a.agent])}>Undo merge…</a>
            : p.whatIf || p.off
            ? <button type="button" className={p.winner ? 'primary wide' : 'wide'} disabled>{p.winner ? 'Merge winner…' : 'Merge…'}</button>
            : <a className={`button wide${p.winner ? ' primary' : ''}`} data-key="m" href={href(['race', p.race, 'merge', a.agent])}>{p.winner ? 'Merge winner…' : 'Merge…'}</a>
        )}
      </footer>
    </article>
  );
});
