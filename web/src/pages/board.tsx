// The scoreboard: cards of agents while they work, ranked cards when there is a result.
import { useCallback, useMemo, useState } from 'react';
import { duration } from '../lib/format.ts';
import { hues, racers } from '../lib/hue.ts';
import { ENDED, type Race, type RaceState } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { USUAL, whatIf } from '../lib/score.ts';
import { usual } from '../lib/usual.ts';
import { count } from '../lib/text.ts';
import type { Attempt, Results, Status, Weights } from '../lib/types.ts';
import { useApp, useLoad } from '../ui/context.ts';
import { ConfirmDialog, Refusal, RetryDialog, useAct } from '../ui/asking.tsx';
import { Entries, Testers } from '../ui/entries.tsx';
import { EvidenceLine } from '../ui/evidence.tsx';
import { share } from '../ui/image.ts';
import { RaceLanes } from '../ui/lanes.tsx';
import { LiveCard, OVER } from '../ui/livecard.tsx';
import { save } from '../ui/save.ts';
import { RankCard } from '../ui/rankcard.tsx';
import { Empty, Said, StateMark } from '../ui/said.tsx';
import { useRescore } from '../ui/rescore.ts';
import { WeightSliders, sameWeights } from '../ui/weights.tsx';

export function BoardPage({ id, race, state }: { id: string; race: Race; state: RaceState }) {
  const { status, results } = state;
  const over = ENDED.has((status ?? results)?.state ?? '');
  return over && results ? <Ranked id={id} race={race} results={results} runs={state.runs} /> : <Live id={id} race={race} state={state} />;
}

/** Few cards share the width, and none gets too much of it. */
const wide = (cards: number) => ({ maxWidth: `${cards * 34}rem` });

/** Races of the last sixty days say how long one takes. */
const RECENT = 60 * 864e5;

/** How many do what, and how long it will take if it takes as long as usual; a running race never shows its end. */
function Progress({ status, usually: { ms, of } }: { status: Status; usually: { ms: number; of: number } }) {
  const counts = new Map<string, number>();
  for (const a of status.agents) {
    const phase = a.state === 'queued' ? 'queued' : a.state === 'checking' ? 'in checks' : OVER.has(a.state) ? 'ended' : 'running';
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  const left = ms - status.elapsed_ms;
  return (
    <p className="progress num">
      <span className="counts">{['running', 'in checks', 'queued', 'ended'].filter((p) => counts.has(p)).map((p) => `${counts.get(p)} ${p}`).join(', ')}</span>
      {ms > 0 && <progress max={1} value={Math.min(0.99, status.elapsed_ms / ms)} aria-label="Time of a usual race" />}
      {ms > 0 && <span className="left">{left > 0 ? `about ${duration(left)} left` : 'longer than usual'}</span>}
      {ms > 0 && <span className="muted">estimate from {count(of, 'race')}</span>}
    </p>
  );
}

function Live({ id, race, state }: { id: string; race: Race; state: RaceState }) {
  const { source, gone } = useApp();
  const [asked, ask] = useState<string>();
  const cancel = useCallback((agent: string) => ask(agent), []);
  const status = state.status;
  const repository = status?.repository ?? '';
  const { data } = useLoad(`usual ${repository}`, () => source.history({ repository, since_ms: Date.now() - RECENT, limit: 500 }));
  const usually = useMemo(() => usual(data ?? []), [data]);
  if (!status) return null;
  const base = status.baseline;
  const hue = hues(status.agents);
  const running = ['preparing', 'checking'].includes(base.state);
  return (
    <>
      <div className="bar-row">
        <p className="baseline">
          <span className="muted">Baseline</span> <StateMark state={base.state} />
          {running && base.command !== '' && <> <span className="muted">{base.step}</span> <code><Said text={base.command} most={120} /></code></>}
          {base.waits && <span className="muted"><Said text={base.waits} most={160} /></span>}
          {(status.cross_tests?.of ?? 0) > 0 && <span className="chip">cross tests {status.cross_tests?.done ?? 0}/{status.cross_tests?.of}</span>}
          {Object.entries(base.checks).map(([name, s]) => <span key={name} className="chip"><StateMark state={s} before={`${name} `} /></span>)}
        </p>
        <button type="button" className="quiet" disabled={gone} onClick={() => ask('')}>Cancel race</button>
      </div>
      <Progress status={status} usually={usually} />
      <RaceLanes race={race} runs={state.runs} agents={status.agents} created={status.created_ms} live={status} least={usually.ms} />
      <div className="cards" style={wide(status.agents.length)}>
        {status.agents.map((agent) => (
          <LiveCard key={agent.agent} race={id} agent={agent} hue={hue.get(agent.agent)} off={gone} cancel={cancel} />
        ))}
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={asked === '' ? 'Cancel this race?' : `Cancel ${asked}?`} yes={asked === '' ? 'Cancel race' : 'Cancel agent'} no="Go on"
          text="Its agents are stopped; what they did up to now is captured, and is not checked." close={() => ask(undefined)}
          act={async () => {
            await source.cancel(id, asked);
            await race.refresh();
          }}
        />
      )}
    </>
  );
}

/** Why the winner won, or why there is none. */
function headline(results: Results): string {
  const { state } = results;
  const why = state === 'failed' ? 'The race could not be prepared. ' : state === 'cancelled' ? 'The race was cancelled. ' : '';
  return why + (results.all_failed ? 'No result reaches the minimum score. ' : '') + results.verdict || 'No winner.';
}

function Ranked({ id, race, results, runs }: { id: string; race: Race; results: Results; runs: RaceState['runs'] }) {
  const { source, gone } = useApp();
  const configured = results.weights ?? USUAL;
  const [weights, setWeights] = useState<Weights>(configured);
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState<string[]>([]);
  const [retry, setRetry] = useState<string>();
  const changed = !sameWeights(weights, configured);
  const confirmed = useRescore(id, weights, changed && !source.offline);
  const placed = useMemo(() => {
    // The daemon's own order, with these weights as soon as it has said it.
    const said = changed ? confirmed?.agents : results.agents;
    // A result that changed nothing, or crashed, has no points and no rank.
    if (said) return said.map((agent) => ({ agent, points: agent.composite, rank: agent.composite === null ? 0 : agent.rank, tied: agent.tied }));
    const rest = results.agents.filter((a) => a.composite === null);
    return [...whatIf(results, weights), ...rest.map((agent) => ({ agent, points: null, rank: 0, tied: false }))];
  }, [results, confirmed, weights, changed]);
  const reasons = (changed ? confirmed : results)?.order_reasons ?? [];
  const first = placed.find((p) => p.rank === 1)?.agent;
  const winner = changed ? (first?.eligible ? first.agent : '') : results.winner;
  const hue = useMemo(() => hues(racers(results)), [results]);
  const pick = useCallback((agent: string) => setPicked((old) => (old.includes(agent) ? old.filter((a) => a !== agent) : [...old, agent].slice(-2))), []);
  return (
    <>
      <p className="headline verdict"><Said text={headline(confirmed ?? results)} /></p>
      <div className="bar-row">
        {picked.length === 2
          ? <a className="button" data-key="c" href={href(['race', id, 'compare', ...picked])}>Compare the two</a>
          : <span className="muted">{picked.length === 1 && 'Select one more to compare.'}</span>}
        <button type="button" className="quiet end" data-key="w" aria-expanded={open} onClick={() => setOpen(!open)}>Weights{changed && ' (changed)'}</button>
        <ShareButton results={results} runs={runs ?? []} />
        {!source.offline && <AfterButtons id={id} off={gone} />}
      </div>
      {open && <WeightSliders weights={weights} configured={configured} change={setWeights} confirmed={confirmed !== undefined} />}
      {!changed && <EvidenceLine results={results} />}
      {results.merged && <p className="headline good">Merged ✓ {results.merged.agent} into <Said text={results.merged.ref.replace('refs/heads/', '')} /> as <code>{results.merged.commit.slice(0, 8)}</code>.{!source.offline && <> <a href={href(['race', id, 'merge', results.merged.agent])}>Undo…</a></>}</p>}
      {results.auto_merge_refused !== '' && <p className="headline">Not merged automatically: <Said text={results.auto_merge_refused} /></p>}
      {results.agents.length === 0 && <Empty title="No agents" />}
      <div className={winner ? 'podium' : 'cards'} style={winner ? {} : wide(placed.length)}>
        {placed.map((p) => (
          <RankCard
            key={p.agent.agent} race={id} agent={p.agent} hue={hue.get(p.agent.agent)} first={first} weights={weights} points={p.points} rank={p.rank} tied={p.tied}
            winner={p.agent.agent === winner} merged={results.merged?.agent === p.agent.agent} picked={picked.includes(p.agent.agent)}
            off={gone} offline={source.offline} whatIf={changed} why={reasons.find((r) => r.below === p.agent.agent)?.text} pick={pick} retry={setRetry}
          />
        ))}
      </div>
      <RaceLanes race={race} runs={runs} agents={racers(results)} created={results.created_ms} />
      <Entries results={results} />
      <Testers results={results} />
      <Notes results={results} />
      {retry !== undefined && <RetryDialog race={id} agent={retry} close={() => setRetry(undefined)} done={() => void race.load()} />}
    </>
  );
}

function ShareButton({ results, runs }: { results: Results; runs: readonly Attempt[] }) {
  const [done, set] = useState('');
  return <button type="button" className="quiet" title="Names and figures alone: no task, no path, no text of an agent" onClick={() => void share(results, runs).then(set)}>{done === '' ? 'Copy as image' : <span role="status">Image {done} ✓</span>}</button>;
}

function AfterButtons({ id, off }: { id: string; off: boolean }) {
  const { source } = useApp();
  const act = useAct();
  return (
    <>
      {(['report', 'anonymous'] as const).map((kind) => (
        <button
          key={kind} type="button" className="quiet" disabled={off || act.off} title={`This race as one file, to be read without a daemon${kind === 'report' ? '' : ', and without its task, names of agents, diffs and logs'}`}
          onClick={() => act.go(() => source.report(id, kind === 'anonymous').then((page) => page && save(page, `hydra-${kind}-${id}.html`)))}
        >Save {kind === 'report' ? kind : 'to share'}</button>
      ))}
      <button
        type="button" className="quiet" disabled={off || act.off} title="Runs the checks of these results once more, in a new race"
        onClick={() => act.go(() => source.verify(id).then((made) => { location.hash = href(['race', made.race]); }))}
      >Verify again</button>
      <Refusal act={act} />
    </>
  );
}

function Notes({ results }: { results: Results }) {
  const changes = results.repository_changes;
  if (results.notes.length === 0 && !changes?.blocking.length) return null;
  return (
    <section className="notes">
      <h2>Notes</h2>
      <ul>
        {changes?.blocking.map((c) => <li key={c} className="poor">In your repository since the start: <Said text={c} /></li>)}
        {results.notes.map((n, i) => <li key={i}><Said text={n} /></li>)}
      </ul>
    </section>
  );
}
