import { WithdrawalUnprofitable } from '../../errors.js';

/**
 * Retry delay in seconds. Gas prices change by at most a tenth per block, so within a minute the
 * cost may fall below a pool's maximum.
 */
const RETRY_SECONDS = 60;

/**
 * Returns the error if the pool's maximum fee does not cover the cost; null if it does. Both
 * amounts are in the fee token's smallest unit.
 */
export function unprofitable(cost: bigint, maximum: bigint): WithdrawalUnprofitable | null {
  if (cost <= maximum) return null;
  return new WithdrawalUnprofitable({
    details: { cost: String(cost), maximum: String(maximum) },
    retryAfterSeconds: RETRY_SECONDS,
  });
}
