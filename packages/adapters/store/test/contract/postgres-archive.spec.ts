import * as runner from '@jest/globals';
import { openPostgresStore } from '../../src/index.js';
import { describeArchive } from '../support/archive-harness.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';
import { StagedClock } from '../support/staged-clock.js';

const clock = new StagedClock();

describeWithPostgres('PostgreSQL', () => {
  describeArchive(runner, 'PostgreSQL', clock, async () => {
    const database = await emptiedDatabase();
    const open = () => openPostgresStore({ url: database.url, poolSize: POOL_SIZE, clock });
    const one = await open();
    const other = await open();
    return {
      stores: [one, other],
      async stop() {
        await one.close();
        await other.close();
        await database.remove();
      },
    };
  });
});
