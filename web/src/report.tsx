// The page of `hydra report`: the same pages over data that is in the file. Nothing is asked of anybody.
import { useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import './theme.css';
import { offline, readReport, type ReportData } from './lib/offline.ts';
import { Race } from './lib/race.ts';
import { RacePages } from './pages/racepages.tsx';
import { AppContext, useRoute, type App } from './ui/context.ts';
import { useKeys } from './ui/keys.ts';
import { Empty, Said } from './ui/said.tsx';
import { applyTheme } from './ui/theme.ts';
import { ThemeChoice } from './pages/settings.tsx';

function Report({ data }: { data: ReportData }) {
  useKeys();
  const { path } = useRoute();
  const app = useMemo<App>(() => {
    const source = offline(data);
    const race = new Race(data.results.race, source);
    return { source, gone: false, race: () => race };
  }, [data]);
  return (
    <AppContext value={app}>
      <header className="top"><span className="brand">Hydra</span><span className="muted">report</span><span className="end" /><ThemeChoice /></header>
      <main id="main" tabIndex={-1}>
        <RacePages id={data.results.race} path={path[0] === 'race' ? path.slice(2) : []} />
        {data.left_out && data.left_out.length > 0 && <section className="notes"><h2>Left out of this file</h2><ul>{data.left_out.map((l) => <li key={l}><Said text={l} /></li>)}</ul></section>}
      </main>
    </AppContext>
  );
}

async function begin(): Promise<void> {
  applyTheme();
  const root = createRoot(document.getElementById('root')!);
  try {
    const data = await readReport(document.getElementById('hydra-data')?.textContent ?? '');
    document.title = `Hydra: ${data.results.task.slice(0, 60)}`;
    root.render(<Report data={data} />);
  } catch (e) {
    root.render(<main><Empty top title="This report can’t be read"><p>{String(e)}</p></Empty></main>);
  }
}

void begin();
