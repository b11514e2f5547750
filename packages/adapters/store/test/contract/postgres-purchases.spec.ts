import * as runner from '@jest/globals';
import {
  describeClosesBookContract,
  describeOrderBookContract,
} from '@sotto/dca-core/testing/contracts';
import { describeRewardRatesContract } from '@sotto/staking-core/testing/contracts';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';

async function booksOf<Book>(bookOf: (store: OpenedStore) => Book) {
  const database = await emptiedDatabase();
  const first = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
  const stores = [first];
  const breakDown = async () => {
    await Promise.all(stores.map((store) => store.close()));
  };
  return {
    subject: bookOf(first),
    async reopen() {
      const store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
      stores.push(store);
      return bookOf(store);
    },
    breakDown,
    async stop() {
      await breakDown();
      await database.remove();
    },
  };
}

describeWithPostgres('PostgreSQL', () => {
  describeOrderBookContract(runner, 'PostgreSQL', () =>
    booksOf(({ purchaseOrders }) => purchaseOrders),
  );
  describeClosesBookContract(runner, 'PostgreSQL', () => booksOf(({ dailyCloses }) => dailyCloses));
  describeRewardRatesContract(runner, 'PostgreSQL', () =>
    booksOf(({ rewardRates }) => rewardRates),
  );
});
