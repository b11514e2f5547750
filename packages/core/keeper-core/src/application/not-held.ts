import type { KeeperTask } from '../ports/keeper-task.js';
import type { LapsedHold } from '../ports/task-leases.port.js';

/**
 * Number of missed intervals after which a task without a holder is reported. In a shorter time,
 * the lease may only be passing to another holder.
 */
const MISSED_POLLS = 3;

/**
 * Returns the end of the last lease of a task without a holder, by the store's clock. Returns null
 * if an instance holds the task, if an instance may be about to acquire it, or if no instance ever
 * held it.
 */
export function notHeldSince(
  { name, intervalMs }: Pick<KeeperTask, 'name' | 'intervalMs'>,
  lapsed: readonly LapsedHold[],
): number | null {
  const last = lapsed.find(({ task }) => task === name);
  return last !== undefined && last.forMs >= MISSED_POLLS * intervalMs ? last.untilMs : null;
}
