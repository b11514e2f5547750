import type { Felt } from '@sotto/kernel';
import type { ChainReader, GasPrices } from '@sotto/submission-core';

/**
 * Balances of accounts, and prices of gas, as the last look at the chain showed them. Makes no
 * requests: it sees what others read.
 */
export class BalanceCache {
  readonly #balancesFri = new Map<Felt, bigint>();
  #gasPrices: GasPrices | undefined;

  /** The same reader; what it returns is remembered. */
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

  /** Undefined before the first look. */
  get gasPrices(): GasPrices | undefined {
    return this.#gasPrices;
  }

  /** Undefined before the account was read for the first time. */
  balanceFri(address: Felt): bigint | undefined {
    return this.#balancesFri.get(address);
  }
}
