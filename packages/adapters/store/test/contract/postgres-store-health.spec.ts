import * as runner from '@jest/globals';
import { describeStoreHealthContract } from '@sotto/submission-core/testing/contracts';
import { openPostgresStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';

describeWithPostgres('PostgreSQL', () => {
  describeStoreHealthContract(runner, 'PostgreSQL', async (probeClock) => {
    const database = await emptiedDatabase();
    const { health, close } = await openPostgresStore({
      url: database.url,
      poolSize: POOL_SIZE,
      probeClock,
    });
    const readOnly = (value: string): Promise<unknown> =>
      database.query(
        `set transaction_read_only = off; do $$ begin execute 'alter database ' || current_database() || ' set default_transaction_read_only = ${value}';
          perform pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid(); end $$`,
      );
    return {
      subject: health,
      async refuseWrites() {
        await readOnly('on');
        // Calls fail until the pool has detected each of its broken connections.
        for (let left = POOL_SIZE; left > 0; left -= 1) await health.size().catch(() => null);
        return '25006';
      },
      async takeWrites() {
        await readOnly('off');
        for (let left = POOL_SIZE; left > 0; left -= 1) await health.size().catch(() => null);
      },
      breakDown: close,
      async stop() {
        await close();
        await database.remove();
      },
    };
  });
});
