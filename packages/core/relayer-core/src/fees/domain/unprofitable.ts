import { WithdrawalUnprofitable } from '../../errors.js';

/**
 * Gas prices change by at most a tenth per block, so within a minute the cost may be below a pool's
 * maximum again.
 */
const RETRY_SECONDS = 60;

/**
 * Returns the error if the pool's maximum fee does not cover the cost, both in the fee token's
 * smallest unit; null if it does.
 */
export function unprofitable(cost: bigint, maximum: bigint): WithdrawalUnprofitable | null {
  if (cost <= maximum) return null;
  return new WithdrawalUnprofitable({
    details: { cost: String(cost), maximum: String(maximum) },
    retryAfterSeconds: RETRY_SECONDS,
  });
}
