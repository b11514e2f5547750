import type { TransferQuote, TransferRequest } from '../domain/transfer-quote.js';
import type { TransferStatusReport } from '../domain/transfer.js';

export type QuoteAnswer =
  | { readonly kind: 'quoted'; readonly quote: TransferQuote }
  /** No solver carries this now. */
  | { readonly kind: 'no_route' }
  /** `minimum` in the source token's smallest unit, null when the protocol does not state it. */
  | { readonly kind: 'amount_too_low'; readonly minimum: bigint | null }
  | { readonly kind: 'recipient_refused' }
  /**
   * The protocol makes no real transfer without an address for refunds, or refuses the one it was
   * given.
   */
  | { readonly kind: 'refund_address_needed' };

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
   */
  abstract status(transactionId: string): Promise<TransferStatusReport | null>;
}
