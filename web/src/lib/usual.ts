// How long races of a repository usually take.
import type { HistoryRace } from './source.ts';

/** Races that count at most: the newest. */
const MOST = 20;

/** The median of the newest that were not cancelled, and of how many; 0: not known. */
export function usual(races: readonly HistoryRace[]): { ms: number; of: number } {
  const times = races.filter((r) => r.state === 'done' && r.created_ms > 0 && r.ended_ms > r.created_ms).slice(-MOST).map((r) => r.ended_ms - r.created_ms).sort((a, b) => a - b);
  return { ms: times[Math.floor(times.length / 2)] ?? 0, of: times.length };
}
