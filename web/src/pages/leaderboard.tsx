// Agents over many races: never a bare number, always with how sure it is.
import { money, took } from '../lib/format.ts';
import { href } from '../lib/route.ts';
import type { Interval, LeaderRow } from '../lib/source.ts';
import { count } from '../lib/text.ts';
import { replaceRoute, useApp, useLoad, useRoute } from '../ui/context.ts';
import { Measure } from '../ui/measure.tsx';
import { Badge, Empty, Failure, Said, Waiting } from '../ui/said.tsx';

function Row({ row: r, scale }: { row: LeaderRow; scale: Interval }) {
  return (
    <li data-card>
      <span className="rank">{r.rank === null ? '–' : `#${r.rank}`}</span>
      <strong><Said text={r.entry} most={80} />{r.tier !== null && <> <Badge>tier {r.tier}</Badge></>}</strong>
      <span><small className="muted">Success rate</small><Measure what="Success rate" value={r.success_rate} interval={r.interval} scale={[0, 1]} /></span>
      <span><small className="muted">Strength</small><Measure what="Strength" value={r.strength} interval={r.strength_interval} scale={scale} /></span>
      <small className="muted">
        {count(r.attempts, 'attempt')}, {r.solved} of {count(r.tasks, 'task')} solved
        {r.best !== null && <>, best {r.best.toFixed(1)}</>}{r.mean !== null && <>, mean {r.mean.toFixed(1)}{r.deviation !== null && r.attempts > 1 && ` ± ${r.deviation.toFixed(1)}`}</>}
        {r.mean_seconds !== null && <>, {took(r.mean_seconds * 1000)}</>}{r.cost_per_solved !== null && <>, {money(r.cost_per_solved)} a solved task</>}
      </small>
    </li>
  );
}

const BY = ['agent', 'model', 'version'];

/** The leaderboard; of one run of a suite, also who solved which task. */
export function LeaderboardPage({ run = '' }: { run?: string }) {
  const { source } = useApp();
  const { query } = useRoute();
  const repository = query.get('repo') ?? '';
  const suite = query.get('suite') ?? '';
  const by = query.get('by') ?? 'agent';
  const { data, error, again } = useLoad(`leaderboard ${by} ${repository} ${suite} ${run}`, async () => {
    const label = `suite-run=${run}`;
    return run === ''
      ? { board: await source.leaderboard({ by, repository, suite }), races: [] }
      : { board: await source.leaderboard({ by, label, minimum: 1 }), races: await source.history({ label }) };
  });
  if (error && !data) return <Failure top error={error} again={again} />;
  if (!data) return <Waiting what="Reading the leaderboard" />;
  const { board, races } = data;
  if (board.rows.length === 0)
    return (
      <Empty top title="No leaderboard yet">
        <p className="muted">It needs races that ended with a ranking.</p>
        <p><a href={href(['races'])}>To the races</a></p>
      </Empty>
    );
  const ends = board.rows.flatMap((r) => r.strength_interval ?? []);
  const scale: Interval = ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
  return (
    <>
      <div className="pagehead">
        <h1>Leaderboard</h1>
        <span className="muted">{count(board.races, 'race')}, {count(board.tasks, 'task')}{repository !== '' && <>, <Said text={repository} /></>}{suite !== '' && <>, suite <Said text={suite} /></>}, by {board.methods.order}</span>
        <div className="seg end" role="group" aria-label="Rows">
          {BY.map((b) => <button key={b} type="button" aria-pressed={b === by} onClick={() => replaceRoute(href(run === '' ? ['leaderboard'] : ['suite', run], { by: b, repo: repository, suite }))}>by {b}</button>)}
        </div>
      </div>
      <ol className="leaders">{board.rows.map((r) => <Row key={r.entry} row={r} scale={scale} />)}</ol>
      {races.length > 0 && <ul className="plainlist">{races.map((r) => (
        <li key={r.race}><a href={href(['race', r.race])}><Said text={r.labels['suite-task'] ?? r.race} /></a>: <Said text={[...new Set(r.attempts.filter((a) => a.solved).map((a) => a.entry))].join(', ') || 'nobody solved it'} /></li>
      ))}</ul>}
      {board.notes.length > 0 && <ul className="plainlist muted">{board.notes.map((n) => <li key={n}><Said text={n} /></li>)}</ul>}
      <details><summary>How these figures are made</summary>
        <dl className="inputs">{Object.entries(board.methods).map(([name, how]) => <div key={name}><dt>{name.replaceAll('_', ' ')}</dt><dd><Said text={how} /></dd></div>)}</dl>
      </details>
    </>
  );
}
