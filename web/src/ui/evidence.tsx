// The evidence of a race beside its points: a word a result, and one line for all of them.
import { href } from '../lib/route.ts';
import { confidenceLook, confidenceText, evidenceWords, facts } from '../lib/evidence.ts';
import { points } from '../lib/format.ts';
import { clean } from '../lib/text.ts';
import type { AgentResult, Results } from '../lib/types.ts';
import { Badge, Said } from './said.tsx';

/** "Evidence: good · 58.9", which leads to what is behind it. */
export function ConfidenceBadge({ race, agent: a }: { race: string; agent: AgentResult }) {
  const c = a.confidence;
  if (!a.eligible || !c?.word) return null;
  return (
    <a className={`badge ${confidenceLook(c.word)}`} href={href(['race', race, 'agent', a.agent], { part: 'evidence' })} title={clean(c.text ?? '')}>
      <span className="sr">confidence: </span>{c.word === 'good' || c.word === 'some' ? `${c.word} evidence` : c.word}{typeof a.evidence_points === 'number' && ` · ${points(a.evidence_points)}`}
    </a>
  );
}

/** The section of the explanation. */
export function ConfidencePart({ agent: a, formula }: { agent: AgentResult; formula: string }) {
  const c = a.confidence;
  const own = a.own_tests_failing ?? [];
  if (!c?.word && own.length === 0) return null;
  const list = facts(a);
  return (
    <section id="evidence"><h2>Is it right?</h2>
      {c?.word && <p><Badge look={confidenceLook(c.word)}>{c.word}</Badge> <Said text={confidenceText(a)} most={600} /></p>}
      {c?.range && <p className="muted">Of results with this word {c.range} of 100 were right, where that was measured.</p>}
      {typeof c?.probability === 'number' && <p>In your own races {Math.round(c.probability * 100)} of 100 were right, of {c.n} with a known outcome.</p>}
      {list.length > 0 && <ul className="plainlist facts">{list.map((f) => <li key={f}>{f}</li>)}</ul>}
      {typeof a.evidence_points === 'number' && <p className="formula"><strong className="num">{points(a.evidence_points)}</strong> points of evidence: <Said text={formula} most={400} /></p>}
      {own.length > 0 && <p className="reasons">Its own tests fail: {own.slice(0, 20).map((t) => <code key={t} className="item"><Said text={t} most={200} /></code>)}</p>}
    </section>
  );
}

/** Above the cards: what the order is made of. */
export function EvidenceLine({ results: r }: { results: Results }) {
  const name = (a: AgentResult) => clean(a.display || a.agent);
  const says = evidenceWords(r, name);
  const winner = r.agents.find((a) => a.agent === r.winner);
  const other = r.agents.find((a) => a.agent === r.points_winner);
  const contested = r.contested ?? [];
  if (says === '' && !other && contested.length === 0) return null;
  return (
    <div className="headline evidence">
      {says !== '' && <p><strong>Evidence</strong> {says}. <a href={href(['race', r.race, 'evidence'])}>Cross tests</a></p>}
      {other && winner && typeof other.composite === 'number' && typeof winner.composite === 'number' && <p className="muted">By points alone {name(other)} would be first, {points(other.composite)} to {points(winner.composite)}.</p>}
      {contested.slice(0, 3).map((c) => <p key={c.name} className="fair">Probably changed by the task: <code><Said text={c.name ?? ''} most={200} /></code> ({c.broken_by} of {c.of} results with something to show break it). <span className="muted">To free it:</span> <code>hydra verify {r.race} --approve-test …</code></p>)}
    </div>
  );
}
