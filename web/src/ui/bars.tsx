// The five bars of a result. Colours have words and patterns beside them.
import { DIMENSIONS, LABELS, grade } from '../lib/score.ts';
import type { AgentResult, Dimension, DimensionName, Weights } from '../lib/types.ts';
import { points, words } from '../lib/format.ts';

function Bar({ name, dimension, share }: { name: DimensionName; dimension: Dimension; share: number }) {
  const label = LABELS[name];
  const scored = dimension.status === 'scored' || dimension.status === 'skipped' || dimension.status === 'failed';
  if (!scored)
    return (
      <div className="bar off" role="group" aria-label={`${label}: ${words(dimension.status)}`}>
        <span className="label">{label}</span>
        <span className="track" />
        <span className="value" aria-hidden="true">–</span>
      </div>
    );
  const look = grade(dimension.points);
  const ran = dimension.status === 'scored' ? '' : `, ${words(dimension.status)}`;
  return (
    <div className="bar" title={`${label}: ${points(dimension.points)} of 100, ${look}${ran}; ${Math.round(share * 100)} % of the score`}>
      <span className="label" aria-hidden="true">{label}</span>
      <span
        className="track" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100}
        aria-valuenow={Math.round(dimension.points)} aria-valuetext={`${points(dimension.points)} of 100, ${look}${ran}`}
      >
        {dimension.status !== 'skipped' && <span className={`fill ${look}`} style={{ width: `${Math.max(3, Math.min(100, dimension.points))}%` }} />}
      </span>
      <span className={`value ${look}`} aria-hidden="true">
        {dimension.status === 'skipped' ? '––' : Math.round(dimension.points)}
      </span>
    </div>
  );
}

export function Bars({ agent, weights }: { agent: AgentResult; weights: Weights }) {
  const there = DIMENSIONS.filter((name) => agent.dimensions[name]);
  const total = there.reduce((sum, n) => sum + (agent.dimensions[n]?.status === 'not_configured' ? 0 : weights[n]), 0);
  return (
    <div className="bars">
      {there.map((name) => {
        const dimension = agent.dimensions[name];
        return dimension && <Bar key={name} name={name} dimension={dimension} share={total > 0 ? weights[name] / total : 0} />;
      })}
    </div>
  );
}
