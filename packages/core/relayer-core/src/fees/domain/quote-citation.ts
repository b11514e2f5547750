import type { DomainError } from '@sotto/kernel';
import { QuoteExpired, QuoteMismatch, QuoteUnknown } from '../../errors.js';
import type { FeeQuote } from './fee-quote.js';

/** State of the quote that a withdrawal cites, at one moment. */
export type Citation =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired' }
  /** The quote is binding: the withdrawal owes its fee. */
  | { readonly kind: 'quote'; readonly quote: FeeQuote };

export const NO_CITATION: Citation = { kind: 'none' };

/** Returns the state of a quote. At the time of its expiry, a quote is no longer binding. */
export function citationOf(quote: FeeQuote | null, nowMs: number): Citation {
  if (quote === null) return { kind: 'unknown' };
  return nowMs < quote.expiresAtMs ? { kind: 'quote', quote } : { kind: 'expired' };
}

/**
 * Returns the error if the cited quote does not apply to a withdrawal with these terms. Returns
 * null if the quote applies, or if no quote is cited.
 */
export function citationRejection(
  citation: Citation,
  terms: Pick<FeeQuote, 'chainId' | 'pool' | 'relayer' | 'operation' | 'leafIndex'> & {
    readonly recipientGasFri: bigint;
  },
): DomainError | null {
  switch (citation.kind) {
    case 'none':
      return null;
    case 'unknown':
      return new QuoteUnknown();
    case 'expired':
      return new QuoteExpired();
    case 'quote': {
      const { chainId, pool, relayer, operation, leafIndex } = citation.quote;
      // The quoted fee pays for exactly this amount of STRK. Otherwise a quote without STRK would
      // replace the check that the fee covers it.
      const { recipientGasFri = 0n } = citation.quote;
      const isForIt =
        operation === terms.operation &&
        leafIndex === terms.leafIndex &&
        recipientGasFri === terms.recipientGasFri;
      return chainId === terms.chainId &&
        pool === terms.pool &&
        relayer === terms.relayer &&
        isForIt
        ? null
        : new QuoteMismatch();
    }
  }
}
