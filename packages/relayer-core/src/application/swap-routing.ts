import type { Felt } from '@sotto/kernel';
import { checkBuiltSwap, type CheckedSwap } from '../domain/built-swap.js';
import { slippageDownTo } from '../domain/swap.js';
import { NoQuotesAvailable, QuoteExpiredAtAggregator, SlippageTooTight, SwapBelowFloor } from '../errors.js';
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
  /** What the note's swap was pinned to: it counts in the place of the tolerance. Null before the first one. */
  readonly pinnedFloor: bigint | null;
}

export interface RoutedSwap extends CheckedSwap {
  /** The least that any later swap of the note may bring; at most {@link CheckedSwap.minimumOut}. */
  readonly floor: bigint;
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
   * @throws NoQuotesAvailable, SwapBelowFloor, SlippageTooTight, QuoteExpiredAtAggregator, SwapBuildRejected, or the aggregator's own fault.
   */
  async route(wanted: WantedSwap): Promise<RoutedSwap> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const quote = await this.#bestQuote(wanted);
      const { taker } = wanted;
      const slippagePpm = toleranceOf(wanted, quote.buyAmount);
      const built = await this.aggregator.build({ quoteId: quote.quoteId, taker, slippagePpm });
      switch (built.kind) {
        case 'built':
          return bounded(this.#check(built.calls, { ...wanted, slippagePpm }, quote.buyAmount), wanted);
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

/** @throws SwapBelowFloor */
function toleranceOf({ pinnedFloor, slippagePpm }: WantedSwap, offered: bigint): number {
  if (pinnedFloor === null) return slippagePpm;
  if (offered < pinnedFloor) throw new SwapBelowFloor({ details: { offered: String(offered), floor: String(pinnedFloor) } });
  return slippageDownTo(pinnedFloor, offered);
}

/** The pool is told the floor itself: a tolerance is rounded, and ends at its maximum. */
function bounded({ minimumOut, routes }: CheckedSwap, { pinnedFloor }: WantedSwap): RoutedSwap {
  const minimum = pinnedFloor ?? minimumOut;
  return { routes, minimumOut: minimum, floor: minimum };
}
