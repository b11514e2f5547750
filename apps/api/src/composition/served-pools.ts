import type { CycleGas, ServedPool } from '@sotto/relayer-core';
import type { NetworkProfile } from '../config/network-profile.js';

/** The profile's pools as the use cases know them. */
export function servedPools({ pools, tokens }: NetworkProfile): readonly ServedPool[] {
  return pools.map(({ key, address, kind, token: symbol, batchSizes }) => ({
    key,
    address,
    kind,
    token: { symbol, ...tokens[symbol] },
    batchSizes,
  }));
}

/** Gas of the three transactions of a note's life, as the profile estimates it. */
export function cycleGas({ limits }: NetworkProfile): CycleGas {
  const { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep } = limits;
  return { depositL2Gas, deployBatchL2Gas, depositsPerBatch, withdrawL2Gas, l1DataGasPerStep };
}
