import type { Felt } from '@sotto/kernel';
import type { ChainReader, GasPrices } from '@sotto/submission-core';

/**
 * Caches balances of accounts, and prices of gas, of the last poll of the chain. Sends no requests:
 * it observes the reads of others.
 */
export class BalanceCache {
  readonly #balancesFri = new Map<Felt, bigint>();
  #gasPrices: GasPrices | undefined;

  /** Wraps the reader so that its results are remembered. */
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

  /** Gas prices; undefined before the first poll. */
  get gasPrices(): GasPrices | undefined {
    return this.#gasPrices;
  }

  /** Returns the balance in fri; undefined before the account was first read. */
  balanceFri(address: Felt): bigint | undefined {
    return this.#balancesFri.get(address);
  }
}
