// Questions before something happens. The focus begins on the answer that changes nothing.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../lib/source.ts';
import { useApp } from './context.ts';
import { Dialog } from './dialog.tsx';
import { Said } from './said.tsx';

function useAct(act: () => Promise<void>, close: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const go = () => {
    setBusy(true);
    setError(undefined);
    act().then(close, (e: unknown) => {
      setBusy(false);
      setError(e instanceof ApiError ? e : new ApiError(500, '', String(e), ''));
    });
  };
  return { busy, error, go };
}

export function ErrorLine({ error }: { error: ApiError | undefined }) {
  if (!error) return null;
  return <p className="reasons" role="alert"><Said text={error.message} />{error.hint !== '' && <span className="muted"> (<Said text={error.hint} />)</span>}</p>;
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
  const { busy, error, go } = useAct(p.act, p.close);
  return (
    <Dialog title={p.title} close={p.close}>
      <p>{p.text}</p>
      <ErrorLine error={error} />
      <p className="row buttons">
        <button type="button" data-first onClick={p.close}>{p.no}</button>
        <button type="button" className="danger" disabled={busy} onClick={go}>{p.yes}</button>
      </p>
    </Dialog>
  );
}

export function RetryDialog({ race, agent, close, done }: { race: string; agent: string; close(): void; done(): void }) {
  const { source } = useApp();
  const [message, setMessage] = useState('');
  const { busy, error, go } = useAct(async () => {
    await source.retry(race, agent, message);
    done();
  }, close);
  return (
    <Dialog title={`Retry ${agent}`} close={close}>
      <p>The agent goes on where it stopped, as a new attempt; the race goes on with it.</p>
      <label className="field">What to tell it <span className="muted">(empty: the task again)</span>
        <textarea rows={4} value={message} onChange={(e) => setMessage(e.target.value)} />
      </label>
      <ErrorLine error={error} />
      <p className="row buttons">
        <button type="button" data-first onClick={close}>Leave it</button>
        <button type="button" className="primary" disabled={busy} onClick={go}>Retry</button>
      </p>
    </Dialog>
  );
}
