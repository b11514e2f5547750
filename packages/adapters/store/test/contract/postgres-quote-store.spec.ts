import * as runner from '@jest/globals';
import { describeQuoteStoreContract } from '@sotto/relayer-core/testing/contracts';
import { openPostgresStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';

describeWithPostgres('PostgreSQL', () => {
  describeQuoteStoreContract(runner, 'PostgreSQL', async () => {
    const database = await emptiedDatabase();
    let store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
    return {
      subject: store.quotes,
      async reopen() {
        await store.close();
        store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
        return store.quotes;
      },
      breakDown: async () => store.close(),
      async stop() {
        await store.close();
        await database.remove();
      },
    };
  });
});
