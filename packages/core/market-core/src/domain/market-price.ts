import { PriceUnavailable } from '../errors.js';

/**
 * Asset that has a market price, identified by the symbol of its ERC-20 token in the network
 * profile.
 */
export type PricedAsset = string;

export interface PriceObservation {
  readonly asset: PricedAsset;
  /** Price in 1e-8 USD; positive. */
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}

/** Conditions under which a price may be used. */
export interface PriceLimits {
  /**
   * Maximum age of an observation, in milliseconds. If the time of an observation is in the future
   * by more than this, the observation is ignored too.
   */
  readonly maxAgeMs: number;
  /**
   * Maximum difference between the highest and the lowest price of sources that count as agreeing,
   * in basis points of the lowest price.
   */
  readonly maxDeviationBps: number;
  /**
   * Number of sources with fresh prices that must agree. If it equals the number of configured
   * sources, the failure of one source makes prices unavailable. If it is 1, the price of any
   * single source is sufficient.
   */
  readonly quorum: number;
}

/** Observations from one price source. */
export interface SourceObservations {
  readonly source: string;
  readonly observations: readonly PriceObservation[];
}

const BPS = 10_000n;
/** Retry delay for callers, in seconds: about the time between two updates of an oracle. */
const RETRY_AFTER_SECONDS = 30;

/** A fresh price, and the rank of its source by trust (0 is the most trusted source). */
interface CountingPrice {
  readonly place: number;
  readonly usdE8: bigint;
}

/**
 * Returns the price of an asset in 1e-8 USD. Of the sources that agree, the price of the most
 * trusted source is used.
 * @throws PriceUnavailable if too few sources are fresh or agree; there is no fallback.
 */
export function agreePrice(
  asset: PricedAsset,
  sources: readonly SourceObservations[],
  limits: PriceLimits,
  nowMs: number,
): bigint {
  const [first] = agreeingPrices(asset, sources, limits, nowMs);
  if (first === undefined) throw unavailable(asset, 'too few fresh sources');
  return first.usdE8;
}

/**
 * Returns the agreeing prices, most trusted source first. The agreeing prices must be the majority
 * of the fresh prices and at least the quorum. So one deviating source of three is outvoted; if
 * there are two sources and they differ, neither is used.
 * @throws PriceUnavailable
 */
function agreeingPrices(
  asset: PricedAsset,
  sources: readonly SourceObservations[],
  limits: PriceLimits,
  nowMs: number,
): readonly CountingPrice[] {
  const counting = sources.flatMap((source, place): readonly CountingPrice[] => {
    const usdE8 = priceOf(asset, source, limits, nowMs);
    return usdE8 === null ? [] : [{ place, usdE8 }];
  });
  if (counting.length < limits.quorum) throw unavailable(asset, 'too few fresh sources');
  const agreeing = largestAgreement(counting, limits);
  const areMost = counting.length === 0 || 2 * agreeing.length > counting.length;
  if (agreeing.length < limits.quorum || !areMost) throw unavailable(asset, 'sources disagree');
  return agreeing;
}

/**
 * Returns the largest group of agreeing prices. If two groups have the same size, returns the group
 * that contains the more trusted source.
 */
function largestAgreement(
  counting: readonly CountingPrice[],
  { maxDeviationBps }: PriceLimits,
): readonly CountingPrice[] {
  const agreements = counting.map(({ usdE8: lowest }) =>
    counting.filter(
      ({ usdE8 }) => usdE8 >= lowest && (usdE8 - lowest) * BPS <= lowest * BigInt(maxDeviationBps),
    ),
  );
  return agreements.reduce((best, next) => (isBetter(next, best) ? next : best), []);
}

function isBetter(one: readonly CountingPrice[], other: readonly CountingPrice[]): boolean {
  if (one.length !== other.length) return one.length > other.length;
  const at = one.findIndex(({ place }, index) => place !== other[index]?.place);
  return at !== -1 && (one[at]?.place ?? 0) < (other[at]?.place ?? 0);
}

/** Prices of two assets from one source, in 1e-8 USD. */
export interface PricePair {
  readonly soldUsdE8: bigint;
  readonly boughtUsdE8: bigint;
}

/**
 * Assets with low volatility. Within an hour (the default maximum age), the prices of these assets
 * rarely move by more than 2 % (the maximum difference of sources). Three standard deviations per
 * hour are 0.1 % for a stablecoin and 1.6 % for BTC (50 % a year).
 */
const CALM_ASSETS: ReadonlySet<PricedAsset> = new Set(['USDC', 'USDT', 'WBTC']);
/**
 * Divisor that shortens the maximum age for all assets that are not in {@link CALM_ASSETS}. Three
 * standard deviations of STRK (120 % a year) reach 2 % in 16 minutes.
 */
const VOLATILE_AGE_DIVISOR = 4;

/** Returns the maximum age of the asset's price when a fair value is computed, in milliseconds. */
function fairMaxAgeMs(asset: PricedAsset, maxAgeMs: number): number {
  return CALM_ASSETS.has(asset) ? maxAgeMs : maxAgeMs / VOLATILE_AGE_DIVISOR;
}

/** Minimum number of independent sources that a fair value needs. */
export const FAIR_VALUE_QUORUM = 2;

/**
 * Returns the prices of two assets from each source that agrees with other sources on both assets.
 * At least two such sources are needed, and each price must be as recent as the asset's volatility
 * requires.
 * @throws PriceUnavailable if there are not two such sources
 */
export function agreePairs(
  sold: PricedAsset,
  bought: PricedAsset,
  sources: readonly SourceObservations[],
  limits: PriceLimits,
  nowMs: number,
): readonly PricePair[] {
  const strict = { ...limits, quorum: Math.max(limits.quorum, FAIR_VALUE_QUORUM) };
  const pricesOf = (asset: PricedAsset): readonly CountingPrice[] => {
    const maxAgeMs = fairMaxAgeMs(asset, strict.maxAgeMs);
    return agreeingPrices(asset, sources, { ...strict, maxAgeMs }, nowMs);
  };
  const soldPrices = pricesOf(sold);
  const boughtPrices = pricesOf(bought);
  const pairs = soldPrices.flatMap(({ place, usdE8: soldUsdE8 }): readonly PricePair[] => {
    const other = boughtPrices.find((price) => price.place === place);
    return other === undefined ? [] : [{ soldUsdE8, boughtUsdE8: other.usdE8 }];
  });
  if (pairs.length < strict.quorum) throw unavailable(bought, 'too few fresh sources');
  return pairs;
}

/** Returns the source's price of the asset; null if the source has no fresh price of it. */
function priceOf(
  asset: PricedAsset,
  { observations }: SourceObservations,
  limits: PriceLimits,
  nowMs: number,
): bigint | null {
  const observation = observations.find((candidate) => candidate.asset === asset);
  return observation !== undefined && counts(observation, limits, nowMs) ? observation.usdE8 : null;
}

function counts(
  { usdE8, observedAtMs }: PriceObservation,
  limits: PriceLimits,
  nowMs: number,
): boolean {
  return usdE8 > 0n && Math.abs(nowMs - observedAtMs) <= limits.maxAgeMs;
}

function unavailable(asset: PricedAsset, reason: string): PriceUnavailable {
  return new PriceUnavailable({
    details: { asset, reason },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
