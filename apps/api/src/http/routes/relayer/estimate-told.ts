import type { Felt } from '@sotto/kernel';
import { feeEstimateReply, type FeeEstimate, type FeeEstimateReply } from '@sotto/relayer-core';
import type { HttpPolicy } from '../../../composition/bindings.js';
import { PrivateSwapDisabled } from '../../errors.js';
import { presentedDenomination } from '../../told-denomination.js';

/** @throws PrivateSwapDisabled where private swaps are disabled, since they have no fee then */
export function requireSwaps({ swap }: Pick<HttpPolicy, 'swap'>): void {
  if (swap === null) throw new PrivateSwapDisabled({ message: 'this relayer does not swap' });
}

/**
 * An estimate as the API returns it, its denomination in the unit that the API uses for this pool.
 */
export function toEstimateDto(
  estimate: FeeEstimate,
  pool: Felt | null,
  policy: Pick<HttpPolicy, 'pools'>,
): FeeEstimateReply {
  if (pool === null || estimate.pool === null || estimate.pool.denomination === null)
    return feeEstimateReply(estimate);
  const denomination = presentedDenomination(policy, pool, estimate.pool.denomination);
  return feeEstimateReply({ ...estimate, pool: { ...estimate.pool, denomination } });
}
