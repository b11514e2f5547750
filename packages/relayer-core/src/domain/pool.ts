import type { Felt } from '@sotto/kernel';
import type { PricedAsset } from './price.js';

/** The token that a pool holds, and that fees are paid in. */
export interface PoolToken {
  readonly symbol: PricedAsset;
  readonly address: Felt;
  readonly decimals: number;
}

/** A pool of the network profile: the only ones that anything is read from or sent to. */
export interface ServedPool {
  /** Name in the profile, such as `sentinel_1x`. */
  readonly key: string;
  readonly address: Felt;
  readonly token: PoolToken;
}
