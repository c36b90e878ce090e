// A colour an agent: a class of theme.css, which tests hold apart for the colour-blind, too.

const COLOURS = 8;

/** By an agent's place among the names of its race, which no ranking changes; beyond eight they come round again. */
export function hues(agents: readonly { agent: string }[]): Map<string, string> {
  return new Map(agents.map((a) => a.agent).sort().map((agent, i) => [agent, `c${i % COLOURS}`]));
}
