// One stream of events for a tab, over fetch: it carries this tab's half of the session, goes on after the last event
// that it saw, and is let go while nobody looks (a browser has six connections to a host for all tabs).
import { SseParser, type Frame } from './sse.ts';
import { ApiError } from './source.ts';

export type Link = 'connecting' | 'live' | 'lost' | 'hidden' | 'ended';

/** A frame whose data has been read. */
export interface Told {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export interface StreamOptions {
  open(last: string, signal: AbortSignal): Promise<Response>;
  /** At most four times a second; of pictures only the newest. */
  frames(batch: Told[]): void;
  link(state: Link, retryAt: number): void;
}

const FLUSH_MS = 250;
const SILENCE_MS = 45_000;
const HIDDEN_MS = 30_000;

/** How long before try `n`, in ms; `chance` of 0..1 keeps many tabs from coming at once. */
export function delay(n: number, chance: number): number {
  return Math.min(15_000, 500 * 2 ** n) * (0.75 + chance / 2);
}

export class Stream {
  private last: string;
  private tries = 0;
  private abort: AbortController | undefined;
  private batch: Told[] = [];
  private stopped = false;
  private timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly options: StreamOptions, after = '') {
    this.last = after;
    document.addEventListener('visibilitychange', this.visibility);
    void this.run();
  }

  stop(): void {
    this.stopped = true;
    document.removeEventListener('visibilitychange', this.visibility);
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.abort?.abort();
  }

  /** Does not wait for the next try. */
  now(): void {
    this.tries = 0;
    this.abort?.abort();
    void this.run();
  }

  private set(name: string, ms: number, then: () => void): void {
    clearTimeout(this.timers.get(name));
    this.timers.set(name, setTimeout(then, ms));
  }

  private readonly visibility = () => {
    if (document.visibilityState === 'visible') {
      clearTimeout(this.timers.get('hidden'));
      if (!this.abort) this.now();
    } else
      this.set('hidden', HIDDEN_MS, () => {
        this.abort?.abort();
        this.abort = undefined;
        clearTimeout(this.timers.get('retry'));
        this.options.link('hidden', 0);
      });
  };

  private flush(): void {
    clearTimeout(this.timers.get('flush'));
    this.timers.delete('flush');
    const batch = this.batch;
    this.batch = [];
    if (batch.length > 0) this.options.frames(batch);
  }

  private frame(f: Frame): void {
    if (f.id !== '') this.last = f.id;
    const told: Told = { id: f.id, event: f.event, data: JSON.parse(f.data) as Told['data'] };
    // Of the pictures of a race only the newest counts.
    if (f.event === 'live')
      this.batch = this.batch.filter((b) => b.event !== 'live' || b.data['race'] !== told.data['race']);
    this.batch.push(told);
    if (!this.timers.has('flush')) this.set('flush', FLUSH_MS, () => this.flush());
  }

  private async run(): Promise<void> {
    if (this.stopped) return;
    clearTimeout(this.timers.get('retry'));
    const abort = new AbortController();
    this.abort = abort;
    let ended = false;
    try {
      const answer = await this.options.open(this.last, abort.signal);
      this.options.link('live', 0);
      const parser = new SseParser((f) => {
        if (f.event === 'end') ended = true;
        this.frame(f);
      });
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        this.set('silence', SILENCE_MS, () => abort.abort());
        const { done, value } = await reader.read();
        if (done) break;
        this.tries = 0;
        parser.feed(value);
      }
    } catch (e) {
      // A page that is not signed in, or a race that is not there: trying again would not help.
      if (e instanceof ApiError && e.status >= 400 && e.status < 500) ended = true;
    }
    clearTimeout(this.timers.get('silence'));
    if (this.stopped || this.abort !== abort) return;
    this.abort = undefined;
    this.flush();
    if (ended) return this.options.link('ended', 0);
    if (document.visibilityState === 'hidden') return this.options.link('hidden', 0);
    const wait = delay(this.tries++, Math.random());
    this.options.link('lost', Date.now() + wait);
    this.set('retry', wait, () => void this.run());
  }
}
