import * as runner from '@jest/globals';
import { afterAll, beforeAll } from '@jest/globals';
import { describeLedgerContract } from '@sotto/submission-core/testing/contracts';
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

  describeLedgerContract(runner, 'PostgreSQL', async (options) => {
    const { ledger, close } = await openPostgresStore({
      url: database.url,
      ...options,
      poolSize: POOL_SIZE,
    });
    return {
      ledger,
      async markPossibleCopy(sinceMs) {
        await database.query('update chain set possible_copy_since_ms = $1', [sinceMs]);
      },
      async stop() {
        await close();
        await database.empty();
      },
    };
  });
});
