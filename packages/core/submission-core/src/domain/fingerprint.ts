import type { Attempt } from './rows.js';

/**
 * Digests of a request. `effect` is the digest of the call's effect alone. `fingerprint` is the
 * digest of the effect with all details.
 */
export type Requested = Pick<Attempt, 'effect' | 'fingerprint'>;

/** True if both requests are equal in every detail. */
export function requestsEqual(
  a: Pick<Requested, 'fingerprint'>,
  b: Pick<Requested, 'fingerprint'>,
): boolean {
  return a.fingerprint === b.fingerprint;
}

/**
 * True if one answer is valid for both requests. This is the case if their effects are equal, even
 * if their details differ. Rows of the first releases contain the fingerprint as their effect.
 */
export function requestsSame(a: Requested, b: Requested): boolean {
  return a.effect === b.effect || requestsEqual(a, b);
}
