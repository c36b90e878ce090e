// The diff of one result against the base.
import { useMemo } from 'react';
import { parseDiff } from '../lib/diff.ts';
import { href } from '../lib/route.ts';
import type { AgentResult } from '../lib/types.ts';
import { useApp, useLoad, useRoute } from '../ui/context.ts';
import { DiffView } from '../ui/diffview.tsx';
import { Empty, Failure, Said, Waiting } from '../ui/said.tsx';

export function DiffPage({ race, agent, result }: { race: string; agent: string; result: AgentResult | undefined }) {
  const { source } = useApp();
  const { query } = useRoute();
  const { data, error, again } = useLoad(`${race} ${agent} ${result?.commit}`, () => source.diff(race, agent));
  const files = useMemo(() => (data === undefined ? undefined : parseDiff(data)), [data]);
  if (error && !files) return <Failure error={error} again={again} />;
  if (!files) return <Waiting what="Reading the diff" />;
  return (
    <>
      <div className="pagehead">
        <h2>Diff of <Said text={result?.display ?? agent} /></h2>
        <span className="muted"><span className="plus">+{files.reduce((n, f) => n + f.added, 0)}</span> <span className="minus">−{files.reduce((n, f) => n + f.removed, 0)}</span></span>
        <span className="links end"><a data-key="e" href={href(['race', race, 'agent', agent])}>Explain</a></span>
      </div>
      {files.length === 0 ? <Empty title="No changes" /> : <DiffView files={files} findings={result?.integrity?.findings ?? []} start={query.get('file') ?? ''} />}
    </>
  );
}
