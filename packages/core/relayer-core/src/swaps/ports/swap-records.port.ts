import type { Felt, Felts } from '@sotto/kernel';

/** Call of `private_swap` that the ledger has accepted. */
export interface KeptSwapCall {
  /** Position in the order of acceptance. */
  readonly seq: bigint;
  readonly swapPool: Felt;
  readonly calldata: Felts;
}

/**
 * Records of swaps other than their pins. Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class SwapRecords {
  /**
   * Returns at most `limit` calls after position `after` whose calldata is still stored, in the
   * order of acceptance.
   */
  abstract kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]>;
  /**
   * Returns the first nonce of the account whose transaction has not been read for pins yet; 0 for
   * an account that was never read.
   */
  abstract readUpTo(account: Felt): Promise<bigint>;
  /** Records that all nonces below `nonce` have been read. The value never decreases. */
  abstract noteReadUpTo(account: Felt, nonce: bigint): Promise<void>;
}
