import type { Felt } from '@sotto/kernel';
import type { PricedAsset } from './market-price.js';

/** Token that a pool holds and that fees are paid in. */
export interface PoolToken {
  readonly symbol: PricedAsset;
  readonly address: Felt;
  readonly decimals: number;
}
