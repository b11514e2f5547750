import type { SkipReason, TaskName } from '@sotto/facts';

/** Reasons that pass by themselves, unless something is wrong that an operator has to mend. */
const FAILURES: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'SIMULATION_REVERTED',
  'READ_FAILED',
  'NODE_BEHIND',
  'PRICE_UNAVAILABLE',
  'MAYER_UNKNOWN',
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
]);

/** Of these the maker of an order can bring about any number, by what the order sells. */
const OF_ORDERS: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
]);

/** Whether looks that end so again and again are something that an operator should know of. */
export function isFailure(task: TaskName, reason: SkipReason): boolean {
  return FAILURES.has(reason) && !(task === 'purchases' && OF_ORDERS.has(reason));
}
