// Texts that are not ours, and small pieces every page uses.
import type { ReactNode } from 'react';
import type { ApiError } from '../lib/source.ts';
import { words } from '../lib/format.ts';
import { clean, cut } from '../lib/text.ts';

/** Text of an agent, a program or a repository: always text, in its own direction. */
export function Said({ text, most = 4096 }: { text: string; most?: number }) {
  return <bdi dir="ltr">{clean(cut(text, most))}</bdi>;
}

/** `top`: the page has no other head. */
export function Empty({ title, top = false, children }: { title: string; top?: boolean; children?: ReactNode }) {
  return (
    <div className="empty">
      {top ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function Failure({ error, top = false, again }: { error: ApiError; top?: boolean; again?: () => void }) {
  const title = error.status === 404 ? 'Not here' : error.status === 409 ? 'Not now' : 'That did not work';
  return (
    <Empty title={title} top={top}>
      <p><Said text={error.message} /></p>
      {error.hint !== '' && <p className="muted"><Said text={error.hint} /></p>}
      {again && <button type="button" onClick={again}>Try again</button>}
    </Empty>
  );
}

/** Keeps its place while something is on its way, and says so to everybody. */
export function Waiting({ what }: { what: string }) {
  return <p className="waiting" role="status">{what}…</p>;
}

export function Badge({ look = 'plain', children }: { look?: string; children: ReactNode }) {
  return <span className={`badge ${look}`}>{children}</span>;
}

const STATES: Record<string, [glyph: string, look: string, word?: string]> = {
  queued: ['◌', 'muted'], preparing: ['◔', 'busy'], running: ['▶', 'busy'], capturing: ['◔', 'busy'], checking: ['◑', 'busy'],
  ranking: ['◕', 'busy'], ranked: ['●', 'good'], completed: ['●', 'good'], done: ['●', 'good'],
  no_changes: ['○', 'muted'], failed: ['✗', 'poor'], timed_out: ['✗', 'poor'],
  cancelled: ['■', 'muted'], over_budget: ['✗', 'fair'], stopped: ['■', 'muted'], launch_error: ['✗', 'poor', 'could not start'],
  lost: ['✗', 'poor'], not_checked: ['■', 'fair', 'captured, not checked'], not_ranked: ['■', 'fair', 'checked, not ranked'],
  passed: ['✓', 'good'], crashed: ['✗', 'poor'], waiting: ['◌', 'muted'], skipped: ['–', 'muted'],
  not_started: ['✗', 'poor', 'could not start'], not_configured: ['–', 'muted'], checked: ['●', 'good'],
  scored: ['✓', 'good'], ok: ['✓', 'good'], warn: ['!', 'fair', 'warning'], fail: ['✗', 'poor', 'failed'],
};

export const stateWord = (state: string) => STATES[state]?.[2] ?? words(state);

/** A state in glyph and word; with `short` the word is for readers only, and that name stands beside the glyph. */
export function StateMark({ state, before = '', short }: { state: string; before?: string; short?: string }) {
  const [glyph, look] = STATES[state] ?? ['·', 'muted'];
  const word = stateWord(state);
  return (
    <span className={`state ${look}`}>
      <span aria-hidden="true">{glyph}</span> {short === undefined ? <>{before}{word}</> : <>{short}<span className="sr"> {word}</span></>}
    </span>
  );
}

export function Delta({ added, removed }: { added: number; removed: number }) {
  return <><span className="plus">+{added}</span> <span className="minus">−{removed}</span></>;
}
