import { UNNAMED_CALLER, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { QueueFull } from '@sotto/submission-core';
import type { LiveEntry } from './money.js';

/**
 * Retry delay in seconds: a few blocks. A full queue usually has free positions again after this
 * time.
 */
const RETRY_AFTER_SECONDS = 5;

/**
 * Returns the error for a caller whose widest network has used its share of the queue; null if the
 * caller may have another position.
 *
 * While more than half of the positions are used, a network may have at most a quarter of all
 * positions, and at most as many positions as are free. So ten networks together still leave
 * positions to another network. The shares are computed from the attempts in the queue, without
 * counters. A queue of at most four positions is not shared.
 *
 * @param waiting attempts of all callers in the queue
 * @param callerOf returns the caller of an attempt; null if the caller is unknown
 */
export function queueShareRejection(
  caller: Caller,
  waiting: readonly LiveEntry[],
  callerOf: (key: string) => Caller | null,
  places: number,
): QueueFull | null {
  const quarter = quarterOf(places);
  if (caller === UNNAMED_CALLER || quarter < 2 || waiting.length * 2 <= places) return null;
  const network = widestOf(caller);
  const own = waiting.filter(({ key }) => {
    const other = callerOf(key);
    return other !== null && widestOf(other) === network;
  }).length;
  // This check never rejects a network that has no position. The ledger checks the length of the
  // queue later.
  if (own === 0 || own < Math.min(quarter, places - waiting.length)) return null;
  return new QueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
}
