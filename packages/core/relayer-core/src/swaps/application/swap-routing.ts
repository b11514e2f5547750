import type { Felt } from '@sotto/kernel';
import { checkBuiltSwap, type CheckedSwap } from '../domain/built-swap.js';
import { leastWithin, reportedValue, type FairValue } from '../domain/fair-value.js';
import type { PoolToken } from '../../pools/domain/pool.js';
import { MAX_SLIPPAGE_PPM, slippageDownTo } from '../domain/swap.js';
import {
  MinimumNotMet,
  NoQuotesAvailable,
  PriceImpactTooHigh,
  QuoteExpiredAtAggregator,
  SlippageTooTight,
  SwapBelowFloor,
} from '../../errors.js';
import type { SwapAggregator, SwapQuote } from '../ports/swap-aggregator.port.js';
import type { FairValues } from './fair-values.js';

export interface SwapRoutingPolicy {
  /** Routers that a swap may go through. */
  readonly routers: readonly Felt[];
  /**
   * Whether the swap pool can read `branch` routes: one compiled against the router's older form
   * can't.
   */
  readonly allowBranchRoutes: boolean;
  /** How far a swap may fall short of its fair value, in hundredths of a percent. */
  readonly maxPriceImpactBps: number;
  /** Least tolerance, in millionths. */
  readonly minSlippagePpm: number;
}

/** What is to be swapped, and how far below its quote it may end. */
export interface WantedSwap {
  readonly sellToken: PoolToken;
  /** In the sell token's smallest unit. */
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  /** Who will call the router. */
  readonly taker: Felt;
  readonly slippagePpm: number;
  /** Least that may come out. @default the fair value less the largest impact */
  readonly minAmountOut?: bigint | undefined;
  /**
   * What the note's swap was pinned to: it counts in the place of tolerance and least amount. Null
   * before the first one.
   */
  readonly pinnedFloor: bigint | null;
}

/** A swap that may be signed, and the terms that are in force for it. */
export interface RoutedSwap extends CheckedSwap {
  /** What the quote promises, in the bought token's smallest unit. */
  readonly quotedAmount: bigint;
  /**
   * Least that any swap of the note may ever bring, in the bought token's smallest unit: what it
   * was pinned to, or what the caller named, or what follows from the fair value. At most {@link
   * CheckedSwap.minimumOut}.
   */
  readonly floor: bigint;
  /**
   * The tolerance that was built with, in millionths: what was asked for, or less where that would
   * have gone below the floor; down to a pinned one.
   */
  readonly slippagePpm: number;
}

type SwapBounds = Pick<RoutedSwap, 'floor' | 'slippagePpm'>;

/**
 * A quote and the one after it: a second that expires at once is the aggregator's trouble, not bad
 * luck.
 */
const MAX_ROUNDS = 2;
const EXPIRED_RETRY_SECONDS = 5;
const BPS = 10_000;
const PPM_PER_BPS = 100;

/**
 * Gets a swap quoted and built by the aggregator, and trusts nothing of what comes back: not even
 * the price.
 */
export class SwapRouting {
  readonly #routers: ReadonlySet<Felt>;

  constructor(
    private readonly aggregator: SwapAggregator,
    private readonly fairValues: Pick<FairValues, 'of'>,
    private readonly policy: SwapRoutingPolicy,
  ) {
    this.#routers = new Set(policy.routers);
  }

  /**
   * The best route of the swap, checked. The aggregator is asked only once the swap's fair value is
   * known.
   * @throws OutputTokenNotSupported, PriceUnavailable, NoQuotesAvailable, PriceImpactTooHigh,
   *   MinimumNotMet, SwapBelowFloor, SlippageTooTight,
   *   QuoteExpiredAtAggregator, SwapBuildRejected, or the aggregator's own error.
   */
  async route(wanted: WantedSwap): Promise<RoutedSwap> {
    const fair = await this.fairValues.of(wanted.sellToken, wanted.sellAmount, wanted.buyToken);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const quote = await this.#bestQuote(wanted);
      const terms = this.#terms(quote, fair, wanted);
      const built = await this.aggregator.build({
        quoteId: quote.quoteId,
        taker: wanted.taker,
        slippagePpm: terms.slippagePpm,
      });
      switch (built.kind) {
        case 'built':
          return bounded(
            {
              ...this.#check(built.calls, wanted, quote.buyAmount, terms),
              ...terms,
              quotedAmount: quote.buyAmount,
            },
            wanted,
          );
        case 'slippage_too_tight':
          throw new SlippageTooTight();
        case 'no_liquidity':
          throw new NoQuotesAvailable();
        case 'quote_expired':
      }
    }
    throw new QuoteExpiredAtAggregator({ retryAfterSeconds: EXPIRED_RETRY_SECONDS });
  }

  /** By amount: the order is the aggregator's. */
  async #bestQuote({ sellToken, buyToken, sellAmount, taker }: WantedSwap): Promise<SwapQuote> {
    const quotes = await this.aggregator.quotes({
      sellToken: sellToken.address,
      buyToken,
      sellAmount,
      taker,
    });
    const [first, ...others] = quotes.filter(({ buyAmount }) => buyAmount > 0n);
    if (first === undefined) throw new NoQuotesAvailable();
    return others.reduce((best, quote) => (quote.buyAmount > best.buyAmount ? quote : best), first);
  }

  /** Floor and tolerance of a swap at this quote, if it is worth its price. */
  #terms(quote: SwapQuote, fair: FairValue, wanted: WantedSwap): SwapBounds {
    const { maxPriceImpactBps, minSlippagePpm } = this.policy;
    const { slippagePpm, minAmountOut, pinnedFloor } = wanted;
    const leastFair = leastWithin(fair, maxPriceImpactBps);
    const statedPpm = quote.priceImpactPpm ?? 0;
    if (quote.buyAmount < leastFair || statedPpm > maxPriceImpactBps * PPM_PER_BPS)
      throw this.#tooFarBelow(fair, quote);
    const floor = pinnedFloor ?? minAmountOut ?? leastFair;
    const room = slippageDownTo(floor, quote.buyAmount);
    if (room < minSlippagePpm)
      throw noRoomAbove(wanted, quote.buyAmount) ?? this.#tooFarBelow(fair, quote);
    const inForcePpm = Math.min(pinnedFloor === null ? slippagePpm : MAX_SLIPPAGE_PPM, room);
    if (quote.estimatedSlippagePpm !== null && quote.estimatedSlippagePpm > inForcePpm)
      throw new SlippageTooTight();
    return { floor, slippagePpm: inForcePpm };
  }

  #tooFarBelow(fair: FairValue, { buyAmount }: SwapQuote): PriceImpactTooHigh {
    const [fairAmount, quotedAmount] = [String(reportedValue(fair)), String(buyAmount)];
    return new PriceImpactTooHigh({
      details: { fairAmount, quotedAmount, maximumImpact: this.policy.maxPriceImpactBps / BPS },
    });
  }

  #check(
    calls: Parameters<typeof checkBuiltSwap>[0],
    { sellToken, sellAmount, buyToken, taker }: WantedSwap,
    quotedAmount: bigint,
    terms: SwapBounds,
  ): CheckedSwap {
    const { allowBranchRoutes } = this.policy;
    const order = {
      sellToken: sellToken.address,
      sellAmount,
      buyToken,
      taker,
      quotedAmount,
      ...terms,
    };
    return checkBuiltSwap(calls, { ...order, routers: this.#routers, allowBranchRoutes });
  }
}

/**
 * What a quote is refused with that leaves no tolerance above a floor which was named or pinned;
 * null for one that follows from the fair value.
 */
function noRoomAbove(
  { pinnedFloor, minAmountOut }: WantedSwap,
  quoted: bigint,
): SwapBelowFloor | MinimumNotMet | null {
  const quotedAmount = String(quoted);
  if (pinnedFloor !== null)
    return new SwapBelowFloor({ details: { offered: quotedAmount, floor: String(pinnedFloor) } });
  return minAmountOut === undefined
    ? null
    : new MinimumNotMet({ details: { minAmountOut: String(minAmountOut), quotedAmount } });
}

/** A pinned floor is passed to the pool itself: a tolerance is rounded and has a maximum. */
function bounded(swap: RoutedSwap, { pinnedFloor }: WantedSwap): RoutedSwap {
  return pinnedFloor === null ? swap : { ...swap, minimumOut: pinnedFloor };
}
