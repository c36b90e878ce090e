// Agents over many races: never a bare number, always with how sure it is.
import { href } from '../lib/route.ts';
import { useApp, useLoad, useRoute } from '../ui/context.ts';
import { Empty, Failure, Said, Waiting } from '../ui/said.tsx';

export function LeaderboardPage() {
  const { source } = useApp();
  const { query } = useRoute();
  const repository = query.get('repo') ?? '';
  const { data, error, again } = useLoad(`leaderboard ${repository}`, async () => ({ board: await source.leaderboard({ repository }) }));
  if (error && !data) return <Failure top error={error} again={again} />;
  if (!data) return <Waiting what="Reading the leaderboard" />;
  const rows = data.board?.rows ?? [];
  if (rows.length === 0)
    return (
      <Empty top title="No leaderboard yet">
        <p className="muted">{data.board ? 'It needs races that ended with a ranking.' : 'This daemon does not keep one.'}</p>
        <p><a href={href(['races'])}>To the races</a></p>
      </Empty>
    );
  const low = Math.min(...rows.map((r) => r.low));
  const high = Math.max(...rows.map((r) => r.high), low + 1e-9);
  const at = (v: number) => `${(((v - low) / (high - low)) * 100).toFixed(2)}%`;
  return (
    <>
      <div className="pagehead"><h1>Leaderboard</h1>{repository !== '' && <span className="muted"><Said text={repository} /></span>}</div>
      <ol className="leaders">
        {rows.map((r, i) => (
          <li key={r.agent} data-card>
            <span className="rank">#{i + 1}</span> <strong><Said text={r.display ?? r.agent} /></strong>
            <span className="interval" role="img" aria-label={`${r.value.toFixed(3)}, between ${r.low.toFixed(3)} and ${r.high.toFixed(3)}`}>
              <span className="range" style={{ left: at(r.low), right: `calc(100% - ${at(r.high)})` }} /><span className="dot" style={{ left: at(r.value) }} />
            </span>
            <span className="num">{r.value.toFixed(2)}</span> <span className="muted">{r.low.toFixed(2)}–{r.high.toFixed(2)}, {r.n} {r.n === 1 ? 'race' : 'races'}</span>
          </li>
        ))}
      </ol>
      {data.board?.method && <p className="muted"><Said text={data.board.method} /></p>}
    </>
  );
}
