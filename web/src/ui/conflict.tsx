// The lines that a merge would leave between its marks, each side in its colour; signs and marks stay readable without it.
import { conflictLooks } from '../lib/conflict.ts';
import { clean, cut } from '../lib/text.ts';

const MOST = 20_000;

export function Conflict({ text }: { text: string }) {
  const lines = cut(text, MOST).replace(/\n$/, '').split('\n');
  const looks = conflictLooks(lines);
  return <pre className="said conflict" tabIndex={0} role="region" aria-label="The conflict"><bdi dir="ltr">{lines.map((line, i) => <span key={i} className={looks[i]}>{clean(line)}{'\n'}</span>)}</bdi></pre>;
}
