import { UNNAMED_CALLER, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { QueueFull } from '@sotto/submission-core';
import type { LiveEntry } from './money.js';

/** A few blocks: until then a full queue usually has places again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Returns the error for a caller whose widest network has used its share of the queue; null if it
 * may have another place.
 *
 * Once more than half of the places are used, a network may have at most a quarter of all places,
 * and no more places than are left. So ten networks together still leave places to the next one.
 * The shares are computed from the attempts in the queue, without counters. A queue of at most four
 * places is not shared.
 *
 * @param waiting attempts in the queue, of all callers
 * @param callerOf returns the caller of an attempt; null if unknown
 */
export function queueShareRefusal(
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
  // A network without a place is left to the ledger, whose own check of the queue comes last.
  if (own === 0 || own < Math.min(quarter, places - waiting.length)) return null;
  return new QueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
}
