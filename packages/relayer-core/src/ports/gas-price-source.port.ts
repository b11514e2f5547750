import type { GasPrices } from '@sotto/submission-core';

/** Prices of gas in the latest accepted block. Rejects with a `Fault` when the node can't answer. */
export interface GasPriceSource {
  gasPrices(): Promise<GasPrices>;
}

export const GasPriceSource: unique symbol = Symbol.for('@sotto/relayer-core/GasPriceSource');
