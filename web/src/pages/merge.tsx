// The merge dialog: what would happen, what needs a word, and only then the button. It is a route: Back closes it.
import { useEffect, useState } from 'react';
import type { Race } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { clean } from '../lib/text.ts';
import { ApiError, type MergeCall } from '../lib/source.ts';
import type { AgentResult, MergeAnswer, Results } from '../lib/types.ts';
import { useApp } from '../ui/context.ts';
import { ErrorLine } from '../ui/asking.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Badge, Said, Waiting } from '../ui/said.tsx';

const CONSENTS: Record<string, string> = {
  attributes: 'It changes .gitattributes', branch: 'It goes into another branch than the race was started on',
  ci: 'It changes the configuration of a CI service', hooks: 'It changes hooks, or files that hooks or editors run',
  lfs: 'It changes large files (LFS pointers)', submodules: 'It changes .gitmodules or a submodule',
  symlinks: 'It has a new symbolic link that leads out of the repository', unchecked: 'It was not checked',
};

/** Nobody reads a preview in less. */
const READ_MS = 500;

type Step = { at: 'preview' | 'merging' } | { at: 'done' | 'undone'; answer: MergeAnswer };

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '');

function Preview({ answer }: { answer: MergeAnswer }) {
  const clean = answer.conflicts.length === 0;
  return (
    <>
      <dl className="inputs">
        <div><dt>into</dt><dd><code><Said text={branchOf(answer.ref)} most={200} /></code></dd></div>
        <div><dt>from</dt><dd><code><Said text={answer.branch} most={200} /></code></dd></div>
        <div><dt>branch is at</dt><dd><code>{answer.old_commit.slice(0, 10)}</code></dd></div>
        {clean && <div><dt>change</dt><dd><span className="plus">+{answer.diff.lines_added}</span> <span className="minus">−{answer.diff.lines_removed}</span> in {answer.diff.files_changed} {answer.diff.files_changed === 1 ? 'file' : 'files'}</dd></div>}
      </dl>
      {answer.already_merged && <p className="headline">It is merged already.</p>}
      {clean ? <p><Badge look="good">✓ no conflicts</Badge></p> : (
        <>
          <p><Badge look="poor">✗ {answer.conflicts.length} {answer.conflicts.length === 1 ? 'conflict' : 'conflicts'}</Badge> Nothing is merged until they are gone: rebase, or merge by hand in your checkout.</p>
          <ul className="plainlist conflicts">{answer.conflicts.map((path, i) => {
            const text = answer.conflict_text?.find((c) => c.path === path)?.text;
            return <li key={path}>{text ? <details open={i === 0}><summary><code><Said text={path} most={300} /></code></summary><Conflict text={text} /></details> : <code><Said text={path} most={300} /></code>}</li>;
          })}</ul>
        </>
      )}
      {answer.overlap.length > 0 && <p className="fair">{answer.overlap.length} of its files have uncommitted changes of yours: <Said text={answer.overlap.map(String).slice(0, 5).join(', ')} /></p>}
    </>
  );
}

function useMerge(race: Race, results: Results, agent: string) {
  const { source } = useApp();
  const [squash, setSquash] = useState(false);
  const [message, setMessage] = useState('');
  const [step, setStep] = useState<Step>({ at: 'preview' });
  const [preview, setPreview] = useState<MergeAnswer>();
  const [read, setRead] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [turn, setTurn] = useState(0);
  const call: MergeCall = { race: results.race, agent, squash, ...(message === '' ? {} : { message }) };
  const fail = (e: unknown) => setError(e instanceof ApiError ? e : new ApiError(500, '', String(e), ''));
  // Message and kind of merge are part of what is shown: each change is a new preview.
  useEffect(() => {
    let over = false;
    setPreview(undefined);
    setRead(false);
    const timer = setTimeout(() => {
      source.merge({ ...call, dry_run: true }).then((answer) => {
        if (over) return;
        setPreview(answer);
        setError(undefined);
        setTimeout(() => over || setRead(true), READ_MS);
      }, (e: unknown) => over || fail(e));
    }, message === '' ? 0 : 400);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [squash, message, turn, agent]);
  const merge = async (allow: string[], acceptChanges: boolean) => {
    if (!preview) return;
    setStep({ at: 'merging' });
    try {
      const token = preview.preview === undefined ? { expected_ref: preview.old_commit } : { preview: preview.preview };
      const answer = await source.merge({ ...call, allow, ...token, ...(acceptChanges ? { accept_changes: true } : {}) });
      setStep({ at: 'done', answer });
      void race.refresh();
    } catch (e) {
      fail(e);
      setStep({ at: 'preview' });
      setTurn((n) => n + 1); // what was shown may not hold any more
    }
  };
  const undo = async () => {
    setError(undefined);
    try {
      const answer = await source.undoMerge(results.race);
      setStep({ at: 'undone', answer });
      void race.refresh();
    } catch (e) {
      fail(e);
    }
  };
  return { squash, setSquash, message, setMessage, step, preview, read, error, merge, undo };
}

export function MergeDialog({ race, results, result }: { race: Race; results: Results; result: AgentResult }) {
  const { gone } = useApp();
  const m = useMerge(race, results, result.agent);
  const [allowed, setAllowed] = useState<string[]>([]);
  const [accepted, setAccepted] = useState(false);
  const close = () => {
    if (history.length > 1 && document.referrer === '' && sessionStorage.getItem('hydra-been') === '1') history.back();
    else location.hash = href(['race', results.race]);
  };
  const changes = results.repository_changes?.blocking ?? [];
  const open = m.preview?.consent.filter((c) => !allowed.includes(c.kind)) ?? [];
  const ready = m.read && m.preview !== undefined && m.preview.conflicts.length === 0 && open.length === 0 && !m.preview.already_merged && (changes.length === 0 || accepted);
  const mine = results.merged?.agent === result.agent;
  if (m.step.at === 'done' || m.step.at === 'undone')
    return (
      <Dialog title={m.step.at === 'done' ? 'Merged' : 'Taken back'} close={close}>
        <p role="status">
          {m.step.at === 'done'
            ? <><Said text={result.display} /> is in <code><Said text={branchOf(m.step.answer.ref)} /></code> as <code>{m.step.answer.new_commit.slice(0, 10)}</code>.</>
            : <>The branch holds again what it held before.</>}
        </p>
        <ErrorLine error={m.error} />
        <p className="row buttons">
          {m.step.at === 'done' && <button type="button" disabled={gone} onClick={() => void m.undo()}>Undo the merge</button>}
          <button type="button" className="primary" data-first onClick={close}>Close</button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title={`Merge ${result.display}`} close={close}>
      <ErrorLine error={m.error} />
      <div className="preview">{m.preview ? <Preview answer={m.preview} /> : !m.error && <Waiting what="Trying the merge, without changing anything" />}</div>
      {(m.preview?.consent ?? []).map((c) => (
        <label key={c.kind} className="consent">
          <input type="checkbox" checked={allowed.includes(c.kind)} onChange={(e) => setAllowed(e.target.checked ? [...allowed, c.kind] : allowed.filter((k) => k !== c.kind))} />
          <span>{CONSENTS[c.kind] ?? c.kind}: go on all the same <small className="muted"><Said text={c.paths.slice(0, 8).join(', ')} most={600} /></small></span>
        </label>
      ))}
      {changes.length > 0 && (
        <label className="consent">
          <input type="checkbox" checked={accepted} onChange={(e) => setAccepted(e.target.checked)} />
          <span>Your repository changed since the start, and not by Hydra: go on all the same <small className="muted"><Said text={changes.slice(0, 5).join('; ')} most={600} /></small></span>
        </label>
      )}
      <label className="consent"><input type="checkbox" checked={m.squash} onChange={(e) => m.setSquash(e.target.checked)} /><span>Squash into one commit</span></label>
      <label className="field">Message <span className="muted">(empty: as configured)</span><input type="text" value={m.message} onChange={(e) => m.setMessage(e.target.value)} /></label>
      <p className="row buttons">
        <button type="button" data-first onClick={close}>Cancel</button>
        {mine && <button type="button" disabled={gone} onClick={() => void m.undo()}>Undo the merge</button>}
        <button type="button" className="primary" disabled={!ready || gone || m.step.at === 'merging'} onClick={() => void m.merge(allowed, accepted)}>
          {m.step.at === 'merging' ? 'Merging…' : m.preview ? clean(`Merge into ${branchOf(m.preview.ref)}`) : 'Merge'}
        </button>
      </p>
    </Dialog>
  );
}
