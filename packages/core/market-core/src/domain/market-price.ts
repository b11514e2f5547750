import { PriceUnavailable } from '../errors.js';

/** What prices are asked for: the symbol of a token in the network profile. */
export type PricedAsset = string;

export interface PriceObservation {
  readonly asset: PricedAsset;
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
  readonly observedAtMs: number;
}

/** When a price may be used. */
export interface PriceLimits {
  /** Older observations do not count, nor ones as far in the future. */
  readonly maxAgeMs: number;
  /**
   * How far the highest may be above the lowest of the sources that agree, in basis points of the
   * lowest.
   */
  readonly maxDeviationBps: number;
  /**
   * How many sources must count and agree. With as many as are configured, one that fails stops
   * everything; with 1, any one will do.
   */
  readonly quorum: number;
}

/** What one source saw. */
export interface SourceObservations {
  readonly source: string;
  readonly observations: readonly PriceObservation[];
}

const BPS = 10_000n;
/** When callers should try again: about the time between two updates of an oracle. */
const RETRY_AFTER_SECONDS = 30;

/** A price that counts, and the place of its source in the order of trust. */
interface CountingPrice {
  readonly place: number;
  readonly usdE8: bigint;
}

/**
 * The price of an asset in 1e-8 USD: that of the most trusted source among those that agree.
 * @throws PriceUnavailable where too few count or agree; there is no fallback.
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
 * Prices that are no further apart than allowed, in the order of trust: most of those that count,
 * and at least the quorum. One source of three that is off is outvoted; two that differ are not.
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

/** Of agreements of one size, the one that has the more trusted source. */
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

/** Prices of two assets as one source sees them, in 1e-8 USD. */
export interface PricePair {
  readonly soldUsdE8: bigint;
  readonly boughtUsdE8: bigint;
}

/**
 * Assets that rarely move by more than 2 %, which is as far as sources may differ, within an hour,
 * the default of the longest age: three standard deviations are 0.1 % of a stablecoin and 1.6 % of
 * BTC (50 % a year).
 */
const CALM_ASSETS: ReadonlySet<PricedAsset> = new Set(['USDC', 'USDT', 'WBTC']);
/** Of all others, as STRK (120 % a year), three standard deviations reach 2 % in 16 minutes. */
const VOLATILE_AGE_DIVISOR = 4;

/** The age up to which a price of the asset may make a fair value. */
function fairMaxAgeMs(asset: PricedAsset, maxAgeMs: number): number {
  return CALM_ASSETS.has(asset) ? maxAgeMs : maxAgeMs / VOLATILE_AGE_DIVISOR;
}

/** As few independent sources as a fair value is made of. */
export const FAIR_VALUE_QUORUM = 2;

/**
 * Prices of two assets in the eyes of each source that agrees with the others on both: two sources
 * at least, each price as young as the asset's volatility demands.
 * @throws PriceUnavailable otherwise
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

/** Null where the source has no price of the asset that counts. */
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
