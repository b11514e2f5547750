import type { MayerReply, OrderList } from '@sotto/dca-core';
import type { SkipReason, TaskName } from '@sotto/facts';
import type { TaskDetails, TaskStatus } from '@sotto/keeper-core';
import { toFelt } from '@sotto/kernel';

const NOW_MS = 1_800_000_000_000;
const window = {
  limitFri: 2n ** 70n,
  spentFri: 2n ** 60n,
  liveFri: 0n,
  leftFri: 7n,
  earned: [{ token: toFelt('0xb7c'), amount: 2n ** 65n }],
};

/** Details of a call that tasks store, by name. */
export const TERMS = {
  amount: '7000000001',
  amountSats: '7000000002',
  minimumSats: '7000000003',
  minimumOut: '7000000004',
  direction: 'the way of the swap',
  target: 'the target of the operator',
  band: 'the band of the order',
  count: 7_000_005,
  partial: 'whether the batch is partial',
  feeStrk: '7.000006',
  costStrk: '7.000007',
  costFri: '7000000008',
  submissionId: 'id-of-call',
} as const;

/**
 * Status of the curator task with two vaults: one vault whose deployment was sent, and one vault
 * that waits.
 */
export const curatorTask: TaskStatus = {
  task: 'curator',
  isOn: true,
  holder: { instance: 'one', untilMs: NOW_MS + 60_000 },
  notHeldSinceMs: null,
  paused: null,
  budget: { hour: window, day: { ...window, liveFri: null, leftFri: null } },
  subjects: [
    {
      subject: 'citadel',
      paused: { reason: 'an upgrade', sinceMs: NOW_MS - 5_000 },
      lastPoll: {
        atMs: NOW_MS,
        sinceMs: NOW_MS - 90_000,
        report: {
          outcome: 'skipped',
          reason: 'NOT_SETTLED',
          details: { idleSats: '7' },
          dueAtMs: 1,
        },
      },
      dueAtMs: NOW_MS + 1_500,
      lastActed: null,
    },
    {
      subject: 'sentinel',
      paused: null,
      lastPoll: {
        atMs: NOW_MS,
        sinceMs: NOW_MS,
        report: { outcome: 'acted', submissionId: 'a', details: {} },
      },
      dueAtMs: null,
      lastActed: { atMs: NOW_MS, submissionId: 'a', isSettled: true },
    },
  ],
};

/** Status of the treasury task. One of its lanes could not be funded. */
export const treasuryTask: TaskStatus = {
  ...curatorTask,
  task: 'treasury',
  subjects: [
    {
      subject: 'relay-0',
      paused: null,
      lastPoll: {
        atMs: NOW_MS,
        sinceMs: NOW_MS - 3_600_000,
        report: {
          outcome: 'skipped',
          reason: 'TREASURY_EMPTY',
          details: { balanceFri: '31', treasuryFri: '41', code: 'NODE_BEHIND' },
          dueAtMs: NOW_MS + 1_000,
        },
      },
      dueAtMs: NOW_MS + 1_000,
      lastActed: null,
    },
  ],
};

/**
 * Status of two tasks whose gas budgets are used up: the task for purchases, and the task that
 * reduces a vault's leverage.
 */
export const spentTasks: readonly TaskStatus[] = [
  spent('purchases', { reason: 'BUDGET_EXHAUSTED', details: { executed: 3 } }),
  spent('leverage', {
    reason: 'HEALTH_BELOW_FLOOR',
    details: { debt: '7', because: 'BUDGET_EXHAUSTED' },
  }),
];

function spent(
  task: TaskName,
  { reason, details }: { readonly reason: SkipReason; readonly details: TaskDetails },
): TaskStatus {
  const dueAtMs = NOW_MS + 1_000;
  const report = { outcome: 'skipped', reason, details, dueAtMs } as const;
  const lastPoll = { atMs: NOW_MS, sinceMs: NOW_MS, report };
  const subjects = [{ subject: 'one', paused: null, lastPoll, dueAtMs, lastActed: null }];
  return { ...curatorTask, task, subjects };
}

/** Returns a task of this name with all stored details of a call, settled or not. */
export const calledTask = (task: TaskName, isSettled: boolean): TaskStatus => ({
  ...curatorTask,
  task,
  subjects: [
    {
      subject: 'one',
      paused: null,
      lastPoll: {
        atMs: NOW_MS,
        sinceMs: NOW_MS,
        report: { outcome: 'acted', submissionId: TERMS.submissionId, details: TERMS },
      },
      dueAtMs: null,
      lastActed: { atMs: NOW_MS, submissionId: TERMS.submissionId, isSettled },
    },
    {
      subject: 'two',
      paused: null,
      lastPoll: {
        atMs: NOW_MS,
        sinceMs: NOW_MS,
        report: { outcome: 'skipped', reason: 'UNPROFITABLE', details: TERMS, dueAtMs: null },
      },
      dueAtMs: null,
      lastActed: null,
    },
  ],
});

/** Returns a task with `count` subjects. Every `alertEvery`th subject needs an operator. */
export const manySubjects = (count: number, alertEvery: number): TaskStatus => ({
  ...curatorTask,
  task: 'purchases',
  subjects: Array.from({ length: count }, (_, index) => ({
    subject: String(index),
    paused: null,
    lastPoll: {
      atMs: NOW_MS,
      sinceMs: NOW_MS,
      report: {
        outcome: 'skipped',
        reason: index % alertEvery === 0 ? 'FAILED_TOO_OFTEN' : 'NOT_DUE',
        details: {},
        dueAtMs: null,
      },
    },
    dueAtMs: null,
    lastActed: null,
  })),
});

export const mayerReply: MayerReply = {
  blockNumber: 7,
  timestamp: 1_800_000_000,
  contract: { multiple: '0.900000', band: '1.25' },
  own: null,
  verdict: 'unknown',
  spotUsd: '100000.00',
  meanUsd: null,
  days: { agreed: 194, missing: 5, disputed: 1 },
  bands: ['1.5', '1.25', '1', '0.75', '0.5'],
};

export const orderList: OrderList = {
  contract: toFelt('0x7001'),
  blockNumber: 7,
  timestamp: 1_800_000_000,
  knownThroughBlock: 6,
  orders: [
    {
      orderId: 1n,
      state: 'due',
      sellToken: toFelt('0xdc'),
      sellSymbol: 'USDC',
      amount: 2n ** 70n,
      remaining: 5n,
      frequencySeconds: 3_600n,
      total: 3,
      executed: 1,
      isSmart: true,
      nextDueAt: 1_799_999_000n,
    },
    { orderId: 2n, state: 'unreadable' },
  ],
  next: 2n,
};
