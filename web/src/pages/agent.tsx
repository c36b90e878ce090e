// Why an agent has its points: each from its formula, its inputs and its runs, down to the lines of a log.
import { useEffect } from 'react';
import { points, words } from '../lib/format.ts';
import { count } from '../lib/text.ts';
import { href } from '../lib/route.ts';
import { LABELS, grade } from '../lib/score.ts';
import type { AgentResult, DimensionName, ExplainDimension, Run, TestNames } from '../lib/types.ts';
import { money, took } from '../lib/format.ts';
import { useApp, useLoad, useRoute } from '../ui/context.ts';
import { ConfidencePart } from '../ui/evidence.tsx';
import { Findings } from '../ui/findings.tsx';
import { FinalMessage } from '../ui/message.tsx';
import { Badge, Failure, Said, StateMark, Waiting } from '../ui/said.tsx';

function RunLine({ race, dimension, run }: { race: string; dimension: string; run: Run }) {
  const to = (line?: string) => href(['race', race, 'agent', run.subject, 'log', dimension], { attempt: run.attempt, line });
  return (
    <li>
      <StateMark state={run.status} /> <strong>{run.purpose}</strong>
      <span className="muted"> exit {run.exit_code ?? '–'}, {took(run.wall_seconds * 1000)}{run.cached ? ', from the cache' : ''}, {run.isolation}</span>
      <br /><code><Said text={run.command} most={300} /></code>
      <span className="links">
        <a href={to()}>log</a>
        {run.evidence.map((e, i) => <a key={i} href={to(`${e.first}-${e.last}`)}>lines {e.first}–{e.last} ({e.format})</a>)}
      </span>
      {run.message && <p className="muted"><Said text={run.message} /></p>}
    </li>
  );
}

function NewFindings({ race, agent }: { race: string; agent: string }) {
  const { source } = useApp();
  const { data } = useLoad(`lint ${race} ${agent}`, () => source.lint(race, agent));
  if (!data || data.length === 0) return null;
  return (
    <details>
      <summary>{count(data.length, 'finding')} that the base does not have</summary>
      <ul className="plainlist">
        {data.slice(0, 200).map((f, i) => (
          <li key={i}><Badge look={f.severity === 'error' ? 'poor' : 'fair'}>{f.severity}</Badge> <a href={href(['race', race, 'agent', agent, 'diff'], { file: f.file })}><Said text={f.file} most={200} />:{f.line}</a> <Said text={f.message} most={400} /> <span className="muted"><Said text={f.rule} most={80} /></span></li>
        ))}
      </ul>
    </details>
  );
}

function DimensionPart({ race, agent, d }: { race: string; agent: string; d: ExplainDimension }) {
  const label = LABELS[d.dimension as DimensionName];
  const inputs = Object.entries(d.inputs);
  const number = (n: number) => (Number.isInteger(n) ? n.toLocaleString('en') : n.toFixed(3));
  return (
    <section className="dimension" aria-label={label}>
      <h3>
        {label}
        {d.status === 'scored' || d.status === 'failed' || d.status === 'skipped'
          ? <strong className={`num ${grade(d.points)}`}>{points(d.points)}</strong>
          : <span className="muted">{words(d.status)}</span>}
        <span className="muted share">× {(d.share * 100).toFixed(1)} % = <span className="num">{d.contribution.toFixed(2)}</span></span>
      </h3>
      <p className="formula"><Said text={d.formula} /></p>
      {inputs.length > 0 && <dl className="inputs">{inputs.map(([name, value]) => <div key={name}><dt>{words(name)}</dt><dd className="num">{number(value)}</dd></div>)}</dl>}
      {d.dimension === 'lint' && d.runs.length > 0 && <NewFindings race={race} agent={agent} />}
      {d.runs.length > 0 && <ul className="runs">{d.runs.map((run, i) => <RunLine key={i} race={race} dimension={d.dimension} run={run} />)}</ul>}
    </section>
  );
}

const LISTS: readonly [keyof TestNames, string, string][] = [
  ['broken', 'Broken', 'poor'], ['removed', 'Removed', 'poor'], ['newly_skipped', 'Newly skipped', 'fair'], ['unstable', 'Unstable', 'fair'], ['fixed', 'Fixed', 'good'], ['added', 'Added', 'good'],
];

function TestLists({ names }: { names: TestNames }) {
  const lists = LISTS.filter(([key]) => names[key].length > 0);
  if (lists.length === 0) return <p>Every test ended as in the baseline.</p>;
  return (
    <>
      {lists.map(([key, label, look]) => (
        <details key={key} open={names[key].length <= 10}>
          <summary><Badge look={look}>{label} {names[key].length}</Badge></summary>
          <ul className="plainlist">{names[key].map((n) => <li key={n}><code><Said text={n} most={300} /></code>{names.hidden.includes(n) && <span className="muted"> hidden test</span>}</li>)}</ul>
        </details>
      ))}
    </>
  );
}

function Attempts({ result }: { result: AgentResult }) {
  if (result.earlier_attempts.length === 0) return null;
  return (
    <section><h2>Earlier attempts</h2>
      <ul className="plainlist">
        {result.earlier_attempts.map((a) => (
          <li key={a.attempt}>#{a.attempt} <StateMark state={a.outcome} /> {took(a.duration_seconds * 1000)} {money(a.cost_usd)} <span className="muted"><Said text={a.message || a.stopped} most={300} /></span></li>
        ))}
      </ul>
    </section>
  );
}

export function AgentPage({ race, agent, result }: { race: string; agent: string; result: AgentResult | undefined }) {
  const { source } = useApp();
  const { data: e, error, again } = useLoad(`${race} ${agent} ${result?.attempt} ${result?.state}`, () => source.explain(race, agent));
  const part = useRoute().query.get('part');
  useEffect(() => {
    if (part && e) document.getElementById(part)?.scrollIntoView();
  }, [part, e]);
  if (error && !e) return <Failure error={error} again={again} />;
  if (!e) return <Waiting what="Reading the explanation" />;
  return (
    <div className="explain">
      <div className="pagehead">
        <h2>{e.rank > 0 && <span className="rank">#{e.rank}</span>} <Said text={e.display} /></h2>
        {e.composite !== null && e.rank > 0 && <strong className={`score ${grade(e.composite)}`}>{points(e.composite)}</strong>}
        <span className="links end"><a data-key="d" href={href(['race', race, 'agent', agent, 'diff'])}>Diff</a><a data-key="l" href={href(['race', race, 'agent', agent, 'log', 'agent'])}>Log</a></span>
      </div>
      {!e.eligible && e.ineligible_reasons.length > 0 && <p className="reasons">Not eligible: <Said text={words(e.ineligible_reasons.join('; '))} /></p>}
      {e.order_reasons.map((r) => <p key={r.below}><Said text={r.text} most={200} /></p>)}
      {e.message !== '' && <p className="message"><Said text={e.message} /></p>}
      <p className="muted">The score is <Said text={e.formula} />.</p>
      <div className="columns">
        <div>
          {e.dimensions.map((d) => <DimensionPart key={d.dimension} race={race} agent={e.agent} d={d} />)}
        </div>
        <div>
          {result && <ConfidencePart agent={result} formula={e.evidence_formula ?? ''} />}
          <section id="integrity"><h2>Integrity</h2><Findings race={race} agent={agent} integrity={e.integrity} /></section>
          {e.tests_by_name && <section><h2>Tests</h2><TestLists names={e.tests_by_name} /></section>}
          {result && result.final_text !== '' && <section id="message"><h2>Final message</h2><FinalMessage race={race} agent={result} /></section>}
          {result && <Attempts result={result} />}
          {result && result.warnings.length > 0 && <section><h2>Warnings</h2><ul className="plainlist">{result.warnings.map((w, i) => <li key={i}><Said text={w} /></li>)}</ul></section>}
          {result && result.left_out.length > 0 && (
            <section><h2>Left out of the result</h2>
              <ul className="plainlist">{result.left_out.map((l) => <li key={l.path}><code><Said text={l.path} most={300} /></code> <span className="muted"><Said text={l.reason} most={300} /></span></li>)}</ul>
            </section>
          )}
          {e.set_apart.length > 0 && <section><h2>Not counted in its diff size</h2><ul className="plainlist">{e.set_apart.map((p) => <li key={p}><code><Said text={p} most={300} /></code></li>)}</ul></section>}
          <section><h2>Workspace and sandbox</h2>
            <dl className="inputs">
              <div><dt>sandbox</dt><dd>{e.sandbox}</dd></div>
              {e.workspace && <div><dt>check workspace</dt><dd>{e.workspace.tree}{e.workspace.warm ? ', warm' : ''}</dd></div>}
              <div><dt>commit</dt><dd><code>{e.commit.slice(0, 12) || '–'}</code></dd></div>
              {e.checked_commit !== e.commit && <div><dt>checked commit</dt><dd><code>{e.checked_commit.slice(0, 12)}</code></dd></div>}
            </dl>
          </section>
        </div>
      </div>
    </div>
  );
}
