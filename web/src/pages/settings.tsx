// Theme, single keys, the session; and what the keys do.
import { useState } from 'react';
import { signOut } from '../lib/session.ts';
import { KEYS, keysOff, setKeysOff } from '../ui/keys.ts';
import { setTheme, theme, type Theme } from '../ui/theme.ts';

export function KeyTable() {
  return <dl className="keys">{KEYS.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>;
}

const THEMES: readonly [Theme, string][] = [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];

export function ThemeChoice() {
  const [now, set] = useState(theme());
  return (
    <div className="seg" role="group" aria-label="Theme">
      {THEMES.map(([t, label]) => <button key={t} type="button" aria-pressed={now === t} onClick={() => (setTheme(t), set(t))}>{label}</button>)}
    </div>
  );
}

export function SettingsPage() {
  const [off, setOff] = useState(keysOff());
  return (
    <div className="sections">
      <h1>Settings</h1>
      <section className="panel"><h2>Theme</h2><ThemeChoice /></section>
      <section className="panel"><h2>Keyboard</h2>
        <label className="consent"><input type="checkbox" checked={!off} onChange={(e) => (setKeysOff(!e.target.checked), setOff(!e.target.checked))} /><span>Single keys do something (in text fields they never do)</span></label>
      </section>
      <section className="panel"><h2>Session</h2>
        <p className="muted">It is of this browser only and ends when the daemon does.</p>
        <button type="button" onClick={() => void signOut().then(() => location.reload())}>Sign out</button>
      </section>
      <HelpPanels />
    </div>
  );
}

function HelpPanels() {
  return (
    <>
      <section className="panel"><h2>Keys</h2><KeyTable /></section>
      <section className="panel"><h2>Colours</h2>
        <ul className="plainlist">
          <li><span className="swatch good" /> good: more than 80 points</li>
          <li><span className="swatch fair" /> fair: 50 to 80, striped</li>
          <li><span className="swatch poor" /> poor: less than 50, barred</li>
        </ul>
      </section>
      <section className="panel"><h2>Filters</h2>
        <p>Words are joined by “and”; <code>!</code> turns one round. <code>s:failed</code> looks at the state, <code>a:codex</code> at the agents, <code>f:src/</code> at the name of a file or test, <code>r:</code> at the repository.</p>
      </section>
    </>
  );
}
