import type { Felt, Felts } from '@sotto/kernel';

/** Accepted call of `private_swap` whose calldata the ledger still stores. */
export interface KeptSwapCall {
  /** Position of the call in the sequence in which calls were accepted. */
  readonly seq: bigint;
  readonly swapPool: Felt;
  readonly calldata: Felts;
}

/**
 * Reads swaps from the ledger, and stores up to which nonce an account's transactions were read.
 * Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class SwapRecords {
  /**
   * Returns at most `limit` calls whose position is above `after` and whose calldata is still
   * stored, in the sequence in which they were accepted.
   */
  abstract kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]>;
  /**
   * Returns the account's first nonce whose transaction was not read for pins yet; 0 if no
   * transaction of the account was read.
   */
  abstract readUpTo(account: Felt): Promise<bigint>;
  /**
   * Records that the transactions of all nonces below `nonce` were read. The stored value never
   * decreases.
   */
  abstract noteReadUpTo(account: Felt, nonce: bigint): Promise<void>;
}
