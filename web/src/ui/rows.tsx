// A scrolling box of rows of equal height: only those that are seen are drawn.
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { rowAt, scaleOf, topFor, visible, type Range } from '../lib/window.ts';

export interface RowsHandle {
  show(row: number): void;
  /** The row that stands where show() puts one. */
  at(): number;
}

export interface RowsProps {
  count: number;
  height: number;
  label: string;
  row(index: number): ReactNode;
  /** "list" says to a reader which of how many a row is; in a table the rows do that themselves. */
  kind?: 'list' | 'table';
  columns?: number;
  head?: ReactNode;
  className?: string;
  handle?: Ref<RowsHandle>;
  onRange?(range: Range): void;
  /** Stays at the end while it grows, if it stood there. */
  follow?: boolean;
}

export function Rows(p: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<Range>({ first: 0, end: Math.min(p.count, 60) });
  const frame = useRef(0);
  const atEnd = useRef(true);
  const measure = () => {
    frame.current = 0;
    const el = box.current;
    if (!el) return;
    atEnd.current = el.scrollTop + el.clientHeight >= el.scrollHeight - p.height * 2;
    const next = visible(el.scrollTop, el.clientHeight, p.count, p.height);
    setRange((old) => (old.first === next.first && old.end === next.end ? old : next));
  };
  const later = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(measure);
  };
  useLayoutEffect(() => {
    const el = box.current;
    if (el && p.follow && atEnd.current) el.scrollTop = el.scrollHeight;
    measure();
  }, [p.count, p.height, p.follow]);
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const watch = new ResizeObserver(later);
    watch.observe(el);
    return () => {
      watch.disconnect();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [p.count, p.height]);
  useEffect(() => {
    p.onRange?.(range);
  }, [range]);
  useImperativeHandle(p.handle, () => ({
    show(row: number) {
      const el = box.current;
      if (el) el.scrollTop = topFor(row, el.clientHeight, p.count, p.height);
    },
    at() {
      const el = box.current;
      return el ? rowAt(el.scrollTop, el.clientHeight, p.count, p.height) : 0;
    },
  }), [p.count, p.height]);

  const { first, end } = { first: Math.min(range.first, p.count), end: Math.min(range.end, p.count) };
  const tall = Math.ceil((p.count * p.height) / scaleOf(p.count, p.height));
  const shift = Math.min((first * p.height) / scaleOf(p.count, p.height), Math.max(0, tall - (end - first) * p.height));
  // No taller than its rows, a head and a scroll bar; but what grows does not move what is below it.
  const most = p.follow ? undefined : tall + (p.head ? 36 : 0) + 18;
  const items: ReactNode[] = [];
  for (let i = first; i < end; i++)
    items.push(
      p.kind === 'table'
        ? <div key={i % 256} role="row" aria-rowindex={i + (p.head ? 2 : 1)} className="vrow" style={{ height: p.height }}>{p.row(i)}</div>
        : <div key={i % 256} role="listitem" aria-posinset={i + 1} aria-setsize={p.count} className="vrow" style={{ height: p.height }}>{p.row(i)}</div>,
    );
  const counts = p.kind === 'table' ? { 'aria-rowcount': p.count + (p.head ? 1 : 0), 'aria-colcount': p.columns } : {};
  return (
    <div className={`rows ${p.className ?? ''}`} style={{ maxHeight: most }} ref={box} onScroll={later} tabIndex={0} role="region" aria-label={p.label}>
      <div className="inner" role={p.kind ?? 'list'} aria-label={p.label} {...counts}>
        {p.head && <div role="rowgroup" className="rowhead"><div role="row" aria-rowindex={1} className="vrow">{p.head}</div></div>}
        <div className="tall" role="presentation" style={{ height: tall }}>
          <div className="slice" role={p.kind === 'table' ? 'rowgroup' : 'presentation'} style={{ transform: `translateY(${shift}px)` }}>{items}</div>
        </div>
      </div>
    </div>
  );
}
