import { usedFri, type GasPrices } from '@sotto/submission-core';
import { RECIPIENT_GAS_USE } from '../../pools/domain/recipient-gas.js';
import { cycleCost, recommendedFee, type CycleCost, type CycleGas } from './fee.js';
import { friToFeeToken, type FeeTokenPrices, type PoolToken } from '@sotto/market-core';

/**
 * Fee that a relayer charges for all three transactions of a note, with its components. All values
 * are exact. Amounts of the fee token are in its smallest unit.
 */
export interface FeeEstimate {
  readonly feeToken: PoolToken;
  /**
   * Fee that a proof must contain: the cost with the margin, at least 1 and at most the pool's
   * maximum.
   */
  readonly feeAmount: bigint;
  /**
   * Cost of the three transactions without margin, rounded up. If the cost exceeds the pool's
   * maximum, no permitted fee covers a withdrawal.
   */
  readonly costAmount: bigint;
  readonly cost: CycleCost;
  /**
   * STRK that the withdrawal gives to its recipient, in fri; 0 for none. Part of `costAmount` and
   * not of `cost`.
   */
  readonly recipientGasFri: bigint;
  /** Margin added to the cost, in percent. */
  readonly marginPercent: bigint;
  readonly gasPrices: GasPrices;
  readonly prices: FeeTokenPrices & { readonly btcUsdE8: bigint };
  /** Gas that the estimate assumes for the withdrawal. */
  readonly withdrawGas: EstimatedGas;
  /**
   * Maximum fee and denomination of the pool; null for an estimate without a pool. The denomination
   * is null for a note of the swap pool.
   */
  readonly pool: { readonly maxFee: bigint; readonly denomination: bigint | null } | null;
}

/**
 * Gas of a withdrawal. The value is learnt from receipts; before the first receipt it is the
 * network profile's value.
 */
interface EstimatedGas {
  readonly l2Gas: bigint;
  readonly l1DataGas: bigint;
  /** Number of receipts from which the gas was learnt; 0 for the profile's value. */
  readonly receipts: number;
  /** Age of the newest receipt, in milliseconds; null if there is no receipt. */
  readonly ageMs: number | null;
}

/** Inputs of an estimate. */
export interface EstimateTerms extends Pick<
  FeeEstimate,
  'feeToken' | 'gasPrices' | 'prices' | 'pool' | 'marginPercent'
> {
  /** @default 0 */
  readonly recipientGasFri?: bigint | undefined;
  readonly cycleGas: CycleGas;
  /** Gas of the withdrawal as learnt from receipts; null if there are no receipts. @default null */
  readonly learnt?: EstimatedGas | null | undefined;
}

export function estimateFee({
  feeToken,
  gasPrices,
  prices,
  pool,
  cycleGas,
  learnt = null,
  recipientGasFri = 0n,
  marginPercent,
}: EstimateTerms): FeeEstimate {
  const { withdrawL2Gas: l2Gas, l1DataGasPerStep: l1DataGas } = cycleGas;
  const withdrawGas: EstimatedGas = learnt ?? { l2Gas, l1DataGas, receipts: 0, ageMs: null };
  const withdrawal = cycleCost(cycleGas, gasPrices, {
    l2Gas: withdrawGas.l2Gas,
    l1Gas: 0n,
    l1DataGas: withdrawGas.l1DataGas,
  });
  const cost =
    recipientGasFri === 0n
      ? withdrawal
      : withMore(withdrawal, usedFri(RECIPIENT_GAS_USE, gasPrices));
  const inToken = (fri: bigint): bigint => friToFeeToken(fri, prices, feeToken.decimals);
  const costAmount = inToken(cost.totalFri) + inToken(recipientGasFri);
  return {
    feeToken,
    feeAmount: recommendedFee(costAmount, marginPercent, pool?.maxFee),
    costAmount,
    cost,
    recipientGasFri,
    marginPercent,
    gasPrices,
    prices,
    withdrawGas,
    pool,
  };
}

/** Adds the gas of the transfer to the recipient to the cost of the withdrawal. */
function withMore(cost: CycleCost, transferFri: bigint): CycleCost {
  return {
    ...cost,
    withdrawFri: cost.withdrawFri + transferFri,
    totalFri: cost.totalFri + transferFri,
  };
}
