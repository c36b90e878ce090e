// The merge dialog: what would happen, what needs a word, and only then the button. It is a route: Back closes it.
import { useEffect, useState } from 'react';
import type { Race } from '../lib/race.ts';
import { href } from '../lib/route.ts';
import { words } from '../lib/format.ts';
import { clean, count } from '../lib/text.ts';
import { ApiError, type MergeCall } from '../lib/source.ts';
import type { AgentResult, MergeAnswer, Results } from '../lib/types.ts';
import { useApp } from '../ui/context.ts';
import { Choice, Refusal, useAct } from '../ui/asking.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { Buttons, Dialog } from '../ui/dialog.tsx';
import { Badge, Delta, Said, Waiting } from '../ui/said.tsx';

const CONSENTS: Record<string, string> = {
  attributes: 'It changes .gitattributes', branch: 'It goes into another branch than the race was started on',
  ci: 'It changes the configuration of a CI service', hooks: 'It changes hooks, or files that hooks or editors run',
  lfs: 'It changes large files (LFS pointers)', submodules: 'It changes .gitmodules or a submodule',
  symlinks: 'It has a new symbolic link that leads out of the repository', unchecked: 'It was not checked',
};

/** Nobody reads a preview in less. */
const READ_MS = 500;

const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, '');

function Preview({ answer }: { answer: MergeAnswer }) {
  const fits = answer.conflicts.length === 0;
  return (
    <>
      <dl className="inputs">
        <div><dt>into</dt><dd><code><Said text={branchOf(answer.ref)} most={200} /></code></dd></div>
        <div><dt>from</dt><dd><code><Said text={answer.branch} most={200} /></code></dd></div>
        <div><dt>branch is at</dt><dd><code>{answer.old_commit.slice(0, 10)}</code></dd></div>
        {fits && <div><dt>change</dt><dd><Delta added={answer.diff.lines_added} removed={answer.diff.lines_removed} /> in {count(answer.diff.files_changed, 'file')}{answer.line_ends_only > 0 && `, line ends only: ${answer.line_ends_only}`}</dd></div>}
      </dl>
      {answer.already_merged && <p className="headline">This result is merged already.</p>}
      {fits ? <p><Badge look="good">✓ no conflicts</Badge></p> : (
        <>
          <p><Badge look="poor">✗ {count(answer.conflicts.length, 'conflict')}</Badge> Merge by hand in your checkout, or rebase.</p>
          <ul className="plainlist conflicts">{answer.conflicts.map((path, i) => {
            const text = answer.conflict_text?.find((c) => c.path === path)?.text;
            return <li key={path}>{text ? <details open={i === 0}><summary><code><Said text={path} most={300} /></code></summary><Conflict text={text} /></details> : <code><Said text={path} most={300} /></code>}</li>;
          })}</ul>
        </>
      )}
    </>
  );
}

function useMerge(race: Race, results: Results, agent: string) {
  const { source } = useApp();
  const [how, setHow] = useState({ squash: false, message: '', with_generated: false, without: [] as string[] });
  const [preview, setPreview] = useState<MergeAnswer>();
  const [read, setRead] = useState(false);
  const [over, setOver] = useState('');
  const [turn, setTurn] = useState(0);
  const act = useAct();
  const call: MergeCall = { race: results.race, agent, ...how };
  // The dialog shows a new preview after each change of its options, and keeps the last refusal.
  useEffect(() => {
    let gone = false;
    setPreview(undefined);
    setRead(false);
    const timer = setTimeout(() => {
      source.merge({ ...call, dry_run: true }).then((answer) => {
        if (gone) return;
        setPreview(answer);
        setTimeout(() => gone || setRead(true), READ_MS);
      }, (e: unknown) => gone || act.go(() => Promise.reject(e)));
    }, how.message === '' ? 0 : 400);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [how, turn, agent]);
  const again = () => {
    act.again();
    setTurn((n) => n + 1); // what was shown may not hold any more
  };
  const merge = (allow: string[], acceptChanges: boolean) => preview && act.go(async () => {
    const token = preview.preview === undefined ? { expected_ref: preview.old_commit } : { preview: preview.preview };
    await source.merge({ ...call, allow, ...token, ...(acceptChanges ? { accept_changes: true } : {}) });
    await race.refresh();
  });
  const undo = () => act.go(async () => {
    await source.undoMerge(results.race);
    setOver('Merge undone');
    await race.refresh();
  });
  const set = (more: Partial<typeof how>) => (act.again(), setHow({ ...how, ...more }));
  return { how, set, preview, read, over, act: { ...act, again }, merge, undo };
}

export function MergeDialog({ race, results, result }: { race: Race; results: Results; result: AgentResult }) {
  const { gone } = useApp();
  const m = useMerge(race, results, result.agent);
  const [allowed, setAllowed] = useState<string[]>([]);
  const [accepted, setAccepted] = useState(false);
  // Back in the browser's history, or to the race where the dialog was the first page.
  const close = () => {
    if (history.length > 1 && document.referrer === '' && sessionStorage.getItem('hydra-been') === '1') history.back();
    else location.hash = href(['race', results.race]);
  };
  const changes = results.repository_changes?.blocking ?? [];
  const open = m.preview?.consent.filter((c) => !allowed.includes(c.kind)) ?? [];
  const mine = m.preview?.overlap ?? [];
  const apart = m.preview?.left_out.filter((r) => r.generated) ?? [];
  const ready = m.read && m.preview !== undefined && m.preview.conflicts.length + open.length + mine.length === 0 && !m.preview.already_merged && (changes.length === 0 || accepted);
  const merged = results.merged?.agent === result.agent ? results.merged : undefined;
  if (merged || m.over !== '')
    return (
      <Dialog title={merged ? 'Merged ✓' : m.over} close={close}>
        <p role="status">
          {merged
            ? <><Said text={result.display} /> is in <code><Said text={branchOf(merged.ref)} /></code> as <code>{merged.commit.slice(0, 10)}</code>.</>
            : <>The branch is at its commit before the merge.</>}
        </p>
        <Refusal act={m.act} />
        <p className="row buttons">
          {merged && <button type="button" disabled={gone || m.act.off} onClick={m.undo}>Undo the merge</button>}
          <button type="button" className="primary" data-first onClick={close}>Close</button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title={`Merge ${result.display}`} close={close}>
      <Refusal act={m.act} />
      <div className="preview">{m.preview ? <Preview answer={m.preview} /> : !m.act.error && <Waiting what="Trying the merge, without changing anything" />}</div>
      {mine.length > 0 && !m.act.error && <Refusal act={{ ...m.act, error: new ApiError(409, '', `The merge would overwrite your uncommitted changes: ${mine.slice(0, 5).join(', ')}`, 'commit or stash them') }} />}
      {(m.preview?.consent ?? []).map((c) => (
        <Choice key={c.kind} on={allowed.includes(c.kind)} set={(on) => setAllowed(on ? [...allowed, c.kind] : allowed.filter((k) => k !== c.kind))} text={`${CONSENTS[c.kind] ?? words(c.kind)}: merge anyway`} more={c.paths.slice(0, 8).join(', ')} />
      ))}
      {changes.length > 0 && <Choice on={accepted} set={setAccepted} text="Your repository changed since the start, not by Hydra: merge anyway" more={changes.slice(0, 5).join('; ')} />}
      <Choice on={m.how.squash} set={(squash) => m.set({ squash })} text="Squash into one commit" />
      {(m.how.with_generated || apart.length > 0) && <Choice on={m.how.with_generated} set={(with_generated) => m.set({ with_generated })} text="Bring in generated files, which are left out" more={apart.map((r) => `${r.what} (${count(r.files, 'file')})`).join(', ')} />}
      {[...new Set([...m.how.without, ...m.preview?.unnamed ?? []])].map((path) => (
        <Choice key={path} on={m.how.without.includes(path)} set={(on) => m.set({ without: on ? [...m.how.without, path] : m.how.without.filter((p) => p !== path) })} text="Leave out a new file that nothing names" more={path} />
      ))}
      <label className="field">Message <span className="muted">(empty: as configured)</span><input type="text" value={m.how.message} onChange={(e) => m.set({ message: e.target.value })} /></label>
      <Buttons close={close} yes={m.preview ? clean(`Merge into ${branchOf(m.preview.ref)}`) : 'Merge'} off={!ready || gone || m.act.off} go={() => m.merge(allowed, accepted)} />
    </Dialog>
  );
}
