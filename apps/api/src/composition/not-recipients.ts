import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from '../config/network-profile.js';

/** Every contract that the profile names: none of them can give back what a withdrawal pays it. */
export function notRecipients({
  pools,
  swapPool,
  tokens,
  oracle,
  vaults,
  lendingPools,
}: NetworkProfile): readonly Felt[] {
  const contracts = [
    ...pools,
    ...Object.values(tokens),
    oracle,
    ...vaults,
    ...lendingPools,
    ...(swapPool === undefined ? [] : [swapPool]),
  ];
  const others = [
    ...lendingPools.map(({ vaultToken }) => vaultToken),
    ...(swapPool?.routers ?? []),
  ];
  return [...contracts.map(({ address }) => address), ...others];
}
