import type { Felt } from '@sotto/kernel';
import type { NetworkProfile } from './network-profile.js';
import { profilePools } from './served-pools.js';

/**
 * The verifiers that pools name, each with the class that a pool says it has: one entry for each
 * pair, since what two pools say of one verifier has to hold both times.
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

/** Blocks in which pools were deployed, by address. */
export function deploymentBlocks(profile: NetworkProfile): ReadonlyMap<Felt, number> {
  return new Map(profilePools(profile).map(({ address, deployedAt }) => [address, deployedAt]));
}

/** Every contract that the profile names: none of them can give back what a withdrawal pays it. */
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
