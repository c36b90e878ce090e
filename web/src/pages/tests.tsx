// Tests by name across agents, with the baseline as a column.
import { useEffect, useMemo, useState } from 'react';
import { cellLook, needle, onlyRan, rowWords } from '../lib/cells.ts';
import { parseFilter, passes } from '../lib/filter.ts';
import { ENDED } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { ApiError, type Source } from '../lib/source.ts';
import { clean, count } from '../lib/text.ts';
import type { Results, TestTable } from '../lib/types.ts';
import { replaceRoute, useApp, useRoute } from '../ui/context.ts';
import { Empty, Failure, Said, Waiting } from '../ui/said.tsx';
import { Rows } from '../ui/rows.tsx';

const SHOWS = ['changed', 'failed', 'all'] as const;

interface Found {
  key: string;
  table: TestTable | undefined;
  error: ApiError | undefined;
}

/** All pages of the table. */
function useTable(source: Source, race: string, show: string, results: Results): Found | undefined {
  const [found, set] = useState<Found>();
  const key = `${race} ${show} ${results.state}`;
  useEffect(() => {
    let over = false;
    const read = async () => {
      let table: TestTable | undefined;
      for (let cursor = ''; ; ) {
        const got = await source.tests(race, show, cursor);
        if (over) return;
        table = { ...got, rows: [...(table?.rows ?? []), ...got.rows] };
        set({ key, table, error: undefined });
        if (!got.next) return;
        cursor = got.next;
      }
    };
    read().catch((e: unknown) => over || set({ key, table: undefined, error: ApiError.of(e) }));
    return () => {
      over = true;
    };
  }, [key, source]);
  return found?.key === key ? found : undefined;
}

const LOOKS: Record<string, string> = { broken: 'poor', removed: 'poor', skipped: 'fair', flaky: 'fair', fixed: 'good', added: 'good' };

export function TestsPage({ race, results }: { race: string; results: Results }) {
  const { source } = useApp();
  const { query } = useRoute();
  const asked = query.get('show') ?? 'changed';
  const show = SHOWS.find((s) => s === asked) ?? 'changed';
  const q = query.get('q') ?? '';
  const found = useTable(source, race, show, results);
  const table = useMemo(() => {
    const ran = new Set(results.agents.filter((a) => a.dimensions.tests.status === 'scored' || a.dimensions.tests.status === 'not_ranked').map((a) => a.agent));
    return found?.table && { ...found.table, rows: found.table.rows.map((r) => onlyRan(r, found.table?.columns ?? [], ran)) };
  }, [found, results]);
  const rows = useMemo(() => {
    const terms = parseFilter(q);
    if (!table || terms.length === 0) return table?.rows ?? [];
    return table.rows.filter((r) => {
      const words = rowWords(r, table.columns);
      return passes(terms, { s: `${r.class} ${words}`, a: words, f: r.name }, `${r.name} ${words}`);
    });
  }, [table, q]);
  const display = (column: string) => (column === '@baseline' ? 'baseline' : clean(results.agents.find((a) => a.agent === column)?.display ?? column));
  const go = (over: Record<string, string>) => replaceRoute(href(['race', race, 'tests'], { show, q, ...over }));
  const columns = table?.columns ?? [];
  const going = !ENDED.has(results.state);
  const none = q !== '' ? 'No test matches' : show === 'changed' ? `No test changed${going ? ' yet' : ''}` : `No tests by name${going ? ' yet' : ''}`;
  const why = q !== '' || show !== 'changed' ? ''
    : going ? 'Results are checked after their agents have ended.' : 'Every test ended as in the baseline, or the test command does not name its tests.';
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Tests">
        <div className="seg" role="group" aria-label="Which tests">
          {SHOWS.map((s) => <button key={s} type="button" aria-pressed={s === show} onClick={() => go({ show: s })}>{s}</button>)}
        </div>
        <input type="search" data-key="/" aria-label="Filter tests" placeholder="Filter: a:codex s:broken !flaky" defaultValue={q} onChange={(e) => go({ q: e.target.value })} />
        <span className="muted" role="status">{table ? count(rows.length, 'test') : ''}</span>
        <span className="legend muted end" aria-hidden="true">✓ passed ✗ failed – skipped ≈ unstable · not there</span>
      </div>
      {source.offline && show !== 'changed' && <p className="muted">A report holds only the tests that changed.</p>}
      {found?.error ? <Failure error={found.error} />
        : !table ? <Waiting what="Reading the tests" />
        : columns.length < 2 || rows.length === 0
          ? <Empty title={none}><p className="muted">{why}</p></Empty>
          : (
            <Rows
              kind="table" className="table matrix" columns={columns.length + 2} count={rows.length} height={32} label="Tests by agent"
              head={<><span role="columnheader" className="name">Test</span>{columns.map((c) => <span role="columnheader" className="cell" key={c} title={display(c)}><Said text={display(c)} most={40} /></span>)}<span role="columnheader" className="words">What changed</span></>}
              row={(i) => {
                const row = rows[i];
                if (!row) return null;
                const words = rowWords(row, columns);
                return (
                  <>
                    <span role="rowheader" className="name" title={row.name.length < 200 ? clean(row.name) : undefined}><Said text={row.name} most={400} /></span>
                    {columns.map((c, k) => {
                      const cell = cellLook(row.cells[k] ?? '.');
                      const failed = cell.word === 'failed' || cell.word === 'error';
                      return (
                        <span role="cell" key={c} className={`cell ${cell.look}`}>
                          {failed
                            ? <a href={href(['race', race, 'agent', c, 'log', 'tests'], { q: needle(row.name) })} aria-label={`${cell.word}: log of ${display(c)}`}>{cell.glyph}</a>
                            : <><span aria-hidden="true">{cell.glyph}</span><span className="sr">{cell.word}</span></>}
                        </span>
                      );
                    })}
                    <span role="cell" className={`words ${LOOKS[row.class] ?? 'muted'}`}>{words || row.class.replaceAll('_', ' ')}</span>
                  </>
                );
              }}
            />
          )}
    </>
  );
}
