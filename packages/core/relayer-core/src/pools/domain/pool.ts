import type { Felt } from '@sotto/kernel';
import { PoolNotSupported, PoolNotSwappable, PoolWithoutDenomination } from '../../errors.js';
import type { PoolToken } from '@sotto/market-core';

/** State of a pool at ACCEPTED_ON_L2. Amounts are in the token's smallest unit. */
export interface PoolStatus {
  readonly blockNumber: number;
  /** Time of the block, in seconds of Unix time. */
  readonly timestamp: number;
  readonly denomination: bigint;
  /** Deposits that wait for a batch. */
  readonly undeployedCount: number;
  /** Number of deposits whose amount is in the vault now. */
  readonly activeDeposits: number;
  readonly totalDeposits: number;
  /** Assets in the pool and its vault, including yield, in the token's smallest unit. */
  readonly totalAssets: bigint;
  readonly maxFeeBps: number;
  readonly maxFee: bigint;
  /** Leaf index of the next deposit. */
  readonly nextIndex: number;
}

/**
 * Kind of a pool, which determines how the pool's notes can be spent.
 * - `withdraw`, `stable`: by withdrawal.
 * - `swap_input`: by withdrawal or private swap.
 * - `swap_output`, the swap pool itself: by withdrawal. The notes contain outputs of swaps, in
 *   different tokens and amounts.
 */
export type PoolKind = 'withdraw' | 'stable' | 'swap_input' | 'swap_output';

/** Pool of the network profile whose notes all contain the same amount. */
export interface ServedPool {
  /** Name in the profile, such as `sentinel_1x`. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: Exclude<PoolKind, 'swap_output'>;
  readonly token: PoolToken;
  /** Sizes of full batches that the pool's contract accepts, in deposits. */
  readonly batchSizes: readonly number[];
}

/**
 * Swap pool, in which private swaps create notes. Each note is a batch that contains only this
 * note.
 */
export interface SwapOutputPool {
  /** Name in the profile. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: 'swap_output';
  /** Tokens that its notes may contain. The fee of a withdrawal is paid in the note's token. */
  readonly tokens: readonly PoolToken[];
}

/** Pool from which notes are withdrawn. Proofs are sent only to such pools. */
export type NotePool = ServedPool | SwapOutputPool;

/** Privacy pool of the network (STRK20). A transaction of the pool contains private actions. */
export interface PrivacyPool {
  /** Name in the profile. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: 'privacy';
  /** Tokens in which the relayer's fee may be paid. */
  readonly tokens: readonly PoolToken[];
}

/** Pool whose transactions this service sends. */
export type RelayedPool = NotePool | PrivacyPool;

/** @throws PoolNotSupported if no pool in `pools` has the address */
export function servedPool<Pool extends RelayedPool>(pools: readonly Pool[], address: Felt): Pool {
  const pool = pools.find((candidate) => candidate.address === address);
  if (pool === undefined) throw new PoolNotSupported();
  return pool;
}

/**
 * @throws PoolNotSupported if no pool in `pools` has the address, PoolWithoutDenomination for the
 *   swap pool
 */
export function denominatedPool(pools: readonly NotePool[], address: Felt): ServedPool {
  const pool = servedPool(pools, address);
  if (pool.kind === 'swap_output') throw new PoolWithoutDenomination();
  return pool;
}

/**
 * Number of decimals that is assumed for an unknown token. No token has more decimals, so the value
 * of an amount of an unknown token is never overestimated.
 */
const UNKNOWN_DECIMALS = 30;

/** Returns the decimals of the token in which a fee of the pool was paid. */
export function decimalsOf(pool: RelayedPool, token: Felt | undefined): number {
  if ('token' in pool) return pool.token.decimals;
  return pool.tokens.find(({ address }) => address === token)?.decimals ?? UNKNOWN_DECIMALS;
}

/** True if private swaps can start from the pool. */
export function isSwappable(pool: NotePool): pool is ServedPool {
  return pool.kind === 'swap_input';
}

/** Returns the error for a swap from a pool that does not support swaps. */
export function notSwappable(pools: readonly NotePool[]): PoolNotSwappable {
  const allowed = pools.filter(isSwappable).map(({ address }) => address);
  return new PoolNotSwappable({ details: { allowed: allowed.join(', ') } });
}
