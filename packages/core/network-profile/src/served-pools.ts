import type { Felt } from '@sotto/kernel';
import type { CycleGas, NotePool, ServedPool, SwapOutputPool } from '@sotto/relayer-core';
import type { PoolToken } from '@sotto/market-core';
import type { NetworkProfile } from './network-profile.js';

/** The profile's pools whose notes are all worth the same, as the use cases know them. */
export function servedPools({
  pools,
  tokens,
}: Pick<NetworkProfile, 'pools' | 'tokens'>): readonly ServedPool[] {
  return pools.map(({ key, address, kind, token: symbol, batchSizes }) => ({
    key,
    address,
    kind,
    token: tokenOf(tokens, symbol),
    batchSizes,
  }));
}

/** Pools whose batches wait for a caller: the others deploy them by themselves. */
export function poolsToDeploy(
  network: Pick<NetworkProfile, 'pools' | 'tokens'>,
): readonly ServedPool[] {
  const byItself = new Set(
    network.pools.filter(({ deploysItself }) => deploysItself).map(({ key }) => key),
  );
  return servedPools(network).filter(({ key }) => !byItself.has(key));
}

/** Tokens of pools that hash a deposit before they take the money, by the pool's address. */
export function guardedDepositTokens(
  network: Pick<NetworkProfile, 'pools' | 'tokens'>,
): ReadonlyMap<Felt, Felt> {
  return new Map(
    network.pools.flatMap(({ hashesBeforePayment, address, token }) =>
      hashesBeforePayment ? [[address, tokenOf(network.tokens, token).address] as const] : [],
    ),
  );
}

/** @throws Error for a name that the profile's rules do not let through */
function tokenOf(tokens: NetworkProfile['tokens'], symbol: string): PoolToken {
  const token = tokens[symbol];
  if (token === undefined) throw new Error(`the rules let a pool of ${symbol} through`);
  return { symbol, ...token };
}

/**
 * Where private swaps leave their notes; null where there is no swap pool. Its notes are withdrawn
 * even where nothing is swapped any more.
 */
export function swapOutputPool({ swapPool, tokens }: NetworkProfile): SwapOutputPool | null {
  if (swapPool === undefined) return null;
  const { key, address } = swapPool;
  return {
    key,
    address,
    kind: 'swap_output',
    tokens: Object.entries(tokens).map(([symbol, token]): PoolToken => ({ symbol, ...token })),
  };
}

/** Every pool as the profile has it, the swap pool last. */
export function profilePools({
  pools,
  swapPool,
}: Pick<NetworkProfile, 'pools' | 'swapPool'>): readonly ProfilePool[] {
  return [...pools, ...(swapPool === undefined ? [] : [swapPool])];
}
type ProfilePool = NetworkProfile['pools'][number] | NonNullable<NetworkProfile['swapPool']>;

/** All pools that notes are withdrawn from. */
export function notePools(network: NetworkProfile): readonly NotePool[] {
  const swapPool = swapOutputPool(network);
  return [...servedPools(network), ...(swapPool === null ? [] : [swapPool])];
}

/** Gas of the three transactions of a note's life, as the profile estimates it. */
export function cycleGas({ limits }: NetworkProfile): CycleGas {
  const { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep } =
    limits;
  return { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep };
}

/** The same with a private swap in the place of the withdrawal. */
export function swapCycleGas(network: NetworkProfile): CycleGas {
  return { ...cycleGas(network), withdrawL2Gas: network.limits.privateSwapL2Gas };
}

/**
 * The tokens that the profile lets swap into and that both price sources are asked for; none where
 * there is only one source.
 */
export function swapTokens(
  { swapPool, tokens, oracle }: NetworkProfile,
  hasSecondSource: boolean,
): readonly PoolToken[] {
  if (swapPool === undefined || !hasSecondSource) return [];
  return swapPool.outputTokens.flatMap((symbol) => {
    const token = tokens[symbol];
    return token === undefined || !Object.hasOwn(oracle.pairs, symbol)
      ? []
      : [{ symbol, ...token }];
  });
}
