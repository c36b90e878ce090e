// The list of races, newest first, in pages of the daemon's; a filter over what is here.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Api } from '../lib/api.ts';
import { parseFilter, passes } from '../lib/filter.ts';
import { ago, duration, points } from '../lib/format.ts';
import { ENDED } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { grade } from '../lib/score.ts';
import { ApiError } from '../lib/source.ts';
import { Stream } from '../lib/stream.ts';
import type { RacePhase, RaceRow } from '../lib/types.ts';
import { replaceRoute, useApp, useRoute } from '../ui/context.ts';
import { Empty, Failure, Said, StateMark, Waiting } from '../ui/said.tsx';
import { Rows } from '../ui/rows.tsx';

/** Few at first, so that they are there at once; enough that nobody sees their end before more have come. */
const FIRST = 100, PAGE = 200;
const HEIGHT = 64;

interface List {
  races: RaceRow[];
  next: string | null;
  total: number | undefined;
}

function useRaces(): { list: List | undefined; error: ApiError | undefined; more(): void; again(): void } {
  const { source } = useApp();
  const [list, setList] = useState<List>();
  const [error, setError] = useState<ApiError>();
  const load = useCallback(
    async (cursor: string) => {
      try {
        const got = await source.races({ limit: cursor === '' ? FIRST : PAGE, cursor });
        setError(undefined);
        setList((old) => {
          const fresh = new Set(got.races.map((r) => r.race));
          const kept = old?.races.filter((r) => !fresh.has(r.race)) ?? [];
          const races = cursor === '' ? [...got.races, ...kept] : [...kept, ...got.races];
          const next = cursor === '' && old && kept.length > 0 ? old.next : (got.next ?? null);
          return { races, next, total: got.total };
        });
      } catch (e) {
        if (e instanceof ApiError) setError(e);
      }
    },
    [source],
  );
  useEffect(() => void load(''), [load]);
  useEffect(() => {
    const api = source as Api;
    const stream = new Stream({
      open: (last, signal) =>
        api.send(`/v1/events?races=open&live=1&brief=1&after=${last || 'now'}`, { signal, headers: { accept: 'text/event-stream' } }),
      frames: (batch) => {
        if (batch.some((b) => b.event === 'races' || b.event === 'race_created' || b.event === 'race_ended')) void load('');
        const states = new Map(batch.filter((b) => b.event === 'live').map((b) => [String(b.data['race']), b.data['state'] as RacePhase]));
        if (states.size > 0)
          setList((old) => old && { ...old, races: old.races.map((r) => (states.has(r.race) && states.get(r.race) !== r.state ? { ...r, state: states.get(r.race) ?? r.state } : r)) });
      },
      link: () => undefined,
    });
    return () => stream.stop();
  }, [source, load]);
  return { list, error, more: () => list?.next && void load(list.next), again: () => void load('') };
}

const tail = (path: string) => path.replace(/\/+$/, '').split('/').slice(-1)[0] ?? path;

function Row({ race, now }: { race: RaceRow; now: number }) {
  const names = race.agents.map((a) => race.displays?.[a] ?? a);
  return (
    <>
      <span role="cell" className="what">
        <a data-nav href={href(['race', race.race])}><Said text={race.task.split('\n')[0] || '(no task)'} most={300} /></a>
        <small className="muted"><Said text={tail(race.repository)} most={80} /> · <Said text={names.join(', ')} most={160} /></small>
      </span>
      <span role="cell" className="st"><StateMark state={race.state} /></span>
      <span role="cell" className="win">
        {race.winner !== '' ? <>★ <Said text={race.displays?.[race.winner] ?? race.winner} most={60} /></> : ENDED.has(race.state) ? <span className="muted">no winner</span> : <StateMark state={race.state} />}
        {typeof race.best === 'number' && <strong className={grade(race.best)}> {points(race.best)}</strong>}
        {race.merged && <span className="muted"> merged</span>}
      </span>
      <span role="cell" className="when muted">
        {ago(race.created_ms, now)}{race.ended_ms ? <small>{duration(race.ended_ms - race.created_ms)}</small> : null}
      </span>
    </>
  );
}

export function RacesPage() {
  const { query } = useRoute();
  const { list, error, more, again } = useRaces();
  const q = query.get('q') ?? '';
  const rows = useMemo(() => {
    const terms = parseFilter(q);
    return (list?.races ?? []).filter((r) =>
      passes(terms, { s: r.state, a: r.agents.join(' '), r: r.repository, w: r.winner }, `${r.task} ${r.repository} ${r.agents.join(' ')} ${r.state} ${r.race}`));
  }, [list, q]);
  const next = list?.next;
  // A filter looks at all of them: the rest comes page by page.
  useEffect(() => {
    if (q !== '' && next) more();
  }, [q, next]);
  if (error && !list) return <Failure top error={error} again={again} />;
  if (!list) return <Waiting what="Reading the races" />;
  if (list.races.length === 0)
    return (
      <Empty top title="No races yet">
        <p>A race sets several agents on one task and ranks what they make. In your repository:</p>
        <pre>hydra init{'\n'}hydra race "what is to be done"</pre>
      </Empty>
    );
  const now = Date.now();
  return (
    <>
      <div className="pagehead">
        <h1>Races</h1>
        <span className="muted" role="status">{rows.length === (list.total ?? list.races.length) ? rows.length.toLocaleString('en') : `${rows.length.toLocaleString('en')} of ${(list.total ?? list.races.length).toLocaleString('en')}`}</span>
        <input
          type="search" className="end" data-key="/" placeholder="Filter: s:running a:codex !text" aria-label="Filter races" defaultValue={q}
          onChange={(e) => replaceRoute(href(['races'], { q: e.target.value }))}
        />
      </div>
      {rows.length === 0 ? <p className="waiting">No race here matches “{q}”.</p> : (
        <Rows
          className="table races" kind="table" columns={4} count={rows.length} height={HEIGHT} label="Races"
          onRange={(r) => r.end >= rows.length - 20 && more()}
          head={<><span role="columnheader" className="what">Task</span><span role="columnheader" className="st">State</span><span role="columnheader" className="win">Winner</span><span role="columnheader" className="when">Begun</span></>}
          row={(i) => { const race = rows[i]; return race && <Row race={race} now={now} />; }}
        />
      )}
    </>
  );
}
