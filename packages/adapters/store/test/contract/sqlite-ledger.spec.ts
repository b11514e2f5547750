import { describeLedgerContract } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeLedgerContract('SQLite', async (options) => {
  const file = await migratedLedgerFile();
  const { ledger, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    async stop() {
      await close();
      file.remove();
    },
  };
});
