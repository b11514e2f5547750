import type { TransferQuote, TransferRequest } from '../domain/transfer-quote.js';
import type { QuotedTerms } from '../domain/quoted-terms.js';
import type { TransferStatusReport } from '../domain/status-report.js';

/** Bounded text in which the protocol explains its refusal; absent if it gives none. */
interface Explained {
  readonly text?: string | undefined;
}

/**
 * - `no_route`: no solver carries this now.
 * - `amount_too_low`: `minimum` is in the source token's smallest unit, null when the protocol does
 *   not state it.
 * - `refund_address_needed`: the protocol makes no real transfer without an address for refunds, or
 *   refuses the one it was given.
 */
export type QuoteRefusal = Explained &
  (
    | { readonly kind: 'no_route' }
    | { readonly kind: 'amount_too_low'; readonly minimum: bigint | null }
    | { readonly kind: 'recipient_refused' }
    | { readonly kind: 'refund_address_needed' }
  );

export type QuoteAnswer = { readonly kind: 'quoted'; readonly quote: TransferQuote } | QuoteRefusal;

/**
 * A protocol whose solvers carry out transfers. Rejects with a `DomainError` when it can't be
 * reached, is too slow, or answers what can't be understood.
 */
export abstract class BridgeProtocol {
  /**
   * A dry run changes nothing. A real quote may be asked again: an address that receives nothing
   * costs nothing.
   */
  abstract quote(request: TransferRequest): Promise<QuoteAnswer>;
  /**
   * What it says now of a transfer that it quoted; null when it does not know the id. A status word
   * that is new never rejects.
   * @param terms those of the quote, null if unknown. An answer about other terms rejects
   */
  abstract status(
    transactionId: string,
    terms: QuotedTerms | null,
  ): Promise<TransferStatusReport | null>;
}
