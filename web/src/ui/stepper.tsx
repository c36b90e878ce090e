// Back and forth through files or changes.
export function Stepper({ what, keys, step }: { what: string; keys: [back: string, forth: string]; step(by: 1 | -1): void }) {
  const name = what.toLowerCase();
  return (
    <div className="seg" role="group" aria-label={what}>
      <button type="button" data-key={keys[0]} aria-label={`Previous ${name}`} title={`Previous ${name} (${keys[0]})`} onClick={() => step(-1)}>↑</button>
      <span className="name" aria-hidden="true">{what}</span>
      <button type="button" data-key={keys[1]} aria-label={`Next ${name}`} title={`Next ${name} (${keys[1]})`} onClick={() => step(1)}>↓</button>
    </div>
  );
}
