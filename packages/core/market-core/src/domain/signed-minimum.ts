import { leastWithin, type FairValue } from './fair-value.js';

/** Terms of one request about the minimum output of its swap. The terms bind that request alone. */
export interface SwapWords {
  /** Maximum tolerance below the quote, in millionths; the default if the caller named none. */
  readonly slippagePpm: number;
  /** Minimum output, in the output token's smallest unit. @default no absolute bound */
  readonly minAmountOut?: bigint | undefined;
}

/** All bounds of one swap transaction. */
export interface MinimumBounds {
  /**
   * Minimum that the note was pinned to by the request that wrote its pin; null before that
   * request.
   */
  readonly pinnedMinimum: bigint | null;
  readonly words: SwapWords;
  /** Quote for the sold amount, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
  /** Current fair value of the sold amount. */
  readonly fair: FairValue;
  readonly maxPriceImpactBps: number;
}

const PPM = 1_000_000n;

/**
 * Computes the minimum of a swap transaction. The result is the highest of the pinned minimum, the
 * minimum that the request's own terms imply, and the fair value less the maximum impact. Every
 * path that signs a swap uses this function.
 */
export function signedMinimum({
  pinnedMinimum,
  words,
  quotedAmount,
  fair,
  maxPriceImpactBps,
}: MinimumBounds): bigint {
  return highest(
    pinnedMinimum ?? 0n,
    promisedMinimum(words, quotedAmount),
    leastWithin(fair, maxPriceImpactBps),
  );
}

/**
 * Computes the minimum that the terms imply at this quote. Tolerance and minimum output apply
 * together: a tiny `minAmountOut` does not disable the tolerance.
 */
export function promisedMinimum(
  { slippagePpm, minAmountOut = 0n }: SwapWords,
  quotedAmount: bigint,
): bigint {
  return highest(tolerated(quotedAmount, slippagePpm), minAmountOut, 1n);
}

/** Quote less the tolerance, rounded up in favour of the caller. */
export function tolerated(quotedAmount: bigint, slippagePpm: number): bigint {
  return (quotedAmount * (PPM - BigInt(slippagePpm)) + PPM - 1n) / PPM;
}

function highest(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
