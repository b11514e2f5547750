import type { Felt } from '@sotto/kernel';
import type { BuiltCall, SwapQuote } from '../domain/swap.js';

export type { SwapQuote } from '../domain/swap.js';

export interface SwapQuoteRequest {
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  /** In the sell token's smallest unit. */
  readonly sellAmount: bigint;
  /** Who will call the router: it is checked against the beneficiary on chain. */
  readonly taker: Felt;
}

export interface SwapBuildRequest {
  readonly quoteId: string;
  readonly taker: Felt;
  /** Tolerance in millionths: 20,000 is 2 %. */
  readonly slippagePpm: number;
}

export type BuiltSwap =
  | { readonly kind: 'built'; readonly calls: readonly BuiltCall[] }
  /** The quote is unknown or too old: a new one may be asked for. */
  | { readonly kind: 'quote_expired' }
  /** The aggregator's own run of the swap brings less than the tolerance allows. */
  | { readonly kind: 'slippage_too_tight' }
  /** What was quoted can't be swapped any more. */
  | { readonly kind: 'no_liquidity' };

/**
 * A swap aggregator. Rejects with a `DomainError` when it can't be reached, is too slow, or answers
 * what can't be understood.
 */
export abstract class SwapAggregator {
  /**
   * Best first; empty when there is no route or no liquidity. Only quotes for exactly what was
   * asked.
   */
  abstract quotes(request: SwapQuoteRequest): Promise<readonly SwapQuote[]>;
  abstract build(request: SwapBuildRequest): Promise<BuiltSwap>;
}
