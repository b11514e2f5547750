import { WalletError, type WalletErrorCode } from '../errors.js';
import { verifyFeeQuote, type SignedFeeQuote } from './fee-quote.js';

export interface QuoteTerms {
  /**
   * Stark key of the queried relayer: the x coordinate, 0x hex. The key must come from a source
   * that the wallet trusts, such as `get_public_key` of the account on the wallet's node. Never use
   * a key from the reply that is checked.
   */
  readonly signerKey: string;
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Address of the note's pool as 0x hex. */
  readonly pool: string;
  /** Maximum fee that the user pays, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: bigint;
  /** Current Unix time in ms. @default Date.now() */
  readonly nowMs?: number;
}

/** Rejected quote, which must not be used. `code` is the reason. */
export class QuoteNotTrusted extends WalletError {
  override readonly name = 'QuoteNotTrusted';
  declare readonly code: QuoteRefusal;
}

export type QuoteRefusal = Extract<
  WalletErrorCode,
  | 'SIGNATURE_FORGED'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_OF_ANOTHER_CHAIN'
  | 'QUOTE_OF_ANOTHER_POOL'
  | 'FEE_ABOVE_MAXIMUM'
>;

const ACCEPTED = Symbol('accepted');

/**
 * Quote with a verified signature, for the requested chain and pool, within the user's maximum fee.
 * Only {@link acceptQuote} creates such quotes.
 */
export class AcceptedQuote {
  readonly quoteId: string;
  /** Fee in the smallest unit of the pool's ERC-20 token. */
  readonly fee: bigint;
  /** Address (0x hex) that the proof must contain as its relayer. */
  readonly relayer: string;
  /** Expiry of the quote, as Unix time in ms. */
  readonly expiresAtMs: number;
  /** Stark key of the relayer that signed the quote. */
  readonly signerKey: string;
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Pool address as 0x hex. */
  readonly pool: string;
  /** Marker that makes the type nominal: no object literal is assignable to it. */
  readonly #isAccepted = true;

  /**
   * Only {@link acceptQuote} calls this constructor, because no other code has the symbol
   * `ACCEPTED`.
   */
  constructor(by: symbol, quote: SignedFeeQuote, signerKey: string) {
    if (by !== ACCEPTED) throw new TypeError('acceptQuote makes these');
    this.quoteId = quote.quoteId;
    this.fee = BigInt(quote.fee);
    this.relayer = quote.relayer;
    this.expiresAtMs = quote.expiresAt * 1_000;
    this.signerKey = signerKey;
    this.chainId = quote.chainId;
    this.pool = quote.pool;
    Object.freeze(this);
  }

  /**
   * Returns true if {@link acceptQuote} created the value. Useful for callers that do not use
   * TypeScript.
   */
  static is(value: object): value is AcceptedQuote {
    return #isAccepted in value && value.#isAccepted;
  }
}

/**
 * Checks the reply of `POST /api/relayer/quote`, offline. A withdrawal accepts only quotes that
 * this function returns.
 * @throws QuoteNotTrusted SIGNATURE_FORGED: the key's owner has not signed this quote;
 *   QUOTE_EXPIRED: the quote was valid until its `expiresAt`; QUOTE_OF_ANOTHER_CHAIN,
 *   QUOTE_OF_ANOTHER_POOL: the quote's chain or pool differs from the terms; FEE_ABOVE_MAXIMUM: the
 *   fee exceeds the user's maximum
 * @throws WalletError SIGNER_KEY_MALFORMED: the key is not an x coordinate of the Stark curve
 */
export function acceptQuote(reply: SignedFeeQuote, terms: QuoteTerms): AcceptedQuote {
  const { signerKey, chainId, pool, maxFee, nowMs = Date.now() } = terms;
  try {
    verifyFeeQuote(reply, { signerPublicKey: signerKey, nowMs });
  } catch (error) {
    throw error instanceof WalletError && error.code !== 'SIGNER_KEY_MALFORMED'
      ? new QuoteNotTrusted(error.code, error.message, { cause: error })
      : error;
  }
  // A signed quote contains only valid numbers, so BigInt can parse them.
  if (BigInt(reply.chainId) !== BigInt(chainId))
    throw new QuoteNotTrusted('QUOTE_OF_ANOTHER_CHAIN', 'the quote is for another chain');
  if (BigInt(reply.pool) !== BigInt(pool))
    throw new QuoteNotTrusted('QUOTE_OF_ANOTHER_POOL', 'the quote is for another pool');
  if (BigInt(reply.fee) > maxFee)
    throw new QuoteNotTrusted(
      'FEE_ABOVE_MAXIMUM',
      'the fee is above the maximum that the user pays',
    );
  return new AcceptedQuote(ACCEPTED, reply, signerKey);
}
