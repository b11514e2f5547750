import { createHash, timingSafeEqual } from 'node:crypto';
import { SponsorUnknown } from './private-action-errors.js';

/** Operator's agreement to pay the gas of a wallet's users. */
export interface Sponsor {
  /** Name for logs, status and budgets. */
  readonly name: string;
  /** Maximum cost that the sponsor pays per day (UTC), in fri. */
  readonly budgetPerDayFri: bigint;
  /** Maximum cost that the sponsor pays per day for callers of one network, in fri. */
  readonly budgetPerNetworkFri: bigint;
}

/** Sponsor with the key that its requests contain. */
export interface SponsorKey extends Sponsor {
  /** SHA-256 of the key. */
  readonly keyDigest: Uint8Array;
}

/** Returns the digest under which a sponsor's key is stored in memory. */
export function sponsorKeyDigest(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}

/**
 * Returns the sponsor whose key this is. The time of the comparison does not depend on the key.
 * @throws SponsorUnknown also if the request has no key
 */
export function sponsorOf(sponsors: readonly SponsorKey[], key: string | undefined): Sponsor {
  const digest = sponsorKeyDigest(key ?? '');
  const [found] = sponsors.filter(({ keyDigest }) => timingSafeEqual(keyDigest, digest));
  if (found === undefined) throw new SponsorUnknown();
  return found;
}

const DAY_MS = 24 * 3_600_000;

/** Returns the number of the day (UTC) since 1970, by which budgets are counted. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** Returns the number of seconds until the next day (UTC), at least 1. */
export function secondsLeftOfDay(nowMs: number): number {
  return Math.max(1, Math.ceil(((dayOf(nowMs) + 1) * DAY_MS - nowMs) / 1_000));
}
