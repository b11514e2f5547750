import type { FeeQuote } from '../domain/fee-quote.js';

/** How a citation of a quote met the book. */
export type Redemption =
  | { readonly kind: 'redeemed'; readonly quote: FeeQuote }
  /** It was never given, or it is long over. */
  | { readonly kind: 'unknown' }
  /** It has served another withdrawal. */
  | { readonly kind: 'used' }
  | { readonly kind: 'expired' };

/** Until when quotes are forgotten. */
export interface ExpiredBefore {
  /** Of those that served a withdrawal, which may be tried again. */
  readonly usedMs: number;
  readonly unusedMs: number;
}

/**
 * Quotes that were given and what they served for. Durable: a restart neither forgets nor doubles
 * one. Rejects with a `DomainError` when the store can't answer.
 */
export abstract class QuoteStore {
  abstract add(quote: FeeQuote): Promise<void>;
  abstract find(id: string): Promise<FeeQuote | null>;
  /**
   * Uses the quote for the withdrawal under `key`, in one write. The same key may cite it again (an
   * attempt that ended, a second request); any other key never. Expiry is judged at the first use
   * only: a quote serves before the moment at which it expires, and not at it.
   */
  abstract redeem(id: string, key: string, nowMs: number): Promise<Redemption>;
  /**
   * Forgets quotes that expired before these moments, by whether they have served; returns how
   * many.
   */
  abstract forget(expired: ExpiredBefore): Promise<number>;
}
