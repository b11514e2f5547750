import type { TaskBookHarness, TaskLeasesHarness } from '@sotto/keeper-core/testing';
import { toFelt } from '@sotto/kernel';
import { aSubmission } from '@sotto/submission-core/testing';
import type { OpenedStore } from '../../src/index.js';
import { SettlementStage } from './settlement-stage.js';
import type { SharedClock } from './staged-clock.js';

/** A store as the contracts of the keeper's ports stage it. */
export interface StagedStore {
  readonly store: OpenedStore;
  readonly clock: SharedClock;
  readonly open: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export function taskLeasesOn({ store, clock, open, close, stop }: StagedStore): TaskLeasesHarness {
  let nowMs = 1_760_000_000_000;
  clock.set(nowMs);
  return {
    subject: store.taskLeases,
    reopen: async () => (await open()).taskLeases,
    pass(ms) {
      nowMs += ms;
      clock.set(nowMs);
    },
    breakDown: close,
    stop,
  };
}

export async function taskBookOn({
  store,
  clock,
  open,
  close,
  stop,
}: StagedStore): Promise<TaskBookHarness> {
  const stage = await SettlementStage.on(store.ledger, clock);
  let keys = 0;
  return {
    subject: store.taskBook,
    reopen: async () => (await open()).taskBook,
    setTime: (nowMs) => clock.set(nowMs),
    async end(kind, gasPaidFri, endedAtMs) {
      await stage.end({
        key: `ended-${(keys += 1)}`,
        kind,
        subject: toFelt('0xaa1'),
        role: 'relay',
        end: 'succeeded',
        terms: null,
        gasPaidFri,
        acceptedAtMs: endedAtMs - 20_000,
        endedAtMs,
      });
    },
    async begin(kind, l2Gas) {
      const usual = aSubmission(`live-${(keys += 1)}`);
      await store.ledger.apply({
        type: 'request',
        submission: { ...usual, kind, limits: { ...usual.limits, l2Gas } },
      });
    },
    breakDown: close,
    stop,
  };
}
