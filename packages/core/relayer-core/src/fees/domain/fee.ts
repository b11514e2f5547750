import { divideUp } from '@sotto/kernel';
import { usedFri, type GasPrices, type GasUsed } from '@sotto/submission-core';

/** Gas of the three transactions that one note needs in its life. */
export interface CycleGas {
  readonly depositL2Gas: bigint;
  /** Of one batch, shared by `depositsPerBatch`. */
  readonly deployBatchL2Gas: bigint;
  readonly depositsPerBatch: bigint;
  readonly withdrawL2Gas: bigint;
  /** Of each step. */
  readonly l1DataGasPerStep: bigint;
}

/**
 * Gas of a swap output's withdrawal: the swap was its deposit and has paid for itself, and there is
 * no batch.
 */
export function swapOutputGas(gas: CycleGas): CycleGas {
  return { ...gas, depositL2Gas: 0n, deployBatchL2Gas: 0n };
}

/** What each step of a note's life costs, in fri. */
export interface CycleCost {
  readonly depositFri: bigint;
  /** One deposit's share of its batch. */
  readonly deployBatchFri: bigint;
  readonly withdrawFri: bigint;
  readonly totalFri: bigint;
}

/**
 * Cost of a whole cycle at these gas prices.
 * @param withdrawal what it really uses, where that is known
 */
export function cycleCost(gas: CycleGas, prices: GasPrices, withdrawal?: GasUsed): CycleCost {
  const stepFri = (l2Gas: bigint): bigint =>
    // A step without gas does not take place.
    l2Gas === 0n ? 0n : l2Gas * prices.l2GasFri + gas.l1DataGasPerStep * prices.l1DataGasFri;
  const depositFri = stepFri(gas.depositL2Gas);
  const deployBatchFri = stepFri(divideUp(gas.deployBatchL2Gas, gas.depositsPerBatch));
  const withdrawFri =
    withdrawal === undefined ? stepFri(gas.withdrawL2Gas) : usedFri(withdrawal, prices);
  return {
    depositFri,
    deployBatchFri,
    withdrawFri,
    totalFri: depositFri + deployBatchFri + withdrawFri,
  };
}

/**
 * The fee to ask for something that costs `cost`: with the margin, rounded up, at least 1, and
 * never above what the pool allows.
 */
export function recommendedFee(cost: bigint, marginPercent: bigint, maxFee?: bigint): bigint {
  const withMargin = divideUp(cost * (100n + marginPercent), 100n);
  const fee = withMargin > 1n ? withMargin : 1n;
  return maxFee !== undefined && fee > maxFee ? maxFee : fee;
}

/**
 * Percent by which the fee of a swap output must exceed its cost. Its fee covers the withdrawal
 * alone, while other fees cover deposit and batch as well: a gas price that rises by a percent
 * before inclusion would make a loss of each exact fee.
 */
export const SWAP_OUTPUT_MARGIN_PERCENT = 2n;

/** Smallest fee that is admitted for the withdrawal of a swap output that costs `cost`. */
export const swapOutputFee = (cost: bigint): bigint =>
  recommendedFee(cost, SWAP_OUTPUT_MARGIN_PERCENT);
