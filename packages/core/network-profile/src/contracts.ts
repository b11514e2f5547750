import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from './network-profile.js';
import { profilePools } from './served-pools.js';

/**
 * Returns the verifiers that pools name, each with the class that a pool requires. Each pair is one
 * entry, since all pools of one verifier must be satisfied.
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

/** Returns the blocks in which pools were deployed, by address. */
export function deploymentBlocks(profile: NetworkProfile): ReadonlyMap<Felt, number> {
  return new Map(profilePools(profile).map(({ address, deployedAt }) => [address, deployedAt]));
}

/**
 * Returns every contract that the profile names: none of them can return a withdrawal that is paid
 * to it.
 */
export function notRecipients({
  pools,
  swapPool,
  tokens,
  oracle,
  vaults,
  lendingPools,
  guard,
}: NetworkProfile): readonly Felt[] {
  const contracts = [
    ...pools,
    ...Object.values(tokens),
    oracle,
    ...vaults,
    ...lendingPools,
    ...(swapPool === undefined ? [] : [swapPool]),
    ...(guard === undefined ? [] : [guard]),
  ];
  const others = [
    ...lendingPools.map(({ vaultToken }) => vaultToken),
    ...(swapPool?.routers ?? []),
  ];
  return [...contracts.map(({ address }) => address), ...others];
}
