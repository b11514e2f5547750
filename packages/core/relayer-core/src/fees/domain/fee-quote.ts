import type { Felt } from '@sotto/kernel';

/** What a fee is asked for. */
export type QuotedOperation = 'withdraw' | 'private_swap';

/**
 * A fee that the relayer has bound itself to: what the wallet checks offline and cites in a
 * withdrawal.
 */
export interface FeeQuote {
  /** Public, unguessable name. */
  readonly id: string;
  readonly chainId: Felt;
  readonly pool: Felt;
  readonly operation: QuotedOperation;
  /**
   * The leaf whose withdrawal it serves; null where the notes of the pool are all worth the same.
   */
  readonly leafIndex: number | null;
  /** The address that a proof must name as its relayer. */
  readonly relayer: Felt;
  /** In the smallest unit of the token that the note is paid out in. */
  readonly feeAmount: bigint;
  readonly expiresAtMs: number;
}

export interface SignedFeeQuote extends FeeQuote {
  /** SNIP-12 signature of the quote's signer (r, s). */
  readonly signature: readonly [r: Felt, s: Felt];
  /** The account whose key signed it. */
  readonly signer: Felt;
}
