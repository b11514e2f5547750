import type { SkipReason, TaskName } from '@sotto/facts';

/** Reasons that normally pass, unless an operator has to fix a problem. */
const FAILURES: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'SIMULATION_REVERTED',
  'READ_FAILED',
  'NODE_BEHIND',
  'PRICE_UNAVAILABLE',
  'MAYER_UNKNOWN',
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
]);

/**
 * Reasons of these that the creator of an order can cause in any number, by the token that it
 * sells.
 */
const OF_ORDERS: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
]);

/** Returns true if repeated checks with this reason need an operator's attention. */
export function isFailure(task: TaskName, reason: SkipReason): boolean {
  return FAILURES.has(reason) && !(task === 'purchases' && OF_ORDERS.has(reason));
}
