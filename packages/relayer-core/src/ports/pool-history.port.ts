import type { Felt } from '@sotto/kernel';

/** How long deposits have been in a pool, by the chain's own clock. */
export interface DepositAges {
  /**
   * Ages in seconds, at the newest accepted block, of the leaves `first` to `first + count - 1`, in that order.
   * Rejects with a `Fault` when the node can't answer, or does not show one of these deposits.
   */
  agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]>;
}

export const DepositAges: unique symbol = Symbol.for('@sotto/relayer-core/DepositAges');
