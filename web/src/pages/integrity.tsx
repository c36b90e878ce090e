// The tamper report of every result.
import { href } from '../lib/route.ts';
import { clean } from '../lib/text.ts';
import type { Results } from '../lib/types.ts';
import { Findings } from '../ui/findings.tsx';
import { Empty, Said } from '../ui/said.tsx';

export function IntegrityPage({ race, results }: { race: string; results: Results }) {
  if (results.agents.every((a) => !a.integrity)) return <Empty title="Nothing to look at yet"><p className="muted">A result is looked at when it has been captured.</p></Empty>;
  return (
    <div className="sections">
      {results.agents.map((a) => (
        <section key={a.agent} className="panel" data-card aria-label={clean(a.display)}>
          <h2><a data-nav href={href(['race', race, 'agent', a.agent])}><Said text={a.display} /></a></h2>
          <Findings race={race} agent={a.agent} integrity={a.integrity} />
        </section>
      ))}
    </div>
  );
}
