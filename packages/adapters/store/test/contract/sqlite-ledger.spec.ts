import { describeLedgerContract } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

describeLedgerContract('SQLite', async (options) => {
  const file = temporaryLedgerFile();
  const { ledger, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    async stop() {
      await close();
      file.remove();
    },
  };
});
