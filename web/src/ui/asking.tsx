// Questions before something happens. The focus begins on the answer that changes nothing.
import { useState, type ReactNode } from 'react';
import { placeOf, type Comment } from '../lib/review.ts';
import { ApiError } from '../lib/source.ts';
import { clean } from '../lib/text.ts';
import { useApp } from './context.ts';
import { Buttons, Dialog } from './dialog.tsx';
import { Said } from './said.tsx';

export interface Act {
  /** At work, or refused: what would be refused once more is off until the user has acted. */
  off: boolean;
  error: ApiError | undefined;
  again(): void;
  go(act: () => Promise<unknown>): void;
}

/** One thing that the daemon does or refuses. */
export function useAct(then?: () => void): Act {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const go = (act: () => Promise<unknown>) => {
    setBusy(true);
    act().then(then, (e: unknown) => setError(ApiError.of(e))).finally(() => setBusy(false));
  };
  return { off: busy || error !== undefined, error, again: () => setError(undefined), go };
}

/** A refusal, its cause and its remedy, until the user asks again. */
export function Refusal({ act: { error, again } }: { act: Pick<Act, 'error' | 'again'> }) {
  if (!error) return null;
  return (
    <p className="reasons" role="alert">
      <Said text={error.message} />{error.hint !== '' && <span className="muted"> (<Said text={error.hint} />)</span>} <button type="button" onClick={again}>Try again</button>
    </p>
  );
}

interface ConfirmProps {
  title: string;
  text: ReactNode;
  yes: string;
  no: string;
  act(): Promise<void>;
  close(): void;
}

export function ConfirmDialog(p: ConfirmProps) {
  const act = useAct(p.close);
  return (
    <Dialog title={p.title} close={p.close}>
      <p>{p.text}</p>
      <Refusal act={act} />
      <Buttons no={p.no} close={p.close} yes={p.yes} look="danger" off={act.off} go={() => act.go(p.act)} />
    </Dialog>
  );
}

export function Choice({ on, set, text, more = '' }: { on: boolean; set(on: boolean): void; text: string; more?: string }) {
  return (
    <label className="consent">
      <input type="checkbox" checked={on} onChange={(e) => set(e.target.checked)} /><span>{clean(text)} <small className="muted"><Said text={more} most={600} /></small></span>
    </label>
  );
}

interface RetryProps {
  race: string;
  agent: string;
  /** Who may be told the same. */
  others?: string[];
  review?: Comment[];
  drop?(comment: Comment): void;
  close(): void;
  done(): void;
}

export function RetryDialog({ race, agent, others = [], review = [], drop, close, done }: RetryProps) {
  const { source } = useApp();
  const [message, setMessage] = useState('');
  const [to, setTo] = useState([agent]);
  const act = useAct(() => (done(), close()));
  const send = () => source.retry(race, { agents: to, message, ...(review.length > 0 ? { reviewed: agent, review: review.map(({ agent: _, ...c }) => c) } : {}) });
  return (
    <Dialog title={`Retry ${agent}`} close={close}>
      <p>Each agent continues as a new attempt, and the race with it.</p>
      <ul className="plainlist">
        {review.map((c, i) => <li key={i}><code><Said text={placeOf(c)} most={200} /></code> <Said text={c.text} most={300} /> <button type="button" onClick={() => drop?.(c)}>Remove</button></li>)}
      </ul>
      {others.map((o) => <Choice key={o} on={to.includes(o)} set={(on) => setTo(on ? [...to, o] : to.filter((x) => x !== o))} text={o === agent ? o : `${o}, too`} />)}
      <label className="field">Message <span className="muted">(may be empty)</span>
        <textarea rows={4} value={message} onChange={(e) => setMessage(e.target.value)} />
      </label>
      <Refusal act={act} />
      <Buttons close={close} yes="Retry" off={act.off || to.length === 0} go={() => act.go(send)} />
    </Dialog>
  );
}
