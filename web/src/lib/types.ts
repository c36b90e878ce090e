// The daemon's answers by the names that the pages use; what they are is generated from docs/openapi.json.
import type * as Api from './answers.d.ts';

export type {
  AgentResult, AgentStatus, Baseline, Dimension, EarlierAttempt, Entry, Evidence, Explain, ExplainDimension, Finding, Integrity, OrderReason, RaceList, RacePhase, RaceRow,
  Results, Run, Status, TestNames, TestTable, Weights, Workspace,
} from './answers.d.ts';

export type DimensionName = Exclude<keyof Api.Weights, 'judges'>;
export type TestRow = Api.TestTable['rows'][number];
export type AgentRow = Api.Agents['agents'][number];
export type Check = Api.Doctor['checks'][number];
export type Template = Api.Templates['templates'][number];
export type Attempt = Pick<Api.Attempts['attempts'][number], 'attempt' | 'subject' | 'kind' | 'number' | 'purpose' | 'exit_code' | 'started_ms' | 'ended_ms'>;
export type LintFinding = Api.LintPage['findings'][number];
export type Figures = Record<string, unknown>;
export type MergeAnswer = Api.Merge;

export interface LogSlice {
  text: string;
  next: number;
  ended: boolean;
  cut: boolean;
}

/** A stored event as the stream tells it. */
export interface RaceEvent {
  id: string;
  kind: string;
  race: string;
  at_ms: number;
  body: Figures;
}
