import type { TaskName } from '@sotto/facts';
import type { TaskStore, TaskControl } from '../ports/task-store.port.js';

/**
 * Returns the pause that applies to a subject: the pause of the whole task or, without such a
 * pause, the pause of the subject.
 */
export function pauseOf(
  controls: readonly TaskControl[],
  name: TaskName,
  of: string,
): TaskControl['paused'] {
  return controlOf(controls, name, null)?.paused ?? controlOf(controls, name, of)?.paused ?? null;
}

/** Returns the operator's last command for the whole task, or for exactly this subject. */
export function controlOf(
  controls: readonly TaskControl[],
  name: TaskName,
  of: string | null,
): TaskControl | undefined {
  return controls.find(({ task, subject }) => task === name && subject === of);
}

/**
 * Returns the time at which an operator last resumed the task or this subject, in Unix
 * milliseconds; 0 if never. Rejects with `LedgerUnavailable`.
 */
export async function resumedAt(
  store: Pick<TaskStore, 'controls'>,
  name: TaskName,
  of: string,
): Promise<number> {
  const controls = await store.controls();
  return Math.max(
    controlOf(controls, name, null)?.resumedAtMs ?? 0,
    controlOf(controls, name, of)?.resumedAtMs ?? 0,
  );
}
