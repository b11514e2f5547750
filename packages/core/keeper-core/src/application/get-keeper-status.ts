import { LEDGER_ERRORS, codesOf, type ErrorCode, type TaskName } from '@sotto/facts';
import type { TaskSettings } from '../domain/task-settings.js';
import type { KeeperTask, TaskReport } from '../ports/keeper-task.js';
import type { TaskBook, TaskControl, TaskLook } from '../ports/task-book.port.js';
import type { TaskHolder, TaskLeases } from '../ports/task-leases.port.js';
import type { TaskBudget, TaskBudgets } from './task-budgets.js';
import { controlOf } from './task-controls.js';

/** A task as the configuration has it, also in a process that does not run it. */
export interface ConfiguredTask extends Pick<KeeperTask, 'name' | 'kinds'> {
  readonly settings: TaskSettings;
}

export interface SubjectStatus {
  readonly subject: string;
  readonly paused: TaskControl['paused'];
  /** Null when none was within the last day. */
  readonly lastLook: { readonly atMs: number; readonly report: TaskReport } | null;
  /** When something may be done next, as the last look says; null where it does not know. */
  readonly dueAtMs: number | null;
  readonly lastActed: TaskLook['lastActed'];
}

export interface TaskStatus {
  readonly task: TaskName;
  readonly isOn: boolean;
  /** Null when no instance has it. */
  readonly holder: Omit<TaskHolder, 'task'> | null;
  /** The pause of all of the task. */
  readonly paused: TaskControl['paused'];
  readonly budget: TaskBudget;
  /** Those that were looked at within the last day, are named in the configuration or paused. */
  readonly subjects: readonly SubjectStatus[];
}

export interface KeeperStatusPorts {
  readonly leases: Pick<TaskLeases, 'holders'>;
  readonly book: Pick<TaskBook, 'controls' | 'looks'>;
  readonly budgets: Pick<TaskBudgets, 'of'>;
}

/** What the keeper does and why it does nothing, whichever instance runs it. */
export class GetKeeperStatus {
  /** Codes of its errors. */
  static readonly throws = [...codesOf(LEDGER_ERRORS)] as const satisfies readonly ErrorCode[];

  constructor(
    private readonly ports: KeeperStatusPorts,
    private readonly tasks: readonly ConfiguredTask[],
  ) {}

  /** The configured tasks, in their order. Rejects with `LedgerUnavailable`. */
  async execute(): Promise<readonly TaskStatus[]> {
    const { leases, book, budgets } = this.ports;
    const [holders, controls, looks, spent] = await Promise.all([
      leases.holders(),
      book.controls(),
      book.looks(),
      Promise.all(this.tasks.map((task) => budgets.of(task, task.settings))),
    ]);
    return this.tasks.flatMap((task, index) => {
      const budget = spent[index];
      return budget === undefined ? [] : [statusOf(task, { holders, controls, looks, budget })];
    });
  }
}

interface Known {
  readonly holders: readonly TaskHolder[];
  readonly controls: readonly TaskControl[];
  readonly looks: readonly TaskLook[];
  readonly budget: TaskBudget;
}

function statusOf(
  { name, settings }: ConfiguredTask,
  { holders, controls, looks, budget }: Known,
): TaskStatus {
  const holder = holders.find(({ task }) => task === name);
  const ofTask = looks.filter(({ task }) => task === name);
  const subjects = knownSubjects(
    settings,
    ofTask,
    controls.filter(({ task }) => task === name),
  );
  return {
    task: name,
    isOn: settings.isOn,
    holder: holder === undefined ? null : { instance: holder.instance, untilMs: holder.untilMs },
    paused: controlOf(controls, name, null)?.paused ?? null,
    budget,
    subjects: subjects.map((subject) => {
      const look = ofTask.find((each) => each.subject === subject);
      return {
        subject,
        paused: controlOf(controls, name, subject)?.paused ?? null,
        lastLook: look === undefined ? null : { atMs: look.atMs, report: look.report },
        dueAtMs: look?.report.outcome === 'skipped' ? look.report.dueAtMs : null,
        lastActed: look?.lastActed ?? null,
      };
    }),
  };
}

function knownSubjects(
  { subjects }: TaskSettings,
  looks: readonly TaskLook[],
  controls: readonly TaskControl[],
): readonly string[] {
  const paused = controls.flatMap(({ subject, paused: pause }) =>
    subject === null || pause === null ? [] : [subject],
  );
  const named = subjects === 'all' ? [] : subjects;
  const known = new Set([...named, ...looks.map(({ subject }) => subject), ...paused]);
  return [...known].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
