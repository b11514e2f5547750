import type { Felt } from '@sotto/kernel';
import { checkBuiltSwap, type CheckedSwap } from '../domain/built-swap.js';
import { NoQuotesAvailable, QuoteExpiredAtAggregator, SlippageTooTight } from '../errors.js';
import type { SwapAggregator, SwapQuote, SwapQuoteRequest } from '../ports/swap-aggregator.port.js';

export interface SwapRoutingPolicy {
  /** Routers that a swap may go through. */
  readonly routers: readonly Felt[];
  /** Whether the swap pool can read `branch` routes: one compiled against the router's older form can't. */
  readonly allowBranchRoutes: boolean;
}

/** What is to be swapped, and how far below its quote it may end. */
export interface WantedSwap extends SwapQuoteRequest {
  readonly slippagePpm: number;
}

/** A quote and the one after it: a second that expires at once is the aggregator's trouble, not bad luck. */
const MAX_ROUNDS = 2;
const EXPIRED_RETRY_SECONDS = 5;

/** Gets a swap quoted and built by the aggregator, and trusts nothing of what comes back. */
export class SwapRouting {
  readonly #routers: ReadonlySet<Felt>;

  constructor(
    private readonly aggregator: SwapAggregator,
    private readonly policy: SwapRoutingPolicy,
  ) {
    this.#routers = new Set(policy.routers);
  }

  /**
   * The best route of the swap, checked.
   * @throws NoQuotesAvailable, SlippageTooTight, QuoteExpiredAtAggregator, SwapBuildRejected, or the aggregator's own fault.
   */
  async route(wanted: WantedSwap): Promise<CheckedSwap> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const quote = await this.#bestQuote(wanted);
      const { taker, slippagePpm } = wanted;
      const built = await this.aggregator.build({ quoteId: quote.quoteId, taker, slippagePpm });
      switch (built.kind) {
        case 'built':
          return this.#check(built.calls, wanted, quote.buyAmount);
        case 'slippage_too_tight':
          throw new SlippageTooTight();
        case 'no_liquidity':
          throw new NoQuotesAvailable();
        case 'quote_expired':
      }
    }
    throw new QuoteExpiredAtAggregator({ retryAfterSeconds: EXPIRED_RETRY_SECONDS });
  }

  async #bestQuote({ sellToken, buyToken, sellAmount, taker }: WantedSwap): Promise<SwapQuote> {
    const quotes = await this.aggregator.quotes({ sellToken, buyToken, sellAmount, taker });
    const best = quotes.find(({ buyAmount }) => buyAmount > 0n);
    if (best === undefined) throw new NoQuotesAvailable();
    return best;
  }

  #check(calls: Parameters<typeof checkBuiltSwap>[0], wanted: WantedSwap, quotedAmount: bigint): CheckedSwap {
    const { allowBranchRoutes } = this.policy;
    return checkBuiltSwap(calls, { ...wanted, quotedAmount, routers: this.#routers, allowBranchRoutes });
  }
}
