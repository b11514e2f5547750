import type { Felt, Felts } from '@sotto/kernel';

/** What an aggregator offers for an exact amount sold. */
export interface SwapQuote {
  readonly quoteId: string;
  readonly sellToken: Felt;
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  readonly buyAmount: bigint;
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

/** Largest tolerance of a private swap, in millionths: more would hand the swap to whoever sees it coming. */
export const MAX_SLIPPAGE_PPM = 150_000;

/** Least that may come out of a swap that was quoted at `buyAmount`, rounded down. */
export function minimumOut(buyAmount: bigint, slippagePpm: number): bigint {
  return (buyAmount * (PPM - BigInt(slippagePpm))) / PPM;
}

/** The tolerance, in millionths, with which a swap that was quoted at `buyAmount` may end at `floor`: above 0, at most the maximum. */
export function slippageDownTo(floor: bigint, buyAmount: bigint): number {
  const ppm = Number(((buyAmount - floor) * PPM) / buyAmount);
  return Math.min(Math.max(ppm, 1), MAX_SLIPPAGE_PPM);
}
