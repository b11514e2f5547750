import type { Felt } from '@sotto/kernel';
import { PoolNotSupported } from '../errors.js';
import type { PricedAsset } from './price.js';

/** The token that a pool holds, and that fees are paid in. */
export interface PoolToken {
  readonly symbol: PricedAsset;
  readonly address: Felt;
  readonly decimals: number;
}

/**
 * What is done with a pool's notes.
 * - `withdraw`, `stable`: they are withdrawn.
 * - `swap_input`: they are withdrawn, or swapped privately.
 */
export type PoolKind = 'withdraw' | 'stable' | 'swap_input';

/** A pool of the network profile: the only ones that anything is read from or sent to. */
export interface ServedPool {
  /** Name in the profile, such as `sentinel_1x`. */
  readonly key: string;
  readonly address: Felt;
  readonly kind: PoolKind;
  readonly token: PoolToken;
  /** Sizes of full batches that its contract takes. @default {@link FULL_BATCH_SIZES} */
  readonly batchSizes?: readonly number[];
}

/** Sizes that `deploy_batch` of the V4 pools takes. */
export const FULL_BATCH_SIZES: readonly number[] = [3, 5, 7];

/** @throws PoolNotSupported for an address that is none of these pools. */
export function servedPool(pools: readonly ServedPool[], address: Felt): ServedPool {
  const pool = pools.find((candidate) => candidate.address === address);
  if (pool === undefined) throw new PoolNotSupported();
  return pool;
}
