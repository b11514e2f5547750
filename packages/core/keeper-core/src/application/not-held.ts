import type { KeeperTask } from '../ports/keeper-task.js';
import type { LapsedHold } from '../ports/task-leases.port.js';

/** A task that none holds for so many of its looks is not only changing hands. */
const MISSED_LOOKS = 3;

/**
 * Since when no process holds a task that one once held, by the store's clock; null while one holds
 * it or may be about to, and where none ever did.
 */
export function notHeldSince(
  { name, intervalMs }: Pick<KeeperTask, 'name' | 'intervalMs'>,
  lapsed: readonly LapsedHold[],
): number | null {
  const last = lapsed.find(({ task }) => task === name);
  return last !== undefined && last.forMs >= MISSED_LOOKS * intervalMs ? last.untilMs : null;
}
