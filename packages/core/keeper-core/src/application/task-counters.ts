import type { SkipReason, TaskName } from '@sotto/facts';
import type { TaskReport } from '../ports/keeper-task.js';

export type TaskOutcome = 'acted' | SkipReason;

/** Number of a task's checks with this outcome since the start of the process. */
export interface TaskCount {
  readonly task: TaskName;
  readonly outcome: TaskOutcome;
  readonly count: number;
}

/** Counts checks by task and outcome. */
export class TaskCounters {
  readonly #counts = new Map<string, TaskCount>();

  count(task: TaskName, report: TaskReport): void {
    const outcome = report.outcome === 'acted' ? 'acted' : report.reason;
    const name = `${task} ${outcome}`;
    const count = (this.#counts.get(name)?.count ?? 0) + 1;
    this.#counts.set(name, { task, outcome, count });
  }

  counts(): readonly TaskCount[] {
    return [...this.#counts.values()];
  }
}
