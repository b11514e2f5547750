import { leastWithin, type FairValue } from './fair-value.js';

/**
 * Terms in one request about the minimum output of its swap. The terms apply to this request only.
 */
export interface SwapWords {
  /**
   * Maximum tolerance below the quote, in millionths. If the request specifies no tolerance, this
   * is the default tolerance.
   */
  readonly slippagePpm: number;
  /**
   * Minimum output that the caller requires, in the output token's smallest unit. @default no
   * absolute minimum
   */
  readonly minAmountOut?: bigint | undefined;
}

/** All lower limits for the output of one swap transaction. */
export interface MinimumBounds {
  /**
   * Minimum that the note's pin stores; the first swap request of the note wrote the pin. Null
   * while this first request is processed.
   */
  readonly pinnedMinimum: bigint | null;
  readonly words: SwapWords;
  /** Quote for the sold amount, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
  /** Fair value of the sold amount at current prices. */
  readonly fair: FairValue;
  readonly maxPriceImpactBps: number;
}

const PPM = 1_000_000n;

/**
 * Computes the minimum output of a swap transaction. The result is the highest of three values: the
 * pinned minimum, the minimum that the request's own terms imply, and the fair value less the
 * maximum impact. All code that signs a swap uses this function.
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
 * Computes the minimum output that the request's terms imply at this quote. Tolerance and minimum
 * output apply together, so a tiny `minAmountOut` does not disable the tolerance.
 */
export function promisedMinimum(
  { slippagePpm, minAmountOut = 0n }: SwapWords,
  quotedAmount: bigint,
): bigint {
  return highest(tolerated(quotedAmount, slippagePpm), minAmountOut, 1n);
}

/** Returns the quote less the tolerance, rounded up in favour of the caller. */
export function tolerated(quotedAmount: bigint, slippagePpm: number): bigint {
  return (quotedAmount * (PPM - BigInt(slippagePpm)) + PPM - 1n) / PPM;
}

function highest(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
