import * as runner from '@jest/globals';
import { openSqliteStore } from '../../src/index.js';
import { describeArchive } from '../support/archive-harness.js';
import { StagedClock } from '../support/staged-clock.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

const clock = new StagedClock();

describeArchive(runner, 'SQLite', clock, async () => {
  const file = await migratedLedgerFile();
  const one = await openSqliteStore({ path: file.path, clock });
  const other = await openSqliteStore({ path: file.path, clock });
  return {
    stores: [one, other],
    async stop() {
      await one.close();
      await other.close();
      file.remove();
    },
  };
});
