// Where the pages get what they show: the daemon, or the data of a report.
import type {
  AgentRow, Attempt, Check, Explain, LintFinding, LogSlice, MergeAnswer, RaceList, Results, Status, Template, TestTable, Weights,
} from './types.ts';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }

  static of(e: unknown): ApiError {
    return e instanceof ApiError ? e : new ApiError(500, '', String(e), '');
  }
}

export interface LogPlace {
  subject: string;
  kind: string;
  stream: string;
  attempt?: string | undefined;
  /** Only the last bytes of it. */
  tail?: number;
}

export interface MergeCall {
  race: string;
  agent: string;
  dry_run?: boolean;
  squash?: boolean;
  message?: string;
  allow?: string[];
  expected_ref?: string;
  preview?: string;
  accept_changes?: boolean;
  with_generated?: boolean;
  without?: string[];
}

export interface RetryCall {
  agents: string[];
  message: string;
  review?: { path: string; line: number; end: number; text: string }[];
  reviewed?: string;
}

export interface RaceQuery {
  q?: string;
  state?: string;
  repository?: string;
  cursor?: string;
  limit?: number;
}

export interface Source {
  /** A report: nothing can be changed, and nothing streams. */
  readonly offline: boolean;
  races(query: RaceQuery): Promise<RaceList>;
  status(race: string): Promise<Status>;
  results(race: string): Promise<Results>;
  explain(race: string, agent: string): Promise<Explain>;
  tests(race: string, show: string, cursor: string): Promise<TestTable>;
  /** Against the base, or against its own result before its last retry. */
  diff(race: string, agent: string, since?: string | null): Promise<string>;
  log(race: string, place: LogPlace, offset: number): Promise<LogSlice>;
  /** Where the browser gets the log as it is; empty: nowhere. */
  rawLog(race: string, place: LogPlace): Promise<Blob | undefined>;
  /** Every run, for its times. */
  runs(race: string): Promise<Attempt[]>;
  /** Every run that has a log here. */
  attempts(race: string): Promise<Attempt[]>;
  /** Findings of the linter in this agent's result that the base does not have. */
  lint(race: string, agent: string): Promise<LintFinding[]>;
  /** The page of `hydra report`, also without task, names, diffs and logs; undefined in one. */
  report(race: string, anonymous: boolean): Promise<Blob | undefined>;
  rescore(race: string, weights: Weights): Promise<Results>;
  merge(call: MergeCall): Promise<MergeAnswer>;
  undoMerge(race: string): Promise<MergeAnswer>;
  cancel(race: string, agent: string): Promise<void>;
  retry(race: string, call: RetryCall): Promise<unknown>;
  verify(race: string): Promise<{ race: string }>;
  agents(probe: boolean): Promise<AgentRow[]>;
  doctor(): Promise<{ ok: boolean; checks: Check[] }>;
  templates(): Promise<Template[]>;
  leaderboard(query: LeaderQuery): Promise<Leaderboard>;
  /** Ended races, oldest first. */
  history(query: HistoryQuery): Promise<HistoryRace[]>;
  health(): Promise<{ version: string; server_ms?: number }>;
}

export interface LeaderQuery { by?: string; repository?: string; suite?: string; label?: string; minimum?: number }

export interface HistoryQuery { label?: string; repository?: string; since_ms?: number; limit?: number }

export interface HistoryRace { race: string; state: string; created_ms: number; ended_ms: number; labels: Record<string, string>; attempts: { entry: string; solved: boolean }[] }

export type Interval = [low: number, high: number];

export interface LeaderRow {
  /** Null where there are too few attempts for a place. */
  rank: number | null;
  entry: string;
  attempts: number;
  best: number | null;
  success_rate: number | null;
  interval: Interval | null;
  mean: number | null;
  deviation: number | null;
  mean_seconds: number | null;
  strength: number | null;
  strength_interval: Interval | null;
  tier: number | null;
  tasks: number;
  solved: number;
  cost_per_solved: number | null;
}

export interface Leaderboard {
  by: string;
  races: number;
  tasks: number;
  minimum: number;
  rows: LeaderRow[];
  notes: string[];
  /** How each figure was made. */
  methods: Record<string, string>;
}
