// The page of a running daemon: routes, the session, and whether the daemon answers.
import { useMemo, useState } from 'react';
import { Api } from './lib/api.ts';
import { Race } from './lib/race.ts';
import { Store } from './lib/store.ts';
import { AgentsPage } from './pages/agents.tsx';
import { LeaderboardPage } from './pages/leaderboard.tsx';
import { RacePages } from './pages/racepages.tsx';
import { RacesPage } from './pages/races.tsx';
import { SettingsPage } from './pages/settings.tsx';
import { LostBanner, Shell } from './pages/shell.tsx';
import { SignInPage } from './pages/signin.tsx';
import { AppContext, useRoute, useStore, type App as Context } from './ui/context.ts';
import { Empty } from './ui/said.tsx';

interface Door {
  signedIn: boolean;
  used: boolean;
  gone: boolean;
}

export const door = new Store<Door>({ signedIn: true, used: false, gone: false });

const set = (part: Partial<Door>) => {
  const now = door.get();
  if ((Object.keys(part) as (keyof Door)[]).some((key) => now[key] !== part[key])) door.set(part);
};

export const api = new Api({
  signedOut: () => set({ signedIn: false }),
  answered: () => set({ gone: false }),
  gone: () => set({ gone: true }),
});

// Signed in by another tab: what was looked at here goes on. A page that was left begins anew, with the same route.
addEventListener('storage', (e) => {
  if (e.key === 'hydra-tab' && e.newValue !== null && !door.get().signedIn) location.reload();
});

const races = new Map<string, Race>();

function raceOf(id: string): Race {
  const known = races.get(id) ?? new Race(id, api);
  races.set(id, known);
  return known;
}

const none = new Store({ link: '', retryAt: 0 });

export function App() {
  const { path } = useRoute();
  const { signedIn, used, gone } = useStore(door);
  const app = useMemo<Context>(() => ({ source: api, gone, race: raceOf }), [gone]);
  const [page = 'races', id = ''] = path;
  const race = page === 'race' && id !== '' ? raceOf(id) : undefined;
  const state = useStore((race ?? none) as Store<{ link: string; retryAt: number }>);
  const [tried, setTried] = useState(0);
  if (!signedIn) return <SignInPage used={used} />;
  const lost = gone || (race !== undefined && state.link === 'lost');
  const again = () => {
    setTried(tried + 1);
    if (race) race.retryNow();
    else void api.health().catch(() => undefined);
  };
  return (
    <AppContext value={app}>
      <Shell page={page === 'race' ? '' : page} link={race ? state.link : gone ? 'lost' : ''} banner={lost && <LostBanner key={tried} retryAt={state.retryAt} now={again} />}>
        {page === 'races' ? <RacesPage />
          : race ? <RacePages key={id} id={id} path={path.slice(2)} />
          : page === 'leaderboard' ? <LeaderboardPage />
          : page === 'suite' ? <LeaderboardPage run={id} />
          : page === 'agents' ? <AgentsPage />
          : page === 'settings' || page === 'help' ? <SettingsPage />
          : <Empty top title="No such page"><p><a href="#/races">To the races</a></p></Empty>}
      </Shell>
    </AppContext>
  );
}
