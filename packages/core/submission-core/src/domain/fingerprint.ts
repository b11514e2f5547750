/**
 * A fingerprint is one digest, or `effect.detail`: what the call does, and all that the caller
 * asked for. Rows of earlier releases hold the detail alone.
 */
const detailOf = (fingerprint: string): string => fingerprint.slice(fingerprint.indexOf('.') + 1);
const effectOf = (fingerprint: string): string => fingerprint.split('.', 1).join();

/** True when both ask for the same in every detail. */
export function asksForEqual(a: string, b: string): boolean {
  return detailOf(a) === detailOf(b);
}

/**
 * True when the answer to one is the answer to the other: they have the same effect, whatever the
 * detail.
 */
export function asksForSame(a: string, b: string): boolean {
  return effectOf(a) === effectOf(b) || asksForEqual(a, b);
}
