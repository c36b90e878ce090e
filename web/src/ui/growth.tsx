// How a diff grew: a line of lines, drawn when there is something new.
import type { Growth } from '../lib/race.ts';

export function GrowthLine({ growth }: { growth: Growth }) {
  const top = Math.max(1, ...growth.map(([, added, removed]) => added + removed));
  const last = growth.at(-1)?.[0] ?? 1;
  const first = growth[0]?.[0] ?? 0;
  const at = growth
    .map(([ms, added, removed]) => `${(((ms - first) / Math.max(1, last - first)) * 100).toFixed(1)},${(22 - ((added + removed) / top) * 20).toFixed(1)}`)
    .join(' ');
  return (
    <svg className="growth" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      {growth.length > 1 && <polyline points={at} vectorEffect="non-scaling-stroke" />}
    </svg>
  );
}
