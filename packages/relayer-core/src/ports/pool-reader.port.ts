import type { Felt } from '@sotto/kernel';

/** What the chain says, at ACCEPTED_ON_L2, of a pool and of one withdrawal from it. */
export interface WithdrawalFacts {
  /** Most that a relayer may take from one withdrawal, in the token's smallest unit. */
  readonly maxFee: bigint;
  /** Leaves inserted so far. */
  readonly nextIndex: number;
  /** Of these, the last ones that wait for their batch. */
  readonly undeployedCount: number;
  readonly rootKnown: boolean;
  readonly nullifierSpent: boolean;
}

/** Reads of shielded pools. Rejects with a `Fault` when the node can't answer or answers what no pool can. */
export interface PoolReader {
  withdrawalFacts(pool: Felt, withdrawal: { readonly root: bigint; readonly nullifierHash: bigint }): Promise<WithdrawalFacts>;
  nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean>;
}

export const PoolReader: unique symbol = Symbol.for('@sotto/relayer-core/PoolReader');
