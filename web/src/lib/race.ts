// One race as the page knows it: its picture, its results, its events, and how it is told of them.
import type { Api } from './api.ts';
import { Store, shared } from './store.ts';
import { ApiError, type Source } from './source.ts';
import { Stream, type Link, type Told } from './stream.ts';
import type { Attempt, RaceEvent, Results, Status } from './types.ts';

export const ENDED = new Set(['done', 'cancelled', 'failed']);

export interface RaceState {
  status: Status | undefined;
  results: Results | undefined;
  error: ApiError | undefined;
  events: RaceEvent[];
  /** Runs with their times; undefined: not asked for yet. */
  runs: Attempt[] | undefined;
  link: Link;
  retryAt: number;
}

/** After these the results are others. */
const NEWS = new Set([
  'captured', 'check_ended', 'scoring_result', 'merged', 'merge_undone', 'merge_refused', 'race_ended', 'combined', 'end',
]);

/** Times of runs are asked for again at most this often. */
const TIMES_EVERY = 1_500;

/** Changes when a run begins or ends; while many verify, ten times in all. */
function steps({ state, agents, baseline: b, cross_tests: c }: Status): string {
  const verified = c?.of ? Math.floor((10 * (c.done ?? 0)) / c.of) : 0;
  return JSON.stringify([state, b.state, b.checks, b.waits, verified, agents.map((a) => [a.state, a.attempt, a.checks, a.waits])]);
}

const MOST_EVENTS = 5_000;

export class Race extends Store<RaceState> {
  private stream: Stream | undefined;
  private news: ReturnType<typeof setTimeout> | undefined;
  private users = 0;
  private times: ReturnType<typeof setTimeout> | undefined;
  /** Value of steps() at the last request for the times; undefined: nobody wants them. */
  private steps: string | undefined;
  /** The events from the beginning are wanted. */
  private whole = false;
  /** The stream is of a race that has ended: it tells of merges and of retries, and has no end. */
  private quiet: boolean | undefined;

  constructor(
    readonly id: string,
    private readonly source: Source,
  ) {
    super({ status: undefined, results: undefined, error: undefined, events: [], runs: undefined, link: 'connecting', retryAt: 0 });
  }

  /** Used by a page from now on; call what it returns when that is over. */
  use(): () => void {
    if (this.users++ === 0) void this.load();
    return () => {
      if (--this.users > 0) return;
      this.stream?.stop();
      this.stream = this.quiet = undefined;
    };
  }

  /** Asks for everything again, and follows what comes after it. */
  async load(): Promise<void> {
    try {
      if (this.source.offline) return this.set({ results: await this.source.results(this.id), link: 'ended' });
      const [status, results] = await Promise.all([this.source.status(this.id), this.source.results(this.id)]);
      this.picture(status);
      this.set({ results, error: undefined });
      if (this.whole) this.open('', false);
      else this.follow(status);
    } catch (e) {
      if (!(e instanceof ApiError)) throw e;
      this.set({ error: e });
      if (e.status === 0 && this.users > 0) this.news = setTimeout(() => void this.load(), 2000);
    }
  }

  /** Tells every event from the beginning: for the timeline. */
  replay(): void {
    if (this.source.offline) return;
    this.whole = true;
    if (this.get().status) this.open('', false);
  }

  /** Asks what ran when, now and after each step. */
  time(): void {
    const { status } = this.get();
    this.steps ??= status ? steps(status) : '';
    this.askTimes();
  }

  private askTimes(): void {
    this.source.runs(this.id).then((runs) => this.set({ runs: shared(this.get().runs, runs) }), () => undefined);
  }

  private follow(status: Status): void {
    const quiet = ENDED.has(status.state);
    if (this.users > 0 && this.quiet !== quiet) this.open(String(status.last_event), quiet);
  }

  retryNow(): void {
    if (this.stream) this.stream.now();
    else void this.load();
  }

  private open(after: string, quiet: boolean): void {
    this.stream?.stop();
    this.quiet = quiet;
    if (after === '') this.set({ events: [] });
    const api = this.source as Api;
    const id = encodeURIComponent(this.id);
    const from = quiet ? `/v1/events?races=${id}` : `/v1/races/${id}/events?live=1`;
    this.stream = new Stream(
      {
        open: (last, signal) => api.send(`${from}&brief=1&after=${last}`, { signal, headers: { accept: 'text/event-stream' } }),
        frames: (batch) => this.frames(batch),
        link: (link, retryAt) => this.set({ link: quiet && link === 'live' ? 'ended' : link, retryAt }),
      },
      after,
    );
  }

  private picture(status: Status): void {
    this.set({ status: shared(this.get().status, status) });
    const now = steps(status);
    if (this.steps === undefined || this.steps === now || this.times) return;
    this.times = setTimeout(() => {
      this.times = undefined;
      if (this.users > 0) this.askTimes();
    }, TIMES_EVERY);
    this.steps = now;
  }

  private frames(batch: Told[]): void {
    const told: RaceEvent[] = [];
    let picture: Status | undefined;
    let news = false;
    for (const { id, event, data } of batch) {
      if (event === 'races') continue;
      news ||= NEWS.has(event) || this.quiet === true;
      if (event === 'live') picture = data as unknown as Status;
      else if (event !== 'end')
        told.push({ id, kind: event, race: String(data['race']), at_ms: Number(data['at_ms']), body: data });
    }
    if (told.length > 0) this.set({ events: [...this.get().events, ...told].slice(-MOST_EVENTS) });
    if (picture) this.picture(picture);
    if (news) {
      clearTimeout(this.news);
      this.news = setTimeout(() => void this.refresh(), batch.some((b) => b.event === 'end') ? 0 : 500);
    }
  }

  /** Results and status again, without touching the stream. */
  async refresh(): Promise<void> {
    try {
      const [status, results] = await Promise.all([this.source.status(this.id), this.source.results(this.id)]);
      this.picture(status);
      this.set({ results: shared(this.get().results, results) });
      this.follow(status);
    } catch (e) {
      if (!(e instanceof ApiError)) throw e;
    }
  }
}
