// Where a log says that something failed: a guess by the words that tools use.
const FAILS =
  /\b(?:FAIL(?:ED|URE)?|ERROR|FATAL|PANIC(?:KED)?|Traceback|AssertionError|Exception in|not ok|panicked at|undefined reference|Segmentation fault)\b|\berror(?:\[\w+\])?:|✗|✘|✖|●\s/;
const FINE = /\b0 (?:failed|failures|errors)\b|\b(?:failed|failures|errors)[:=] ?0\b/i;

export function isFailure(line: string): boolean {
  return FAILS.test(line) && !FINE.test(line);
}

/** "120-131", "7": first and last line, from 1. */
export function parseLines(text: string | null): [number, number] | undefined {
  const m = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? '');
  if (!m) return undefined;
  const first = Number(m[1]);
  return first > 0 ? [first, Math.max(first, Number(m[2] ?? first))] : undefined;
}
