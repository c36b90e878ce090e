// The runs of a race over time: each agent has a lane, so do the base and the runs that verify results.
import type { Attempt } from './types.ts';

export const PARTS = ['work', 'checks', 'verification'] as const;
export type Part = (typeof PARTS)[number];
/** Of a line of 16: what a part is can be seen without colours. */
export const HEIGHTS: Record<Part, number> = { work: 14, checks: 8, verification: 3 };
export type Span = [from: number, to: number];

export interface Lane {
  who: string;
  /** In ms of the picture, in order and apart. */
  parts: Record<Part, Span[]>;
  ms: Record<Part | 'waiting', number>;
  /** End of the lane, in ms of the picture. */
  end: number;
}

export interface Picture {
  lanes: Lane[];
  total: number;
  /** Time in which nothing ran at all, and longer than all that ran: a retry came later. It is not drawn. */
  pause: number;
}

/** The lane of cross runs, twins and judges, which belong to no single agent. */
export const SHARED = '+';
export const BASE = '@baseline';

function union(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

const length = (spans: readonly Span[]) => spans.reduce((sum, [from, to]) => sum + to - from, 0);

function placeOf(run: Attempt): [who: string, part: Part] {
  if (/^[+_]/.test(run.subject)) return [SHARED, 'verification'];
  const who = run.subject.startsWith(BASE) ? BASE : (run.subject.split('@')[0] ?? '');
  return [who, run.kind === 'agent' ? 'work' : run.subject === who ? 'checks' : 'verification'];
}

/** `open`: lanes that go on, until `now`; without it the race is over, and what has no end ended as it began. */
export function picture(runs: readonly Attempt[], who: readonly string[], created: number, now?: number, open: ReadonlySet<string> = new Set()): Picture {
  const spans = runs.flatMap((run) => {
    if (run.started_ms === null) return [];
    const from = Math.max(0, run.started_ms - created);
    return [{ place: placeOf(run), span: [from, Math.max(from, (run.ended_ms ?? now ?? run.started_ms) - created)] as Span }];
  });
  const busy = union(spans.map((s) => s.span));
  const worked = length(busy);
  const pauses = busy.flatMap(([from], i): Span[] => {
    const before = busy[i - 1]?.[1] ?? 0;
    return i > 0 && from - before > worked ? [[before, from]] : [];
  });
  const at = (ms: number) => pauses.reduce((t, [from, to]) => t - Math.max(0, Math.min(ms, to) - from), ms);
  const end = now === undefined ? (busy.at(-1)?.[1] ?? 0) : now - created;
  const lanes = who.map((name): Lane => {
    const own = (part: Part) => union(spans.filter((s) => s.place[0] === name && s.place[1] === part).map(({ span: [a, b] }): Span => [at(a), at(b)]));
    const parts = { work: own('work'), checks: own('checks'), verification: own('verification') };
    const all = union(PARTS.flatMap((p) => parts[p].map(([a, b]): Span => [a, b])));
    const over = open.has(name) ? at(end) : (all.at(-1)?.[1] ?? 0);
    return { who: name, parts, ms: { work: length(parts.work), checks: length(parts.checks), verification: length(parts.verification), waiting: name === SHARED ? 0 : over - length(all) }, end: over };
  });
  return { lanes, total: at(end), pause: length(pauses) };
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400].map((s) => s * 1000);

export const MARKS = 6;

/** The distance of marks above a picture of this length: six of them at most. */
export function step(total: number): number {
  return STEPS.find((s) => total / s <= MARKS) ?? Math.ceil(total / MARKS / 864e5) * 864e5;
}

/** Rectangles of these spans on a line of 1,000 units, `height` high around the middle of 16. */
export function path(spans: readonly Span[], total: number, height: number): string {
  return spans.map(([from, to]) => {
    const x = (from / total) * 1000, w = Math.max(2, ((to - from) / total) * 1000);
    return `M${x.toFixed(1)} ${8 - height / 2}h${w.toFixed(1)}v${height}h-${w.toFixed(1)}z`;
  }).join('');
}
