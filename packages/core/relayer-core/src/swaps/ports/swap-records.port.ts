import type { Felt, Felts } from '@sotto/kernel';

/** A call of `private_swap` that the ledger has accepted once. */
export interface KeptSwapCall {
  /** Its place in the order of acceptance. */
  readonly seq: bigint;
  readonly swapPool: Felt;
  readonly calldata: Felts;
}

/**
 * What the store knows of swaps besides their pins. Rejects with a `DomainError` when it can't
 * answer.
 */
export abstract class SwapRecords {
  /**
   * Calls whose calldata is still kept and whose place is after `after`, in the order of
   * acceptance, at most `limit`.
   */
  abstract kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]>;
  /**
   * The first nonce of the account whose transaction was not read for pins yet; 0 for an account
   * that was never read.
   */
  abstract readUpTo(account: Felt): Promise<bigint>;
  /** Notes that all below `nonce` are read. Never lowered. */
  abstract noteReadUpTo(account: Felt, nonce: bigint): Promise<void>;
}
