import type { Felt } from '@sotto/kernel';
import type { ChainReader, GasPrices } from '@sotto/submission-core';

/**
 * Caches the balances of accounts and the gas prices that the last poll of the chain has read.
 * Sends no requests: it observes the reads of other code.
 */
export class BalanceCache {
  readonly #balancesFri = new Map<Felt, bigint>();
  #gasPrices: GasPrices | undefined;

  /** Wraps the reader so that the cache stores the results of its reads. */
  watch(reader: ChainReader): ChainReader {
    return {
      head: async (accounts) => {
        const head = await reader.head(accounts);
        this.#gasPrices = head.gasPrices;
        for (const [address, { balanceFri }] of head.accounts)
          this.#balancesFri.set(address, balanceFri);
        return head;
      },
      heads: (accounts) => reader.heads(accounts),
      transactionStatuses: (hashes, sentTo) => reader.transactionStatuses(hashes, sentTo),
      blockHash: (number) => reader.blockHash(number),
      confirm: (first, heights) => reader.confirm(first, heights),
    };
  }

  /** Gas prices of the last poll; undefined before the first poll. */
  get gasPrices(): GasPrices | undefined {
    return this.#gasPrices;
  }

  /** Returns the balance in fri; undefined before the first read of the account. */
  balanceFri(address: Felt): bigint | undefined {
    return this.#balancesFri.get(address);
  }
}
