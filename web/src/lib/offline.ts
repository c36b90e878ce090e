// The data of a report as a source: everything is there, nothing can be changed.
import { ApiError, type LogPlace, type Source } from './source.ts';
import type { Attempt, Explain, LogSlice, Results, TestTable } from './types.ts';

interface ReportLog {
  attempt: string;
  text: string;
  /** It is the end only, or the middle is missing. */
  cut: boolean;
}

/** The data that `hydra report` writes. */
export interface ReportData {
  schema: number;
  results: Results;
  explain: Record<string, Explain>;
  tests: TestTable | null;
  diffs: Record<string, string>;
  /** By "SUBJECT/KIND/STREAM". */
  logs: Record<string, ReportLog>;
  /** Every run with its times, also those without a log here. */
  runs?: Attempt[];
  /** Sentences. */
  left_out?: string[];
}

export async function readReport(base64: string): Promise<ReportData> {
  const bytes = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(plain).text()) as ReportData;
}

const missing = (what: string) => new ApiError(404, 'not_found', `This report holds no ${what}.`, '');
const never = () => Promise.reject(new ApiError(409, 'refused', 'A report can’t be changed.', ''));

export function offline(data: ReportData): Source {
  const found = <A>(value: A | undefined | null, what: string): Promise<A> =>
    value === undefined || value === null ? Promise.reject(missing(what)) : Promise.resolve(value);
  const logs = Object.entries(data.logs).map(([name, log]) => {
    const [stream = '', kind = '', ...subject] = name.split('/').reverse();
    return { ...log, subject: subject.reverse().join('/'), kind, stream };
  });
  const log = (place: LogPlace): LogSlice | undefined => {
    const all = logs.filter((l) => l.kind === place.kind && l.stream === place.stream);
    // An attempt may be of another race, whose result this one took from the cache.
    const one = all.find((l) => l.attempt === place.attempt) ?? all.find((l) => l.subject === place.subject);
    return one && { text: one.text, next: one.text.length, ended: true, cut: one.cut };
  };
  return {
    offline: true,
    races: () => Promise.reject(missing('list of races')),
    status: () => Promise.reject(missing('live status')),
    results: () => Promise.resolve(data.results),
    explain: (_race, agent) => found(data.explain[agent], `explanation of ${agent}`),
    // It has those that changed: all that it can show.
    tests: (_race, show) => found(data.tests && { ...data.tests, rows: data.tests.rows.filter((r) => show !== 'failed' || r.cells.includes('f')) }, 'tests'),
    diff: (_race, agent) => found(data.diffs[agent], `diff of ${agent}`),
    log: (_race, place) => found(log(place), `log of ${place.subject}, ${place.kind}`),
    runs: () => Promise.resolve(data.runs ?? []),
    attempts: () => Promise.resolve(logs.filter((l) => l.stream === 'out').map((l) => ({ ...l, number: Number(l.attempt.split('/').at(-1)), purpose: l.subject === '@baseline' ? 'baseline' : '', exit_code: null, started_ms: null, ended_ms: null }))),
    lint: () => Promise.resolve([]),
    report: () => Promise.resolve(undefined),
    rawLog: () => Promise.resolve(undefined),
    rescore: never, merge: never, undoMerge: never, cancel: never, retry: never, verify: never,
    agents: never, doctor: never, templates: never, leaderboard: never, health: never, history: never,
  };
}
