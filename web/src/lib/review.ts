// A person's comments on lines of results, kept in this browser until they are sent.
export interface Comment {
  agent: string;
  path: string;
  line: number;
  end: number;
  text: string;
}

const key = (race: string) => `hydra-review-${race}`;

/** The comments of a race; none where there is no storage, or what it holds is no list. */
export function comments(race: string): Comment[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key(race)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((c) => typeof c?.path === 'string' && typeof c.text === 'string') : [];
  } catch {
    return [];
  }
}

export function keepComments(race: string, list: readonly Comment[]): void {
  try {
    if (list.length > 0) localStorage.setItem(key(race), JSON.stringify(list));
    else localStorage.removeItem(key(race));
  } catch {
    // They hold until the page is closed.
  }
}

export const placeOf = (c: Pick<Comment, 'path' | 'line' | 'end'>) => `${c.path}:${c.line}${c.end > 0 ? `-${c.end}` : ''}`;
