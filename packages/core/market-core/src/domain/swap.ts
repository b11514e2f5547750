import type { Felt, Felts } from '@sotto/kernel';

/** Offer of an aggregator for an exact amount that is sold. */
export interface SwapQuote {
  readonly quoteId: string;
  readonly sellToken: Felt;
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  readonly buyAmount: bigint;
  /**
   * Price impact reported by the aggregator, in millionths; positive for a loss. Null if not
   * reported. A high value can only cause a rejection, because a swap is judged by its fair value.
   */
  readonly priceImpactPpm: number | null;
  /**
   * Expected loss between quote and execution, in millionths, as reported by the aggregator. Null
   * if not reported.
   */
  readonly estimatedSlippagePpm: number | null;
  /**
   * Expiry of the quote as reported by the aggregator, in Unix milliseconds; null if it reports
   * none.
   */
  readonly expiresAtMs: number | null;
}

/** A call that the aggregator built. All parts are checked before they are used. */
export interface BuiltCall {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly calldata: Felts;
}

/** Unit of slippage: millionths. 20,000 is 2 %. */
const PPM = 1_000_000n;

/**
 * Default tolerance of a private swap, in millionths. The default applies if the caller specifies
 * no tolerance.
 */
export const DEFAULT_SLIPPAGE_PPM = 10_000;

/**
 * Maximum tolerance of a private swap, in millionths. A larger tolerance would invite
 * front-running.
 */
export const MAX_SLIPPAGE_PPM = 150_000;

/** Returns the minimum output of a swap whose quoted output is `buyAmount`, rounded down. */
export function minimumOut(buyAmount: bigint, slippagePpm: number): bigint {
  return (buyAmount * (PPM - BigInt(slippagePpm))) / PPM;
}

/**
 * Returns the largest tolerance, in millionths, for which the minimum output of a swap with the
 * quoted output `buyAmount` is at least `floor`. Returns a negative number if no tolerance
 * suffices.
 */
export function slippageDownTo(floor: bigint, buyAmount: bigint): number {
  if (floor > buyAmount) return -1;
  return buyAmount === 0n ? 0 : Number(((buyAmount - floor) * PPM) / buyAmount);
}
