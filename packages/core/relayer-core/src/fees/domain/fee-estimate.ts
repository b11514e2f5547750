import type { GasPrices } from '@sotto/submission-core';
import { cycleCost, recommendedFee, type CycleCost, type CycleGas } from './fee.js';
import { friToFeeToken, type FeeTokenPrices, type PoolToken } from '@sotto/market-core';

/**
 * What a relayer asks for a note's whole life, and why. All exact; amounts of the fee token are in
 * its smallest unit.
 */
export interface FeeEstimate {
  readonly feeToken: PoolToken;
  /**
   * The fee to put into a proof: the cost with the margin, at least 1, at most what the pool
   * allows.
   */
  readonly feeAmount: bigint;
  /**
   * What the cycle costs, without margin, rounded up. Above the pool's maximum, no fee pays for a
   * withdrawal.
   */
  readonly costAmount: bigint;
  readonly cost: CycleCost;
  /** On top of the cost. */
  readonly marginPercent: bigint;
  readonly gasPrices: GasPrices;
  readonly prices: FeeTokenPrices & { readonly btcUsdE8: bigint };
  /** What the withdrawal is taken to use. */
  readonly withdrawGas: EstimatedGas;
  /**
   * What the pool says; null for an estimate without a pool. The denomination is null for a note of
   * the swap pool.
   */
  readonly pool: { readonly maxFee: bigint; readonly denomination: bigint | null } | null;
}

/** A figure of the network profile, until receipts say otherwise. */
interface EstimatedGas {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
  /** How many receipts say so; 0: none, it is the profile's. */
  readonly receipts: number;
  /** Of the newest receipt, in milliseconds; null without one. */
  readonly ageMs: number | null;
}

/** All that an estimate is made of. */
export interface EstimateTerms extends Pick<
  FeeEstimate,
  'feeToken' | 'gasPrices' | 'prices' | 'pool' | 'marginPercent'
> {
  readonly cycleGas: CycleGas;
  /** What receipts say of the withdrawal; null: they say nothing yet. @default null */
  readonly learnt?: EstimatedGas | null | undefined;
}

export function estimateFee({
  feeToken,
  gasPrices,
  prices,
  pool,
  cycleGas,
  learnt = null,
  marginPercent,
}: EstimateTerms): FeeEstimate {
  const { withdrawL2Gas: l2Gas, l1DataGasPerStep: l1DataGas } = cycleGas;
  const withdrawGas: EstimatedGas = learnt ?? { l2Gas, l1DataGas, receipts: 0, ageMs: null };
  const cost = cycleCost(cycleGas, gasPrices, {
    l2Gas: withdrawGas.l2Gas,
    l1Gas: 0n,
    l1DataGas: withdrawGas.l1DataGas,
  });
  const costAmount = friToFeeToken(cost.totalFri, prices, feeToken.decimals);
  return {
    feeToken,
    feeAmount: recommendedFee(costAmount, marginPercent, pool?.maxFee),
    costAmount,
    cost,
    marginPercent,
    gasPrices,
    prices,
    withdrawGas,
    pool,
  };
}
