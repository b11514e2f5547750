import type { TransferQuote, TransferRequest } from '../domain/transfer-quote.js';
import type { QuotedTerms } from '../domain/quoted-terms.js';
import type { TransferStatusReport } from '../domain/status-report.js';

/**
 * Text of limited length in which the protocol explains its refusal; absent if the protocol sent no
 * explanation.
 */
interface Explained {
  readonly text?: string | undefined;
}

/**
 * Reason why the protocol refuses a quote.
 *
 * - `no_route`: no solver executes this transfer now.
 * - `amount_too_low`: the amount is below `minimum`, which is in the source token's smallest unit.
 *   Null if the protocol does not report the minimum.
 * - `recipient_refused`: the protocol does not accept the recipient.
 * - `refund_address_needed`: the protocol requires a refund address for a real transfer, or refuses
 *   the address in the request.
 */
export type QuoteRejection = Explained &
  (
    | { readonly kind: 'no_route' }
    | { readonly kind: 'amount_too_low'; readonly minimum: bigint | null }
    | { readonly kind: 'recipient_refused' }
    | { readonly kind: 'refund_address_needed' }
  );

export type QuoteAnswer =
  { readonly kind: 'quoted'; readonly quote: TransferQuote } | QuoteRejection;

/**
 * A bridge protocol whose solvers execute transfers. Methods reject with a `DomainError` if the
 * protocol is unavailable, too slow, or returns an invalid response.
 */
export abstract class BridgeProtocol {
  /**
   * Requests a quote. A dry run changes nothing. A real quote may be requested repeatedly, because
   * an unused deposit address costs nothing.
   */
  abstract quote(request: TransferRequest): Promise<QuoteAnswer>;
  /**
   * Returns the present status of a transfer that the protocol quoted; null if the protocol does
   * not know the id. An unknown status value never causes a rejection.
   * @param terms terms of the quote, null if unknown. If the response is about a transfer with
   *   different terms, the call rejects
   */
  abstract status(
    transactionId: string,
    terms: QuotedTerms | null,
  ): Promise<TransferStatusReport | null>;
}
