import type { Felt } from '@sotto/kernel';
import type { HttpPolicy, PoolPresentation } from '../composition/bindings.js';

/** The unit in which pools tell their denomination, said wherever it is told. */
export const DENOMINATION_UNIT = 'sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor';

/** How a served pool is told. @throws Error for any other: use cases refuse those before */
export function presentationOf({ pools }: Pick<HttpPolicy, 'pools'>, pool: Felt): PoolPresentation {
  const told = pools.get(pool);
  if (told === undefined) throw new Error('a use case answered for a pool that is not served');
  return told;
}

/**
 * A pool's denomination in the unit in which it is told: the contract's own, divided as the network profile says.
 * @throws RangeError when that leaves a rest, because any number told then would be wrong
 */
export function presentedDenomination(policy: Pick<HttpPolicy, 'pools'>, pool: Felt, denomination: bigint): bigint {
  const divisor = BigInt(presentationOf(policy, pool).denominationDivisor);
  if (denomination % divisor !== 0n) throw new RangeError('the denominationDivisor of a pool does not divide its denomination');
  return denomination / divisor;
}
