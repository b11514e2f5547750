import type { Felt } from '@sotto/kernel';
import type { PricedAsset } from './market-price.js';

/** ERC-20 token that a pool holds and in which its fees are paid. */
export interface PoolToken {
  readonly symbol: PricedAsset;
  readonly address: Felt;
  readonly decimals: number;
}
