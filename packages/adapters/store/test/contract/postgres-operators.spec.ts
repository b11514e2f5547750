import * as runner from '@jest/globals';
import { afterAll, beforeAll } from '@jest/globals';
import { describeOperatorLogContract } from '@sotto/relayer-core/testing/contracts';
import { describeSubmissionRegisterContract } from '@sotto/submission-core/testing/contracts';
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

  describeSubmissionRegisterContract(runner, 'PostgreSQL', async (options) => {
    const { ledger, register, close } = await openPostgresStore({
      url: database.url,
      ...options,
      poolSize: POOL_SIZE,
    });
    return {
      ledger,
      register,
      async stop() {
        await close();
        await database.empty();
      },
    };
  });

  describeOperatorLogContract(runner, 'PostgreSQL', async (clock) => {
    const open = () => openPostgresStore({ url: database.url, clock, poolSize: POOL_SIZE });
    let store = await open();
    return {
      subject: store.operatorLog,
      async reopen() {
        await store.close();
        store = await open();
        return store.operatorLog;
      },
      async stop() {
        await store.close();
        await database.empty();
      },
    };
  });
});
