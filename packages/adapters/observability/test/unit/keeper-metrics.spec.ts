import { beforeEach, describe, expect, it } from '@jest/globals';
import { keeperMetrics } from '@sotto/adapter-observability';
import {
  TaskCounters,
  skipped,
  type TaskReport,
  type TaskStatus,
  type WindowBudget,
} from '@sotto/keeper-core';
import { LedgerUnavailable } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';

const STRK = 10n ** 18n;
const acted: TaskReport = { outcome: 'acted', submissionId: 'id-1', details: {} };
const left = (leftFri: bigint | null): WindowBudget => ({
  limitFri: 10n * STRK,
  spentFri: 0n,
  liveFri: leftFri === null ? null : 0n,
  leftFri,
  earned: [],
});
const looked = (subject: string, report: TaskReport | null) => ({
  subject,
  paused: null,
  lastLook: report === null ? null : { atMs: 1, report },
  dueAtMs: null,
  lastActed: null,
});
const aTask = (changes: Partial<TaskStatus>): TaskStatus => ({
  task: 'curator',
  isOn: true,
  holder: null,
  paused: null,
  budget: { hour: left(STRK / 2n), day: left(4n * STRK) },
  subjects: [],
  ...changes,
});

describe('metrics of the keeper', () => {
  let metrics: Metrics;
  let counters: TaskCounters;
  let status: () => Promise<readonly TaskStatus[]>;
  beforeEach(() => {
    metrics = new Metrics(false, 20);
    counters = new TaskCounters();
    status = async () => [aTask({})];
    keeperMetrics(metrics, { counters, status: { execute: () => status() } });
  });
  const lines = async (name: string): Promise<readonly string[]> =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));

  it('count looks by task and by what came of them', async () => {
    expect(await lines('sotto_keeper_looks_total')).toEqual([]);
    counters.count('curator', skipped('NOT_DUE', { caller: 'not a label' }));
    counters.count('curator', skipped('NOT_DUE'));
    counters.count('batches', acted);
    expect(await lines('sotto_keeper_looks_total')).toEqual([
      'sotto_keeper_looks_total{task="curator",outcome="NOT_DUE"} 2',
      'sotto_keeper_looks_total{task="batches",outcome="acted"} 1',
    ]);
  });

  it('have what is left of the budgets of tasks that are on, where the price of gas is known', async () => {
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

  it('count subjects by the last look at them, and not by their names', async () => {
    status = async () => [
      aTask({
        subjects: [
          looked('sentinel', skipped('FAILED_TOO_OFTEN')),
          looked('trident', skipped('FAILED_TOO_OFTEN')),
          looked('turbo', acted),
          looked('apex', null),
        ],
      }),
    ];
    expect(await lines('sotto_keeper_subjects')).toEqual([
      'sotto_keeper_subjects{task="curator",outcome="FAILED_TOO_OFTEN"} 2',
      'sotto_keeper_subjects{task="curator",outcome="acted"} 1',
    ]);
  });

  it('have no samples of the store while it is down, and those of the process', async () => {
    counters.count('curator', acted);
    status = () => Promise.reject(new LedgerUnavailable());
    expect(await lines('sotto_keeper_budget_left_strk')).toEqual([]);
    expect(await lines('sotto_keeper_subjects')).toEqual([]);
    expect(await lines('sotto_keeper_looks_total')).toHaveLength(1);
  });
});
