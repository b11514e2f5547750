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

/** How the aggregator answers. */
export interface AggregatorSettings {
  /** Fields of a quote: those of Sotto's specification, or all that AVNU has. @default 'spec' */
  readonly quoteShape: 'spec' | 'avnu';
  /**
   * Answer to a build: the bare array of calls as the specification has it, or AVNU's object around
   * it.
   * @default 'spec'
   */
  readonly buildShape: 'spec' | 'avnu';
  /** @default 'direct' */
  readonly routeForm: RouteForm;
  /** How long a quote can be built, in milliseconds of the node's clock. @default 30_000 */
  readonly quoteLifetimeMs: number;
  /** What quotes say of themselves, in percent. @default 0.05 */
  readonly priceImpact: number;
  /** What quotes say of themselves, as a fraction. @default 0.001 */
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

/** A request as it came, faults or not. */
export interface AggregatorRequest {
  readonly endpoint: AggregatorEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  /** The query as it stands in the URL, or the body's text. */
  readonly text: string;
}

/** How often clients have asked so far, whatever became of it. */
export type AggregatorCounters = Readonly<Record<AggregatorEndpoint, number>>;

/** The requests that are kept to be looked at. */
const REMEMBERED_REQUESTS = 200;

/**
 * The aggregator's other door: sets prices and shapes, injects faults and reports what was asked.
 * Rates are those of the {@link TradingFloor}'s exchanges.
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

  /** Addresses and names that quotes and builds are made with. */
  get world(): TradedWorld {
    return this.floor;
  }

  /** Changes how it answers from now on. Settings left out stay. */
  configure(settings: Partial<AggregatorSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  // --- prices ---

  /**
   * Sets what `sellAmount` of a token buys of another at every exchange, in this direction. A buy
   * amount of zero closes the market: no quotes, and swaps revert.
   * @throws RangeError for an unknown token, a sell amount that is not positive or a negative buy
   *   amount
   */
  setRate({ sellToken, buyToken, sellAmount, buyAmount }: Pair & Rate): void {
    this.market.setRate({ sellToken, buyToken }, { sellAmount, buyAmount });
  }

  /**
   * Changes what a token buys by so many 1/10,000, on chain and for later quotes; quotes that are
   * given stay as they are.
   * @param when `after-build`: right after the next build was answered, so that its minimum was
   *   made for another market
   * @throws RangeError for a closed market or a price below zero
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
   * Sets a token's market price; null for no market, `oracle` to follow the chain's oracle as all
   * prices do at first.
   * @throws RangeError for an unknown token
   */
  setUsdPrice(token: bigint, usd: number | null | 'oracle'): void {
    if (this.tokenAt(token) === undefined) throw new RangeError('no exchange trades this token');
    if (usd === 'oracle') this.#usdPrices.delete(token);
    else this.#usdPrices.set(token, usd);
  }

  /**
   * Sets the shape of a token's daily closes. At first they lie around its price in the oracle;
   * those of WBTC around the mean that makes the Mayer Multiple of the sandbox's world.
   * @throws RangeError for an unknown token, or one without a price
   */
  setHistory(token: bigint, shape: Partial<HistoryShape>): void {
    this.#historyOf(token).configure(shape);
  }

  /**
   * Sets the close of a day that has ended, so many days before today; null for a gap.
   * @param source both when left out
   * @throws RangeError as {@link setHistory}
   */
  setClose(token: bigint, daysAgo: number, usd: number | null, source?: HistorySource): void {
    this.#historyOf(token).setClose(daysAgo, usd, this.floor.nowMs(), source);
  }

  /** Takes back what {@link setClose} has set. @throws RangeError as {@link setHistory} */
  clearCloses(token: bigint): void {
    this.#historyOf(token).clear();
  }

  // --- what goes wrong ---

  /** Every quote that was given is refused from now on. */
  expireQuotes(): void {
    this.quotes.clear();
  }

  /** Queues a fault for the next fitting requests. */
  addFault(order: AggregatorFaultOrder): void {
    this.faults.add(order);
  }

  /** Forgets the faults that have not struck and the rates that have not moved yet. */
  clearFaults(): void {
    this.faults.clear();
    this.#movesAfterBuild = [];
  }

  // --- what happened ---

  counters(): AggregatorCounters {
    return this.#counts;
  }

  /** The last requests, oldest first. */
  requests(): readonly AggregatorRequest[] {
    return this.#requests;
  }

  /** Forgets counts and requests. */
  resetCounters(): void {
    this.#counts = noRequests();
    this.#requests = [];
  }

  // --- for the endpoints ---

  record(request: AggregatorRequest): void {
    this.#counts = { ...this.#counts, [request.endpoint]: this.#counts[request.endpoint] + 1 };
    this.#requests = [...this.#requests, request].slice(-REMEMBERED_REQUESTS);
  }

  /** A build was answered. */
  finishBuild(): void {
    const moves = this.#movesAfterBuild;
    this.#movesAfterBuild = [];
    for (const { pair, byBps } of moves) this.market.moveRate(pair, byBps);
  }

  /** Closes of a token's days, oldest first. @throws RangeError as {@link setHistory} */
  closesOf(token: bigint, source: HistorySource, fromMs: number, toMs: number): DailyClose[] {
    return this.#historyOf(token).closes(source, fromMs, toMs, this.floor.nowMs());
  }

  /** The node's time in milliseconds since the Unix epoch. */
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

  /** The token at an address, undefined for one that no exchange trades. */
  tokenAt(address: bigint): SandboxToken | undefined {
    return tokenAt(this.floor, address);
  }

  /** A token's market price in USD, null without one; undefined for an unknown token. */
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

/** 100,000 USD are 0.9 of WBTC's mean, and 2 % of it is the wave. */
function firstShape({ symbol }: SandboxToken, spotUsd: number): HistoryShape {
  return symbol === 'WBTC'
    ? { meanUsd: 111_111.11, waveUsd: 2_222 }
    : { meanUsd: spotUsd, waveUsd: spotUsd / 50 };
}
