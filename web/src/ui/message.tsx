// The last message of an agent, and how a question is answered.
import { clean } from '../lib/text.ts';
import type { AgentResult } from '../lib/types.ts';
import { Said } from './said.tsx';

export function FinalMessage({ race, agent: a }: { race: string; agent: AgentResult }) {
  return (
    <>
      <pre className="said" tabIndex={0} role="region" aria-label={clean(`Final message of ${a.display}`)}><Said text={a.final_text} most={8000} /></pre>
      {a.question !== '' && <p className="muted">To answer: <code>hydra retry {race}/{a.agent} -m "…"</code></p>}
    </>
  );
}

/** On a card: open where the message is all that an agent left. */
export function MessagePart({ race, agent: a }: { race: string; agent: AgentResult }) {
  if (a.final_text === '') return null;
  return (
    <details className="finally" open={a.diff.files_changed === 0}>
      <summary data-key="f">{a.question !== '' ? 'Question' : 'Final message'}</summary>
      <FinalMessage race={race} agent={a} />
    </details>
  );
}
