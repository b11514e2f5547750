import { divideUp } from '@sotto/kernel';
import { usedFri, type GasPrices, type GasUsed } from '@sotto/submission-core';

/** Gas of the three transactions of a note: deposit, deployment of its batch, and withdrawal. */
export interface CycleGas {
  readonly depositL2Gas: bigint;
  /** Gas of one batch deployment, whose cost is shared by `depositsPerBatch` deposits. */
  readonly deployBatchL2Gas: bigint;
  readonly depositsPerBatch: bigint;
  readonly withdrawL2Gas: bigint;
  /** L1 data gas of each of the three transactions. */
  readonly l1DataGasPerStep: bigint;
}

/**
 * Returns the gas for withdrawing a swap output. Deposit and deployment are set to 0: the swap was
 * the note's deposit and is already paid, and a swap output is in no batch.
 */
export function swapOutputGas(gas: CycleGas): CycleGas {
  return { ...gas, depositL2Gas: 0n, deployBatchL2Gas: 0n };
}

/** Cost of each of a note's three transactions, in fri. */
export interface CycleCost {
  readonly depositFri: bigint;
  /** Share of one deposit in the cost of its batch, in fri. */
  readonly deployBatchFri: bigint;
  readonly withdrawFri: bigint;
  readonly totalFri: bigint;
}

/**
 * Returns the cost of a note's three transactions at these gas prices.
 * @param withdrawal actual gas of the withdrawal, if known
 */
export function cycleCost(gas: CycleGas, prices: GasPrices, withdrawal?: GasUsed): CycleCost {
  const stepFri = (l2Gas: bigint): bigint =>
    // A transaction with 0 L2 gas is not sent, so it uses no data gas either.
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
 * Returns the recommended fee for a cost. The fee is the cost with the margin, rounded up, at least
 * 1 and at most the pool's maximum.
 */
export function recommendedFee(cost: bigint, marginPercent: bigint, maxFee?: bigint): bigint {
  const withMargin = divideUp(cost * (100n + marginPercent), 100n);
  const fee = withMargin > 1n ? withMargin : 1n;
  return maxFee !== undefined && fee > maxFee ? maxFee : fee;
}

/**
 * Margin of a swap output's fee above its cost, in percent. The fee of any other note also covers
 * deposit and batch, but this fee covers only the withdrawal. Without the margin, a rise of the gas
 * price by one percent before inclusion would make every exact fee a loss.
 */
export const SWAP_OUTPUT_MARGIN_PERCENT = 2n;

/** Returns the minimum fee that is accepted for withdrawing a swap output at this cost. */
export const swapOutputFee = (cost: bigint): bigint =>
  recommendedFee(cost, SWAP_OUTPUT_MARGIN_PERCENT);
