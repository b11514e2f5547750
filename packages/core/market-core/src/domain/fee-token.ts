import { divideUp } from '@sotto/kernel';

const FRI_PER_STRK = 10n ** 18n;

/**
 * Market prices of the gas token and of the ERC-20 token in which fees are paid, in 1e-8 USD. Both
 * are above 0.
 */
export interface FeeTokenPrices {
  readonly strkUsdE8: bigint;
  readonly feeTokenUsdE8: bigint;
}

/** Converts fri to the smallest unit of the fee token, rounded up. */
export function friToFeeToken(
  fri: bigint,
  prices: FeeTokenPrices,
  feeTokenDecimals: number,
): bigint {
  return divideUp(
    fri * prices.strkUsdE8 * 10n ** BigInt(feeTokenDecimals),
    FRI_PER_STRK * prices.feeTokenUsdE8,
  );
}
