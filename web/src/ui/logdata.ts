// A log as lines, by slices; coloured from any line on.
import { useEffect, useRef, useState } from 'react';
import { PLAIN, penAfter, plain, type Pen } from '../lib/ansi.ts';
import { ApiError, type LogPlace } from '../lib/source.ts';
import { useApp } from './context.ts';

const PEN_EVERY = 500;

export class LogLines {
  readonly lines: string[] = [];
  private readonly pens: Pen[] = [PLAIN];
  private rest = '';
  ended = false;
  cut = false;
  error: ApiError | undefined;

  add(text: string): void {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop() ?? '';
    for (const line of parts) this.lines.push(line);
  }

  end(): void {
    if (this.rest !== '') this.lines.push(this.rest);
    this.rest = '';
    this.ended = true;
  }

  /** The pen before this line: kept every 500 lines, so that any window is coloured without reading from the start. */
  penAt(line: number): Pen {
    const block = Math.floor(line / PEN_EVERY);
    for (let b = this.pens.length; b <= block; b++) {
      let pen = this.pens[b - 1] ?? PLAIN;
      for (let i = (b - 1) * PEN_EVERY; i < b * PEN_EVERY; i++) pen = penAfter(this.lines[i] ?? '', pen);
      this.pens.push(pen);
    }
    let pen = this.pens[block] ?? PLAIN;
    for (let i = block * PEN_EVERY; i < line; i++) pen = penAfter(this.lines[i] ?? '', pen);
    return pen;
  }

  /** Lines that hold the text, in any letter case; at most `most`. */
  find(text: string, most = 100_000): number[] {
    const wanted = text.toLowerCase();
    const found: number[] = [];
    for (let i = 0; i < this.lines.length && found.length < most; i++)
      if (plain(this.lines[i] ?? '').toLowerCase().includes(wanted)) found.push(i);
    return found;
  }
}

/** Reads the log to its end; where it has not ended, once more whenever `tick` changes. */
export function useLog(race: string, place: LogPlace, tick: unknown): [LogLines, number] {
  const { source } = useApp();
  const [version, setVersion] = useState(0);
  const log = useRef(new LogLines());
  const offset = useRef(0);
  const key = JSON.stringify([race, place]);
  const kept = useRef('');
  const busy = useRef(false);
  useEffect(() => {
    if (kept.current !== key) {
      kept.current = key;
      log.current = new LogLines();
      offset.current = 0;
      busy.current = false;
    }
    const own = log.current;
    if (own.ended || busy.current) return;
    busy.current = true;
    const read = async () => {
      for (;;) {
        const slice = await source.log(race, place, offset.current);
        if (log.current !== own) return;
        own.add(slice.text);
        own.cut ||= slice.cut;
        const more = slice.next > offset.current;
        offset.current = slice.next;
        if (place.tail !== undefined || source.offline || (slice.ended && !more)) own.end();
        setVersion((n) => n + 1);
        if (own.ended || !more) return;
      }
    };
    read()
      .catch((e: unknown) => {
        own.error = ApiError.of(e);
        setVersion((n) => n + 1);
      })
      .finally(() => {
        if (log.current === own) busy.current = false;
      });
  }, [key, tick]);
  return [log.current, version];
}
