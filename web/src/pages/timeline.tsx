// The timeline of a race, from its stored events.
import { useEffect } from 'react';
import { took, words } from '../lib/format.ts';
import type { Race, RaceState } from '../lib/race.ts';
import type { RaceEvent } from '../lib/types.ts';
import { Said, Waiting } from '../ui/said.tsx';
import { Rows } from '../ui/rows.tsx';

/** The part of an event that says something to people. */
function about(e: RaceEvent): string {
  const b = e.body;
  const text = (key: string) => (typeof b[key] === 'string' ? (b[key] as string) : '');
  const check = b['evidence'] as { dimension?: string; status?: string } | undefined;
  const verdict = b['verdict'] as { outcome?: string } | undefined;
  return [text('reason'), text('message'), text('text'), text('state'), check?.dimension, check?.status, verdict?.outcome, text('ref')]
    .filter((x) => x !== undefined && x !== '').join(' · ');
}

const who = (e: RaceEvent) => String(e.body['agent'] ?? e.body['subject'] ?? '');

export function TimelinePage({ race, state }: { race: Race; state: RaceState }) {
  useEffect(() => race.replay(), [race]);
  const begun = state.status?.created_ms ?? state.events[0]?.at_ms ?? 0;
  const rows = state.events;
  if (rows.length === 0) return <Waiting what="Reading the events" />;
  return (
    <Rows
      kind="table" className="table timeline" columns={4} count={rows.length} height={32} label="Events"
      head={<><span role="columnheader" className="at">After</span><span role="columnheader" className="ev">Event</span><span role="columnheader" className="who">Who</span><span role="columnheader" className="about">What</span></>}
      row={(i) => {
        const e = rows[i];
        return e && (
          <>
            <span role="cell" className="at num muted">{took(e.at_ms - begun)}</span>
            <span role="cell" className="ev">{words(e.kind)}</span>
            <span role="cell" className="who"><Said text={who(e)} most={60} /></span>
            <span role="cell" className="about muted"><Said text={about(e)} most={300} /></span>
          </>
        );
      }}
    />
  );
}
