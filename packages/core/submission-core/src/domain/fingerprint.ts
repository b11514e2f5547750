import type { Attempt } from './rows.js';

/** What was asked for: what the call does, and that with every detail beside. Two digests. */
export type Asked = Pick<Attempt, 'effect' | 'fingerprint'>;

/** True when both ask for the same in every detail. */
export function asksForEqual(
  a: Pick<Asked, 'fingerprint'>,
  b: Pick<Asked, 'fingerprint'>,
): boolean {
  return a.fingerprint === b.fingerprint;
}

/**
 * True when the answer to one is the answer to the other: they have the same effect, whatever the
 * detail. Rows of the first releases know no effect but the whole.
 */
export function asksForSame(a: Asked, b: Asked): boolean {
  return a.effect === b.effect || asksForEqual(a, b);
}
