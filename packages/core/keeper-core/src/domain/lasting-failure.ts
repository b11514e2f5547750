import type { SkipReason, TaskName } from '@sotto/facts';

/**
 * Skip reasons that normally end without an operator. If one of these reasons lasts, an operator
 * must fix a problem.
 */
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
 * Reasons in `FAILURES` that the creator of a purchase order can cause in any number, by the choice
 * of the sold ERC-20 token.
 */
const OF_ORDERS: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'NO_QUOTES',
  'PRICE_IMPACT_TOO_HIGH',
]);

/**
 * Returns true if an operator must act when the checks of a subject repeatedly have this reason.
 */
export function isFailure(task: TaskName, reason: SkipReason): boolean {
  return FAILURES.has(reason) && !(task === 'purchases' && OF_ORDERS.has(reason));
}
