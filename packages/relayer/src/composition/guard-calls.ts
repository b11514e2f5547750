import { GuardCalls } from '@sotto/adapter-starknet';
import { guardedDepositTokens, type NetworkProfile } from '@sotto/network-profile';

/**
 * Returns the encoder of calls to the profile's guard contract; undefined if the profile has no
 * guard.
 */
export function guardCallsOf(network: NetworkProfile): GuardCalls | undefined {
  const { guard, entrypoints, swapPool } = network;
  if (guard === undefined) return undefined;
  return new GuardCalls({
    guard: guard.address,
    entrypoints: entrypoints.pool,
    swapPool: swapPool?.address ?? null,
    depositTokens: guardedDepositTokens(network),
  });
}
