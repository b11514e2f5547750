import { SKIP_REASONS, TASK_NAMES } from '@sotto/facts';
import type { GetKeeperStatus, TaskCounters, TaskReport, TaskStatus } from '@sotto/keeper-core';
import { SingleFlight, type Clock, type Felt } from '@sotto/kernel';
import type { Metrics } from '@sotto/telemetry';

const WINDOWS = ['hour', 'day'] as const;
const FRI_PER_STRK = 1e18;
const MS_PER_SECOND = 1_000;
const OUTCOMES = { task: [...TASK_NAMES], outcome: ['acted', ...Object.keys(SKIP_REASONS)] };

/** Sources of the keeper's metrics. The sources query the store but never the node. */
export interface KeeperSources {
  /** Counters of the checks that this process has made. */
  readonly counters: Pick<TaskCounters, 'counts'>;
  /** Status of the tasks of all processes on the store. */
  readonly status: Pick<GetKeeperStatus, 'execute'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** ERC-20 tokens in which fees are earned, by symbol. */
  readonly tokens: Readonly<Record<string, { readonly address: Felt; readonly decimals: number }>>;
}

type Now = () => Promise<readonly TaskStatus[]>;

/** Exposes the actions of the keeper's tasks, and their reasons for inaction, at every scrape. */
export function keeperMetrics(metrics: Metrics, sources: KeeperSources): void {
  const { counters, status } = sources;
  const reads = new SingleFlight<readonly TaskStatus[]>();
  const now: Now = () => reads.run('status', () => status.execute());
  metrics.counted<{ task: string[]; outcome: string[] }>(
    {
      name: 'sotto_keeper_looks_total',
      help: 'Checks of subjects of a task by this process, by outcome: acted, or the reason why nothing was done.',
      labels: OUTCOMES,
    },
    () =>
      counters.counts().map(({ task, outcome, count }) => ({
        labels: { task, outcome },
        value: count,
      })),
  );
  holdMetrics(metrics, now, sources);
  moneyMetrics(metrics, now, sources);
  subjectMetrics(metrics, now);
}

function holdMetrics(metrics: Metrics, now: Now, { clock }: Pick<KeeperSources, 'clock'>): void {
  metrics.gauge<{ task: string[] }>(
    {
      name: 'sotto_keeper_not_held_seconds',
      help: 'For how long no process has held a task that one once held, unless an operator has paused it.',
      labels: { task: [...TASK_NAMES] },
    },
    async () =>
      (await now()).flatMap(({ task, paused, notHeldSinceMs }) =>
        notHeldSinceMs === null || paused !== null
          ? []
          : [{ labels: { task }, value: (clock.nowMs() - notHeldSinceMs) / MS_PER_SECOND }],
      ),
  );
}

function moneyMetrics(metrics: Metrics, now: Now, { tokens }: Pick<KeeperSources, 'tokens'>): void {
  metrics.gauge<{ task: string[]; window: string[] }>(
    {
      name: 'sotto_keeper_budget_left_strk',
      help: 'Gas that a task may still spend within the hour and the day, of all processes.',
      labels: { task: [...TASK_NAMES], window: [...WINDOWS] },
    },
    async () =>
      (await now()).flatMap(({ task, isOn, budget }) =>
        WINDOWS.flatMap((window) => {
          const { leftFri } = budget[window];
          return isOn && leftFri !== null
            ? [{ labels: { task, window }, value: Number(leftFri) / FRI_PER_STRK }]
            : [];
        }),
      ),
  );
  metrics.gauge<{ task: string[]; window: string[] }>(
    {
      name: 'sotto_keeper_spent_strk',
      help: 'Gas that submissions of a task were charged that ended within the hour and the day, of all processes.',
      labels: { task: [...TASK_NAMES], window: [...WINDOWS] },
    },
    async () =>
      (await now()).flatMap(({ task, budget }) =>
        WINDOWS.map((window) => ({
          labels: { task, window },
          value: Number(budget[window].spentFri) / FRI_PER_STRK,
        })),
      ),
  );
  const known = new Map(
    Object.entries(tokens).map(([symbol, { address, decimals }]) => [
      address,
      { symbol, unit: 10 ** decimals },
    ]),
  );
  metrics.gauge<{ task: string[]; window: string[]; token: string[] }>(
    {
      name: 'sotto_keeper_earned',
      help: 'Fees that submissions of a task were to bring at least that succeeded within the hour and the day, in whole tokens of the network profile, of all processes.',
      labels: { task: [...TASK_NAMES], window: [...WINDOWS], token: Object.keys(tokens) },
    },
    async () =>
      (await now()).flatMap(({ task, budget }) =>
        WINDOWS.flatMap((window) =>
          budget[window].earned.flatMap(({ token: address, amount }) => {
            const token = known.get(address);
            if (token === undefined) return [];
            const { symbol, unit } = token;
            return [{ labels: { task, window, token: symbol }, value: Number(amount) / unit }];
          }),
        ),
      ),
  );
}

function subjectMetrics(metrics: Metrics, now: Now): void {
  metrics.gauge<{ task: string[]; outcome: string[] }>(
    {
      name: 'sotto_keeper_subjects',
      help: 'Subjects of a task by the outcome of their last check, of all processes.',
      labels: OUTCOMES,
    },
    async () => samplesOf(await now(), (value) => value + 1),
  );
  metrics.gauge<{ task: string[]; outcome: string[] }>(
    {
      name: 'sotto_keeper_outcome_seconds',
      help: 'Seconds for which all checks of a subject have had this outcome; the longest time among the subjects of a task, of all processes.',
      labels: OUTCOMES,
    },
    async () =>
      samplesOf(await now(), (value, { atMs, sinceMs }) =>
        Math.max(value, (atMs - sinceMs) / MS_PER_SECOND),
      ),
  );
}

interface Poll {
  readonly atMs: number;
  readonly sinceMs: number;
  readonly report: TaskReport;
}

/**
 * Returns one sample for each task and for each outcome of the last checks of its subjects. `add`
 * computes the value of a sample, starting from 0.
 */
function samplesOf(tasks: readonly TaskStatus[], add: (value: number, poll: Poll) => number) {
  return tasks.flatMap(({ task, subjects }) => {
    const values = new Map<string, number>();
    for (const { lastPoll } of subjects) {
      if (lastPoll === null) continue;
      const { report } = lastPoll;
      const outcome = report.outcome === 'acted' ? 'acted' : report.reason;
      values.set(outcome, add(values.get(outcome) ?? 0, lastPoll));
    }
    return [...values].map(([outcome, value]) => ({ labels: { task, outcome }, value }));
  });
}
