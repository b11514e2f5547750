import * as runner from '@jest/globals';
import { describeGasStoreContract } from '@sotto/relayer-core/testing/contracts';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SettlementStage } from '../support/settlement-stage.js';
import { StagedClock } from '../support/staged-clock.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

describeGasStoreContract(runner, 'SQLite', async () => {
  const file = await migratedLedgerFile();
  const clock = new StagedClock();
  let store: OpenedStore = await openSqliteStore({ path: file.path, clock });
  const stage = await SettlementStage.on(store.ledger, clock);
  let count = 0;
  return {
    subject: store.gas,
    end: async ({ pool, operation, end, endedAtMs }) => {
      count += 1;
      const key = `0x5e|${pool}|0x${count}`;
      await stage.end(
        {
          key,
          kind: operation,
          subject: pool,
          role: 'relay',
          end,
          terms: null,
          gasPaidFri: 1n,
          acceptedAtMs: endedAtMs - 20_000,
          endedAtMs,
        },
        operation,
      );
    },
    async reopen() {
      await store.close();
      store = await openSqliteStore({ path: file.path, clock });
      return store.gas;
    },
    breakDown: async () => store.close(),
    async stop() {
      await store.close();
      file.remove();
    },
  };
});
