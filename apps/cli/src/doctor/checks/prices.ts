import {
  PriceUnavailable,
  agreePrice,
  type PriceLimits,
  type PriceSource,
  type SourceObservations,
} from '@sotto/market-core';
import type { Settings } from '../../environment.js';
import { causeOf } from '../../cause.js';
import { fine, found, type CheckFinding } from '../finding.js';
import type { ConnectedSite } from '../site.js';

/** Checks every price source separately, then checks that enough sources agree. */
export async function checkPrices({
  node,
  settings,
  machine,
  parts,
}: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { prices } = settings;
  const nowMs = machine.nowMs();
  const assets = pricedAssets(settings);
  const oracle = node.oracle();
  const upstreams = parts.otherPrices();
  try {
    const sources: readonly PriceSource[] = [oracle, ...upstreams];
    const looks = await Promise.all(sources.map((source) => poll(source, assets, prices, nowMs)));
    const observations = looks.map((seen) => seen.observations);
    const reasons = assets.map((asset) => reasonAgainst(asset, observations, prices, nowMs));
    const isAgreed = reasons.every((reason) => reason === null);
    // A price source may be unavailable if enough other sources agree.
    const ofSources = looks
      .flatMap((seen) => seen.findings)
      .map((finding): CheckFinding => (isAgreed ? { ...finding, level: 'warning' } : finding));
    const disagreed = assets.flatMap((asset, index) =>
      reasons[index] === DISAGREEMENT ? [found('PRICES_DISAGREE', { asset })] : [],
    );
    const wrong = [...ofSources, ...disagreed];
    return wrong.length > 0
      ? wrong
      : [fine(`${sources.length} sources agree on ${assets.join(', ')}`)];
  } finally {
    for (const source of upstreams) source.close();
  }
}

const DISAGREEMENT = 'sources disagree';

/** Returns the assets whose prices the service needs for gas and fees. */
function pricedAssets({ network }: Settings): readonly string[] {
  return [...new Set(['STRK', ...network.pools.map(({ token }) => token)])];
}

async function poll(
  source: PriceSource,
  assets: readonly string[],
  { maxAgeMs }: PriceLimits,
  nowMs: number,
): Promise<{
  readonly findings: readonly CheckFinding[];
  readonly observations: SourceObservations;
}> {
  const { name } = source;
  try {
    const observations = await source.observe(assets);
    const findings = assets.flatMap((asset) => {
      const seen = observations.find((observation) => observation.asset === asset);
      if (seen === undefined) return [found('PRICE_MISSING', { source: name, asset })];
      const ageMs = Math.abs(nowMs - seen.observedAtMs);
      const seconds = Math.round(ageMs / 1_000);
      return ageMs <= maxAgeMs ? [] : [found('PRICE_STALE', { source: name, asset, seconds })];
    });
    return { findings, observations: { source: name, observations } };
  } catch (error) {
    const finding = found('PRICE_SOURCE_UNAVAILABLE', { source: name, cause: causeOf(error) });
    return { findings: [finding], observations: { source: name, observations: [] } };
  }
}

/**
 * Returns the reason why an asset has no price on which enough sources agree, or null if the asset
 * has such a price.
 */
function reasonAgainst(
  asset: string,
  sources: readonly SourceObservations[],
  limits: PriceLimits,
  nowMs: number,
): string | null {
  try {
    agreePrice(asset, sources, limits, nowMs);
    return null;
  } catch (error) {
    if (!(error instanceof PriceUnavailable)) throw error;
    return String(error.details['reason']);
  }
}
