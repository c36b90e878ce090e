// Hash routes: the same code from a file, no fallback of a server, and nothing of a route reaches a log.
export interface Route {
  /** Decoded segments: ["race", "01J…", "agent", "codex"]. */
  path: string[];
  query: URLSearchParams;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const at = text.indexOf('?');
  const path = (at < 0 ? text : text.slice(0, at)).split('/').filter((s) => s !== '');
  return { path: path.map(decoded), query: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)) };
}

/** "#/race/01J…/log/…?line=3"; empty and absent values are left out of the query. */
export function href(path: readonly string[], query: Record<string, string | number | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(key, String(value));
  const text = search.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}
