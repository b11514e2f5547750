import type { PoolToken } from '@sotto/market-core';
import type { LeveragePrice } from './plan.js';

/** Prices from one source, in 1e-8 USD. */
export interface SeenPrices {
  readonly collateralUsdE8: bigint;
  readonly debtUsdE8: bigint;
}

/**
 * Returns the price of a unit of the collateral in units of the debt. The price is from the source
 * that values the collateral lowest, so no plan relies on an optimistic source.
 */
export function lowestPrice(
  collateral: Pick<PoolToken, 'decimals'>,
  debt: Pick<PoolToken, 'decimals'>,
  seen: readonly [SeenPrices, ...SeenPrices[]],
): LeveragePrice {
  return seen
    .map(({ collateralUsdE8, debtUsdE8 }) => ({
      numerator: collateralUsdE8 * 10n ** BigInt(debt.decimals),
      denominator: debtUsdE8 * 10n ** BigInt(collateral.decimals),
    }))
    .reduce((lowest, each) =>
      each.numerator * lowest.denominator < lowest.numerator * each.denominator ? each : lowest,
    );
}
