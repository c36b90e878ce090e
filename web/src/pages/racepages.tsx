// Which page of a race a route names.
import type { Race, RaceState } from '../lib/race.ts';
import { ENDED } from '../lib/race.ts';
import { useRace } from '../ui/context.ts';
import { Empty, Waiting } from '../ui/said.tsx';
import { AgentPage } from './agent.tsx';
import { BoardPage } from './board.tsx';
import { ChecksPage } from './checks.tsx';
import { ComparePage, CompareStart } from './compare.tsx';
import { DiffPage } from './diff.tsx';
import { EvidencePage } from './evidence.tsx';
import { IntegrityPage } from './integrity.tsx';
import { LogPage } from './log.tsx';
import { MergeDialog } from './merge.tsx';
import { RaceFrame } from './race.tsx';
import { TestsPage } from './tests.tsx';
import { TimelinePage } from './timeline.tsx';

function Page({ id, path, race, state }: { id: string; path: readonly string[]; race: Race; state: RaceState }) {
  const [page = '', one = '', two = '', three = 'agent'] = path;
  const { status, results } = state;
  if (page === '' || page === 'merge') return <BoardPage id={id} race={race} state={state} />;
  if (page === 'timeline') return <TimelinePage race={race} state={state} />;
  if (!results) return <Waiting what="Reading the results" />;
  const result = results.agents.find((a) => a.agent === one);
  if (page === 'tests') return <TestsPage race={id} results={results} />;
  if (page === 'evidence') return <EvidencePage race={id} results={results} />;
  if (page === 'integrity') return <IntegrityPage race={id} results={results} />;
  if (page === 'checks') return <ChecksPage race={id} results={results} />;
  if (page === 'compare') return one !== '' && two !== '' ? <ComparePage race={id} results={results} a={one} b={two} /> : <CompareStart race={id} results={results} />;
  // A log that grows is read on with every picture of its race.
  const tick = status && !ENDED.has(status.state) ? status.elapsed_ms : 0;
  if (page === 'agent' && two === 'log') return <LogPage key={`${one} ${three}`} race={id} subject={one} kind={three} tick={tick} />;
  if (page === 'agent' && two === 'diff') return <DiffPage race={id} agent={one} results={results} />;
  if (page === 'agent') return <AgentPage race={id} agent={one} result={result} />;
  return <Empty title="No such page" />;
}

export function RacePages({ id, path }: { id: string; path: readonly string[] }) {
  const [race, state] = useRace(id);
  const page = path[0] === 'merge' || path[0] === 'agent' ? '' : (path[0] ?? '');
  const merging = path[0] === 'merge' ? state.results?.agents.find((a) => a.agent === path[1]) : undefined;
  return (
    <RaceFrame id={id} page={page} race={race} state={state}>
      <Page id={id} path={path} race={race} state={state} />
      {merging && state.results && <MergeDialog race={race} results={state.results} result={merging} />}
    </RaceFrame>
  );
}
