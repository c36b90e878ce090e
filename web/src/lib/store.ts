// A state that can be watched.
export class Store<S extends object> {
  private readonly watchers = new Set<() => void>();

  constructor(private state: S) {}

  readonly get = (): S => this.state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  set(part: Partial<S>): void {
    this.state = { ...this.state, ...part };
    for (const watcher of this.watchers) watcher();
  }
}

/** `now`, with every part that is equal taken from `before`: what has not changed keeps its identity. */
export function shared<T>(before: T, now: T): T {
  if (before === now || before === null || now === null || typeof before !== 'object' || typeof now !== 'object') return now;
  const a = before as Record<string, unknown>;
  const b = now as Record<string, unknown>;
  if (Array.isArray(a) !== Array.isArray(b)) return now;
  const keys = Object.keys(b);
  let same = keys.length === Object.keys(a).length;
  const out: Record<string, unknown> | unknown[] = Array.isArray(b) ? [] : {};
  for (const key of keys) {
    const value = shared(a[key], b[key]);
    if (!(key in a) || value !== a[key]) same = false;
    (out as Record<string, unknown>)[key] = value;
  }
  return (same ? before : out) as T;
}
