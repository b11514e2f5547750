import * as runner from '@jest/globals';
import {
  describeAlertStoreContract,
  describeDeliveryStoreContract,
} from '@sotto/webhook-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SharedClock } from '../support/staged-clock.js';
import { alertStoreOn, deliveryStoreOn, type StagedStore } from '../support/webhook-harness.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

async function aStore(): Promise<StagedStore> {
  const file = await migratedLedgerFile();
  const stores: OpenedStore[] = [];
  const clock = new SharedClock();
  const open = async (): Promise<OpenedStore> => {
    const store = await openSqliteStore({ path: file.path, clock });
    stores.push(store);
    return store;
  };
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close();
  };
  const stop = async (): Promise<void> => {
    await close();
    file.remove();
  };
  return { store: await open(), clock, open, close, stop };
}

describeDeliveryStoreContract(runner, 'SQLite', async () => deliveryStoreOn(await aStore()));
describeAlertStoreContract(runner, 'SQLite', async () => alertStoreOn(await aStore()));
