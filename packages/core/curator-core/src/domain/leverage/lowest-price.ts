import type { PoolToken } from '@sotto/market-core';
import type { LeveragePrice } from './plan.js';

/** Prices as one source sees them, in 1e-8 USD. */
export interface SeenPrices {
  readonly collateralUsdE8: bigint;
  readonly debtUsdE8: bigint;
}

/**
 * What a unit of the collateral is worth in units of the debt, as the source sees it that values
 * the collateral least: no plan leans on the more hopeful one.
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
