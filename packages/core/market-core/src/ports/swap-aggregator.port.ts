import type { Felt } from '@sotto/kernel';
import type { BuiltCall, SwapQuote } from '../domain/swap.js';

export type { SwapQuote } from '../domain/swap.js';

export interface SwapQuoteRequest {
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  /** Sold amount in the sell token's smallest unit. */
  readonly sellAmount: bigint;
  /**
   * Account or contract that will call the router. The router compares it on chain with the
   * beneficiary of the swap.
   */
  readonly taker: Felt;
}

export interface SwapBuildRequest {
  readonly quoteId: string;
  readonly taker: Felt;
  /** Slippage tolerance in millionths: 20,000 is 2 %. */
  readonly slippagePpm: number;
}

export type BuiltSwap =
  | { readonly kind: 'built'; readonly calls: readonly BuiltCall[] }
  /** The quote is unknown or too old: a new one may be requested. */
  | { readonly kind: 'quote_expired' }
  /** The aggregator's own simulation of the swap brings less than the tolerance allows. */
  | { readonly kind: 'slippage_too_tight' }
  /** The quoted swap is no longer possible. */
  | { readonly kind: 'no_liquidity' };

/**
 * A swap aggregator. Methods reject with a `DomainError` if the aggregator is unavailable, too
 * slow, or returns an invalid response.
 */
export abstract class SwapAggregator {
  /**
   * Returns quotes that match the request exactly, best quote first. Returns an empty list if there
   * is no route or no liquidity.
   */
  abstract quotes(request: SwapQuoteRequest): Promise<readonly SwapQuote[]>;
  abstract build(request: SwapBuildRequest): Promise<BuiltSwap>;
}
