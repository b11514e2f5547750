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
  /** Subject of the alert; null for the whole task. */
  readonly subject: string | null;
  readonly reason: Alert;
  /**
   * Time in Unix milliseconds: of the last check that found the condition, or of the end of the
   * last lease if no process holds the task.
   */
  readonly atMs: number;
}

/**
 * Returns the alerts for an operator: alerts from the last check of each subject, and alerts for
 * tasks that no process holds. A paused task without a holder is not an alert.
 */
export function alertsOf(tasks: readonly TaskStatus[]): readonly TaskAlert[] {
  return tasks.flatMap(({ task, paused, notHeldSinceMs, subjects }) => [
    ...(notHeldSinceMs === null || paused !== null
      ? []
      : [{ task, subject: null, reason: 'NOT_HELD' as const, atMs: notHeldSinceMs }]),
    ...subjects.flatMap((status) => {
      const reason = alertReasonOf(status);
      return reason === null || status.lastPoll === null
        ? []
        : [{ task, subject: status.subject, reason, atMs: status.lastPoll.atMs }];
    }),
  ]);
}

/** Returns the reason of the last check if the reason needs an operator; otherwise null. */
export function alertReasonOf({ lastPoll }: Pick<SubjectStatus, 'lastPoll'>): AlertReason | null {
  if (lastPoll === null || lastPoll.report.outcome !== 'skipped') return null;
  const { reason } = lastPoll.report;
  return isAlert(reason) ? reason : null;
}

export function isAlert(reason: SkipReason): reason is AlertReason {
  return ALERT_REASONS.some((alert) => alert === reason);
}
