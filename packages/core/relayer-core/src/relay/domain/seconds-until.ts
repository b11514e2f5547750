/** Returns whole seconds until a moment, at least 1. */
export function secondsUntil(moment: number, nowMs: number): number {
  return Math.max(1, Math.ceil((moment - nowMs) / 1_000));
}
