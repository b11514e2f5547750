import type { Felt } from '@sotto/kernel';
import { PoolNotSupported, PoolNotSwappable, PoolWithoutDenomination } from '../../errors.js';
import type { PoolToken } from '@sotto/market-core';

/** A pool as the chain shows it at ACCEPTED_ON_L2. Amounts are in the token's smallest unit. */
export interface PoolStatus {
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestamp: number;
  readonly denomination: bigint;
  /** Deposits that wait for their batch. */
  readonly undeployedCount: number;
  /** Deposits deployed in the vault now. */
  readonly activeDeposits: number;
  readonly totalDeposits: number;
  /** In the pool and its vault, yield included. */
  readonly totalAssets: bigint;
  readonly maxFeeBps: number;
  readonly maxFee: bigint;
  /** Leaf index of the next deposit. */
  readonly nextIndex: number;
}

/**
 * What is done with a pool's notes.
 * - `withdraw`, `stable`: they are withdrawn.
 * - `swap_input`: they are withdrawn, or swapped privately.
 * - `swap_output`, the swap pool itself: they hold what a swap brought, each another token and
 *   amount, and are withdrawn.
 */
export type PoolKind = 'withdraw' | 'stable' | 'swap_input' | 'swap_output';

/** A pool of the network profile whose notes are all worth the same. */
export interface ServedPool {
  /** Name in the profile, such as `sentinel_1x`. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: Exclude<PoolKind, 'swap_output'>;
  readonly token: PoolToken;
  /** Sizes of full batches that its contract takes. */
  readonly batchSizes: readonly number[];
}

/** The swap pool: where private swaps leave their notes. Each is a batch of its own. */
export interface SwapOutputPool {
  /** As for other pools. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: 'swap_output';
  /** What its notes may hold, and their fees be paid in. */
  readonly tokens: readonly PoolToken[];
}

/** A pool that notes are withdrawn from: the only ones that proofs are sent to. */
export type NotePool = ServedPool | SwapOutputPool;

/** @throws PoolNotSupported for an address of no pool in `pools`. */
export function servedPool<Pool extends NotePool>(pools: readonly Pool[], address: Felt): Pool {
  const pool = pools.find((candidate) => candidate.address === address);
  if (pool === undefined) throw new PoolNotSupported();
  return pool;
}

/**
 * @throws PoolNotSupported for an address of no pool in `pools`, PoolWithoutDenomination for the
 *   swap pool's.
 */
export function denominatedPool(pools: readonly NotePool[], address: Felt): ServedPool {
  const pool = servedPool(pools, address);
  if (pool.kind === 'swap_output') throw new PoolWithoutDenomination();
  return pool;
}

/**
 * More than any token has: an amount is taken for less than it can be, where nothing is known of
 * its token any more.
 */
const UNKNOWN_DECIMALS = 30;

/** Decimals of a token that the pool's fees were paid in. */
export function decimalsOf(pool: NotePool, token: Felt | undefined): number {
  if (pool.kind !== 'swap_output') return pool.token.decimals;
  return pool.tokens.find(({ address }) => address === token)?.decimals ?? UNKNOWN_DECIMALS;
}

/** Whether private swaps start from the pool. */
export function isSwappable(pool: NotePool): pool is ServedPool {
  return pool.kind === 'swap_input';
}

/** The refusal of a swap from another pool than these allow. */
export function notSwappable(pools: readonly NotePool[]): PoolNotSwappable {
  const allowed = pools.filter(isSwappable).map(({ address }) => address);
  return new PoolNotSwappable({ details: { allowed: allowed.join(', ') } });
}
