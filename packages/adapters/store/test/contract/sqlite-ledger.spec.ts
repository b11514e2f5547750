import * as runner from '@jest/globals';
import { describeLedgerContract } from '@sotto/submission-core/testing/contracts';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeLedgerContract(runner, 'SQLite', async (options) => {
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
