// A colour an agent: a class of theme.css, which tests hold apart for the colour-blind, too.
import type { AgentResult, Results } from './types.ts';

const COLOURS = 8;

export type Racer = Pick<AgentResult, 'agent' | 'display' | 'state'>;

/** Agents with a result and test writers: a live race counts both as its agents. */
export function racers(results: Results): Racer[] {
  return [...results.agents, ...(results.testers ?? []) as Racer[]];
}

/** By an agent's place among the names of its race, which no ranking changes; beyond eight they come round again. */
export function hues(agents: readonly { agent: string }[]): Map<string, string> {
  return new Map(agents.map((a) => a.agent).sort().map((agent, i) => [agent, `c${i % COLOURS}`]));
}
