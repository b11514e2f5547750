import * as runner from '@jest/globals';
import { afterAll, beforeAll } from '@jest/globals';
import { describeAuditStoreContract } from '@sotto/submission-core/testing/contracts';
import { openPostgresStore } from '../../src/index.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';

describeWithPostgres('PostgreSQL', () => {
  let database: TemporaryDatabase;
  beforeAll(async () => {
    database = await temporaryDatabase();
  });
  afterAll(() => database.remove());

  describeAuditStoreContract(runner, 'PostgreSQL', async (options) => {
    const { ledger, audit, close } = await openPostgresStore({
      url: database.url,
      ...options,
      poolSize: POOL_SIZE,
    });
    return {
      ledger,
      store: audit,
      async stop() {
        await close();
        await database.empty();
      },
    };
  });
});
