import { PriceUnavailable } from '../../errors.js';

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
   * How far the highest may be above the lowest where several sources count, in basis points of the
   * lowest.
   */
  readonly maxDeviationBps: number;
  /**
   * How many sources must count. With as many as are configured, one that fails stops everything;
   * with 1, any one will do.
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

/**
 * The price of an asset in 1e-8 USD: that of the first source which counts, if those that count are
 * enough and agree.
 * @throws PriceUnavailable otherwise; there is no fallback.
 */
export function agreePrice(
  asset: PricedAsset,
  sources: readonly SourceObservations[],
  limits: PriceLimits,
  nowMs: number,
): bigint {
  const counting = sources.flatMap((source) => priceOf(asset, source, limits, nowMs) ?? []);
  const [first, ...others] = counting;
  if (first === undefined || counting.length < limits.quorum)
    throw unavailable(asset, 'too few fresh sources');

  const lowest = others.reduce((a, b) => (a < b ? a : b), first);
  const highest = others.reduce((a, b) => (a > b ? a : b), first);
  if ((highest - lowest) * BPS > lowest * BigInt(limits.maxDeviationBps))
    throw unavailable(asset, 'sources disagree');
  return first;
}

/** Prices of two assets as one source sees them, in 1e-8 USD. */
export interface PricePair {
  readonly soldUsdE8: bigint;
  readonly boughtUsdE8: bigint;
}

/** As few independent sources as a fair value is made of. */
export const FAIR_VALUE_QUORUM = 2;

/**
 * Prices of two assets in the eyes of each source that counts for both: two sources at least, all
 * of which agree on either asset.
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
  for (const asset of [sold, bought]) agreePrice(asset, sources, strict, nowMs);
  const pairs = sources.flatMap((source) => {
    const [soldUsdE8, boughtUsdE8] = [
      priceOf(sold, source, limits, nowMs),
      priceOf(bought, source, limits, nowMs),
    ];
    return soldUsdE8 === null || boughtUsdE8 === null ? [] : [{ soldUsdE8, boughtUsdE8 }];
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
