import type { Attempt } from './rows.js';

/**
 * Digests of a request: `effect` of the call's effect alone, `fingerprint` of the effect with all
 * details.
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
 * True if one answer is valid for both requests: their effects are equal, even if details differ.
 * Rows of the first releases contain the fingerprint as their effect.
 */
export function requestsSame(a: Requested, b: Requested): boolean {
  return a.effect === b.effect || requestsEqual(a, b);
}
