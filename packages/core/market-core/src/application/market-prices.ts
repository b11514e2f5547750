import {
  Cached,
  FAILURE_FRESH_MS,
  settle,
  tryCatch,
  type Clock,
  type DomainError,
} from '@sotto/kernel';
import type { FeeTokenPrices } from '../domain/fee-token.js';
import {
  agreePairs,
  agreePrice,
  FAIR_VALUE_QUORUM,
  type PriceLimits,
  type PricePair,
  type PricedAsset,
  type SourceObservations,
} from '../domain/market-price.js';
import { PriceUnavailable } from '../errors.js';
import { fairValue, reportedValue } from '../domain/fair-value.js';
import type { PriceSource } from '../ports/price-source.port.js';

export interface MarketPricesSettings {
  /**
   * Assets whose prices are requested in every read: the gas token and the ERC-20 tokens of the
   * served pools.
   */
  readonly assets: readonly PricedAsset[];
  readonly limits: PriceLimits;
  /**
   * Time for which observations are reused before the sources are queried again, in milliseconds.
   * The age of the observations is checked at every use.
   */
  readonly ttlMs: number;
}

/** State of a price source after its last request. */
export interface PriceSourceStatus {
  readonly source: string;
  /** True if the last request succeeded and at least one of its prices is not too old. */
  readonly isUsable: boolean;
  /** Error of the last request; null if it succeeded. */
  readonly failure: DomainError | null;
  /** Ages of the source's last observations, by asset. */
  readonly ages: readonly { readonly asset: PricedAsset; readonly ageMs: number }[];
}

/** ERC-20 token whose amounts are valued, with its decimals. */
interface PricedUnit {
  readonly symbol: PricedAsset;
  readonly decimals: number;
}

interface LastAnswer {
  readonly failure: DomainError | null;
  readonly observations: SourceObservations['observations'];
}

/**
 * Market prices on which several sources agree. Concurrent callers share one request to each
 * source.
 */
export class MarketPrices {
  /** Cached observations of the sources that responded. */
  readonly #rounds: Cached<readonly SourceObservations[]>;
  readonly #last = new Map<string, LastAnswer>();

  /** @param sources sources, most trusted first: if they agree, the first fresh price is used. */
  constructor(
    private readonly sourcePorts: readonly PriceSource[],
    private readonly clock: Clock,
    private readonly settings: MarketPricesSettings,
  ) {
    const { ttlMs } = settings;
    this.#rounds = new Cached({
      clock,
      // An observation contains its own time, so the duration of the read need not be added to its
      // age.
      countedFrom: 'end',
      // If a source did not respond, query it again long before the observations of the other
      // sources expire.
      freshMs: ({ length }) =>
        length < sourcePorts.length ? Math.min(ttlMs, FAILURE_FRESH_MS) : ttlMs,
    });
  }

  /**
   * Returns the prices of STRK and of the ERC-20 token in which a fee is paid. Requests start in
   * the same tick, so a batching client can combine them with other requests of this tick.
   * @throws PriceUnavailable if one of the prices is missing, too old or disputed.
   */
  async forFeesIn(token: PricedAsset): Promise<FeeTokenPrices> {
    return (await this.forFees())(token);
  }

  /**
   * Returns a function that returns the same prices as {@link forFeesIn}. Use this method if the
   * fee token is the result of another read in the same tick.
   */
  async forFees(): Promise<(token: PricedAsset) => FeeTokenPrices> {
    const sources = await this.#observations();
    const agreed = (asset: PricedAsset): bigint =>
      this.#explained(() => agreePrice(asset, sources, this.settings.limits, this.clock.nowMs()));
    return (token) => ({ strkUsdE8: agreed('STRK'), feeTokenUsdE8: agreed(token) });
  }

  /**
   * Returns the prices of two assets from each source that has both. At least two sources must
   * agree, even if the configured quorum for fees is lower.
   * @throws PriceUnavailable unless two sources have fresh prices of both assets and agree on both.
   */
  async pairsOf(sold: PricedAsset, bought: PricedAsset): Promise<readonly PricePair[]> {
    const sources = await this.#observations();
    return this.#explained(() =>
      agreePairs(sold, bought, sources, this.settings.limits, this.clock.nowMs()),
    );
  }

  /**
   * Returns the market value of an amount of one ERC-20 token, in the smallest unit of the token
   * `bought`; null if one of the two prices is missing, too old or disputed.
   */
  async worthOf(sold: PricedUnit, amount: bigint, bought: PricedUnit): Promise<bigint | null> {
    const observed = await settle(this.#observations());
    if (!observed.known) return null;
    const agreed = ({ symbol }: PricedUnit): bigint =>
      agreePrice(symbol, observed.value, this.settings.limits, this.clock.nowMs());
    const prices = tryCatch(() => ({ soldUsdE8: agreed(sold), boughtUsdE8: agreed(bought) }));
    if (!prices.known) return null;
    const { decimals } = sold;
    return reportedValue(fairValue({ amount, decimals }, bought.decimals, prices.value));
  }

  /**
   * Returns the states of the sources, most trusted first. Sources that were never queried are
   * omitted. Sends no request.
   */
  sources(): readonly PriceSourceStatus[] {
    const nowMs = this.clock.nowMs();
    return this.sourcePorts.flatMap(({ name: source }) => {
      const last = this.#last.get(source);
      if (last === undefined) return [];
      const { failure, observations } = last;
      const ages = observations.map(({ asset, observedAtMs }) => ({
        asset,
        ageMs: Math.max(0, nowMs - observedAtMs),
      }));
      const { maxAgeMs } = this.settings.limits;
      const isUsable = failure === null && ages.some(({ ageMs }) => ageMs <= maxAgeMs);
      return [{ source, isUsable, failure, ages }];
    });
  }

  /**
   * Returns the assets for which two sources have a price of any age. An unavailable source is
   * assumed to have prices of all assets. The age is checked later, when a price is used.
   */
  async withTwoPrices(assets: readonly PricedAsset[]): Promise<ReadonlySet<PricedAsset>> {
    const observed = await settle(this.#observations());
    const answered = observed.known ? observed.value : [];
    const silent = this.sourcePorts.length - answered.length;
    const knowing = (wanted: PricedAsset): number =>
      answered.filter(({ observations }) => observations.some(({ asset }) => asset === wanted))
        .length;
    return new Set(assets.filter((asset) => knowing(asset) + silent >= FAIR_VALUE_QUORUM));
  }

  #observations(): Promise<readonly SourceObservations[]> {
    return this.#rounds.get('', () => this.#observe());
  }

  async #observe(): Promise<readonly SourceObservations[]> {
    const findings = await Promise.all(
      this.sourcePorts.map(async (source) => ({
        source: source.name,
        seen: await settle(source.observe(this.settings.assets)),
      })),
    );
    for (const { source, seen } of findings) {
      const observations = seen.known ? seen.value : (this.#last.get(source)?.observations ?? []);
      this.#last.set(source, { failure: seen.known ? null : seen.failure, observations });
    }
    const sources = findings.flatMap(({ source, seen }) =>
      seen.known ? [{ source, observations: seen.value }] : [],
    );
    if (sources.length === 0) {
      const cause = findings.map(({ seen }) => (seen.known ? undefined : seen.failure)).at(0);
      const details = { reason: 'no source answers', sources: this.#described(undefined) };
      throw new PriceUnavailable({ cause, details });
    }
    return sources;
  }

  /**
   * Runs `judge`. If `judge` throws an error, adds the observations of the asset from each source
   * to the error.
   */
  #explained<T>(judge: () => T): T {
    const judged = tryCatch(judge);
    if (judged.known) return judged.value;
    const { message, details, retryAfterSeconds = 0 } = judged.failure;
    const cause = this.sources().find(({ failure }) => failure !== null)?.failure;
    throw new PriceUnavailable({
      message,
      ...(cause === undefined || cause === null ? {} : { cause }),
      details: { ...details, sources: this.#described(details['asset']) },
      retryAfterSeconds,
    });
  }

  /**
   * Describes each source by its name and the age of its price. Causes of failures are omitted,
   * because callers see this text.
   */
  #described(asset: unknown): string {
    const described = this.sources().map(({ source, failure, ages }) => {
      if (failure !== null) return `${source}: no answer`;
      const age = ages.find((known) => known.asset === asset);
      return age === undefined
        ? `${source}: no price`
        : `${source}: ${Math.round(age.ageMs / 1_000)} s old`;
    });
    return described.join('; ');
  }
}
