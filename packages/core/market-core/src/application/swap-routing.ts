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
  /** Addresses of the routers that a swap may use. */
  readonly routers: readonly Felt[];
  /**
   * True if the swap pool can parse `branch` routes. A pool that was compiled against an older
   * version of the router can't.
   */
  readonly allowBranchRoutes: boolean;
  /**
   * Maximum amount by which the output of a swap may be below its fair value, in hundredths of a
   * percent.
   */
  readonly maxPriceImpactBps: number;
  /** Minimum slippage tolerance, in millionths. */
  readonly minSlippagePpm: number;
}

/** Requested swap and its slippage tolerance, which is measured from the quote. */
export interface WantedSwap {
  readonly sellToken: PoolToken;
  /** Sold amount in the sell token's smallest unit. */
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  /** Account or contract that will call the router. */
  readonly taker: Felt;
  readonly slippagePpm: number;
  /**
   * Minimum output that the caller requires. This minimum applies in addition to the minimums from
   * the tolerance and the fair value.
   * @default no absolute minimum
   */
  readonly minAmountOut?: bigint | undefined;
  /**
   * Minimum output that the note's pin stores. Null if the note has no pin, and for swaps that are
   * not private swaps.
   */
  readonly pinnedFloor: bigint | null;
}

/**
 * A swap whose calls are checked, so that they may be signed. The field `minimumOut` is the {@link
 * signedMinimum}.
 */
export interface RoutedSwap extends CheckedSwap, RoutedAmounts {
  /**
   * Quoted output, but at most the fair value plus the maximum impact. A note's pin is computed
   * from this value. A pin is permanent, so it must not depend on an implausible quote.
   */
  readonly plausibleAmount: bigint;
}

interface ChosenQuote {
  readonly quote: SwapQuote;
  /** Minimum output in the bought token's smallest unit. */
  readonly minimumOut: bigint;
}

/**
 * Maximum number of quotes that are requested for one swap. If the second quote expires too, the
 * aggregator is the cause.
 */
const MAX_ROUNDS = 2;
/**
 * Maximum of a plausible quote, in hundredths of a percent above the fair value. If a quote is more
 * than twice the fair value, it is probably in a different unit. No market executes such a quote,
 * and it would mislead the caller.
 */
const MAX_ABOVE_BPS = 10_000;
const EXPIRED_RETRY_SECONDS = 5;
const BPS = 10_000;
const PPM_PER_BPS = 100;

/**
 * Requests quotes and builds of a swap from the aggregator, and verifies the whole response,
 * including the price.
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
   * Returns the best route of the swap, with checked calls and the signed minimum. The fair value
   * is determined first, and then the aggregator is queried.
   * @throws OutputTokenNotSupported, PriceUnavailable, NoQuotesAvailable, PriceImpactTooHigh,
   *   MinimumNotMet, SwapBelowFloor, SlippageTooTight, QuoteExpiredAtAggregator, SwapBuildRejected,
   *   or the aggregator's own error.
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

  /**
   * Returns usable quotes, highest output first. This method sorts the quotes, because the
   * aggregator's sorting is not trusted.
   */
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
   * Returns the best quote that passes all checks.
   * @throws NoQuotesAvailable if there is no quote; the error of the best quote if no quote passes
   */
  #choose(quotes: readonly SwapQuote[], fair: FairValue, wanted: WantedSwap): ChosenQuote {
    let rejection: DomainError | null = null;
    for (const quote of quotes) {
      const minimumOut = tryCatch(() => this.#minimum(quote, fair, wanted));
      if (minimumOut.known) return { quote, minimumOut: minimumOut.value };
      rejection ??= minimumOut.failure;
    }
    throw rejection ?? new NoQuotesAvailable();
  }

  /**
   * Returns the minimum output with which a swap at this quote is signed. Throws if less than the
   * minimum tolerance would remain between this minimum and the quote.
   */
  #minimum(quote: SwapQuote, fair: FairValue, wanted: WantedSwap): bigint {
    const { maxPriceImpactBps, minSlippagePpm } = this.policy;
    const { buyAmount: quotedAmount, estimatedSlippagePpm } = quote;
    const statedPpm = quote.priceImpactPpm ?? 0;
    const most = tolerated(quotedAmount, minSlippagePpm);
    const leastFair = leastWithin(fair, maxPriceImpactBps);
    if (quotedAmount < leastFair || statedPpm > maxPriceImpactBps * PPM_PER_BPS)
      throw this.#tooFarBelow(fair, quote);
    const rejection = noRoomAbove(wanted, quotedAmount, most);
    if (rejection !== null) throw rejection;
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
 * Returns an error if a pinned or requested minimum leaves less than the minimum tolerance below
 * the quote; otherwise null.
 * @param most largest minimum output that leaves the minimum tolerance
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
