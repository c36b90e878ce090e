// The filter's language: `s:failed a:codex f:src/ !flaky text`. Words are joined by "and"; `!` turns one round.
export interface Term {
  key: string;
  value: string;
  not: boolean;
}

export function parseFilter(text: string): Term[] {
  const terms: Term[] = [];
  for (const word of text.match(/!?(?:\w+:)?(?:"[^"]*"?|\S+)/g) ?? []) {
    const not = word.startsWith('!') && word.length > 1;
    const rest = not ? word.slice(1) : word;
    const key = /^([a-z]+):(.+)$/i.exec(rest);
    const value = (key?.[2] ?? rest).replaceAll('"', '').toLowerCase();
    if (value !== '') terms.push({ key: (key?.[1] ?? '').toLowerCase(), value, not });
  }
  return terms;
}

/** Whether a thing with these texts passes; `all` is what a word without a key looks at, and a key that is not known. */
export function passes(terms: readonly Term[], fields: Record<string, string>, all: string): boolean {
  const whole = all.toLowerCase();
  return terms.every((t) => {
    const field = fields[t.key];
    const hit =
      t.key === '' ? whole.includes(t.value)
      : field === undefined ? whole.includes(`${t.key}:${t.value}`)
      : field.toLowerCase().includes(t.value);
    return hit !== t.not;
  });
}
