import type { Felt, Felts } from '@sotto/kernel';

/** Accepted call of `private_swap` whose calldata the ledger still stores. */
export interface KeptSwapCall {
  /** Position of the call in the order of acceptance. */
  readonly seq: bigint;
  readonly swapPool: Felt;
  readonly calldata: Felts;
}

/**
 * Reads swaps from the ledger, and stores how far an account's nonces were read. Rejects with a
 * `DomainError` if the store is unavailable.
 */
export abstract class SwapRecords {
  /**
   * Returns at most `limit` calls after position `after` whose calldata is still stored, in the
   * order of acceptance.
   */
  abstract kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]>;
  /**
   * Returns the account's first nonce whose transaction was not read for pins yet; 0 if no
   * transaction of the account was read.
   */
  abstract readUpTo(account: Felt): Promise<bigint>;
  /** Records that all nonces below `nonce` have been read. The value never decreases. */
  abstract noteReadUpTo(account: Felt, nonce: bigint): Promise<void>;
}
