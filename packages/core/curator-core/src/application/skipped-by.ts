import type { SkipReason, TaskName } from '@sotto/facts';
import { skipped, type TaskBook, type TaskReport } from '@sotto/keeper-core';
import { DomainError } from '@sotto/kernel';

const REASONS: ReadonlyMap<string, SkipReason> = new Map<string, SkipReason>([
  ['NODE_BEHIND', 'NODE_BEHIND'],
  ['QUEUE_FULL', 'QUEUE_FULL'],
  ['PREVIOUS_ATTEMPT_NOT_FINAL', 'PREVIOUS_NOT_FINAL'],
  ['PRICE_UNAVAILABLE', 'PRICE_UNAVAILABLE'],
  ['OUTPUT_TOKEN_NOT_SUPPORTED', 'PRICE_UNAVAILABLE'],
  ['PRICE_IMPACT_TOO_HIGH', 'PRICE_IMPACT_TOO_HIGH'],
  ['SLIPPAGE_TOO_TIGHT', 'PRICE_IMPACT_TOO_HIGH'],
  ['NO_QUOTES_AVAILABLE', 'NO_QUOTES'],
  ['QUOTE_EXPIRED_AT_AGGREGATOR', 'NO_QUOTES'],
  ['SWAP_BUILD_REJECTED', 'NO_QUOTES'],
]);

/**
 * The report of a look that ended with an error whose meaning is known before anything was
 * submitted.
 * @throws the error itself where it has no such meaning
 */
export function skippedBy(error: unknown): TaskReport {
  const reason = error instanceof DomainError ? REASONS.get(error.code) : undefined;
  if (reason === undefined) throw error;
  return skipped(reason);
}

/** When an operator last resumed the task, or it for this subject; 0 for never. */
export async function resumedAt(
  book: Pick<TaskBook, 'controls'>,
  name: TaskName,
  of: string,
): Promise<number> {
  const controls = await book.controls();
  return controls
    .filter(({ task, subject }) => task === name && (subject === null || subject === of))
    .reduce((latest, { resumedAtMs }) => Math.max(latest, resumedAtMs), 0);
}
