import type { ResourceLimits } from '@sotto/submission-core';
import type { CycleGas } from '../fees/domain/fee.js';

// Default values of profile and settings, for tests that load no profile and no settings.

export const CYCLE_GAS: CycleGas = {
  depositL2Gas: 800_000n,
  deployBatchL2Gas: 1_200_000n,
  depositsPerBatch: 3n,
  withdrawL2Gas: 35_000_000n,
  l1DataGasPerStep: 5_000n,
};

/** Gas of a note's three transactions if a private swap replaces the withdrawal. */
export const PRIVATE_SWAP_CYCLE_GAS: CycleGas = { ...CYCLE_GAS, withdrawL2Gas: 40_000_000n };

export const WITHDRAWAL_LIMITS: ResourceLimits = {
  l2Gas: 1_200_000_000n,
  l1Gas: 256n,
  l1DataGas: 20_480n,
  priceMultiplier: 3n,
};

export const FEE_MARGIN_PERCENT = 20n;
export const MIN_SLIPPAGE_PPM = 1_000;
export const SMALL_BATCH_BELOW = 3;
