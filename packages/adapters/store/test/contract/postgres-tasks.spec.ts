import * as runner from '@jest/globals';
import { describeLeverageTargetsContract } from '@sotto/curator-core/testing/contracts';
import {
  describeTaskStoreContract,
  describeTaskLeasesContract,
} from '@sotto/keeper-core/testing/contracts';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';
import { SharedClock } from '../support/staged-clock.js';
import { leverageTargetsOn } from '../support/leverage-harness.js';
import { taskStoreOn, taskLeasesOn, type StagedStore } from '../support/task-harness.js';

async function aStore(): Promise<StagedStore> {
  const database = await emptiedDatabase();
  const stores: OpenedStore[] = [];
  const clock = new SharedClock();
  const open = async (): Promise<OpenedStore> => {
    const store = await openPostgresStore({ url: database.url, clock, poolSize: POOL_SIZE });
    stores.push(store);
    return store;
  };
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close();
  };
  const stop = async (): Promise<void> => {
    await close();
    await database.remove();
  };
  const execute = async (statement: string): Promise<void> =>
    void (await database.query(statement));
  return { store: await open(), clock, execute, open, close, stop };
}

describeWithPostgres('the keeper on PostgreSQL', () => {
  describeTaskLeasesContract(runner, 'PostgreSQL', async () => taskLeasesOn(await aStore()));
  describeTaskStoreContract(runner, 'PostgreSQL', async () => taskStoreOn(await aStore()));
  describeLeverageTargetsContract(runner, 'PostgreSQL', async () =>
    leverageTargetsOn(await aStore()),
  );
});
