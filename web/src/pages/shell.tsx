// The frame of every page: the head, the state of the daemon, the help.
import { useEffect, useState, type ReactNode } from 'react';
import { href } from '../lib/route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useKeys } from '../ui/keys.ts';
import { KeyTable } from './settings.tsx';

const NAV: readonly [page: string, label: string, key: string | undefined][] = [
  ['races', 'Races', 'g r'], ['leaderboard', 'Leaderboard', 'g l'], ['agents', 'Agents', undefined], ['settings', 'Settings', undefined],
];

function Logo() {
  return <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true"><path d="M2 9h3v5H2zM6.5 2h3v12h-3zM11 6h3v8h-3z" /></svg>;
}

/** Seconds until the next try; it counts only while there is something to count. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const s = Math.ceil((until - now) / 1000);
  return <span aria-hidden="true">{s > 0 ? `, trying again in ${s} s` : ', trying again…'}</span>;
}

export function LostBanner({ retryAt, now }: { retryAt: number; now(): void }) {
  return (
    <div className="banner">
      <p><span role="status">Reconnecting: Hydra’s daemon does not answer; what you see may be old</span><Countdown until={retryAt} /> <small>Stopped or killed? <code>hydra ui</code> opens it again.</small></p>
      <button type="button" onClick={now}>Try now</button>
    </div>
  );
}

export function Shell({ page, link, banner, children }: { page: string; link: string; banner: ReactNode; children: ReactNode }) {
  useKeys();
  const [help, setHelp] = useState(false);
  return (
    <>
      <a className="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById('main')?.focus())}>Skip to the content</a>
      <header className="top">
        <a className="brand" href={href(['races'])}><Logo /> Hydra</a>
        <nav aria-label="Pages">
          {NAV.map(([name, label, key]) => <a key={name} href={href([name])} data-key={key} aria-current={page === name ? 'page' : undefined}>{label}</a>)}
        </nav>
        <span className="end linkstate">{link === 'live' && <span className="state good"><span aria-hidden="true">●</span> live</span>}{link === 'lost' && <span className="state fair"><span aria-hidden="true">○</span> reconnecting</span>}</span>
        <button type="button" className="quiet square" data-key="?" aria-label="Keyboard help" onClick={() => setHelp(true)}>?</button>
      </header>
      {banner}
      <main id="main" tabIndex={-1}>{children}</main>
      {help && (
        <Dialog title="Keyboard" close={() => setHelp(false)}>
          <KeyTable />
          <p className="row buttons"><button type="button" data-first onClick={() => setHelp(false)}>Close</button></p>
        </Dialog>
      )}
    </>
  );
}
