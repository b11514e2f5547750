import type { Rate } from '../contracts/exchange.js';
import type { SandboxToken } from '../contracts/world.js';
import { FaultQueue } from '../http/fault-queue.js';
import type { AggregatorEndpoint, AggregatorFaultOrder } from './faults.js';
import { Market, type RouteForm } from './market.js';
import {
  PriceHistory,
  type DailyClose,
  type HistoryShape,
  type HistorySource,
} from './price-history.js';
import { QuoteStore } from './quote-store.js';
import { tokenAt, type Pair, type TradedWorld, type TradingFloor } from './trading-floor.js';

/** Settings of the aggregator's responses. */
export interface AggregatorSettings {
  /**
   * Fields of a quote: only the fields of Sotto's specification, or all fields of AVNU. @default
   * 'spec'
   */
  readonly quoteShape: 'spec' | 'avnu';
  /**
   * Response to a build request: the array of calls as in the specification, or AVNU's object that
   * contains this array.
   * @default 'spec'
   */
  readonly buildShape: 'spec' | 'avnu';
  /** @default 'direct' */
  readonly routeForm: RouteForm;
  /** Lifetime of a quote, in milliseconds of the node's clock. @default 30_000 */
  readonly quoteLifetimeMs: number;
  /** Price impact in each quote, in percent. @default 0.05 */
  readonly priceImpact: number;
  /** Estimated slippage in each quote, as a fraction. @default 0.001 */
  readonly estimatedSlippage: number;
}

const DEFAULT_SETTINGS: AggregatorSettings = {
  quoteShape: 'spec',
  buildShape: 'spec',
  routeForm: 'direct',
  quoteLifetimeMs: 30_000,
  priceImpact: 0.05,
  estimatedSlippage: 0.001,
};

/** Request that the aggregator received; recorded even if a fault affects it. */
export interface AggregatorRequest {
  readonly endpoint: AggregatorEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  /** Query string of a GET request, or body text of a POST request. */
  readonly text: string;
}

/** Number of requests by endpoint, including failed requests. */
export type AggregatorCounters = Readonly<Record<AggregatorEndpoint, number>>;

/** Maximum number of recorded requests. Older ones are deleted. */
const REMEMBERED_REQUESTS = 200;

/**
 * Control interface of the aggregator: sets prices and response formats, injects faults and reports
 * the received requests. Rates are the rates of the {@link TradingFloor}'s exchanges.
 */
export class Aggregator {
  readonly market: Market;
  readonly quotes: QuoteStore;
  readonly faults = new FaultQueue<AggregatorFaultOrder>();
  readonly chainId: bigint;
  #settings: AggregatorSettings;
  #requests: AggregatorRequest[] = [];
  #counts: AggregatorCounters = noRequests();
  #movesAfterBuild: { readonly pair: Pair; readonly byBps: number }[] = [];
  readonly #usdPrices = new Map<bigint, number | null>();
  readonly #histories = new Map<bigint, PriceHistory>();

  constructor(
    private readonly floor: TradingFloor,
    settings: Partial<AggregatorSettings> = {},
  ) {
    this.#settings = { ...DEFAULT_SETTINGS, ...settings };
    this.market = new Market(floor);
    this.quotes = new QuoteStore(() => floor.nowMs());
    this.chainId = floor.chainId;
  }

  get settings(): AggregatorSettings {
    return this.#settings;
  }

  get blockNumber(): number {
    return this.floor.blockNumber;
  }

  /** Addresses and names that quotes and builds contain. */
  get world(): TradedWorld {
    return this.floor;
  }

  /** Changes the settings of later responses. Omitted settings keep their values. */
  configure(settings: Partial<AggregatorSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  // --- prices ---

  /**
   * Sets the rate of every exchange in this direction: `buyAmount` of the buy token for
   * `sellAmount`. A buy amount of zero closes the market: there are no quotes, and swaps revert.
   * @throws RangeError if the token is unknown, the sell amount is not positive or the buy amount
   *   is negative
   */
  setRate({ sellToken, buyToken, sellAmount, buyAmount }: Pair & Rate): void {
    this.market.setRate({ sellToken, buyToken }, { sellAmount, buyAmount });
  }

  /**
   * Changes the buy amount by `byBps` basis points, on chain and for later quotes. The amounts of
   * existing quotes do not change.
   * @param when `after-build` applies the change directly after the next build response, so that
   *   the minimum in this response was computed for the old rate
   * @throws RangeError if the market is closed or the price would fall below zero
   */
  moveRate(
    { sellToken, buyToken }: Pair,
    byBps: number,
    when: 'now' | 'after-build' = 'now',
  ): void {
    const pair = { sellToken, buyToken };
    if (when === 'now') this.market.moveRate(pair, byBps);
    else this.#movesAfterBuild.push({ pair, byBps });
  }

  /**
   * Sets the market price of an ERC-20 token. Null removes its market, and `oracle` follows the
   * chain's oracle, which is the initial setting of all tokens.
   * @throws RangeError if the token is unknown
   */
  setUsdPrice(token: bigint, usd: number | null | 'oracle'): void {
    if (this.tokenAt(token) === undefined) throw new RangeError('no exchange trades this token');
    if (usd === 'oracle') this.#usdPrices.delete(token);
    else this.#usdPrices.set(token, usd);
  }

  /**
   * Sets the curve of a token's daily closing prices. Initially the closing prices vary around the
   * token's oracle price. WBTC's closing prices vary around the mean that yields the Mayer Multiple
   * of the sandbox's chain.
   * @throws RangeError if the token is unknown or has no price
   */
  setHistory(token: bigint, shape: Partial<HistoryShape>): void {
    this.#historyOf(token).configure(shape);
  }

  /**
   * Sets the closing price of a past day. Null removes this day from the history.
   * @param daysAgo number of days before today
   * @param source history that changes; if omitted, both histories change
   * @throws RangeError as {@link setHistory}, or if the day has not ended
   */
  setClose(token: bigint, daysAgo: number, usd: number | null, source?: HistorySource): void {
    this.#historyOf(token).setClose(daysAgo, usd, this.floor.nowMs(), source);
  }

  /**
   * Removes all closing prices that {@link setClose} has set. @throws RangeError as {@link
   * setHistory}
   */
  clearCloses(token: bigint): void {
    this.#historyOf(token).clear();
  }

  // --- faults ---

  /** Invalidates all existing quotes, as if their lifetime had passed. */
  expireQuotes(): void {
    this.quotes.clear();
  }

  /** Queues a fault for the next matching requests. */
  addFault(order: AggregatorFaultOrder): void {
    this.faults.add(order);
  }

  /** Removes queued faults and pending rate changes. */
  clearFaults(): void {
    this.faults.clear();
    this.#movesAfterBuild = [];
  }

  // Removes queued faults and pending rate changes.

  counters(): AggregatorCounters {
    return this.#counts;
  }

  /** Most recent requests, oldest first. */
  requests(): readonly AggregatorRequest[] {
    return this.#requests;
  }

  /** Sets all counters to zero and deletes the recorded requests. */
  resetCounters(): void {
    this.#counts = noRequests();
    this.#requests = [];
  }

  // --- for the endpoints ---

  record(request: AggregatorRequest): void {
    this.#counts = { ...this.#counts, [request.endpoint]: this.#counts[request.endpoint] + 1 };
    this.#requests = [...this.#requests, request].slice(-REMEMBERED_REQUESTS);
  }

  /** Applies pending rate changes after a build response. */
  finishBuild(): void {
    const moves = this.#movesAfterBuild;
    this.#movesAfterBuild = [];
    for (const { pair, byBps } of moves) this.market.moveRate(pair, byBps);
  }

  /**
   * Returns a token's daily closing prices in a range, oldest first. @throws RangeError as {@link
   * setHistory}
   */
  closesOf(token: bigint, source: HistorySource, fromMs: number, toMs: number): DailyClose[] {
    return this.#historyOf(token).closes(source, fromMs, toMs, this.floor.nowMs());
  }

  /** Returns the node's time in milliseconds since the Unix epoch. */
  nowMs(): number {
    return this.floor.nowMs();
  }

  #historyOf(address: bigint): PriceHistory {
    const token = this.tokenAt(address);
    const spotUsd = token === undefined ? undefined : this.floor.oracleUsd(token);
    if (token === undefined || spotUsd === undefined)
      throw new RangeError('there is no price of this token');
    const known = this.#histories.get(address);
    if (known !== undefined) return known;
    const history = new PriceHistory(firstShape(token, spotUsd));
    this.#histories.set(address, history);
    return history;
  }

  /** Returns the token at an address; undefined if no exchange trades it. */
  tokenAt(address: bigint): SandboxToken | undefined {
    return tokenAt(this.floor, address);
  }

  /**
   * Returns a token's market price in USD; null if the token has no market, undefined if it is
   * unknown.
   */
  usdPriceOf(token: bigint): number | null | undefined {
    const known = this.tokenAt(token);
    if (known === undefined) return undefined;
    const set = this.#usdPrices.get(token);
    return set === undefined ? (this.floor.oracleUsd(known) ?? null) : set;
  }
}

function noRequests(): AggregatorCounters {
  return { quotes: 0, build: 0, prices: 0, history: 0, secondHistory: 0 };
}

/**
 * Returns the initial curve of a token's closing prices. For WBTC, 100,000 USD is 0.9 of the mean.
 * For other tokens, the mean is the spot price. The amplitude is 2 % of the mean.
 */
function firstShape({ symbol }: SandboxToken, spotUsd: number): HistoryShape {
  return symbol === 'WBTC'
    ? { meanUsd: 111_111.11, waveUsd: 2_222 }
    : { meanUsd: spotUsd, waveUsd: spotUsd / 50 };
}
