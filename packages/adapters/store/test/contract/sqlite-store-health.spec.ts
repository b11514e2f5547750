import { DatabaseSync } from 'node:sqlite';
import * as runner from '@jest/globals';
import { describeStoreHealthContract } from '@sotto/submission-core/testing/contracts';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeStoreHealthContract(runner, 'SQLite', async (probeClock) => {
  const file = await migratedLedgerFile();
  const { health, close } = await openSqliteStore({
    path: file.path,
    busyTimeoutMs: 10,
    probeClock,
  });
  // Another process has a write transaction that does not end.
  const other = new DatabaseSync(file.path);
  return {
    subject: health,
    async refuseWrites() {
      other.exec('begin immediate');
      return 'SQLITE_BUSY';
    },
    takeWrites: async () => other.exec('rollback'),
    breakDown: close,
    async stop() {
      other.close();
      await close();
      file.remove();
    },
  };
});
