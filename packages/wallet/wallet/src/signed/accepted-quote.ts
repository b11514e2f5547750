import { WalletError, type WalletErrorCode } from '../errors.js';
import { verifyFeeQuote, type SignedFeeQuote } from './fee-quote.js';

export interface QuoteTerms {
  /**
   * The Stark key of the relayer that was asked: the x coordinate, 0x hex. From a source that the
   * wallet trusts, such as `get_public_key` of the account on a node of its own; never from the
   * reply that it checks.
   */
  readonly signerKey: string;
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex: the pool of the note. */
  readonly pool: string;
  /** The most that the user pays, in the smallest unit of the pool's token. */
  readonly maxFee: bigint;
  /** @default Date.now() */
  readonly nowMs?: number;
}

/** A quote that nothing may be based on. `code` says why. */
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
 * A fee that its relayer is bound to, for the chain and pool that were asked for, and that the user
 * pays. Only {@link acceptQuote} makes one.
 */
export class AcceptedQuote {
  readonly quoteId: string;
  /** In the smallest unit of the pool's token. */
  readonly fee: bigint;
  /** 0x hex: the address that the proof must name. */
  readonly relayer: string;
  /** Unix time in ms. */
  readonly expiresAtMs: number;
  /** Whose quote it is. */
  readonly signerKey: string;
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex. */
  readonly pool: string;
  /** Also makes the type one that no object literal has. */
  readonly #isAccepted = true;

  /** Not to be called: {@link acceptQuote} does, and what it gives nothing else has. */
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

  /** Whether it was accepted here, for callers without types. */
  static is(value: object): value is AcceptedQuote {
    return #isAccepted in value && value.#isAccepted;
  }
}

/**
 * Checks the reply of `POST /api/relayer/quote`, without asking anybody. Only its result can be
 * given to a withdrawal.
 * @throws QuoteNotTrusted
 *   SIGNATURE_FORGED: the key's owner has not signed this, if it is a quote at all;
 *   QUOTE_EXPIRED: the owner was bound, until its `expiresAt`;
 *   QUOTE_OF_ANOTHER_CHAIN, QUOTE_OF_ANOTHER_POOL: it is for something else;
 *   FEE_ABOVE_MAXIMUM: the user does not pay so much
 * @throws WalletError SIGNER_KEY_MALFORMED: the key is no x coordinate of the Stark curve
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
  // What is signed is 0x hex and decimal digits: it can be compared.
  if (BigInt(reply.chainId) !== BigInt(chainId))
    throw new QuoteNotTrusted('QUOTE_OF_ANOTHER_CHAIN', 'the quote is for another chain');
  if (BigInt(reply.pool) !== BigInt(pool))
    throw new QuoteNotTrusted('QUOTE_OF_ANOTHER_POOL', 'the quote is for another pool');
  if (BigInt(reply.fee) > maxFee)
    throw new QuoteNotTrusted('FEE_ABOVE_MAXIMUM', 'the fee is above what the user pays');
  return new AcceptedQuote(ACCEPTED, reply, signerKey);
}
