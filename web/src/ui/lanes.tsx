// The race over time. Work, checks and verification differ in height, so the picture needs no colour; the table has the figures.
import { memo, useEffect } from 'react';
import { duration, took } from '../lib/format.ts';
import { hues, type Racer } from '../lib/hue.ts';
import { BASE, HEIGHTS, MARKS, PARTS, SHARED, path, picture, step, type Lane } from '../lib/lanes.ts';
import type { Race } from '../lib/race.ts';
import { clean } from '../lib/text.ts';
import type { Attempt, Status } from '../lib/types.ts';
import { OVER } from './livecard.tsx';

const FIGURES = [...PARTS, 'waiting'] as const;

interface RowProps {
  name: string;
  hue: string | undefined;
  /** Each as one path: what has not changed is not drawn again. */
  line: string;
  work: string;
  checks: string;
  verification: string;
  figures: string;
}

const Row = memo(function Row({ name, hue, line, work, checks, verification, figures }: RowProps) {
  return (
    <tr className={hue}>
      <th scope="row" title={name}><bdi dir="ltr">{name}</bdi></th>
      <td className="drawn"><svg viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true"><path className="line" d={line} /><path d={work} /><path d={checks} /><path d={verification} /></svg></td>
      {figures.split(' · ').map((f, i) => <td key={i} className="num">{f}</td>)}
    </tr>
  );
});

interface Props {
  race: Race;
  runs: readonly Attempt[] | undefined;
  agents: readonly Racer[];
  created: number;
  live?: Status;
  /** How long a live race will probably be, in ms. */
  least?: number;
}

export function RaceLanes({ race, runs, agents, created, live, least = 0 }: Props) {
  useEffect(() => race.time(), [race]);
  const open = new Set(agents.filter((a) => !OVER.has(a.state)).map((a) => a.agent));
  const drawn = picture(runs ?? [], [BASE, ...agents.map((a) => a.agent), SHARED], created, live?.server_ms, live && open);
  // Logs that were cleaned away have no times.
  if (runs && drawn.total === 0) return null;
  const long = Math.max(drawn.total, least, 1);
  const marks = step(long);
  // A live race always has six marks: they stay in their places, and seldom mean another time.
  const total = live ? MARKS * marks : long;
  const colours = hues(agents);
  const names = new Map([[BASE, 'Base'], [SHARED, 'Cross runs'], ...agents.map((a): [string, string] => [a.agent, clean(a.display)])]);
  const said = (lane: Lane) => FIGURES.map((f) => (lane.ms[f] < 50 ? '–' : live ? duration(lane.ms[f]) : took(lane.ms[f]))).join(' · ');
  return (
    <section className="over-time">
      <h2>Over time</h2>
      <div className="lanes" tabIndex={0} role="region" aria-label="The race over time">
        <table>
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <td className="axis" aria-hidden="true">{Array.from({ length: Math.ceil(total / marks) }, (_, i) => <span key={i} style={{ left: `${((i * marks) / total) * 100}%` }}>{duration(i * marks)}</span>)}</td>
              {FIGURES.map((f) => <th key={f} scope="col" className="num">{f}</th>)}
            </tr>
          </thead>
          <tbody>
            {drawn.lanes.map((lane) => (
              <Row
                key={lane.who} name={names.get(lane.who) ?? lane.who} hue={colours.get(lane.who)} line={path(lane.end > 0 && lane.who !== SHARED ? [[0, lane.end]] : [], total, 1)}
                work={path(lane.parts.work, total, HEIGHTS.work)} checks={path(lane.parts.checks, total, HEIGHTS.checks)} verification={path(lane.parts.verification, total, HEIGHTS.verification)} figures={said(lane)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted heights">{FIGURES.map((f) => <span key={f}><svg viewBox="0 0 24 16" width="24" height="16" aria-hidden="true"><path d={path([[0, 24]], 1000, f === 'waiting' ? 1 : HEIGHTS[f])} /></svg> {f}</span>)}{drawn.pause > 0 && <span>A pause of {duration(drawn.pause)} is not drawn.</span>}</p>
    </section>
  );
}
