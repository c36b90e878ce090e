// The pure formula of the composite, for the sliders. Eligibility and reasons are the daemon's.
import type { AgentResult, DimensionName, Results, Weights } from './types.ts';

export const DIMENSIONS: readonly DimensionName[] = ['build', 'tests', 'lint', 'diff_size', 'speed'];

export const LABELS: Record<DimensionName, string> = {
  build: 'Build', tests: 'Tests', lint: 'Lint', diff_size: 'Diff size', speed: 'Speed',
};

export const USUAL: Weights = { build: 30, tests: 30, lint: 15, diff_size: 15, speed: 10 };

export type Grade = 'good' | 'fair' | 'poor';

/** By the points as they are, never as they are rounded: above 80 good, from 50 on fair, below it poor. */
export function grade(points: number): Grade {
  return points > 80 ? 'good' : points >= 50 ? 'fair' : 'poor';
}

/** The sum of points times weight over the sum of weights, of the dimensions that are configured. `judged`: some result of
 *  the race has points of judges; then one without them has 0. */
export function composite(agent: AgentResult, weights: Weights, judged = false): number {
  let sum = 0;
  let total = 0;
  for (const name of DIMENSIONS) {
    const d = agent.dimensions[name];
    if (!d || d.status === 'not_configured') continue;
    sum += d.points * weights[name];
    total += weights[name];
  }
  if (judged && weights.judges) {
    sum += (agent.judges?.points ?? 0) * weights.judges;
    total += weights.judges;
  }
  return total > 0 ? sum / total : 0;
}

export interface Placed {
  agent: AgentResult;
  points: number;
  rank: number;
  tied: boolean;
}

/** The number before the points in a race with evidence: the sum of tests and evidence points; 0 in any other. */
function shown(results: Results, agent: AgentResult): number {
  if (results.order !== 'evidence' || results.told_apart !== true) return 0;
  return (agent.dimensions.tests?.points ?? 0) + (agent.evidence_points ?? 0);
}

/** The order under other weights, until the daemon has said its own: eligible ones first, then by evidence where there is
 *  any, then by points; who has as much of all shares a rank. */
export function whatIf(results: Results, weights: Weights): Placed[] {
  const judged = results.agents.some((agent) => agent.judges?.points != null);
  const placed = results.agents
    .filter((agent) => agent.rank > 0)
    .map((agent) => ({ agent, points: composite(agent, weights, judged), rank: 0, tied: false }))
    .sort((a, b) => Number(b.agent.eligible) - Number(a.agent.eligible) || shown(results, b.agent) - shown(results, a.agent) ||
      b.points - a.points || a.agent.rank - b.agent.rank);
  placed.forEach((row, i) => {
    const before = placed[i - 1];
    const same = before !== undefined && before.points === row.points && before.agent.eligible === row.agent.eligible &&
      shown(results, before.agent) === shown(results, row.agent);
    row.rank = same ? before.rank : i + 1;
    if (same) before.tied = row.tied = true;
  });
  return placed;
}

/** The share of each dimension in the distance between two results, in points of the composite, largest first. */
export function distance(a: AgentResult, b: AgentResult, weights: Weights): { name: DimensionName; by: number }[] {
  let total = 0;
  const rows: { name: DimensionName; by: number }[] = [];
  for (const name of DIMENSIONS) {
    const left = a.dimensions[name];
    const right = b.dimensions[name];
    if (!left || !right || left.status === 'not_configured') continue;
    total += weights[name];
    rows.push({ name, by: (left.points - right.points) * weights[name] });
  }
  if (total <= 0) return [];
  return rows
    .map((r) => ({ name: r.name, by: r.by / total }))
    .filter((r) => Math.abs(r.by) >= 0.05)
    .sort((x, y) => Math.abs(y.by) - Math.abs(x.by));
}
