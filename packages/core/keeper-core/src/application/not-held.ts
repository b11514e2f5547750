import type { KeeperTask } from '../ports/keeper-task.js';
import type { LapsedHold } from '../ports/task-leases.port.js';

/** Number of missed intervals after which a task without a holder is not only changing hands. */
const MISSED_LOOKS = 3;

/**
 * Returns the end of the last lease of a task without a holder, by the store's clock. Null if an
 * instance holds it, may be about to, or none ever did.
 */
export function notHeldSince(
  { name, intervalMs }: Pick<KeeperTask, 'name' | 'intervalMs'>,
  lapsed: readonly LapsedHold[],
): number | null {
  const last = lapsed.find(({ task }) => task === name);
  return last !== undefined && last.forMs >= MISSED_LOOKS * intervalMs ? last.untilMs : null;
}
