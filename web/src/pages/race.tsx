// The frame of a race: its task, its facts, its pages.
import { useEffect, useRef, type ReactNode } from 'react';
import { duration } from '../lib/format.ts';
import type { Race, RaceState } from '../lib/race.ts';
import { clean } from '../lib/text.ts';
import { href } from '../lib/route.ts';
import { useApp } from '../ui/context.ts';
import { grave } from '../ui/findings.tsx';
import { Failure, Said, StateMark, Waiting, stateWord } from '../ui/said.tsx';

interface Props {
  id: string;
  page: string;
  race: Race;
  state: RaceState;
  children: ReactNode;
}

const PAGES: readonly [page: string, label: string, key?: string][] = [
  ['', 'Scoreboard', 'g b'], ['tests', 'Tests', 'g t'], ['evidence', 'Evidence', 'g e'], ['compare', 'Compare'], ['integrity', 'Integrity'], ['checks', 'Checks'], ['timeline', 'Timeline'],
];

// The head shows three lines at most, and no breaks.
const SHORT_TASK = 160;

function baselineWords(state: RaceState): string {
  const b = state.results?.baseline;
  if (!b) return '';
  const parts: string[] = [];
  if (b.build) parts.push(`build ${stateWord(String(b.build['status']))}`);
  if (b.tests) {
    const { passed, total } = b.tests;
    parts.push(typeof total === 'number' ? `tests ${String(passed)}/${total}` : `tests ${stateWord(String(b.tests['status']))}`);
  }
  if (b.unstable.length > 0) parts.push(`${b.unstable.length} unstable`);
  return parts.length > 0 ? `baseline: ${parts.join(', ')}` : '';
}

/** How many things a page of the race has to say. */
function alarm(page: string, state: RaceState): number {
  const agents = state.results?.agents ?? [];
  if (page === 'integrity') return agents.reduce((n, a) => n + grave(a), 0);
  if (page === 'tests') return new Set(agents.flatMap((a) => [...(a.tests_by_name?.broken ?? []), ...(a.tests_by_name?.removed ?? [])])).size;
  return 0;
}

export function RaceFrame({ id, page, race, state, children }: Props) {
  const { source } = useApp();
  const { status, results } = state;
  const of = status ?? results;
  const title = of ? `${clean(of.task.split('\n')[0] ?? '').slice(0, 80)} · Hydra` : 'Hydra';
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = 'Hydra';
    };
  }, [title]);
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [page, of === undefined]);
  if (!of) return state.error ? <Failure top error={state.error} again={() => void race.load()} /> : <Waiting what="Reading the race" />;
  const ms = status?.elapsed_ms ?? (results?.duration_seconds ?? 0) * 1000;
  const facts = [
    <code key="id">{of.race.slice(0, 8)}</code>,
    <span key="at"><Said text={of.repository} most={200} /> @ <code>{of.base.slice(0, 7)}</code></span>,
    ...(status?.sandbox ? [<span key="box">{status.sandbox === 'none' ? 'no sandbox' : status.sandbox}</span>] : []),
    ...(baselineWords(state) !== '' ? [<span key="base">{baselineWords(state)}</span>] : []),
  ];
  const pages = PAGES.filter(([name]) => !source.offline || name !== 'timeline');
  return (
    <>
      <div className="racehead">
        <h1><Said text={of.task} most={2000} /></h1>
        {(of.task.length > SHORT_TASK || of.task.trim().includes('\n')) && (
          <details className="task">
            <summary>The whole task</summary>
            <pre className="said" tabIndex={0} role="region" aria-label="The whole task"><Said text={of.task} most={50_000} /></pre>
          </details>
        )}
        <p className="muted facts">
          <span role="status"><StateMark state={of.state} /></span>
          {facts.map((f) => <span key={f.key}> · {f}</span>)}
          {' · '}<span className="num">{duration(ms)}</span>
        </p>
        {of.reason !== '' && <p className="reasons"><Said text={of.reason} /></p>}
      </div>
      <nav ref={tabs} className="tabs" aria-label="Race">
        {pages.map(([name, label, key]) => {
          const n = alarm(name, state);
          return (
            <a key={name} href={href(name === '' ? ['race', id] : ['race', id, name])} data-key={key} aria-current={page === name ? 'page' : undefined}>
              {label}{n > 0 && <span className="count" title={`${n} to look at`}>{n}</span>}
            </a>
          );
        })}
      </nav>
      {children}
    </>
  );
}
