// The tamper report: what a diff attempts, with file and line, and what the checks took from the base instead.
import { href } from '../lib/route.ts';
import { count } from '../lib/text.ts';
import { words } from '../lib/format.ts';
import type { AgentResult, Integrity } from '../lib/types.ts';
import { Badge, Said } from './said.tsx';

const LOOK: Record<string, [look: string, word: string]> = { block: ['poor', 'blocks'], warning: ['fair', 'warning'], info: ['plain', 'note'] };
const HOW: Record<string, string> = { base: 'the base’s content', removed: 'taken away', by_key: 'some keys went back' };

/** How many findings block or warn. */
export const grave = (a: AgentResult) => a.integrity?.findings.filter((f) => f.severity !== 'info').length ?? 0;

export function Findings({ race, agent, integrity: it }: { race: string; agent: string; integrity: Integrity | null }) {
  if (!it) return <p className="muted">Nobody has looked at this result yet.</p>;
  const nothing = it.findings.length === 0 && it.restored.length === 0 && it.unrestored.length === 0 && it.error === '' && it.unseen.length === 0;
  return (
    <>
      {it.error !== '' && <p className="reasons">It could not be looked at: <Said text={it.error} /></p>}
      {nothing && <p>Nothing was found, and the checks ran on the result as it is.</p>}
      {it.findings.length > 0 && (
        <ul className="findings">
          {it.findings.map((f, i) => (
            <li key={i}>
              <Badge look={LOOK[f.severity]?.[0] ?? ''}>{LOOK[f.severity]?.[1]}</Badge>{' '}
              <a href={href(['race', race, 'agent', agent, 'diff'], { file: f.path })}><Said text={f.path} most={300} />{f.line > 0 && `:${f.line}`}</a>{' '}
              <Said text={f.reason} most={400} /> <span className="muted">({words(f.rule)})</span>
              {f.text !== '' && <pre><Said text={f.text} most={500} /></pre>}
            </li>
          ))}
        </ul>
      )}
      {it.not_shown > 0 && <p className="muted">{it.not_shown} more are not listed.</p>}
      {it.restored.length > 0 && (
        <details open={it.restored.length < 8}>
          <summary>The checks did not take {count(it.restored.length + it.more_restored, 'path')} as the agent left them</summary>
          <ul className="plainlist">
            {it.restored.map((r) => <li key={r.path}><code><Said text={r.path} most={300} /></code> {HOW[r.how] ?? words(r.how)} <span className="muted"><Said text={r.reason} most={300} /></span></li>)}
          </ul>
        </details>
      )}
      {it.unrestored.length > 0 && <p>Changed and kept, compared by name: {it.unrestored.map((p, i) => <span key={p}>{i > 0 && ', '}<code><Said text={p} most={300} /></code></span>)}</p>}
      {it.suppressions > 0 && <p>{count(it.suppressions, 'inline suppression')} of lint rules added.</p>}
      {it.unseen.length > 0 && (
        <details><summary>Nobody looked at {count(it.unseen.length, 'thing')}</summary>
          <ul className="plainlist">{it.unseen.map((u) => <li key={u}><Said text={u} most={400} /></li>)}</ul></details>
      )}
    </>
  );
}
