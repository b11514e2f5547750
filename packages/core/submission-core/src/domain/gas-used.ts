import type { GasPrices } from './resource-bounds.js';

/** Gas that one transaction used. */
export interface GasUsed {
  readonly l2Gas: bigint;
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
}

/** Returns the cost of a transaction at these gas prices, in fri. */
export function usedFri({ l2Gas, l1Gas, l1DataGas }: GasUsed, prices: GasPrices): bigint {
  return l2Gas * prices.l2GasFri + l1Gas * prices.l1GasFri + l1DataGas * prices.l1DataGasFri;
}
