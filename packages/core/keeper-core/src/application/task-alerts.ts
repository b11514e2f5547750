import { ALERT_REASONS, type AlertReason, type SkipReason, type TaskName } from '@sotto/facts';
import type { TaskStatus } from './get-keeper-status.js';

/** Something that a task does not get over by itself. */
export interface TaskAlert {
  readonly task: TaskName;
  readonly subject: string;
  readonly reason: AlertReason;
  /** When the last look found it. */
  readonly atMs: number;
}

/** What an operator should look at, by the last look at each subject. */
export function alertsOf(tasks: readonly TaskStatus[]): readonly TaskAlert[] {
  return tasks.flatMap(({ task, subjects }) =>
    subjects.flatMap(({ subject, lastLook }) => {
      if (lastLook === null) return [];
      const { atMs, report } = lastLook;
      if (report.outcome !== 'skipped') return [];
      const { reason } = report;
      return isAlert(reason) ? [{ task, subject, reason, atMs }] : [];
    }),
  );
}

export function isAlert(reason: SkipReason): reason is AlertReason {
  return ALERT_REASONS.some((alert) => alert === reason);
}
