import * as runner from '@jest/globals';
import {
  describeClaimsContract,
  describeSponsorBudgetsContract,
  describeSettlementHistoryContract,
  describePoolControlsContract,
  describeTopUpStoreContract,
  describeTrafficStoreContract,
  describeSwapPinsContract,
  describeSwapRecordsContract,
} from '@sotto/relayer-core/testing/contracts';
import { aSubmission } from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SettlementStage } from '../support/settlement-stage.js';
import { StagedClock } from '../support/staged-clock.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

const AFTER_ALL_MS = 9_000_000_000_000;

async function aStore() {
  const file = await migratedLedgerFile();
  const stores: OpenedStore[] = [];
  const clock = new StagedClock();
  const open = async (): Promise<OpenedStore> => {
    const store = await openSqliteStore({ path: file.path, clock });
    stores.push(store);
    return store;
  };
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close();
  };
  const stop = async (): Promise<void> => {
    await close();
    file.remove();
  };
  return { store: await open(), open, close, stop, clock };
}

describeSettlementHistoryContract(runner, 'SQLite', async () => {
  const { store, close, stop, clock } = await aStore();
  const stage = await SettlementStage.on(store.ledger, clock);
  return {
    subject: store.settlements,
    end: async (staged) => stage.end(staged),
    begin: async (staged, isSent = false) => {
      const attempt = await stage.begin(staged);
      if (isSent) await stage.send(attempt);
    },
    wipe: async () => {
      clock.set(AFTER_ALL_MS);
      await store.ledger.redact(0);
    },
    breakDown: close,
    stop,
  };
});

describeTrafficStoreContract(runner, 'SQLite', async () => {
  const { store, close, stop, clock } = await aStore();
  const stage = await SettlementStage.on(store.ledger, clock);
  return { subject: store.traffic, ...stage.traffic(), breakDown: close, stop };
});

describeTopUpStoreContract(runner, 'SQLite', async () => {
  const { store, close, stop, clock } = await aStore();
  const stage = await SettlementStage.on(store.ledger, clock);
  return { subject: store.topUps, ...stage.topUps(), breakDown: close, stop };
});

describePoolControlsContract(runner, 'SQLite', async () => {
  const { store, open, close, stop } = await aStore();
  return {
    subject: store.poolControls,
    reopen: async () => (await open()).poolControls,
    breakDown: close,
    stop,
  };
});

describeClaimsContract(runner, 'SQLite', async () => {
  const { store, open, close, stop } = await aStore();
  return {
    subject: store.locks,
    reopen: async () => (await open()).locks,
    breakDown: close,
    stop,
  };
});

describeSponsorBudgetsContract(runner, 'SQLite', async () => {
  const { store, open, close, stop } = await aStore();
  return {
    subject: store.sponsorBudgets,
    reopen: async () => (await open()).sponsorBudgets,
    breakDown: close,
    stop,
  };
});

describeSwapPinsContract(runner, 'SQLite', async () => {
  const { store, open, close, stop } = await aStore();
  return {
    subject: store.swapPins,
    reopen: async () => (await open()).swapPins,
    breakDown: close,
    stop,
  };
});

describeSwapRecordsContract(runner, 'SQLite', async () => {
  const { store, open, close, stop } = await aStore();
  let keys = 0;
  return {
    subject: store.swapRecords,
    async accept({ to, entrypoint, calldata }) {
      const key = `swap-${(keys += 1)}`;
      await store.ledger.apply({
        type: 'request',
        submission: { ...aSubmission(key), key, target: { to, entrypoint }, calldata },
      });
    },
    reopen: async () => (await open()).swapRecords,
    breakDown: close,
    stop,
  };
});
