import type { Felt } from '@sotto/kernel';
import type { HttpPolicy, PoolPresentation } from '../composition/bindings.js';

/** The unit of the denominations that the API returns, for every description of such a field. */
export const DENOMINATION_UNIT =
  'sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor';

/**
 * How the API presents a served pool.
 * @throws Error for any other: use cases refuse those before
 */
export function presentationOf({ pools }: Pick<HttpPolicy, 'pools'>, pool: Felt): PoolPresentation {
  const presentation = pools.get(pool);
  if (presentation === undefined)
    throw new Error('a use case answered for a pool that is not served');
  return presentation;
}

/**
 * A pool's denomination in the unit that the API returns: the contract's own, divided as the
 * network profile says.
 * @throws RangeError when that leaves a remainder, because any result would be wrong then
 */
export function presentedDenomination(
  policy: Pick<HttpPolicy, 'pools'>,
  pool: Felt,
  denomination: bigint,
): bigint {
  const divisor = BigInt(presentationOf(policy, pool).denominationDivisor);
  if (denomination % divisor !== 0n)
    throw new RangeError('the denominationDivisor of a pool does not divide its denomination');
  return denomination / divisor;
}
