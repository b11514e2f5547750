import type { Felt, Felts } from '@sotto/kernel';

/** Offer of an aggregator for an exact sold amount. */
export interface SwapQuote {
  readonly quoteId: string;
  readonly sellToken: Felt;
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  readonly buyAmount: bigint;
  /**
   * Price impact stated by the aggregator, in millionths; positive for a loss. Null if not stated.
   * A high value can only cause a rejection: a swap is judged by the fair value.
   */
  readonly priceImpactPpm: number | null;
  /**
   * Expected loss between quote and execution, in millionths, as stated by the aggregator. Null if
   * not stated.
   */
  readonly estimatedSlippagePpm: number | null;
  /** End of the quote as the aggregator states it; null if it states none. */
  readonly expiresAtMs: number | null;
}

/** A call built by the aggregator. No part of it is trusted before it is checked. */
export interface BuiltCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/** Slippage unit, millionths: 20,000 is 2 %. */
const PPM = 1_000_000n;

/** Tolerance of a private swap whose caller names none, in millionths. */
export const DEFAULT_SLIPPAGE_PPM = 10_000;

/** Largest tolerance of a private swap, in millionths: a larger one would invite front-running. */
export const MAX_SLIPPAGE_PPM = 150_000;

/** Minimum output of a swap that was quoted at `buyAmount`, rounded down. */
export function minimumOut(buyAmount: bigint, slippagePpm: number): bigint {
  return (buyAmount * (PPM - BigInt(slippagePpm))) / PPM;
}

/**
 * Returns the largest tolerance, in millionths, at which the minimum output of a swap quoted at
 * `buyAmount` is still `floor`; negative if no tolerance allows that.
 */
export function slippageDownTo(floor: bigint, buyAmount: bigint): number {
  if (floor > buyAmount) return -1;
  return buyAmount === 0n ? 0 : Number(((buyAmount - floor) * PPM) / buyAmount);
}
