// Cross tests: each author's new tests on the base, on its own result and on every other one.
import { classWords, confidenceText, crossCell, crossColumns, statusLook, tally, whyNot, type Author } from '../lib/evidence.ts';
import { words } from '../lib/format.ts';
import { ENDED } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { clean, count } from '../lib/text.ts';
import type { Results } from '../lib/types.ts';
import { ConfidenceBadge } from '../ui/evidence.tsx';
import { Badge, Empty, Said } from '../ui/said.tsx';

const MOST_TESTS = 500;

interface Shown {
  results: Results;
  columns: string[];
  display(name: string): string;
}

function isOwn(author: Author, result: string): boolean {
  return (author.members ?? []).includes(result);
}

function Table({ results: r, columns, display }: Shown) {
  return (
    <div className="scroller" tabIndex={0} role="region" aria-label="Cross tests">
      <table className="cross">
        <thead>
          <tr><th scope="col">Tests of</th>{columns.map((c) => <th key={c} scope="col"><Said text={display(c)} most={40} /></th>)}</tr>
        </thead>
        <tbody>
          {r.evidence?.authors?.map((a) => (
            <tr key={a.author}>
              <th scope="row"><Said text={display(a.author ?? '')} most={60} /> <small className="muted">{a.kind === 'tester' ? 'test writer, ' : ''}{count(a.tests ?? 0, 'test')}</small></th>
              {columns.map((c) => {
                const t = tally(crossCell(r.evidence, a.author ?? '', c));
                return <td key={c} className={`${t.look}${isOwn(a, c) ? ' own' : ''}`}><span aria-hidden="true">{t.text}{isOwn(a, c) && '*'}</span><span className="sr">{t.words}{isOwn(a, c) && ', its own'}</span></td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TestsOf({ author: a, results: r, columns, display }: Shown & { author: Author }) {
  const cells = columns.map((c) => crossCell(r.evidence, a.author ?? '', c));
  const shape = cells.reduce((best, c) => ((c?.tests?.length ?? 0) > (best?.tests?.length ?? 0) ? c : best), cells[0]);
  const tests = shape?.tests ?? [];
  return (
    <section className="panel" aria-label={`Tests of ${display(a.author ?? '')}`}>
      <h2>Tests of <Said text={display(a.author ?? '')} most={60} /> {a.kind === 'tester' && <Badge>test writer</Badge>}</h2>
      {(a.members?.length ?? 0) > 1 && <p className="muted">The same test files are of {a.members?.map(display).join(', ')}: one voice.</p>}
      {a.void_reason && <p className="reasons">Not counted: <Said text={a.void_reason} most={300} /></p>}
      {tests.length === 0 ? <p className="muted">{count(a.tests ?? 0, 'test')}, not told by name.</p> : (
        <div className="scroller" tabIndex={0} role="region" aria-label={`Tests of ${display(a.author ?? '')} by name`}>
          <table className="cross">
            <thead><tr><th scope="col">Test</th>{columns.map((c) => <th key={c} scope="col"><Said text={display(c)} most={40} /></th>)}</tr></thead>
            <tbody>
              {tests.slice(0, MOST_TESTS).map((t, i) => (
                <tr key={t.name}>
                  <th scope="row"><code><Said text={t.name ?? ''} most={200} /></code> <small className="muted">{classWords(t.class)}{t.reason && <>, <Said text={t.reason} most={120} /></>}</small></th>
                  {columns.map((c, k) => {
                    const s = statusLook(cells[k]?.tests?.[i]?.status);
                    return <td key={c} className={s.look}><span aria-hidden="true">{s.glyph}</span><span className="sr">{s.word}</span></td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
          {tests.length > MOST_TESTS && <p className="muted">{count(tests.length - MOST_TESTS, 'test')} more.</p>}
        </div>
      )}
    </section>
  );
}

/** Judges and people who rated: every vote with its reason. */
function JudgesPanel({ results: r }: { results: Results }) {
  const judged = r.agents.filter((a) => a.judges);
  if (judged.length === 0) return null;
  return (
    <section className="panel">
      <h2>Judges</h2>
      {judged.map((a) => (
        <div key={a.agent}>
          <p><strong><Said text={a.display} most={60} /></strong> {typeof a.judges?.score === 'number' && a.judges.score.toFixed(2)} <span className="muted"><Said text={a.judges?.text ?? ''} most={300} /></span></p>
          <ul className="plainlist">
            {a.judges?.votes.map((v) => (
              <li key={v.judge}><Said text={v.judge} most={60} />: {v.score === null ? words(v.invalid) : v.score.toFixed(2)} {v.outlier && <Badge>outlier</Badge>} <small className="muted">stake {v.stake}. <Said text={v.reason} most={300} /></small></li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

export function EvidencePage({ race, results }: { race: string; results: Results }) {
  const evidence = results.evidence;
  const columns = crossColumns(results);
  const display = (name: string) => (name === '@baseline' ? 'base' : clean(results.agents.find((a) => a.agent === name)?.display ?? results.testers?.find((t) => t.agent === name)?.display ?? name));
  const shown = { results, columns, display };
  const authors = evidence?.authors ?? [];
  const going = !ENDED.has(results.state);
  const why = going ? 'Tests that agents write run on the results of the others once these are checked.'
    : whyNot(evidence) === '' ? 'No result brought tests that ran on the others.' : `Why: ${whyNot(evidence)}.`;
  return (
    <div className="sections wide">
      <section className="panel">
        <h2>Evidence of each result</h2>
        <ul className="plainlist words">
          {results.agents.filter((a) => a.confidence?.word).map((a) => (
            <li key={a.agent}><a data-nav href={href(['race', race, 'agent', a.agent])}><Said text={a.display} most={60} /></a> <ConfidenceBadge race={race} agent={a} /> <span className="muted"><Said text={confidenceText(a)} most={400} /></span></li>
          ))}
        </ul>
        {results.agents.every((a) => !a.confidence?.word) && <p className="muted">{going ? 'Nothing has been ranked yet.' : 'No result has evidence.'}</p>}
      </section>
      <JudgesPanel results={results} />
      {authors.length === 0
        ? <Empty title={going ? 'No cross tests yet' : 'No cross tests'}><p className="muted">{why}</p></Empty>
        : (
          <>
            <section className="panel">
              <h2>Cross tests</h2>
              <Table {...shown} />
              <p className="muted legend">n/m: passes n of m tests that fail without the change · * its own · – nothing ran, or no contact{whyNot(evidence) !== '' && ` · no points of evidence: ${whyNot(evidence)}`}</p>
            </section>
            {authors.map((a) => <TestsOf key={a.author} {...shown} author={a} />)}
          </>
        )}
    </div>
  );
}
