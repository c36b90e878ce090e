// One agent while it works. Nothing in here moves when figures come in, and no figure talks.
import { memo } from 'react';
import { duration, money, short } from '../lib/format.ts';
import { href } from '../lib/route.ts';
import { clean } from '../lib/text.ts';
import type { AgentStatus } from '../lib/types.ts';
import { Delta, Said, StateMark } from './said.tsx';

export const OVER = new Set(['completed', 'no_changes', 'failed', 'timed_out', 'cancelled', 'over_budget', 'stopped', 'launch_error', 'lost', 'ranked', 'not_checked', 'not_ranked']);

// Its work is not captured yet: there is no diff to look at.
const AT_WORK = new Set(['queued', 'preparing', 'running', 'cancelling', 'capturing']);

/** Silent for a third of what it may be: worth a word, never "failed". */
function silent(a: AgentStatus): string {
  if (!a.idle_limit_ms || a.progress_ms === null || a.progress_ms === undefined || a.state !== 'running') return '';
  if (a.progress_ms * 3 < a.idle_limit_ms) return '';
  return `silent for ${duration(a.progress_ms)}, stopped at ${duration(a.idle_limit_ms)}`;
}

interface Props {
  race: string;
  agent: AgentStatus;
  hue: string | undefined;
  off: boolean;
  cancel(agent: string): void;
}

export const LiveCard = memo(function LiveCard({ race, agent: a, hue, off, cancel }: Props) {
  const quiet = silent(a);
  const over = OVER.has(a.state);
  return (
    <article className={`card live ${hue}`} data-card aria-label={clean(a.display)}>
      <header>
        <h2><a data-nav data-key="e" href={href(['race', race, 'agent', a.agent])}><Said text={a.display} /></a></h2>
        {a.tester && <span className="muted">writes tests</span>}
        {a.attempt > 1 && <span className="muted">attempt {a.attempt}</span>}
        <StateMark state={a.state === 'checking' && !a.outcome.startsWith('completed') ? a.outcome : a.state} />
      </header>
      <dl className="figures">
        <div><dt>Elapsed</dt><dd>{duration(a.elapsed_ms)}</dd></div>
        <div><dt>Tokens</dt><dd>{a.tokens_counted === null ? '–' : short(a.tokens_counted)}</dd></div>
        <div><dt>Cost</dt><dd>{money(a.cost_usd, a.cost_estimated) || '–'}</dd></div>
        <div><dt>Diff</dt><dd><Delta added={a.diff.lines_added} removed={a.diff.lines_removed} /></dd></div>
      </dl>
      <p className="tool">
        {quiet !== '' ? <span className="fair">◷ {quiet}</span> : a.tool !== '' ? <><span className="muted">using</span> <code><Said text={a.tool} most={80} /></code></> : ' '}
      </p>
      <p className="lastline" title="the last line it said"><Said text={a.message || a.waits || a.last_line || ' '} most={400} /></p>
      <ul className="chips">
        {Object.entries(a.checks).map(([name, state]) => <li key={name} title={`${name} ${state}`}><StateMark state={state} short={name} /></li>)}
        {Object.keys(a.checks).length === 0 && <li className="muted">no checks yet</li>}
      </ul>
      <footer>
        <a data-key="l" href={href(['race', race, 'agent', a.agent, 'log', 'agent'])}>Log</a>
        {a.diff.files_changed > 0 && !AT_WORK.has(a.state) && <a data-key="d" href={href(['race', race, 'agent', a.agent, 'diff'])}>Diff</a>}
        {over && <a data-key="f" href={href(['race', race, 'agent', a.agent], { part: 'message' })}>Final message</a>}
        {!over && <button type="button" className="quiet end" disabled={off} onClick={() => cancel(a.agent)}>Cancel</button>}
      </footer>
    </article>
  );
});
