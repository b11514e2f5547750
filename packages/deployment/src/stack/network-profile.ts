import { toFelt } from '@sotto/kernel';
import type { StackDeployment } from './deploy-stack.js';
import { LENDING_POOLS, POOLS } from './description.js';
import { mapValues } from './map-values.js';

/** 6-decimal USDC is told in cents. */
const USDC_PER_CENT = 10_000;
/** What the stack's contracts use, rounded up (docs/gas.md): far more than live ones, as their tree and verifier are plain Cairo. */
const LIMITS = { depositL2Gas: 120_000_000, deployBatchL2Gas: 2_800_000, withdrawL2Gas: 56_000_000, privateSwapL2Gas: 200_000_000 };

/** The service's network profile of a stack: what `NETWORK_PROFILE` names, as JSON. */
export function networkProfile(name: string, { stack, verifierClass }: Pick<StackDeployment, 'stack' | 'verifierClass'>): object {
  const verifier = { verifier: toFelt(stack.verifier), verifierClass };
  const { chainId, tokens, oracle, pools, swapPool, router, outputTokens, vaults, lendingPools } = stack;
  return {
    name,
    chainId,
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
    swapPool: { address: toFelt(swapPool.address), ...verifier, outputTokens, routers: [toFelt(router)], branchRoutes: false },
    vaults: Object.entries(vaults).map(([id, { address }]) => ({ id, address: toFelt(address) })),
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
    limits: LIMITS,
  };
}
