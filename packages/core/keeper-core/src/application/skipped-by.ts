import { SKIP_REASONS, type SkipReason } from '@sotto/facts';
import type { DomainError } from '@sotto/kernel';
import { skipped, type TaskReport } from '../ports/keeper-task.js';

/** Codes whose reason has another name. */
const REASONS: Readonly<Record<string, SkipReason>> = {
  PREVIOUS_ATTEMPT_NOT_FINAL: 'PREVIOUS_NOT_FINAL',
  OUTPUT_TOKEN_NOT_SUPPORTED: 'TOKEN_UNPRICED',
  SLIPPAGE_TOO_TIGHT: 'PRICE_IMPACT_TOO_HIGH',
  NO_QUOTES_AVAILABLE: 'NO_QUOTES',
  QUOTE_EXPIRED_AT_AGGREGATOR: 'NO_QUOTES',
  SWAP_BUILD_REJECTED: 'NO_QUOTES',
};

const isReason = (code: string): code is SkipReason => Object.hasOwn(SKIP_REASONS, code);

/**
 * The report of a look that ended with an error before anything was submitted: the reason of the
 * same name, or `READ_FAILED`. Details name the code.
 */
export function skippedBy(
  { code, details, retryAfterSeconds }: DomainError,
  nowMs: number,
): TaskReport {
  const reason = isReason(code) ? code : (REASONS[code] ?? 'READ_FAILED');
  const dueAtMs = retryAfterSeconds === undefined ? null : nowMs + retryAfterSeconds * 1_000;
  return skipped(reason, { ...details, code }, dueAtMs);
}
