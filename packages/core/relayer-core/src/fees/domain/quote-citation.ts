import type { DomainError } from '@sotto/kernel';
import { QuoteExpired, QuoteMismatch, QuoteUnknown } from '../../errors.js';
import type { FeeQuote } from './fee-quote.js';

/** What a withdrawal says of a quote, looked up at one moment. */
export type Citation =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired' }
  /** It binds: its fee is what the withdrawal owes. */
  | { readonly kind: 'quote'; readonly quote: FeeQuote };

export const NO_CITATION: Citation = { kind: 'none' };

/** A quote binds before the moment at which it expires, and not at it. */
export function citationOf(quote: FeeQuote | null, nowMs: number): Citation {
  if (quote === null) return { kind: 'unknown' };
  return nowMs < quote.expiresAtMs ? { kind: 'quote', quote } : { kind: 'expired' };
}

/**
 * Why a withdrawal of these terms can't go by what it cites; null when it can, or cites nothing.
 */
export function citationRefusal(
  citation: Citation,
  terms: Pick<FeeQuote, 'chainId' | 'pool' | 'relayer' | 'operation' | 'leafIndex'>,
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
      const isForIt = operation === terms.operation && leafIndex === terms.leafIndex;
      return chainId === terms.chainId &&
        pool === terms.pool &&
        relayer === terms.relayer &&
        isForIt
        ? null
        : new QuoteMismatch();
    }
  }
}
