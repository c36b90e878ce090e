// Questions before something happens. The focus begins on the answer that changes nothing.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../lib/source.ts';
import { useApp } from './context.ts';
import { Dialog } from './dialog.tsx';
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

/** What was refused, why, and what helps: until the user asks again. */
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
      <p className="row buttons">
        <button type="button" data-first onClick={p.close}>{p.no}</button>
        <button type="button" className="danger" disabled={act.off} onClick={() => act.go(p.act)}>{p.yes}</button>
      </p>
    </Dialog>
  );
}

export function RetryDialog({ race, agent, close, done }: { race: string; agent: string; close(): void; done(): void }) {
  const { source } = useApp();
  const [message, setMessage] = useState('');
  const act = useAct(() => (done(), close()));
  return (
    <Dialog title={`Retry ${agent}`} close={close}>
      <p>The agent continues as a new attempt, and the race with it.</p>
      <label className="field">Message <span className="muted">(empty: the task again)</span>
        <textarea rows={4} value={message} onChange={(e) => setMessage(e.target.value)} />
      </label>
      <Refusal act={act} />
      <p className="row buttons">
        <button type="button" data-first onClick={close}>Cancel</button>
        <button type="button" className="primary" disabled={act.off} onClick={() => act.go(() => source.retry(race, agent, message))}>Retry</button>
      </p>
    </Dialog>
  );
}
