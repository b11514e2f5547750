import type { TransferQuote, TransferRequest } from '../domain/transfer-quote.js';
import type { QuotedTerms } from '../domain/quoted-terms.js';
import type { TransferStatusReport } from '../domain/status-report.js';

/** Bounded text in which the protocol explains its refusal; absent if it gives none. */
interface Explained {
  readonly text?: string | undefined;
}

/**
 * Reason why the protocol refuses a quote.
 * - `no_route`: no solver executes this transfer now.
 * - `amount_too_low`: `minimum` is in the source token's smallest unit, null if the protocol does
 *   not state it.
 * - `recipient_refused`: the protocol does not accept the recipient.
 * - `refund_address_needed`: the protocol requires a refund address for a real transfer, or refuses
 *   the given one.
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
 * A protocol whose solvers execute transfers. Rejects with a `DomainError` if it is unavailable,
 * too slow, or returns an invalid answer.
 */
export abstract class BridgeProtocol {
  /**
   * Requests a quote. A dry run changes nothing. A real quote may be requested again: an unused
   * deposit address costs nothing.
   */
  abstract quote(request: TransferRequest): Promise<QuoteAnswer>;
  /**
   * Returns the present status of a transfer that the protocol quoted; null if it does not know the
   * id. An unknown status value never rejects.
   * @param terms terms of the quote, null if unknown. An answer about other terms rejects
   */
  abstract status(
    transactionId: string,
    terms: QuotedTerms | null,
  ): Promise<TransferStatusReport | null>;
}
