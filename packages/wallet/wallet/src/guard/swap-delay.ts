/** Maximum delay in ms of a swapped note's withdrawal, if the caller names none. */
export const SWAP_DELAY_MS = 3_600_000;
/** Maximum delay in ms that a caller may name: one day. */
const MOST_DELAY_MS = 86_400_000;
const RANDOM_VALUES = 2 ** 32;

/** Random delay of a swapped note's withdrawal, as stored with the withdrawal. */
export interface SwapDelay {
  /** Maximum that the caller named, in ms. */
  readonly mostMs: number;
  /** End of the delay, as Unix time in ms. Null until the delay is drawn, which happens once. */
  readonly untilMs: number | null;
}

/** Returns the maximum delay in ms that a caller named, limited to 0 … one day. */
export function mostDelayMs(named: unknown): number {
  if (typeof named !== 'number' || Number.isNaN(named)) return SWAP_DELAY_MS;
  return Math.min(Math.max(named, 0), MOST_DELAY_MS);
}

/** Parses the delay of a stored entry, which may be damaged. */
export function storedDelay(stored: unknown): SwapDelay {
  const { mostMs, untilMs }: Partial<SwapDelay> = Object(stored);
  return { mostMs: mostDelayMs(mostMs), untilMs: typeof untilMs === 'number' ? untilMs : null };
}

/** Draws a delay between 0 and `mostMs` from the platform's secure random numbers. */
export function drawDelayMs(mostMs: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((value / RANDOM_VALUES) * (mostMs + 1));
}

/**
 * Returns the rest of a drawn delay in ms. The rest is at most the maximum, because the clock may
 * have been set back.
 */
export function restOfDelayMs({ mostMs, untilMs }: SwapDelay, nowMs: number): number {
  return Math.min(Math.max((untilMs ?? nowMs) - nowMs, 0), mostMs);
}
