import { DatabaseSync } from 'node:sqlite';
import * as runner from '@jest/globals';
import { describeLedgerContract } from '@sotto/submission-core/testing/contracts';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeLedgerContract(runner, 'SQLite', async (options) => {
  const file = await migratedLedgerFile();
  const { ledger, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    async markPossibleCopy(sinceMs) {
      const database = new DatabaseSync(file.path);
      database.prepare('update chain set possible_copy_since_ms = ?').run(sinceMs);
      database.close();
    },
    async stop() {
      await close();
      file.remove();
    },
  };
});
