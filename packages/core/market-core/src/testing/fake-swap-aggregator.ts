import { Felts, feltToBigInt, u256ToHalves, type DomainError, type Felt } from '@sotto/kernel';
import { minimumOut, type BuiltCall, type SwapQuote } from '../domain/swap.js';
import type {
  BuiltSwap,
  SwapAggregator,
  SwapBuildRequest,
  SwapQuoteRequest,
} from '../ports/swap-aggregator.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Exchange rate between two tokens' smallest units, as a fraction. */
export interface FakeRate {
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  readonly bought: bigint;
  readonly sold: bigint;
}

interface IssuedQuote extends SwapQuote {
  readonly taker: Felt;
}

const WHOLE = 10n ** 12n;
/**
 * Difference between two consecutive quotes, in thousandths: each quote is this much lower than the
 * quote before it.
 */
const WORSE_BY = 5n;
const QUOTES = 3;

/**
 * Fake aggregator that quotes and builds swaps at configured rates, in the router's own layout. A
 * test can make it fail.
 */
export class FakeSwapAggregator implements SwapAggregator {
  readonly #issued = new Map<string, IssuedQuote>();
  readonly #requested: SwapQuoteRequest[] = [];
  readonly #builds: SwapBuildRequest[] = [];
  #rates: readonly FakeRate[];
  #count = 0;
  #expiring = 0;
  #failure: DomainError | null = null;
  #answer: Exclude<BuiltSwap['kind'], 'built' | 'quote_expired'> | null = null;
  #offer: (quotes: readonly SwapQuote[]) => readonly SwapQuote[] = (quotes) => quotes;
  #tamper: (calls: readonly BuiltCall[]) => readonly BuiltCall[] = (calls) => calls;

  constructor(
    private readonly router: Felt,
    rates: readonly FakeRate[],
  ) {
    this.#rates = rates;
  }

  /** Requests for quotes so far, in order. */
  get requested(): readonly SwapQuoteRequest[] {
    return this.#requested;
  }

  /** Requests for builds so far, in order. */
  get builds(): readonly SwapBuildRequest[] {
    return this.#builds;
  }

  setRates(rates: readonly FakeRate[]): void {
    this.#rates = rates;
  }

  /** Makes the next builds fail because their quotes have expired. */
  expireNext(builds = 1): void {
    this.#expiring = builds;
  }

  /** Makes builds fail for this reason. Null restores normal behaviour. */
  refuseBuilds(answer: 'slippage_too_tight' | 'no_liquidity' | null): void {
    this.#answer = answer;
  }

  /**
   * Sets a function that changes quotes before they are returned. If a swap is built from a changed
   * quote, the build uses the changed values.
   */
  offer(change: (quotes: readonly SwapQuote[]) => readonly SwapQuote[]): void {
    this.#offer = change;
  }

  /** Sets a function that changes built calls before they are returned. */
  tamper(change: (calls: readonly BuiltCall[]) => readonly BuiltCall[]): void {
    this.#tamper = change;
  }

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the aggregator is down')): void {
    this.#failure = failure;
  }

  async quotes(request: SwapQuoteRequest): Promise<readonly SwapQuote[]> {
    if (this.#failure !== null) throw this.#failure;
    this.#requested.push(request);
    const { sellToken, buyToken, sellAmount, taker } = request;
    const rate = this.#rates.find(
      (each) => each.sellToken === sellToken && each.buyToken === buyToken,
    );
    if (rate === undefined) return [];
    const quotes = Array.from({ length: QUOTES }, (_, rank): SwapQuote => {
      const quoteId = `quote-${(this.#count += 1)}`;
      const buyAmount =
        (((sellAmount * rate.bought) / rate.sold) * (1_000n - WORSE_BY * BigInt(rank))) / 1_000n;
      return {
        quoteId,
        sellToken,
        sellAmount,
        buyToken,
        buyAmount,
        priceImpactPpm: null,
        estimatedSlippagePpm: null,
        expiresAtMs: null,
      };
    });
    const offered = this.#offer(quotes);
    for (const quote of offered) this.#issued.set(quote.quoteId, { ...quote, taker });
    return offered;
  }

  async build(request: SwapBuildRequest): Promise<BuiltSwap> {
    if (this.#failure !== null) throw this.#failure;
    this.#builds.push(request);
    if (this.#answer !== null) return { kind: this.#answer };
    if (this.#expiring > 0) {
      this.#expiring -= 1;
      this.#issued.delete(request.quoteId);
    }
    const quote = this.#issued.get(request.quoteId);
    return quote === undefined
      ? { kind: 'quote_expired' }
      : { kind: 'built', calls: this.#tamper(this.#calls(quote, request)) };
  }

  #calls(
    { sellToken, sellAmount, buyToken, buyAmount }: IssuedQuote,
    { taker, slippagePpm }: SwapBuildRequest,
  ): readonly BuiltCall[] {
    const [sell, buy, beneficiary, router] = [sellToken, buyToken, taker, this.router].map(
      feltToBigInt,
    );
    const amount = u256ToHalves(sellAmount);
    const minimum = u256ToHalves(minimumOut(buyAmount, slippagePpm));
    const route = [sell, buy, 0xe8c4a46en, WHOLE, 2n, 3_000n, 60n];
    return [
      { to: sellToken, entrypoint: 'approve', calldata: feltsOf(router, ...amount) },
      {
        to: this.router,
        entrypoint: 'multi_route_swap',
        calldata: feltsOf(
          sell,
          ...amount,
          buy,
          ...u256ToHalves(buyAmount),
          ...minimum,
          beneficiary,
          0n,
          0n,
          1n,
          ...route,
        ),
      },
    ];
  }
}

function feltsOf(...values: readonly (bigint | undefined)[]): Felts {
  return Felts.of(values.map((value) => value ?? 0n));
}
