import * as runner from '@jest/globals';
import { describeInstanceBusContract } from '@sotto/submission-core/testing/contracts';
import { openPostgresStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';

describeWithPostgres('PostgreSQL', () => {
  describeInstanceBusContract(runner, 'PostgreSQL', async () => {
    const database = await emptiedDatabase();
    const open = () => openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
    const [a, b, c] = [await open(), await open(), await open()];
    return {
      instances: [a.bus, b.bus, c.bus],
      async stop() {
        for (const store of [a, b, c]) await store.close();
        await database.remove();
      },
    };
  });
});
