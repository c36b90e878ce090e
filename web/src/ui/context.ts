// The context that every page can reach.
import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Race, type RaceState } from '../lib/race.ts';
import { parseRoute, type Route } from '../lib/route.ts';
import { ApiError, type Source } from '../lib/source.ts';
import type { Store } from '../lib/store.ts';

export interface App {
  source: Source;
  /** The daemon does not answer: what would change something is off. */
  gone: boolean;
  race(id: string): Race;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('no application around this');
  return app;
}

export function useStore<S extends object>(store: Store<S>): S {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** The race of a page: loaded and followed as long as something shows it. */
export function useRace(id: string): [Race, RaceState] {
  const app = useApp();
  const race = useMemo(() => app.race(id), [app.race, id]);
  useEffect(() => race.use(), [race]);
  return [race, useStore(race)];
}

const onHash = (then: () => void) => {
  addEventListener('hashchange', then);
  return () => removeEventListener('hashchange', then);
};

export function useRoute(): Route {
  const hash = useSyncExternalStore(onHash, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Replaces the address without a new entry in the browser's history. */
export function replaceRoute(to: string): void {
  if (location.hash === to) return;
  history.replaceState(null, '', to);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export interface Loaded<A> {
  data: A | undefined;
  error: ApiError | undefined;
  again(): void;
}

/** Asks once for each key; what was there stays while it asks again. */
export function useLoad<A>(key: string, ask: () => Promise<A>): Loaded<A> {
  const [state, set] = useState<{ key: string; data: A | undefined; error: ApiError | undefined }>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let over = false;
    ask().then(
      (data) => over || set({ key, data, error: undefined }),
      (e: unknown) => {
        if (!over) set((before) => ({ key, data: before?.key === key ? before.data : undefined, error: ApiError.of(e) }));
      },
    );
    return () => {
      over = true;
    };
  }, [key, turn]);
  const own = state?.key === key ? state : undefined;
  return { data: own?.data, error: own?.error, again: () => setTurn((n) => n + 1) };
}
