import { reportedValue, type FairValue } from './fair-value.js';

/**
 * Amounts of a swap at one quote, for information. The service neither reserves nor promises these
 * amounts.
 */
export interface SwapAmounts {
  /** Amount that is sold, in the smallest unit of the pool's token: the payout less the fee. */
  readonly sellAmount: bigint;
  /** Fee of the relayer, in the smallest unit of the pool's token. */
  readonly feeAmount: bigint;
  /**
   * Value of the sold amount at two independent market prices, in the output token's smallest unit.
   */
  readonly fairAmount: bigint;
  /** Output of the best usable quote, in the output token's smallest unit. */
  readonly quotedAmount: bigint;
  /**
   * Minimum output with which a swap at this quote is signed, in the output token's smallest unit.
   */
  readonly minimumOut: bigint;
  /**
   * Loss of the quote against the fair value, in millionths; negative if the quote is above the
   * fair value.
   */
  readonly priceImpactPpm: number;
  /** Time after which the amounts must not be used any more, in Unix milliseconds. */
  readonly expiresAtMs: number;
}

/** Amounts that are known after routing, without the fee. */
export interface RoutedAmounts {
  readonly sellAmount: bigint;
  readonly fair: FairValue;
  readonly quotedAmount: bigint;
  readonly minimumOut: bigint;
  /**
   * Expiry of the quote as reported by the aggregator, in Unix milliseconds; null if it reports
   * none.
   */
  readonly quoteEndsAtMs: number | null;
}

/**
 * Lifetime of amounts whose quote has no reported expiry, in milliseconds. Most quotes are tied to
 * a block.
 */
const LIFETIME_MS = 30_000;
const PPM = 1_000_000n;

/** Builds the swap amounts of a routed swap at the present time. */
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

/**
 * Returns the loss of the quote against the fair value in millionths, rounded towards the higher
 * loss; negative if the quote is above the fair value.
 */
function impactPpm({ numerator, denominator }: FairValue, quotedAmount: bigint): number {
  if (numerator === 0n) return 0;
  const loss = (numerator - quotedAmount * denominator) * PPM;
  const floor = loss / numerator;
  return Number(loss > 0n && loss % numerator !== 0n ? floor + 1n : floor);
}
