// The weights as sliders: the order follows at once, and the daemon confirms it.
import { DIMENSIONS, LABELS } from '../lib/score.ts';
import type { Weights } from '../lib/types.ts';

interface Props {
  weights: Weights;
  configured: Weights;
  confirmed: boolean;
  change(to: Weights): void;
}

export function sameWeights(a: Weights, b: Weights): boolean {
  return DIMENSIONS.every((name) => a[name] === b[name]);
}

export function WeightSliders({ weights, configured, confirmed, change }: Props) {
  const total = DIMENSIONS.reduce((sum, n) => sum + weights[n], 0);
  return (
    <section className="weights" aria-label="Weights">
      <div className="sliders">
        {DIMENSIONS.map((name) => (
          <label key={name}>
            <span>{LABELS[name]}</span>
            <input
              type="range" min={0} max={100} step={1} value={weights[name]} aria-valuetext={`${weights[name]}, ${total > 0 ? Math.round((weights[name] / total) * 100) : 0} percent of the score`}
              onChange={(e) => change({ ...weights, [name]: Number(e.target.value) })}
            />
            <output>{weights[name]}{weights[name] !== configured[name] && <span className="muted"> was {configured[name]}</span>}</output>
          </label>
        ))}
      </div>
      <p className="row">
        <button type="button" disabled={sameWeights(weights, configured)} onClick={() => change(configured)}>As configured</button>
        <span className="muted" role="status">
          {sameWeights(weights, configured) ? 'The race’s own weights.' : `A what-if: nothing is stored.${confirmed ? ' The daemon agrees.' : ''}`}
        </span>
      </p>
    </section>
  );
}
