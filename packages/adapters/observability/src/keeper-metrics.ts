import { SKIP_REASONS, TASK_NAMES } from '@sotto/facts';
import type { GetKeeperStatus, TaskCounters } from '@sotto/keeper-core';
import type { Metrics } from '@sotto/telemetry';

const WINDOWS = ['hour', 'day'] as const;
const FRI_PER_STRK = 1e18;

/** What the metrics of the keeper are read from; the store is asked, the node is not. */
export interface KeeperSources {
  /** Of this process. */
  readonly counters: Pick<TaskCounters, 'counts'>;
  /** Of all processes on the store. */
  readonly status: Pick<GetKeeperStatus, 'execute'>;
}

/** Exposes what the tasks of the keeper do, and why they do nothing, at every scrape. */
export function keeperMetrics(metrics: Metrics, { counters, status }: KeeperSources): void {
  metrics.counted<{ task: string[]; outcome: string[] }>(
    {
      name: 'sotto_keeper_looks_total',
      help: 'Looks of this process at subjects of a task, by what came of them: acted, or the reason why nothing was done.',
      labels: { task: [...TASK_NAMES], outcome: ['acted', ...Object.keys(SKIP_REASONS)] },
    },
    () =>
      counters.counts().map(({ task, outcome, count }) => ({
        labels: { task, outcome },
        value: count,
      })),
  );
  metrics.gauge<{ task: string[]; window: string[] }>(
    {
      name: 'sotto_keeper_budget_left_strk',
      help: 'Gas that a task may still spend within the hour and the day, of all processes.',
      labels: { task: [...TASK_NAMES], window: [...WINDOWS] },
    },
    async () =>
      (await status.execute()).flatMap(({ task, isOn, budget }) =>
        WINDOWS.flatMap((window) => {
          const { leftFri } = budget[window];
          return isOn && leftFri !== null
            ? [{ labels: { task, window }, value: Number(leftFri) / FRI_PER_STRK }]
            : [];
        }),
      ),
  );
  metrics.gauge<{ task: string[]; outcome: string[] }>(
    {
      name: 'sotto_keeper_subjects',
      help: 'Subjects of a task by what came of the last look at them, of all processes.',
      labels: { task: [...TASK_NAMES], outcome: ['acted', ...Object.keys(SKIP_REASONS)] },
    },
    async () => {
      const counted = new Map<string, { task: string; outcome: string; value: number }>();
      for (const { task, subjects } of await status.execute())
        for (const { lastLook } of subjects) {
          if (lastLook === null) continue;
          const { report } = lastLook;
          const outcome = report.outcome === 'acted' ? 'acted' : report.reason;
          const value = (counted.get(`${task} ${outcome}`)?.value ?? 0) + 1;
          counted.set(`${task} ${outcome}`, { task, outcome, value });
        }
      return [...counted.values()].map(({ task, outcome, value }) => ({
        labels: { task, outcome },
        value,
      }));
    },
  );
}
