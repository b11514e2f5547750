import { UNNAMED_CALLER, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { QueueFull } from '@sotto/submission-core';
import type { LiveEntry } from './money.js';

/** A full queue is worth another try a few blocks later. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Refusal of a caller whose widest network has its share of a queue; null if it may have a place
 * more. Once more than half of the places are taken, a network has at most a quarter of all and
 * never more than are left: ten networks together leave places to the next one too. Nothing is
 * counted up or down: attempts that have left the queue count no more. A queue of at most four
 * places is not shared.
 * @param waiting in the queue, of all callers
 * @param callerOf an attempt; null if unknown
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
  // A network without a place is the ledger's to judge: it counts last.
  if (own === 0 || own < Math.min(quarter, places - waiting.length)) return null;
  return new QueueFull({ retryAfterSeconds: RETRY_AFTER_SECONDS });
}
