import { describeAuditBookContract } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

describeAuditBookContract('SQLite', async (options) => {
  const file = temporaryLedgerFile();
  const { ledger, audit, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    book: audit,
    async stop() {
      await close();
      file.remove();
    },
  };
});
