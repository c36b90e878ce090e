// The daemon's API, as a source of the pages.
import { forget, tab } from './session.ts';
import { ApiError, type HistoryQuery, type HistoryRace, type Leaderboard, type LeaderQuery, type LogPlace, type MergeCall, type RaceQuery, type RetryCall, type Source } from './source.ts';
import type * as T from './types.ts';

const path = (...parts: string[]) => `/v1/${parts.map(encodeURIComponent).join('/')}`;

function search(query: object): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(key, String(value));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

async function failure(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as { error?: { code?: string; message?: string; hint?: string } };
  const e = body.error ?? {};
  return new ApiError(answer.status, e.code ?? '', e.message ?? `the daemon answered ${answer.status}`, e.hint ?? '');
}

/** The shell learns by this type that nobody is signed in, and whether the daemon answers. */
export interface Listener {
  signedOut(): void;
  answered(): void;
  gone(): void;
}

export class Api implements Source {
  readonly offline = false;

  constructor(private readonly listener: Listener) {}

  /** A request with this tab's half of the session. Throws ApiError, also where nobody answers (status 0). */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('x-hydra-tab', tab());
    let answer: Response;
    try {
      answer = await fetch(url, { ...init, headers, cache: 'no-store' });
    } catch (e) {
      if (init.signal?.aborted) throw e;
      this.listener.gone();
      throw new ApiError(0, 'gone', 'Hydra’s daemon does not answer', '');
    }
    this.listener.answered();
    if (answer.status === 401) {
      forget();
      this.listener.signedOut();
    }
    if (!answer.ok) throw await failure(answer);
    return answer;
  }

  private async get<A>(url: string): Promise<A> {
    return (await (await this.send(url)).json()) as A;
  }

  private async post<A>(url: string, body: object): Promise<A> {
    const answer = await this.send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as A;
  }

  races(query: RaceQuery) {
    return this.get<T.RaceList>(path('races') + search(query));
  }
  status(race: string) {
    return this.get<T.Status>(path('races', race));
  }
  results(race: string) {
    return this.get<T.Results>(path('races', race, 'results'));
  }
  explain(race: string, agent: string) {
    return this.get<T.Explain>(path('races', race, 'explain', agent));
  }
  tests(race: string, show: string, cursor: string) {
    return this.get<T.TestTable>(path('races', race, 'tests') + search({ show, cursor }));
  }
  async diff(race: string, agent: string, since?: string | null) {
    return (await this.send(path('races', race, 'diff', agent) + search({ since: since ?? '' }))).text();
  }
  async log(race: string, place: LogPlace, offset: number): Promise<T.LogSlice> {
    const { subject, ...rest } = place;
    const answer = await this.send(path('races', race, 'logs', subject) + search({ ...rest, offset }));
    return {
      text: await answer.text(),
      next: Number(answer.headers.get('x-hydra-next-offset') ?? 0),
      ended: answer.headers.get('x-hydra-ended') !== '0',
      cut: answer.headers.get('x-hydra-cut') === '1',
    };
  }
  async rawLog(race: string, place: LogPlace): Promise<Blob> {
    const pieces: Blob[] = [];
    const { subject, ...rest } = place;
    for (let offset = 0; ; ) {
      const answer = await this.send(path('races', race, 'logs', subject) + search({ ...rest, raw: 1, offset }));
      pieces.push(await answer.blob());
      const next = Number(answer.headers.get('x-hydra-next-offset') ?? 0);
      if (next <= offset) return new Blob(pieces, { type: 'application/octet-stream' });
      offset = next;
    }
  }
  runs(race: string) {
    return this.attempts(race);
  }
  async attempts(race: string) {
    return (await this.get<{ attempts: T.Attempt[] }>(path('races', race, 'attempts'))).attempts;
  }
  async lint(race: string, agent: string) {
    return (await this.get<{ findings: T.LintFinding[] }>(path('races', race, 'lint', agent) + search({ new: 1 }))).findings;
  }
  async report(race: string, anonymous: boolean) {
    return (await this.send(path('races', race, 'report') + search(anonymous ? { anonymous: 1, diffs: 0, logs: 'none' } : {}))).blob();
  }
  rescore(race: string, weights: T.Weights) {
    return this.post<T.Results>(path('races', race, 'rescore'), { weights });
  }
  merge(call: MergeCall) {
    return this.post<T.MergeAnswer>(path('merge'), call);
  }
  undoMerge(race: string) {
    return this.post<T.MergeAnswer>(path('merge'), { race, undo: true });
  }
  async cancel(race: string, agent: string) {
    await this.post(path('races', race, 'cancel'), { agent });
  }
  retry(race: string, call: RetryCall) {
    return this.post(path('races', race, 'retry'), call);
  }
  verify(race: string) {
    return this.post<{ race: string }>(path('races', race, 'verify'), {});
  }
  async agents(probe: boolean) {
    return (await this.post<{ agents: T.AgentRow[] }>(path('agents'), { probe })).agents;
  }
  doctor() {
    return this.post<{ ok: boolean; checks: T.Check[] }>(path('doctor'), {});
  }
  async templates() {
    return (await this.get<{ templates: T.Template[] }>(path('templates'))).templates;
  }
  async history(query: HistoryQuery) {
    return (await this.get<{ races: HistoryRace[] }>(path('history') + search(query))).races;
  }
  leaderboard(query: LeaderQuery) {
    return this.get<Leaderboard>(path('leaderboard') + search(query));
  }
  health() {
    return this.get<{ version: string; server_ms?: number }>(path('health'));
  }
}
