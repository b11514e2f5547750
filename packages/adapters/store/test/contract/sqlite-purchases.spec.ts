import * as runner from '@jest/globals';
import {
  describeClosesStoreContract,
  describeOrderStoreContract,
} from '@sotto/dca-core/testing/contracts';
import { describeRewardRatesContract } from '@sotto/staking-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

async function storesOf<Store>(storeOf: (store: OpenedStore) => Store) {
  const file = await migratedLedgerFile();
  const first = await openSqliteStore({ path: file.path });
  const stores = [first];
  const breakDown = async () => {
    await Promise.all(stores.map((store) => store.close()));
  };
  return {
    subject: storeOf(first),
    async reopen() {
      const store = await openSqliteStore({ path: file.path });
      stores.push(store);
      return storeOf(store);
    },
    breakDown,
    async stop() {
      await breakDown();
      file.remove();
    },
  };
}

describeOrderStoreContract(runner, 'SQLite', () =>
  storesOf(({ purchaseOrders }) => purchaseOrders),
);
describeClosesStoreContract(runner, 'SQLite', () => storesOf(({ dailyCloses }) => dailyCloses));
describeRewardRatesContract(runner, 'SQLite', () => storesOf(({ rewardRates }) => rewardRates));
