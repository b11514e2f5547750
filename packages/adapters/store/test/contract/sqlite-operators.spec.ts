import * as runner from '@jest/globals';
import { describeOperatorLogContract } from '@sotto/relayer-core/testing/contracts';
import { describeSubmissionRegisterContract } from '@sotto/submission-core/testing/contracts';
import { openSqliteStore } from '../../src/index.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeSubmissionRegisterContract(runner, 'SQLite', async (options) => {
  const file = await migratedLedgerFile();
  const { ledger, register, close } = await openSqliteStore({ path: file.path, ...options });
  return {
    ledger,
    register,
    async stop() {
      await close();
      file.remove();
    },
  };
});

describeOperatorLogContract(runner, 'SQLite', async (clock) => {
  const file = await migratedLedgerFile();
  const open = () => openSqliteStore({ path: file.path, clock });
  let store = await open();
  return {
    subject: store.operatorLog,
    async reopen() {
      await store.close();
      store = await open();
      return store.operatorLog;
    },
    async stop() {
      await store.close();
      file.remove();
    },
  };
});
