import { beforeEach, describe, expect, it } from '@jest/globals';
import { keeperMetrics } from '@sotto/adapter-observability';
import {
  TaskCounters,
  skipped,
  type TaskReport,
  type TaskStatus,
  type WindowBudget,
} from '@sotto/keeper-core';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';

const STRK = 10n ** 18n;
const TOKENS = { WBTC: { address: toFelt('0xb7'), decimals: 8 } };
const clock = new ManualClock();
const acted: TaskReport = { outcome: 'acted', submissionId: 'id-1', details: {} };
const left = (leftFri: bigint | null): WindowBudget => ({
  limitFri: 10n * STRK,
  spentFri: 0n,
  liveFri: leftFri === null ? null : 0n,
  leftFri,
  earned: [],
});
const polled = (subject: string, report: TaskReport | null, sinceMs = 90_000) => ({
  subject,
  paused: null,
  lastPoll: report === null ? null : { atMs: 90_000, sinceMs, report },
  dueAtMs: null,
  lastActed: null,
});
const aTask = (changes: Partial<TaskStatus>): TaskStatus => ({
  task: 'curator',
  isOn: true,
  holder: null,
  notHeldSinceMs: null,
  paused: null,
  budget: { hour: left(STRK / 2n), day: left(4n * STRK) },
  subjects: [],
  ...changes,
});

describe('metrics of the keeper', () => {
  let metrics: Metrics;
  let counters: TaskCounters;
  let requested: number;
  let status: () => Promise<readonly TaskStatus[]>;
  beforeEach(() => {
    metrics = new Metrics(false, 20);
    counters = new TaskCounters();
    status = async () => [aTask({})];
    requested = 0;
    const counted = () => {
      requested += 1;
      return status();
    };
    keeperMetrics(metrics, { counters, status: { execute: counted }, clock, tokens: TOKENS });
  });
  const lines = async (name: string): Promise<readonly string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));

  it('the metrics count the keeper’s checks by task and by result', async () => {
    expect(await lines('sotto_keeper_looks_total')).toEqual([]);
    counters.count('curator', skipped('NOT_DUE', { caller: 'not a label' }));
    counters.count('curator', skipped('NOT_DUE'));
    counters.count('batches', acted);
    expect(await lines('sotto_keeper_looks_total')).toEqual([
      'sotto_keeper_looks_total{task="curator",outcome="NOT_DUE"} 2',
      'sotto_keeper_looks_total{task="batches",outcome="acted"} 1',
    ]);
  });

  it('the metrics contain the remaining budgets of enabled keeper tasks, if the gas price is known', async () => {
    status = async () => [
      aTask({}),
      aTask({ task: 'batches', isOn: false }),
      aTask({ task: 'treasury', budget: { hour: left(null), day: left(null) } }),
    ];
    expect(await lines('sotto_keeper_budget_left_strk')).toEqual([
      'sotto_keeper_budget_left_strk{task="curator",window="hour"} 0.5',
      'sotto_keeper_budget_left_strk{task="curator",window="day"} 4',
    ]);
  });

  it('the metrics count the keeper’s subjects by the result of their last check, without the subjects’ names', async () => {
    status = async () => [
      aTask({
        subjects: [
          polled('sentinel', skipped('FAILED_TOO_OFTEN')),
          polled('trident', skipped('FAILED_TOO_OFTEN')),
          polled('turbo', acted),
          polled('apex', null),
        ],
      }),
    ];
    expect(await lines('sotto_keeper_subjects')).toEqual([
      'sotto_keeper_subjects{task="curator",outcome="FAILED_TOO_OFTEN"} 2',
      'sotto_keeper_subjects{task="curator",outcome="acted"} 1',
    ]);
  });

  it('the metrics contain the amounts that keeper tasks have spent and earned, including tasks that this process does not run', async () => {
    const [wbtc, unknown] = [toFelt('0xb7'), toFelt('0x1234')];
    const window = (spentFri: bigint, amount: bigint): WindowBudget => ({
      ...left(null),
      spentFri,
      earned: [
        { token: unknown, amount: 7n },
        { token: wbtc, amount },
        { token: toFelt('0x5678'), amount: 8n },
      ],
    });
    status = async () => [
      aTask({ budget: { hour: left(0n), day: left(0n) } }),
      aTask({
        task: 'purchases',
        isOn: false,
        budget: { hour: window(STRK / 4n, 1_250n), day: window(3n * STRK, 100_000_000n) },
      }),
    ];
    expect(await lines('sotto_keeper_spent_strk')).toEqual([
      'sotto_keeper_spent_strk{task="curator",window="hour"} 0',
      'sotto_keeper_spent_strk{task="curator",window="day"} 0',
      'sotto_keeper_spent_strk{task="purchases",window="hour"} 0.25',
      'sotto_keeper_spent_strk{task="purchases",window="day"} 3',
    ]);
    // Tokens of unknown decimals are omitted, because their amounts can't be added up.
    expect(await lines('sotto_keeper_earned')).toEqual([
      'sotto_keeper_earned{task="purchases",window="hour",token="WBTC"} 0.0000125',
      'sotto_keeper_earned{task="purchases",window="day",token="WBTC"} 1',
    ]);
  });

  it('the metrics contain the longest age of each check result among a keeper task’s subjects', async () => {
    status = async () => [
      aTask({
        subjects: [
          polled('sentinel', skipped('PRICE_UNAVAILABLE'), 60_000),
          polled('trident', skipped('PRICE_UNAVAILABLE'), 30_000),
          polled('turbo', acted, 89_000),
          polled('apex', null),
        ],
      }),
      aTask({ task: 'batches', subjects: [polled('one', skipped('PRICE_UNAVAILABLE'))] }),
    ];
    expect(await lines('sotto_keeper_outcome_seconds')).toEqual([
      'sotto_keeper_outcome_seconds{task="curator",outcome="PRICE_UNAVAILABLE"} 60',
      'sotto_keeper_outcome_seconds{task="curator",outcome="acted"} 1',
      'sotto_keeper_outcome_seconds{task="batches",outcome="PRICE_UNAVAILABLE"} 0',
    ]);
  });

  it('the metrics contain the time for which no process has held the lease of a keeper task', async () => {
    const notHeldSinceMs = clock.nowMs() - 90_000;
    status = async () => [
      aTask({}),
      aTask({ task: 'batches', isOn: false, notHeldSinceMs }),
      aTask({ task: 'treasury', notHeldSinceMs, paused: { reason: 'off', sinceMs: 1 } }),
    ];
    expect(await lines('sotto_keeper_not_held_seconds')).toEqual([
      'sotto_keeper_not_held_seconds{task="batches"} 90',
    ]);
  });

  it('the metrics query the store once for each scrape', async () => {
    await metrics.text();
    await metrics.text();
    expect(requested).toBe(2);
  });

  it('the metrics contain only the process’s own samples while the store is unavailable', async () => {
    counters.count('curator', acted);
    status = () => Promise.reject(new LedgerUnavailable());
    expect(await lines('sotto_keeper_budget_left_strk')).toEqual([]);
    expect(await lines('sotto_keeper_subjects')).toEqual([]);
    expect(await lines('sotto_keeper_spent_strk')).toEqual([]);
    expect(await lines('sotto_keeper_looks_total')).toHaveLength(1);
  });
});
