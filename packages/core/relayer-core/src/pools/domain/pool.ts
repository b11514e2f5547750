import type { Felt } from '@sotto/kernel';
import { PoolNotSupported, PoolNotSwappable, PoolWithoutDenomination } from '../../errors.js';
import type { PoolToken } from '@sotto/market-core';

/** State of a pool at ACCEPTED_ON_L2. Amounts are in the token's smallest unit. */
export interface PoolStatus {
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestamp: number;
  readonly denomination: bigint;
  /** Deposits that wait for a batch. */
  readonly undeployedCount: number;
  /** Deposits that are in the vault now. */
  readonly activeDeposits: number;
  readonly totalDeposits: number;
  /** Assets in the pool and its vault, including yield. */
  readonly totalAssets: bigint;
  readonly maxFeeBps: number;
  readonly maxFee: bigint;
  /** Leaf index of the next deposit. */
  readonly nextIndex: number;
}

/**
 * Operations on a pool's notes.
 * - `withdraw`, `stable`: withdrawal.
 * - `swap_input`: withdrawal or private swap.
 * - `swap_output`, the swap pool itself: withdrawal. The notes hold outputs of swaps, in different
 *   tokens and amounts.
 */
export type PoolKind = 'withdraw' | 'stable' | 'swap_input' | 'swap_output';

/** Pool of the network profile whose notes all have the same value. */
export interface ServedPool {
  /** Name in the profile, such as `sentinel_1x`. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: Exclude<PoolKind, 'swap_output'>;
  readonly token: PoolToken;
  /** Sizes of full batches that its contract accepts. */
  readonly batchSizes: readonly number[];
}

/** Swap pool, in which private swaps create notes. Each note is a separate batch. */
export interface SwapOutputPool {
  /** Name in the profile. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: 'swap_output';
  /** Tokens of its notes, in which their fees are paid as well. */
  readonly tokens: readonly PoolToken[];
}

/** Pool that notes are withdrawn from. Proofs are sent only to these. */
export type NotePool = ServedPool | SwapOutputPool;

/** @throws PoolNotSupported if no pool in `pools` has the address */
export function servedPool<Pool extends NotePool>(pools: readonly Pool[], address: Felt): Pool {
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

/** More decimals than any token has. An amount of an unknown token is thus underestimated. */
const UNKNOWN_DECIMALS = 30;

/** Returns the decimals of a token in which the pool's fees were paid. */
export function decimalsOf(pool: NotePool, token: Felt | undefined): number {
  if (pool.kind !== 'swap_output') return pool.token.decimals;
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
