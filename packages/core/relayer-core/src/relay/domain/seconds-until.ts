/**
 * Returns the whole seconds from now until a moment, at least 1. Both times are in milliseconds.
 */
export function secondsUntil(moment: number, nowMs: number): number {
  return Math.max(1, Math.ceil((moment - nowMs) / 1_000));
}
