import * as runner from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { describeLeverageTargetsContract } from '@sotto/curator-core/testing/contracts';
import {
  describeTaskStoreContract,
  describeTaskLeasesContract,
} from '@sotto/keeper-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SharedClock } from '../support/staged-clock.js';
import { leverageTargetsOn } from '../support/leverage-harness.js';
import { taskStoreOn, taskLeasesOn, type StagedStore } from '../support/task-harness.js';
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
  const execute = async (statement: string): Promise<void> => {
    const database = new DatabaseSync(file.path);
    database.exec(statement);
    database.close();
  };
  return { store: await open(), clock, execute, open, close, stop };
}

describeTaskLeasesContract(runner, 'SQLite', async () => taskLeasesOn(await aStore()));
describeTaskStoreContract(runner, 'SQLite', async () => taskStoreOn(await aStore()));
describeLeverageTargetsContract(runner, 'SQLite', async () => leverageTargetsOn(await aStore()));
