import type { Felt } from '@sotto/kernel';

/** A fee that the relayer has bound itself to: what the wallet checks offline and cites in a withdrawal. */
export interface FeeQuote {
  /** Public, unguessable name. */
  readonly id: string;
  readonly chainId: Felt;
  readonly pool: Felt;
  /** The address that a proof must name as its relayer. */
  readonly relayer: Felt;
  /** In the smallest unit of the pool's token. */
  readonly feeAmount: bigint;
  readonly expiresAtMs: number;
}

export interface SignedFeeQuote extends FeeQuote {
  /** SNIP-12 signature of the quote's signer (r, s). */
  readonly signature: readonly [r: Felt, s: Felt];
  /** The account whose key signed it. */
  readonly signer: Felt;
}
