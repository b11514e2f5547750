import { SKIP_REASONS, type SkipReason } from '@sotto/facts';
import { DomainError } from '@sotto/kernel';
import { skipped, type TaskReport } from '../ports/keeper-task.js';

/** Skip reasons for error codes that have no skip reason of the same name. */
const REASONS: Readonly<Record<string, SkipReason>> = {
  POOL_PAUSED: 'PAUSED',
  DEPLOYMENT_IN_PROGRESS: 'IN_FLIGHT',
  BATCH_TOO_YOUNG: 'WAITING_FOR_CROWD',
  BATCH_SPLITS_CROWD: 'WAITING_FOR_CROWD',
  PREVIOUS_ATTEMPT_NOT_FINAL: 'PREVIOUS_NOT_FINAL',
  OUTPUT_TOKEN_NOT_SUPPORTED: 'TOKEN_UNPRICED',
  SLIPPAGE_TOO_TIGHT: 'PRICE_IMPACT_TOO_HIGH',
  NO_QUOTES_AVAILABLE: 'NO_QUOTES',
  QUOTE_EXPIRED_AT_AGGREGATOR: 'NO_QUOTES',
  SWAP_BUILD_REJECTED: 'NO_QUOTES',
};

const isReason = (code: string): code is SkipReason => Object.hasOwn(SKIP_REASONS, code);

function reasonOf(code: string): SkipReason | undefined {
  return isReason(code) ? code : REASONS[code];
}

/**
 * Returns the report of a check that failed before a submission. The skip reason has the name of
 * the error code, or is `READ_FAILED` if there is no such skip reason. The report's details contain
 * the code.
 */
export function skippedBy(
  { code, details, retryAfterSeconds }: DomainError,
  nowMs: number,
): ReturnType<typeof skipped> {
  const dueAtMs = retryAfterSeconds === undefined ? null : nowMs + retryAfterSeconds * 1_000;
  return skipped(reasonOf(code) ?? 'READ_FAILED', { ...details, code }, dueAtMs);
}

/**
 * Returns a report if the error represents a decision not to act, such as an unfavourable price.
 * @throws every other error unchanged
 */
export function skippedFor(error: unknown, nowMs: number): TaskReport {
  if (error instanceof DomainError && reasonOf(error.code) !== undefined)
    return skippedBy(error, nowMs);
  throw error;
}
