import { reportedValue, type FairValue } from './fair-value.js';

/** Amounts of a swap at one quote. The amounts are neither reserved nor promised. */
export interface SwapAmounts {
  /** Amount that is sold, in the smallest unit of the pool's token: the payout less the fee. */
  readonly sellAmount: bigint;
  /** Fee of the relayer, in the smallest unit of the pool's token. */
  readonly feeAmount: bigint;
  /** Value of the sold amount by two independent prices, in the output token's smallest unit. */
  readonly fairAmount: bigint;
  /** Output of the best usable quote, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
  /** Minimum that a swap at this quote is signed with, in the output token's smallest unit. */
  readonly minimumOut: bigint;
  /** Loss of the quote below the fair value, in millionths; below 0 for a gain. */
  readonly priceImpactPpm: number;
  /** Time after which the amounts are too old to act on. */
  readonly expiresAtMs: number;
}

/** Part of the amounts that routing knows. */
export interface RoutedAmounts {
  readonly sellAmount: bigint;
  readonly fair: FairValue;
  readonly quotedAmount: bigint;
  readonly minimumOut: bigint;
  /** End of the quote as the aggregator states it; null if it states none. */
  readonly quoteEndsAtMs: number | null;
}

/** Lifetime of amounts without a stated end: most quotes are tied to a block. */
const LIFETIME_MS = 30_000;
const PPM = 1_000_000n;

/** Builds the amounts of a routed swap, as of now. */
export function swapAmounts(
  { sellAmount, fair, quotedAmount, minimumOut, quoteEndsAtMs }: RoutedAmounts,
  feeAmount: bigint,
  nowMs: number,
): SwapAmounts {
  return {
    sellAmount,
    feeAmount,
    fairAmount: reportedValue(fair),
    quotedAmount,
    minimumOut,
    priceImpactPpm: impactPpm(fair, quotedAmount),
    expiresAtMs: Math.min(nowMs + LIFETIME_MS, quoteEndsAtMs ?? Number.POSITIVE_INFINITY),
  };
}

/** Loss below the value in millionths, rounded towards the loss; below 0 for a gain. */
function impactPpm({ numerator, denominator }: FairValue, quotedAmount: bigint): number {
  if (numerator === 0n) return 0;
  const loss = (numerator - quotedAmount * denominator) * PPM;
  const floor = loss / numerator;
  return Number(loss > 0n && loss % numerator !== 0n ? floor + 1n : floor);
}
