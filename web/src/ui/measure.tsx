// A value in its interval, on a scale that all rows share: never a bare number.
export type Interval = readonly number[];

export function Measure({ what, value, interval, scale }: { what: string; value: number | null; interval: Interval | null; scale: Interval }) {
  const [low, high] = interval ?? [];
  if (value === null || low === undefined || high === undefined) return <span className="muted">–</span>;
  const [from = 0, to = 1] = scale;
  const at = (v: number) => `${Math.max(0, Math.min(100, ((v - from) / Math.max(1e-9, to - from)) * 100)).toFixed(2)}%`;
  const shown = (v: number) => (to <= 1 ? `${(v * 100).toFixed(0)} %` : v.toFixed(0));
  return (
    <span className="measure">
      <span className="interval" role="img" aria-label={`${what}: ${shown(value)}, between ${shown(low)} and ${shown(high)}`}>
        <span className="range" style={{ left: at(low), right: `calc(100% - ${at(high)})` }} /><span className="dot" style={{ left: at(value) }} />
      </span>
      <span className="num nowrap"><strong>{shown(value)}</strong> <span className="muted">{shown(low).replace(' %', '')}–{shown(high)}</span></span>
    </span>
  );
}
