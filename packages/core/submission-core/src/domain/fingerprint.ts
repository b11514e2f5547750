import type { Attempt } from './rows.js';

/**
 * Digests of a request: `effect` of the call's effect alone, `fingerprint` of the effect with all
 * details.
 */
export type Asked = Pick<Attempt, 'effect' | 'fingerprint'>;

/** True if both requests are equal in every detail. */
export function asksForEqual(
  a: Pick<Asked, 'fingerprint'>,
  b: Pick<Asked, 'fingerprint'>,
): boolean {
  return a.fingerprint === b.fingerprint;
}

/**
 * True if one answer is valid for both requests: their effects are equal, even if details differ.
 * Rows of the first releases contain the fingerprint as their effect.
 */
export function asksForSame(a: Asked, b: Asked): boolean {
  return a.effect === b.effect || asksForEqual(a, b);
}
