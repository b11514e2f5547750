import { PriceUnavailable } from '@sotto/market-core';
import { type LatestBlock } from '@sotto/submission-core';

/** The price of gas that was read last. Asks nothing itself: it sees what others read. */
export class RememberedGasPrice {
  #l2GasFri: bigint | null = null;

  /** The same port; the price that it returns is remembered. */
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

  /** Of a unit of L2 gas, in fri. Rejects with `PriceUnavailable` before any was read. */
  async l2GasFri(): Promise<bigint> {
    if (this.#l2GasFri === null) throw new PriceUnavailable();
    return this.#l2GasFri;
  }
}
