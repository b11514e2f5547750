import * as runner from '@jest/globals';
import {
  describeAlertStoreContract,
  describeDeliveryStoreContract,
} from '@sotto/webhook-core/testing/contracts';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';
import { SharedClock } from '../support/staged-clock.js';
import { alertStoreOn, deliveryStoreOn, type StagedStore } from '../support/webhook-harness.js';

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
  return { store: await open(), clock, open, close, stop };
}

describeWithPostgres('webhooks on PostgreSQL', () => {
  describeDeliveryStoreContract(runner, 'PostgreSQL', async () => deliveryStoreOn(await aStore()));
  describeAlertStoreContract(runner, 'PostgreSQL', async () => alertStoreOn(await aStore()));
});
