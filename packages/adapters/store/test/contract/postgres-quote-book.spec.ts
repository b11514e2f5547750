import { describeQuoteStoreContract } from '@sotto/relayer-core/testing';
import { openPostgresStore } from '../../src/index.js';
import { describeWithPostgres, temporaryDatabase } from '../support/postgres.js';

describeWithPostgres('PostgreSQL', () => {
  describeQuoteStoreContract('PostgreSQL', async () => {
    const database = await temporaryDatabase();
    let store = await openPostgresStore({ url: database.url });
    return {
      subject: store.quotes,
      async reopen() {
        await store.close();
        store = await openPostgresStore({ url: database.url });
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
