// Why a row of the ranking stands above the next, as a sentence.
import { points } from './format.ts';
import { count } from './text.ts';
import type { OrderReason } from './types.ts';

function part(words: string, r: OrderReason): string {
  const more = points(r.points);
  return more === '0.0' ? words : `${words}, ${more} more points`;
}

const BECAUSE: Record<OrderReason['by'], (r: OrderReason) => string> = {
  first: () => '',
  eligible: (r) => `${r.below} is not eligible`,
  hidden_tests: (r) => `${r.below} fails ${count(r.count, 'hidden test')}`,
  undecided: (r) => `${r.below} waits for a decision`,
  fixed_tests: (r) => `fixes ${count(r.count, 'more failing test')}`,
  broken_tests: (r) => `breaks ${count(r.count, 'fewer test')}`,
  authors: (r) => `passes the tests of ${count(r.count, 'more author')}`,
  others_tests: (r) => `fails ${count(r.count, 'fewer test')} of others`,
  evidence: (r) => `${points(r.points)} more points of tests and evidence`,
  nothing_shown: (r) => `${r.below} has nothing to show`,
  build: (r) => part('better build', r),
  tests: (r) => part('better tests', r),
  lint: (r) => part('better lint', r),
  diff_size: (r) => part('smaller change', r),
  speed: (r) => part('faster', r),
  judges: (r) => part('better judged', r),
  own_tests: (r) => `brings ${count(r.count, 'more test')} that fail${r.count === 1 ? 's' : ''} without the change`,
  same_code: () => 'the same code',
  listed: () => 'asked for first',
};

/** "codex above claude: fixes 2 more failing tests". */
export function orderLine(r: OrderReason): string {
  const head = `${r.above} ${r.tied ? 'tied with' : 'above'} ${r.below}`;
  return `${head}${r.tied && r.by !== 'same_code' ? ', listed first' : ''}: ${BECAUSE[r.by](r)}`;
}

/** Why the row above stands there or, of the first row, why it stands above the second. */
export function reasonOf(reasons: readonly OrderReason[], agent: string): OrderReason | undefined {
  return reasons.find((r) => r.below === agent) ?? (reasons[0]?.above === agent ? reasons[0] : undefined);
}
