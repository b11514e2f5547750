import type { TaskStoreHarness, TaskLeasesHarness } from '@sotto/keeper-core/testing/contracts';
import { toFelt } from '@sotto/kernel';
import { aSubmission } from '@sotto/submission-core/testing';
import type { OpenedStore } from '../../src/index.js';
import { SettlementStage } from './settlement-stage.js';
import type { SharedClock } from './staged-clock.js';

/** Store for the contract tests of the keeper's ports. */
export interface StagedStore {
  readonly store: OpenedStore;
  readonly clock: SharedClock;
  /** Runs a statement directly on the database. */
  readonly execute: (statement: string) => Promise<void>;
  readonly open: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const NOW_MS = 1_760_000_000_000;

export function taskLeasesOn({ store, clock, open, close, stop }: StagedStore): TaskLeasesHarness {
  let nowMs = NOW_MS;
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

export async function taskStoreOn({
  store,
  clock,
  execute,
  open,
  close,
  stop,
}: StagedStore): Promise<TaskStoreHarness> {
  const stage = await SettlementStage.on(store.ledger, clock);
  let [keys, nowMs] = [0, NOW_MS];
  const ended = (kind: string, endedAtMs: number) => ({
    key: `ended-${(keys += 1)}`,
    kind,
    subject: toFelt('0xaa1'),
    role: 'relay' as const,
    end: 'succeeded' as const,
    terms: null,
    acceptedAtMs: endedAtMs - 20_000,
    endedAtMs,
  });
  return {
    subject: store.taskBook,
    reopen: async () => (await open()).taskBook,
    setTime(toMs) {
      nowMs = toMs;
      clock.set(toMs);
    },
    polled: (task, from, to) =>
      execute(`insert into task_looks (task, subject, at_ms, since_ms, reason, details)
        with recursive numbers (i) as (select ${from} union all
          select i + 1 from numbers where i + 1 < ${to})
        select '${task}', cast(i as text), ${nowMs}, ${nowMs}, 'NOT_DUE', '{}' from numbers`),
    end: (kind, gasPaidFri, endedAtMs) => stage.end({ ...ended(kind, endedAtMs), gasPaidFri }),
    earn: (kind, { token, amount }, endedAtMs, end) =>
      stage.end({
        ...ended(kind, endedAtMs),
        end,
        terms: {
          feeAmount: amount,
          feeToken: token,
          costFri: 1n,
          strkUsdE8: 1n,
          feeTokenUsdE8: 1n,
        },
        gasPaidFri: 1n,
      }),
    async begin(kind, l2Gas) {
      const usual = aSubmission(`live-${(keys += 1)}`);
      await store.ledger.apply({
        type: 'request',
        submission: { ...usual, kind, limits: { ...usual.limits, l2Gas } },
      });
    },
    async submitted(state) {
      const staged = { ...ended('deploy_idle_funds', NOW_MS), gasPaidFri: 1n };
      if (state === 'accepted') return (await stage.begin(staged)).id;
      await stage.end({ ...staged, end: state });
      return (await store.ledger.lastAttempt(staged.key))?.id ?? '';
    },
    breakDown: close,
    stop,
  };
}
