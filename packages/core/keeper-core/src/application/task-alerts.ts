import {
  ALERT_REASONS,
  type Alert,
  type AlertReason,
  type SkipReason,
  type TaskName,
} from '@sotto/facts';
import type { SubjectStatus, TaskStatus } from './get-keeper-status.js';

/** A condition that a task can't resolve without an operator. */
export interface TaskAlert {
  readonly task: TaskName;
  /** Null for the whole task. */
  readonly subject: string | null;
  readonly reason: Alert;
  /** Time of the last check that found it, or of the end of the last lease. */
  readonly atMs: number;
}

/**
 * Returns the alerts for an operator: from the last check of each subject, and for tasks that no
 * process holds, unless an operator has paused them.
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

/** Returns the reason of the last check if it needs an operator; null otherwise. */
export function alertReasonOf({ lastLook }: Pick<SubjectStatus, 'lastLook'>): AlertReason | null {
  if (lastLook === null || lastLook.report.outcome !== 'skipped') return null;
  const { reason } = lastLook.report;
  return isAlert(reason) ? reason : null;
}

export function isAlert(reason: SkipReason): reason is AlertReason {
  return ALERT_REASONS.some((alert) => alert === reason);
}
