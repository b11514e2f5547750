import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from './network-profile.js';
import { profilePools } from './served-pools.js';

/**
 * Returns the verifiers of the profile's pools, each with the class hash that a pool requires.
 * Pools with the same verifier may require different classes. Each pair of verifier and class is
 * then a separate entry, because the requirements of all pools must be met.
 */
export function verifiersOf(
  profile: NetworkProfile,
): readonly { readonly address: Felt; readonly classHash: Felt | null }[] {
  const verifiers = profilePools(profile).flatMap(({ verifier, verifierClass = null }) =>
    verifier === undefined ? [] : [{ address: verifier, classHash: verifierClass }],
  );
  return [
    ...new Map(verifiers.map((entry) => [`${entry.address}|${entry.classHash}`, entry])).values(),
  ];
}

/** Returns the numbers of the blocks in which pools were deployed, by the pool's address. */
export function deploymentBlocks(profile: NetworkProfile): ReadonlyMap<Felt, number> {
  return new Map(profilePools(profile).map(({ address, deployedAt }) => [address, deployedAt]));
}

/**
 * Returns the addresses of all contracts in the profile. If a withdrawal is paid to one of these
 * contracts, the contract can't return the funds.
 */
export function notRecipients({
  pools,
  swapPool,
  tokens,
  oracle,
  vaults,
  lendingPools,
  guard,
  privacyPool,
}: NetworkProfile): readonly Felt[] {
  const contracts = [
    ...pools,
    ...Object.values(tokens),
    oracle,
    ...vaults,
    ...lendingPools,
    ...(swapPool === undefined ? [] : [swapPool]),
    ...(guard === undefined ? [] : [guard]),
    ...(privacyPool === undefined ? [] : [privacyPool]),
  ];
  const others = [
    ...lendingPools.map(({ vaultToken }) => vaultToken),
    ...(swapPool?.routers ?? []),
  ];
  return [...contracts.map(({ address }) => address), ...others];
}
