import type { TaskName } from '@sotto/facts';
import type { TaskBook, TaskControl } from '../ports/task-book.port.js';

/** The pause that keeps a task from a subject: that of the whole task before the subject's own. */
export function pauseOf(
  controls: readonly TaskControl[],
  name: TaskName,
  of: string,
): TaskControl['paused'] {
  return controlOf(controls, name, null)?.paused ?? controlOf(controls, name, of)?.paused ?? null;
}

/** What an operator said of a task, or of exactly this subject. */
export function controlOf(
  controls: readonly TaskControl[],
  name: TaskName,
  of: string | null,
): TaskControl | undefined {
  return controls.find(({ task, subject }) => task === name && subject === of);
}

/**
 * When an operator last resumed the task, or it for this subject; 0 for never. Rejects with
 * `LedgerUnavailable`.
 */
export async function resumedAt(
  book: Pick<TaskBook, 'controls'>,
  name: TaskName,
  of: string,
): Promise<number> {
  const controls = await book.controls();
  return Math.max(
    controlOf(controls, name, null)?.resumedAtMs ?? 0,
    controlOf(controls, name, of)?.resumedAtMs ?? 0,
  );
}
