import * as runner from '@jest/globals';
import {
  describeClosesBookContract,
  describeOrderBookContract,
} from '@sotto/dca-core/testing/contracts';
import { describeRewardRatesContract } from '@sotto/staking-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

async function booksOf<Book>(bookOf: (store: OpenedStore) => Book) {
  const file = await migratedLedgerFile();
  const first = await openSqliteStore({ path: file.path });
  const stores = [first];
  const breakDown = async () => {
    await Promise.all(stores.map((store) => store.close()));
  };
  return {
    subject: bookOf(first),
    async reopen() {
      const store = await openSqliteStore({ path: file.path });
      stores.push(store);
      return bookOf(store);
    },
    breakDown,
    async stop() {
      await breakDown();
      file.remove();
    },
  };
}

describeOrderBookContract(runner, 'SQLite', () => booksOf(({ purchaseOrders }) => purchaseOrders));
describeClosesBookContract(runner, 'SQLite', () => booksOf(({ dailyCloses }) => dailyCloses));
describeRewardRatesContract(runner, 'SQLite', () => booksOf(({ rewardRates }) => rewardRates));
