import { tryCatch, type DomainError, type Felt } from '@sotto/kernel';
import { checkBuiltSwap, type CheckedSwap, type SwapOrder } from '../domain/built-swap.js';
import { leastWithin, mostWithin, reportedValue, type FairValue } from '../domain/fair-value.js';
import { signedMinimum, tolerated } from '../domain/signed-minimum.js';
import type { RoutedAmounts } from '../domain/swap-amounts.js';
import { toleranceInForce } from '../domain/swap-bounds.js';
import type { PoolToken } from '../domain/priced-token.js';
import { MAX_SLIPPAGE_PPM, slippageDownTo } from '../domain/swap.js';
import {
  MinimumNotMet,
  NoQuotesAvailable,
  PriceImpactTooHigh,
  QuoteExpiredAtAggregator,
  SlippageTooTight,
  SwapBelowFloor,
} from '../errors.js';
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
  /** Least output, in addition to the tolerance and the fair value. @default no absolute bound */
  readonly minAmountOut?: bigint | undefined;
  /** Minimum that the note was pinned to; null for a note without a pin and for other swaps. */
  readonly pinnedFloor: bigint | null;
}

/** A swap that may be signed. Its `minimumOut` is the {@link signedMinimum}. */
export interface RoutedSwap extends CheckedSwap, RoutedAmounts {
  /**
   * The quote, but at most what exceeds the fair value by the maximum impact. A pin is for good, so
   * it must not rest on a quote that no market can keep.
   */
  readonly plausibleAmount: bigint;
}

interface ChosenQuote {
  readonly quote: SwapQuote;
  /** In the bought token's smallest unit. */
  readonly minimumOut: bigint;
}

/**
 * A quote and the one after it: a second that expires at once is the aggregator's trouble, not bad
 * luck.
 */
const MAX_ROUNDS = 2;
/**
 * A quote of more than twice the fair value is in another unit than the aggregator's: no market
 * keeps it, and as a number it misleads the caller. In hundredths of a percent above the value.
 */
const MAX_ABOVE_BPS = 10_000;
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
   * Returns the best route of the swap, checked, with its signed minimum. The aggregator is queried
   * only once the swap's fair value is known.
   * @throws OutputTokenNotSupported, PriceUnavailable, NoQuotesAvailable, PriceImpactTooHigh,
   *   MinimumNotMet, SwapBelowFloor, SlippageTooTight,
   *   QuoteExpiredAtAggregator, SwapBuildRejected, or the aggregator's own error.
   */
  async route(wanted: WantedSwap): Promise<RoutedSwap> {
    const fair = await this.fairValues.of(wanted.sellToken, wanted.sellAmount, wanted.buyToken);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { quote, minimumOut } = this.#choose(await this.#quotes(wanted, fair), fair, wanted);
      const slippagePpm = Math.min(slippageDownTo(minimumOut, quote.buyAmount), MAX_SLIPPAGE_PPM);
      const { quoteId, buyAmount: quotedAmount } = quote;
      const built = await this.aggregator.build({ quoteId, taker: wanted.taker, slippagePpm });
      switch (built.kind) {
        case 'built': {
          const terms = { quotedAmount, slippagePpm, floor: minimumOut };
          const checked = this.#check(built.calls, wanted, terms);
          const most = mostWithin(fair, this.policy.maxPriceImpactBps);
          const plausibleAmount = quotedAmount < most ? quotedAmount : most;
          return { ...checked, ...amountsOf(wanted, fair, { quote, minimumOut }), plausibleAmount };
        }
        case 'slippage_too_tight':
          throw new SlippageTooTight();
        case 'no_liquidity':
          throw new NoQuotesAvailable();
        case 'quote_expired':
      }
    }
    throw new QuoteExpiredAtAggregator({ retryAfterSeconds: EXPIRED_RETRY_SECONDS });
  }

  /**
   * Returns the amounts of the best usable quote without building the swap.
   * @throws OutputTokenNotSupported, PriceUnavailable, NoQuotesAvailable, PriceImpactTooHigh,
   *   MinimumNotMet, SwapBelowFloor, SlippageTooTight, or the aggregator's own error.
   */
  async quote(wanted: WantedSwap): Promise<RoutedAmounts> {
    const fair = await this.fairValues.of(wanted.sellToken, wanted.sellAmount, wanted.buyToken);
    return amountsOf(wanted, fair, this.#choose(await this.#quotes(wanted, fair), fair, wanted));
  }

  /** Usable quotes, best first by amount: the order of the answer is the aggregator's. */
  async #quotes(
    { sellToken, buyToken, sellAmount, taker }: WantedSwap,
    fair: FairValue,
  ): Promise<readonly SwapQuote[]> {
    const quotes = await this.aggregator.quotes({
      sellToken: sellToken.address,
      buyToken,
      sellAmount,
      taker,
    });
    const most = mostWithin(fair, MAX_ABOVE_BPS);
    return quotes
      .filter(({ buyAmount }) => buyAmount > 0n && buyAmount <= most)
      .toSorted(
        ({ buyAmount: left }, { buyAmount: right }) => Number(left < right) - Number(left > right),
      );
  }

  /**
   * Returns the best quote that is not refused.
   * @throws NoQuotesAvailable without any quote; the refusal of the best one if all are refused
   */
  #choose(quotes: readonly SwapQuote[], fair: FairValue, wanted: WantedSwap): ChosenQuote {
    let refusal: DomainError | null = null;
    for (const quote of quotes) {
      const minimumOut = tryCatch(() => this.#minimum(quote, fair, wanted));
      if (minimumOut.known) return { quote, minimumOut: minimumOut.value };
      refusal ??= minimumOut.failure;
    }
    throw refusal ?? new NoQuotesAvailable();
  }

  /** Signed minimum of a swap at this quote, if the quote leaves the least tolerance above it. */
  #minimum(quote: SwapQuote, fair: FairValue, wanted: WantedSwap): bigint {
    const { maxPriceImpactBps, minSlippagePpm } = this.policy;
    const { buyAmount: quotedAmount, estimatedSlippagePpm } = quote;
    const statedPpm = quote.priceImpactPpm ?? 0;
    const most = tolerated(quotedAmount, minSlippagePpm);
    const leastFair = leastWithin(fair, maxPriceImpactBps);
    if (quotedAmount < leastFair || statedPpm > maxPriceImpactBps * PPM_PER_BPS)
      throw this.#tooFarBelow(fair, quote);
    const refusal = noRoomAbove(wanted, quotedAmount, most);
    if (refusal !== null) throw refusal;
    if (leastFair > most) throw this.#tooFarBelow(fair, quote);
    const { pinnedFloor: pinnedMinimum } = wanted;
    const bounds = { pinnedMinimum, words: wanted, quotedAmount, fair, maxPriceImpactBps };
    const minimumOut = signedMinimum(bounds);
    const inForcePpm = toleranceInForce({ minimumOut, quotedAmount });
    if (estimatedSlippagePpm !== null && estimatedSlippagePpm > inForcePpm)
      throw new SlippageTooTight();
    return minimumOut;
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
    terms: Pick<SwapOrder, 'quotedAmount' | 'slippagePpm' | 'floor'>,
  ): CheckedSwap {
    const { allowBranchRoutes } = this.policy;
    const order = {
      sellToken: sellToken.address,
      sellAmount,
      buyToken,
      taker,
      ...terms,
    };
    return checkBuiltSwap(calls, { ...order, routers: this.#routers, allowBranchRoutes });
  }
}

function amountsOf(
  { sellAmount }: WantedSwap,
  fair: FairValue,
  { quote: { buyAmount: quotedAmount, expiresAtMs: quoteEndsAtMs }, minimumOut }: ChosenQuote,
): RoutedAmounts {
  return { sellAmount, fair, quotedAmount, minimumOut, quoteEndsAtMs };
}

/**
 * Refusal of a quote that leaves less than the least tolerance above a pinned or named minimum;
 * null otherwise.
 * @param most largest minimum that leaves the least tolerance
 */
function noRoomAbove(
  { pinnedFloor, minAmountOut }: WantedSwap,
  quoted: bigint,
  most: bigint,
): SwapBelowFloor | MinimumNotMet | null {
  const quotedAmount = String(quoted);
  if (pinnedFloor !== null && pinnedFloor > most)
    return new SwapBelowFloor({ details: { offered: quotedAmount, floor: String(pinnedFloor) } });
  return minAmountOut === undefined || minAmountOut <= most
    ? null
    : new MinimumNotMet({ details: { minAmountOut: String(minAmountOut), quotedAmount } });
}
