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
  /** Asked for together, whichever is wanted: the gas token and the tokens of the served pools. */
  readonly assets: readonly PricedAsset[];
  readonly limits: PriceLimits;
  /**
   * How long observations are used again before the sources are asked again. Their own age is
   * judged at every use.
   */
  readonly ttlMs: number;
}

/** A source as the last questions have shown it. */
export interface PriceSourceStatus {
  readonly source: string;
  /** Answered the last time, with a price that is not too old. */
  readonly isUsable: boolean;
  /** Why it did not answer the last time; null when it did. */
  readonly failure: DomainError | null;
  /** Of what it said last, by asset. */
  readonly ages: readonly { readonly asset: PricedAsset; readonly ageMs: number }[];
}

/** A token and its decimals. */
interface PricedUnit {
  readonly symbol: PricedAsset;
  readonly decimals: number;
}

interface LastAnswer {
  readonly failure: DomainError | null;
  readonly observations: SourceObservations['observations'];
}

/** Market prices that several sources agree on. Concurrent callers share one round of questions. */
export class MarketPrices {
  /** What the sources said that answered. */
  readonly #rounds: Cached<readonly SourceObservations[]>;
  readonly #last = new Map<string, LastAnswer>();

  /**
   * @param sources in order of trust: where they agree, the price of the first one that counts is
   *   used.
   */
  constructor(
    private readonly sourcePorts: readonly PriceSource[],
    private readonly clock: Clock,
    private readonly settings: MarketPricesSettings,
  ) {
    const { ttlMs } = settings;
    this.#rounds = new Cached({
      clock,
      // Observations say themselves how old they are.
      countedFrom: 'end',
      // A source that did not answer is asked again long before the others' observations are old.
      freshMs: ({ length }) =>
        length < sourcePorts.length ? Math.min(ttlMs, FAILURE_FRESH_MS) : ttlMs,
    });
  }

  /**
   * Prices of STRK and of the token that a fee is paid in. Starts its questions before it returns,
   * so that a batching client can join them with what else is asked in the same tick.
   * @throws PriceUnavailable when one of them is missing, too old, or disagreed on.
   */
  async forFeesIn(token: PricedAsset): Promise<FeeTokenPrices> {
    return (await this.forFees())(token);
  }

  /**
   * The same for whom it takes a read in the same tick to say which token that is. What it resolves
   * to throws as {@link forFeesIn} does.
   */
  async forFees(): Promise<(token: PricedAsset) => FeeTokenPrices> {
    const sources = await this.#observations();
    const agreed = (asset: PricedAsset): bigint =>
      this.#explained(() => agreePrice(asset, sources, this.settings.limits, this.clock.nowMs()));
    return (token) => ({ strkUsdE8: agreed('STRK'), feeTokenUsdE8: agreed(token) });
  }

  /**
   * Prices of two assets, as each of two sources or more sees them, whatever the quorum of fees.
   * @throws PriceUnavailable when there are not two that count for both, or they disagree on one.
   */
  async pairsOf(sold: PricedAsset, bought: PricedAsset): Promise<readonly PricePair[]> {
    const sources = await this.#observations();
    return this.#explained(() =>
      agreePairs(sold, bought, sources, this.settings.limits, this.clock.nowMs()),
    );
  }

  /**
   * Market value of an amount of one token, in the smallest unit of another; null where one of the
   * prices is missing, too old, or disagreed on.
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

  /** In order of trust; those that were not asked yet are left out. Asks nothing. */
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
   * Which of the assets can have two prices: by what the sources know, not by how fresh it is. A
   * source that can't be asked now is counted as knowing them all; whether its price counts is
   * judged where one is used.
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

  /** Says in an error of `judge` what each source has of the asset. */
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

  /** For callers as well: names and ages, and no cause. */
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
