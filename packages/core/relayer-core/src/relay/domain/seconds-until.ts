/**
 * Returns the number of whole seconds from `nowMs` until `moment`, rounded up, at least 1. Both
 * times are in milliseconds.
 */
export function secondsUntil(moment: number, nowMs: number): number {
  return Math.max(1, Math.ceil((moment - nowMs) / 1_000));
}
