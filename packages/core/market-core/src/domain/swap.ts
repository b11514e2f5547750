import type { Felt, Felts } from '@sotto/kernel';

/** What an aggregator offers for an exact amount sold. */
export interface SwapQuote {
  readonly quoteId: string;
  readonly sellToken: Felt;
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  readonly buyAmount: bigint;
  /**
   * Price impact by the aggregator, in millionths; above 0 for a loss. Null if not stated.
   * It can only refuse: the fair value is what a swap is judged by.
   */
  readonly priceImpactPpm: number | null;
  /**
   * What it expects to be lost between quote and execution, in millionths. Null when it does not
   * say.
   */
  readonly estimatedSlippagePpm: number | null;
  /** End of the quote as the aggregator states it; null if it states none. */
  readonly expiresAtMs: number | null;
}

/** A call as the aggregator wants it executed. Nothing in it is trusted before it is checked. */
export interface BuiltCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/** Slippage is counted in millionths: 20,000 is 2 %. */
const PPM = 1_000_000n;

/** Tolerance of a private swap whose caller names none, in millionths. */
export const DEFAULT_SLIPPAGE_PPM = 10_000;

/**
 * Largest tolerance of a private swap, in millionths: more would let front-runners take the
 * difference.
 */
export const MAX_SLIPPAGE_PPM = 150_000;

/** Least that may come out of a swap that was quoted at `buyAmount`, rounded down. */
export function minimumOut(buyAmount: bigint, slippagePpm: number): bigint {
  return (buyAmount * (PPM - BigInt(slippagePpm))) / PPM;
}

/**
 * The largest tolerance, in millionths, with which what comes out of a swap quoted at `buyAmount`
 * is still `floor`; below 0 when no tolerance allows that.
 */
export function slippageDownTo(floor: bigint, buyAmount: bigint): number {
  if (floor > buyAmount) return -1;
  return buyAmount === 0n ? 0 : Number(((buyAmount - floor) * PPM) / buyAmount);
}
