import type { FeeQuote } from '../domain/fee-quote.js';

/** Result of redeeming a quote. */
export type Redemption =
  | { readonly kind: 'redeemed'; readonly quote: FeeQuote }
  /** The quote was never issued, or was deleted after its expiry. */
  | { readonly kind: 'unknown' }
  /** Another withdrawal has used it. */
  | { readonly kind: 'used' }
  | { readonly kind: 'expired' };

/** Expiry times before which quotes are deleted. */
export interface ExpiredBefore {
  /**
   * Used quotes are deleted if they expired before this time, in Unix milliseconds. Used quotes are
   * kept longer than unused quotes, because their withdrawals may be retried.
   */
  readonly usedMs: number;
  readonly unusedMs: number;
}

/**
 * Stores issued quotes and the withdrawals that used them. The store is durable: a restart neither
 * loses a quote nor allows a second use. Methods reject with a `DomainError` if the store is
 * unavailable.
 */
export abstract class QuoteStore {
  abstract add(quote: FeeQuote): Promise<void>;
  abstract find(id: string): Promise<FeeQuote | null>;
  /**
   * Redeems the quote for the withdrawal under `key`, in one write. The same key may cite the quote
   * again (in a new attempt or a second request); any other key may not. The expiry is checked only
   * at the first use. At the time of its expiry, a quote is no longer valid.
   */
  abstract redeem(id: string, key: string, nowMs: number): Promise<Redemption>;
  /** Deletes quotes that expired before these times. Returns the number of deleted quotes. */
  abstract forget(expired: ExpiredBefore): Promise<number>;
}
