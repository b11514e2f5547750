import * as runner from '@jest/globals';
import { describeQuoteStoreContract } from '@sotto/relayer-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeQuoteStoreContract(runner, 'SQLite', async () => {
  const file = await migratedLedgerFile();
  let store: OpenedStore = await openSqliteStore({ path: file.path });
  return {
    subject: store.quotes,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ path: file.path });
      return store.quotes;
    },
    breakDown: async () => store.close(),
    async stop() {
      await store.close();
      file.remove();
    },
  };
});
