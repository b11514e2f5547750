import { tolerated, type SwapWords } from './signed-minimum.js';

/**
 * Guaranteed minimum of one accepted swap, and the terms and amounts from which this minimum was
 * computed. The values are stored with the attempt. So every instance judges the attempt by the
 * same values until it is signed.
 */
export interface SwapBounds extends SwapWords {
  /** Minimum output in the swap's call, in the output token's smallest unit. */
  readonly minimumOut: bigint;
  /** Quote for the sold amount, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
}

const PPM = 1_000_000n;

/**
 * Returns the distance of the minimum below the quote, in millionths of the quote, rounded to the
 * nearest. Returns 0 if the minimum is at least the quote.
 */
export function toleranceInForce({
  minimumOut,
  quotedAmount,
}: Pick<SwapBounds, 'minimumOut' | 'quotedAmount'>): number {
  if (quotedAmount === 0n || minimumOut >= quotedAmount) return 0;
  return Number(((quotedAmount - minimumOut) * PPM * 2n + quotedAmount) / (quotedAmount * 2n));
}

/**
 * Returns true if the terms demand more than the accepted swap guarantees: a smaller tolerance
 * below the stored quote, or a larger minimum output.
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

/** Formats the values as text for the attempt's row in the ledger. */
export function swapBoundsText({
  minimumOut,
  quotedAmount,
  slippagePpm,
  minAmountOut,
}: SwapBounds): string {
  const least = minAmountOut === undefined ? '' : ` least ${minAmountOut}`;
  return `${minimumOut} of ${quotedAmount} at ${slippagePpm}${least}`;
}

/** Parses the text of {@link swapBoundsText}. Returns null for any other text and for undefined. */
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
