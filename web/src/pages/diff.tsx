// The diff of one result against the base, or against its attempt before, and comments on its lines.
import { useMemo, useState } from 'react';
import { parseDiff } from '../lib/diff.ts';
import { comments, keepComments, placeOf, type Comment } from '../lib/review.ts';
import { href } from '../lib/route.ts';
import { clean, count } from '../lib/text.ts';
import type { Results } from '../lib/types.ts';
import { RetryDialog } from '../ui/asking.tsx';
import { useApp, useLoad, useRoute } from '../ui/context.ts';
import { Buttons, Dialog } from '../ui/dialog.tsx';
import { DiffView } from '../ui/diffview.tsx';
import { Delta, Empty, Failure, Said, Waiting } from '../ui/said.tsx';

const PLACE = /^(.+):(\d+)(?:-(\d+))?$/;

function CommentDialog({ at, save, close }: { at: string; save(c: Omit<Comment, 'agent'>): void; close(): void }) {
  const [place, setPlace] = useState(at);
  const [text, setText] = useState('');
  const found = PLACE.exec(place);
  const done = () => found && (save({ path: found[1] ?? '', line: Number(found[2]), end: Number(found[3] ?? 0), text }), close());
  return (
    <Dialog title="Comment" close={close}>
      <label className="field">Lines<input type="text" value={place} onChange={(e) => setPlace(e.target.value)} /></label>
      <label className="field">Comment<textarea data-first rows={4} value={text} onChange={(e) => setText(e.target.value)} /></label>
      <Buttons close={close} yes="Add" off={!found || text.trim() === ''} go={done} />
    </Dialog>
  );
}

export function DiffPage({ race, agent, results }: { race: string; agent: string; results: Results | undefined }) {
  const { source, gone } = useApp();
  const { query } = useRoute();
  const since = query.get('since');
  const result = results?.agents.find((x) => x.agent === agent);
  const { data, error, again } = useLoad(`${race} ${agent} ${result?.commit} ${since}`, () => source.diff(race, agent, since));
  const files = useMemo(() => (data === undefined ? undefined : parseDiff(data)), [data]);
  const [all, setAll] = useState(() => comments(race));
  const [at, setAt] = useState('');
  const [sends, setSends] = useState(false);
  const mine = useMemo(() => all.filter((c) => c.agent === agent), [all, agent]);
  const keep = (list: Comment[]) => (keepComments(race, list), setAll(list));
  if (error && !files) return <Failure error={error} again={again} />;
  if (!files) return <Waiting what="Reading the diff" />;
  return (
    <>
      <div className="pagehead">
        <h2>Diff of <Said text={result?.display ?? agent} /></h2>
        <span className="muted"><Delta added={files.reduce((n, f) => n + f.added, 0)} removed={files.reduce((n, f) => n + f.removed, 0)} /></span>
        <span className="links end">
          {result && result.attempt > 1 && !source.offline && <a href={href(['race', race, 'agent', agent, 'diff'], since ? {} : { since: 'retry' })}>{since ? 'All changes' : 'Since your review'}</a>}
          <a data-key="e" href={href(['race', race, 'agent', agent])}>Explain</a>
        </span>
      </div>
      {files.length === 0 ? <Empty title="No changes" /> : (
        <DiffView files={files} findings={result?.integrity?.findings ?? []} start={query.get('file') ?? ''} notes={mine} pick={source.offline ? undefined : (path, line) => setAt(placeOf({ path, line, end: 0 }))}>
          {mine.length > 0 && <button type="button" className="primary" disabled={gone} onClick={() => setSends(true)}>Send {count(mine.length, 'comment')} to {clean(agent)}…</button>}
        </DiffView>
      )}
      {at !== '' && <CommentDialog at={at} close={() => setAt('')} save={(c) => keep([...all, { ...c, agent }])} />}
      {sends && (
        <RetryDialog race={race} agent={agent} others={results?.agents.map((x) => x.agent) ?? []} review={mine} drop={(c) => keep(all.filter((x) => x !== c))}
          close={() => setSends(false)} done={() => (keep(all.filter((c) => c.agent !== agent)), (location.hash = href(['race', race])))} />
      )}
    </>
  );
}
