import type { Attempt } from './rows.js';

/** Two digests of a request: of the call's effect, and of the effect with all details. */
export type Asked = Pick<Attempt, 'effect' | 'fingerprint'>;

/** True if both requests are equal in every detail. */
export function asksForEqual(
  a: Pick<Asked, 'fingerprint'>,
  b: Pick<Asked, 'fingerprint'>,
): boolean {
  return a.fingerprint === b.fingerprint;
}

/**
 * True if one answer serves both requests: they have the same effect, even if details differ. Rows
 * of the first releases have the fingerprint as their effect.
 */
export function asksForSame(a: Asked, b: Asked): boolean {
  return a.effect === b.effect || asksForEqual(a, b);
}
