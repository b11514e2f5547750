/** Whole seconds from now to a moment, one at least. */
export function secondsUntil(moment: number, nowMs: number): number {
  return Math.max(1, Math.ceil((moment - nowMs) / 1_000));
}
