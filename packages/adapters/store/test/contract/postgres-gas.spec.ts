import * as runner from '@jest/globals';
import { describeGasStoreContract } from '@sotto/relayer-core/testing/contracts';
import { openPostgresStore } from '../../src/index.js';
import { SettlementStage } from '../support/settlement-stage.js';
import { POOL_SIZE, describeWithPostgres, emptiedDatabase } from '../support/postgres.js';
import { StagedClock } from '../support/staged-clock.js';

describeWithPostgres('PostgreSQL', () => {
  describeGasStoreContract(runner, 'PostgreSQL', async () => {
    const database = await emptiedDatabase();
    const clock = new StagedClock();
    let store = await openPostgresStore({ url: database.url, clock, poolSize: POOL_SIZE });
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
        store = await openPostgresStore({ url: database.url, clock, poolSize: POOL_SIZE });
        return store.gas;
      },
      breakDown: async () => store.close(),
      async stop() {
        await store.close();
        await database.remove();
      },
    };
  });
});
