import {
  ALERT_REASONS,
  type Alert,
  type AlertReason,
  type SkipReason,
  type TaskName,
} from '@sotto/facts';
import type { SubjectStatus, TaskStatus } from './get-keeper-status.js';

/** Something that a task does not get over by itself. */
export interface TaskAlert {
  readonly task: TaskName;
  /** Null for all of the task. */
  readonly subject: string | null;
  readonly reason: Alert;
  /** When the last look found it, or the last hold on the task ended. */
  readonly atMs: number;
}

/**
 * What an operator should look at: by the last look at each subject, and tasks that no process
 * holds any more, unless an operator has paused them.
 */
export function alertsOf(tasks: readonly TaskStatus[]): readonly TaskAlert[] {
  return tasks.flatMap(({ task, paused, notHeldSinceMs, subjects }) => [
    ...(notHeldSinceMs === null || paused !== null
      ? []
      : [{ task, subject: null, reason: 'NOT_HELD' as const, atMs: notHeldSinceMs }]),
    ...subjects.flatMap((status) => {
      const reason = alertReasonOf(status);
      return reason === null || status.lastLook === null
        ? []
        : [{ task, subject: status.subject, reason, atMs: status.lastLook.atMs }];
    }),
  ]);
}

/** The reason of the last look, where it lasts until an operator does something; null otherwise. */
export function alertReasonOf({ lastLook }: Pick<SubjectStatus, 'lastLook'>): AlertReason | null {
  if (lastLook === null || lastLook.report.outcome !== 'skipped') return null;
  const { reason } = lastLook.report;
  return isAlert(reason) ? reason : null;
}

export function isAlert(reason: SkipReason): reason is AlertReason {
  return ALERT_REASONS.some((alert) => alert === reason);
}
