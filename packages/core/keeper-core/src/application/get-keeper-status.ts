import { CODES_OF, type TaskName } from '@sotto/facts';
import { LastKnown, type Clock, type Known } from '@sotto/kernel';
import type { TaskSettings } from '../domain/task-settings.js';
import type { KeeperTask, TaskReport } from '../ports/keeper-task.js';
import type { TaskStore, TaskControl, TaskPoll } from '../ports/task-store.port.js';
import type { LapsedHold, TaskHolder, TaskLeases } from '../ports/task-leases.port.js';
import { notHeldSince } from './not-held.js';
import type { TaskBudget, TaskBudgets } from './task-budgets.js';

/** A task that is configured in this process, even if the process does not run it. */
export interface ConfiguredTask extends Pick<KeeperTask, 'name' | 'kinds' | 'intervalMs'> {
  readonly settings: TaskSettings;
}

export interface SubjectStatus {
  readonly subject: string;
  readonly paused: TaskControl['paused'];
  /** Last check of the subject; null if there was no check within the last day. */
  readonly lastPoll: {
    readonly atMs: number;
    /**
     * Time of the first of the consecutive checks that had the present outcome: the check acted, or
     * it skipped for the present reason.
     */
    readonly sinceMs: number;
    readonly report: TaskReport;
  } | null;
  /**
   * Earliest time of the next action, as known from the last check, in Unix milliseconds; null if
   * unknown.
   */
  readonly dueAtMs: number | null;
  readonly lastActed: TaskPoll['lastActed'];
}

export interface TaskStatus {
  readonly task: TaskName;
  readonly isOn: boolean;
  /** Instance that holds the task's lease; null if no instance holds it. */
  readonly holder: Omit<TaskHolder, 'task'> | null;
  /**
   * End of the last lease if no instance holds the task now, because its keepers crashed or were
   * stopped. Null shortly after the end of a lease, in the time that a restart may need. Null also
   * if no instance ever held the task.
   */
  readonly notHeldSinceMs: number | null;
  /** Pause of the whole task; null if only subjects are paused. */
  readonly paused: TaskControl['paused'];
  readonly budget: TaskBudget;
  /** Subjects that are configured, are paused, or were checked within the last day. */
  readonly subjects: readonly SubjectStatus[];
}

export interface KeeperStatusPorts {
  readonly leases: Pick<TaskLeases, 'holders' | 'lapsed'>;
  readonly store: Pick<TaskStore, 'controls' | 'looks'>;
  readonly budgets: Pick<TaskBudgets, 'of'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
}

/**
 * Returns the status of the keeper's tasks on all instances: the last actions of each task, and the
 * reasons why it did nothing.
 */
export class GetKeeperStatus {
  /** Error codes of the keeper status route. */
  static readonly throws = CODES_OF.keeperStatus;

  readonly #known: LastKnown<readonly TaskStatus[]>;

  constructor(
    private readonly ports: KeeperStatusPorts,
    private readonly tasks: readonly ConfiguredTask[],
  ) {
    this.#known = new LastKnown(() => this.execute(), ports.clock);
  }

  /**
   * Returns the status within a limited time. Returns the last known status while the store is
   * unavailable.
   */
  lastKnown(): Promise<Known<readonly TaskStatus[]>> {
    return this.#known.get();
  }

  /** Returns the configured tasks in the configured sequence. Rejects with `LedgerUnavailable`. */
  async execute(): Promise<readonly TaskStatus[]> {
    const { leases, store, budgets } = this.ports;
    const [holders, lapsed, controls, looks, spent] = await Promise.all([
      leases.holders(),
      leases.lapsed(),
      store.controls(),
      store.looks(),
      Promise.all(this.tasks.map((task) => budgets.of(task, task.settings))),
    ]);
    return this.tasks.flatMap((task, index) => {
      const budget = spent[index];
      const known = { holders, lapsed, controls, looks };
      return budget === undefined ? [] : [statusOf(task, { ...known, budget })];
    });
  }
}

interface Rows {
  readonly holders: readonly TaskHolder[];
  readonly lapsed: readonly LapsedHold[];
  readonly controls: readonly TaskControl[];
  readonly looks: readonly TaskPoll[];
  readonly budget: TaskBudget;
}

function statusOf(
  configured: ConfiguredTask,
  { holders, lapsed, controls, looks, budget }: Rows,
): TaskStatus {
  const { name, settings } = configured;
  const holder = holders.find(({ task }) => task === name);
  const pauses = new Map(
    controls.flatMap(({ task, subject, paused }) =>
      task === name && paused !== null ? [[subject, paused]] : [],
    ),
  );
  const inspects = new Map(
    looks.flatMap((poll) => (poll.task === name ? [[poll.subject, poll]] : [])),
  );
  return {
    task: name,
    isOn: settings.isOn,
    holder: holder === undefined ? null : { instance: holder.instance, untilMs: holder.untilMs },
    notHeldSinceMs: notHeldSince(configured, lapsed),
    paused: pauses.get(null) ?? null,
    budget,
    subjects: knownSubjects(settings, inspects.keys(), pauses.keys()).map((subject) =>
      subjectStatus(subject, pauses.get(subject) ?? null, inspects.get(subject)),
    ),
  };
}

function subjectStatus(
  subject: string,
  paused: TaskControl['paused'],
  poll: TaskPoll | undefined,
): SubjectStatus {
  if (poll === undefined)
    return { subject, paused, lastPoll: null, dueAtMs: null, lastActed: null };
  const { atMs, sinceMs, report, lastActed } = poll;
  const dueAtMs = report.outcome === 'skipped' ? report.dueAtMs : null;
  return { subject, paused, lastPoll: { atMs, sinceMs, report }, dueAtMs, lastActed };
}

const byName = new Intl.Collator('en', { numeric: true });

/**
 * Returns each subject once, sorted by name. A null in `paused` represents the pause of the whole
 * task and is ignored.
 */
function knownSubjects(
  { subjects }: TaskSettings,
  inspectedAt: Iterable<string>,
  paused: Iterable<string | null>,
): readonly string[] {
  const known = new Set(subjects === 'all' ? [] : subjects);
  for (const subject of [...inspectedAt, ...paused]) if (subject !== null) known.add(subject);
  return [...known].toSorted((a, b) => byName.compare(a, b));
}
