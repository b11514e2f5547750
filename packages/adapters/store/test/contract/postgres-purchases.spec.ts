import * as runner from '@jest/globals';
import {
  describeClosesStoreContract,
  describeOrderStoreContract,
} from '@sotto/dca-core/testing/contracts';
import { describeRewardRatesContract } from '@sotto/staking-core/testing/contracts';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';

async function storesOf<Store>(storeOf: (store: OpenedStore) => Store) {
  const database = await emptiedDatabase();
  const first = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
  const stores = [first];
  const breakDown = async () => {
    await Promise.all(stores.map((store) => store.close()));
  };
  return {
    subject: storeOf(first),
    async reopen() {
      const store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
      stores.push(store);
      return storeOf(store);
    },
    breakDown,
    async stop() {
      await breakDown();
      await database.remove();
    },
  };
}

describeWithPostgres('PostgreSQL', () => {
  describeOrderStoreContract(runner, 'PostgreSQL', () =>
    storesOf(({ purchaseOrders }) => purchaseOrders),
  );
  describeClosesStoreContract(runner, 'PostgreSQL', () =>
    storesOf(({ dailyCloses }) => dailyCloses),
  );
  describeRewardRatesContract(runner, 'PostgreSQL', () =>
    storesOf(({ rewardRates }) => rewardRates),
  );
});
