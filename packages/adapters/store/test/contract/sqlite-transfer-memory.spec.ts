import * as runner from '@jest/globals';
import { describeTransferStoreContract } from '@sotto/bridge-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeTransferStoreContract(runner, 'SQLite', async () => {
  const file = await migratedLedgerFile();
  let store: OpenedStore = await openSqliteStore({ path: file.path });
  return {
    subject: store.transfers,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ path: file.path });
      return store.transfers;
    },
    breakDown: async () => store.close(),
    async stop() {
      await store.close();
      file.remove();
    },
  };
});
