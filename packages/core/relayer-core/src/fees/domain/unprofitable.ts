import { WithdrawalUnprofitable } from '../../errors.js';

/**
 * Gas prices move by at most a tenth per block; a minute may bring them back under a pool's
 * maximum.
 */
const RETRY_SECONDS = 60;

/**
 * The refusal where no fee that the pool allows covers the cost, both in the fee token's smallest
 * unit; null where one does.
 */
export function unprofitable(cost: bigint, maximum: bigint): WithdrawalUnprofitable | null {
  if (cost <= maximum) return null;
  return new WithdrawalUnprofitable({
    details: { cost: String(cost), maximum: String(maximum) },
    retryAfterSeconds: RETRY_SECONDS,
  });
}
