import type { Felt } from '@sotto/kernel';
import type {
  CycleGas,
  NotePool,
  PrivacyPool,
  RelayedPool,
  ServedPool,
  SwapOutputPool,
} from '@sotto/relayer-core';
import type { PoolToken } from '@sotto/market-core';
import type { NetworkProfile } from './network-profile.js';

/**
 * Returns those pools of the profile in which all notes have the same value, in the form that the
 * use cases need.
 */
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

/**
 * Returns the pools whose batches are deployed only if a caller requests it. All other pools deploy
 * their batches automatically.
 */
export function poolsToDeploy(
  network: Pick<NetworkProfile, 'pools' | 'tokens'>,
): readonly ServedPool[] {
  const byItself = new Set(
    network.pools.filter(({ deploysItself }) => deploysItself).map(({ key }) => key),
  );
  return servedPools(network).filter(({ key }) => !byItself.has(key));
}

/**
 * Returns the ERC-20 tokens of those pools that hash a deposit before they receive its payment. The
 * key is the pool's address.
 */
export function guardedDepositTokens(
  network: Pick<NetworkProfile, 'pools' | 'tokens'>,
): ReadonlyMap<Felt, Felt> {
  return new Map(
    network.pools.flatMap(({ hashesBeforePayment, address, token }) =>
      hashesBeforePayment ? [[address, tokenOf(network.tokens, token).address] as const] : [],
    ),
  );
}

/** @throws Error if the profile's rules should have rejected the symbol */
function tokenOf(tokens: NetworkProfile['tokens'], symbol: string): PoolToken {
  const token = tokens[symbol];
  if (token === undefined) throw new Error(`the rules accepted a pool of ${symbol}`);
  return { symbol, ...token };
}

/**
 * Returns the pool of the notes that private swaps create; null if there is no swap pool. Notes in
 * this pool can be withdrawn even if swaps are disabled.
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

/** Returns every pool of the profile, the swap pool last. */
export function profilePools({
  pools,
  swapPool,
}: Pick<NetworkProfile, 'pools' | 'swapPool'>): readonly ProfilePool[] {
  return [...pools, ...(swapPool === undefined ? [] : [swapPool])];
}
type ProfilePool = NetworkProfile['pools'][number] | NonNullable<NetworkProfile['swapPool']>;

/** Returns all pools whose notes can be withdrawn, including the swap pool. */
export function notePools(network: NetworkProfile): readonly NotePool[] {
  const swapPool = swapOutputPool(network);
  return [...servedPools(network), ...(swapPool === null ? [] : [swapPool])];
}

/** Returns the network's own privacy pool, or no pool if the profile has none. */
export function privacyPools({
  privacyPool,
  tokens,
}: Pick<NetworkProfile, 'privacyPool' | 'tokens'>): readonly PrivacyPool[] {
  if (privacyPool === undefined) return [];
  const { key, address, feeTokens } = privacyPool;
  const served = feeTokens.map((symbol) => tokenOf(tokens, symbol));
  return [{ key, address, kind: 'privacy', tokens: served }];
}

/** Returns the gas of one transaction with private actions, as estimated by the profile. */
export function privateActionGas({
  privacyPool,
  limits,
}: Pick<NetworkProfile, 'privacyPool' | 'limits'>): {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
} {
  return { l2Gas: privacyPool?.l2Gas ?? 0n, l1DataGas: limits.l1DataGasPerStep };
}

/** Returns all pools whose transactions this service sends. */
export function relayedPools(network: NetworkProfile): readonly RelayedPool[] {
  return [...notePools(network), ...privacyPools(network)];
}

/**
 * Returns the gas of the three transactions of a note (deposit, deployment, withdrawal), as
 * estimated by the profile.
 */
export function cycleGas({ limits }: NetworkProfile): CycleGas {
  const { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep } =
    limits;
  return { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep };
}

/** Returns the gas of a note's three transactions if a private swap replaces the withdrawal. */
export function swapCycleGas(network: NetworkProfile): CycleGas {
  return { ...cycleGas(network), withdrawL2Gas: network.limits.privateSwapL2Gas };
}

/**
 * Returns the ERC-20 tokens that the profile permits as swap outputs and whose prices both sources
 * have. Returns an empty list if there is only one price source.
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
