import { PriceUnavailable } from '@sotto/market-core';
import { type LatestBlock } from '@sotto/submission-core';

/**
 * Remembers the last gas price that was read. Sends no requests: it observes the reads of other
 * code.
 */
export class RememberedGasPrice {
  #l2GasFri: bigint | null = null;

  /** Wraps the port so that the gas price of each read is remembered. */
  watch(block: LatestBlock): LatestBlock {
    return {
      number: () => block.number(),
      gasPrices: async () => {
        const prices = await block.gasPrices();
        this.#l2GasFri = prices.l2GasFri;
        return prices;
      },
    };
  }

  /**
   * Returns the last read price of a unit of L2 gas, in fri. Rejects with `PriceUnavailable` before
   * the first read.
   */
  async l2GasFri(): Promise<bigint> {
    if (this.#l2GasFri === null) throw new PriceUnavailable();
    return this.#l2GasFri;
  }
}
