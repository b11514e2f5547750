import { tolerated, type SwapWords } from './signed-minimum.js';

/**
 * Bounds of one accepted swap: its minimum, and the terms and amounts that determine it. Stored
 * with the attempt, so that every instance judges the attempt by them until it is signed.
 */
export interface SwapBounds extends SwapWords {
  /** Minimum in the call, in the output token's smallest unit. */
  readonly minimumOut: bigint;
  /** Quote for the sold amount, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
}

const PPM = 1_000_000n;

/**
 * Tolerance that the minimum leaves below the quote, in millionths, to the nearest; 0 for a minimum
 * above the quote.
 */
export function toleranceInForce({
  minimumOut,
  quotedAmount,
}: Pick<SwapBounds, 'minimumOut' | 'quotedAmount'>): number {
  if (quotedAmount === 0n || minimumOut >= quotedAmount) return 0;
  return Number(((quotedAmount - minimumOut) * PPM * 2n + quotedAmount) / (quotedAmount * 2n));
}

/**
 * Returns true if the terms demand more than the bounds guarantee: a smaller tolerance below the
 * same quote, or a larger minimum output.
 */
export function demandsMore(
  { slippagePpm, minAmountOut = 0n }: SwapWords,
  inForce: SwapBounds,
): boolean {
  return (
    minAmountOut > inForce.minimumOut ||
    (slippagePpm < toleranceInForce(inForce) &&
      tolerated(inForce.quotedAmount, slippagePpm) > inForce.minimumOut)
  );
}

const FORMAT = /^(\d+) of (\d+) at (\d+)(?: least (\d+))?$/;

/** Formats the bounds as text for the attempt's row. */
export function swapBoundsText({
  minimumOut,
  quotedAmount,
  slippagePpm,
  minAmountOut,
}: SwapBounds): string {
  const least = minAmountOut === undefined ? '' : ` least ${minAmountOut}`;
  return `${minimumOut} of ${quotedAmount} at ${slippagePpm}${least}`;
}

/** Parses the text of {@link swapBoundsText}; null for another text or none. */
export function readSwapBounds(text: string | undefined): SwapBounds | null {
  const [, minimumOut, quotedAmount, slippagePpm, least] = FORMAT.exec(text ?? '') ?? [];
  if (minimumOut === undefined || quotedAmount === undefined || slippagePpm === undefined)
    return null;
  return {
    minimumOut: BigInt(minimumOut),
    quotedAmount: BigInt(quotedAmount),
    slippagePpm: Number(slippagePpm),
    ...(least === undefined ? {} : { minAmountOut: BigInt(least) }),
  };
}
