import { loadContract } from '@sotto/contracts';
import { toFelt } from '@sotto/kernel';
import type { NetworkProfileFile } from '@sotto/network-profile';
import type { StackDeployment } from './deploy-stack.js';
import { LENDING_POOLS, POOLS } from './description.js';
import { LEVERAGE_LAYOUT, PURCHASE_LAYOUT } from './keeper-layouts.js';
import { mapValues } from './map-values.js';

/** Smallest units of USDC (6 decimals) per cent. */
const USDC_PER_CENT = 10_000;
/**
 * L2 gas of the stack's contracts, rounded up (docs/measured/gas.md). The live contracts need far
 * less gas: the stack computes the tree's hash in plain Cairo, and its classes are charged by
 * steps.
 */
const LIMITS = { depositL2Gas: 120_000_000, deployBatchL2Gas: 2_800_000 };
/** L2 gas with the verifier that does not check the pairing. */
const UNCHECKED = { withdrawL2Gas: 56_000_000, privateSwapL2Gas: 200_000_000 };
/**
 * L2 gas with a real verifier. The verifier is charged by steps as well, because pool and accounts
 * are compiled to a Sierra version below 1.7.0.
 */
const CHECKED = { withdrawL2Gas: 196_000_000, privateSwapL2Gas: 340_000_000 };

/**
 * Returns the service's network profile of a stack as JSON, for `NETWORK_PROFILE`.
 * @param learnt L2 gas of a withdrawal that a service has learnt from receipts @default a measured
 *   figure for this kind of verifier
 */
export function networkProfile(
  name: string,
  { stack, verifierClass }: Pick<StackDeployment, 'stack' | 'verifierClass'>,
  learnt: number | null = null,
): NetworkProfileFile {
  const isUnchecked =
    BigInt(verifierClass) === BigInt(loadContract('UncheckedGroth16Verifier').classHash);
  const verified = isUnchecked ? UNCHECKED : CHECKED;
  const limits = { ...LIMITS, ...verified, ...(learnt === null ? {} : { withdrawL2Gas: learnt }) };
  const verifier = { verifier: toFelt(stack.verifier), verifierClass };
  const { chainId, tokens, oracle, pools, swapPool, router, outputTokens, vaults } = stack;
  const { lendingPools, purchases } = stack;
  return {
    name,
    chainId,
    // The stack runs on development chains, which may not produce blocks without transactions.
    blocksOnDemand: true,
    tokens: mapValues(tokens, ({ address, decimals }) => ({ address: toFelt(address), decimals })),
    oracle: { kind: 'pragma', address: toFelt(oracle) },
    pools: Object.values(
      mapValues(POOLS, ({ token, kind }, key) => ({
        key,
        address: toFelt(pools[key].address),
        token,
        kind,
        ...verifier,
        ...(kind === 'stable' && { denominationDivisor: USDC_PER_CENT }),
      })),
    ),
    swapPool: {
      address: toFelt(swapPool.address),
      ...verifier,
      outputTokens: [...outputTokens],
      routers: [toFelt(router)],
      branchRoutes: false,
    },
    vaults: Object.values(
      mapValues(vaults, ({ address }, id) => ({
        id,
        address: toFelt(address),
        ...(id === 'turbo' && {
          leverage: { lendingPool: toFelt(lendingPools.prime.address), layout: LEVERAGE_LAYOUT },
        }),
      })),
    ),
    purchases: { address: toFelt(purchases.address), ...PURCHASE_LAYOUT },
    lendingPools: Object.values(
      mapValues(LENDING_POOLS, ({ slug, shownAs, vaultToken, risk }, key) => ({
        slug,
        name: shownAs,
        address: toFelt(lendingPools[key].address),
        vaultToken: toFelt(vaultToken.address),
        vaultTokenSymbol: vaultToken.symbol,
        risk,
      })),
    ),
    limits,
  };
}
