import * as runner from '@jest/globals';
import { describeAuditStoreContract } from '@sotto/submission-core/testing/contracts';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeAuditStoreContract(runner, 'SQLite', async (options) => {
  const file = await migratedLedgerFile();
  const { ledger, audit, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    store: audit,
    async stop() {
      await close();
      file.remove();
    },
  };
});
