/**
 * Delays of the polls after the node has answered a send, in ms. A block or a pre-confirmation may
 * show the transaction long before the next regular poll.
 */
const AFTER_SEND_MS = [120, 250, 500] as const;

/**
 * Shortest time between the beginnings of two polls, in ms, independent of sends and pushed
 * messages.
 */
export const MIN_LOOK_DISTANCE_MS = 100;
/**
 * A poll queries every transaction in flight, at most 500 per second; beyond that, every
 * transaction once per second.
 */
const MS_PER_TRANSACTION = 2;
const MAX_LOOK_DISTANCE_MS = 1_000;

/** Sends that are answered within this time share their polls, in ms. */
const SLOT_MS = 20;

/**
 * Schedule of the polls of the chain. The next poll is due after the pause that the last one
 * requested, or earlier after a send, new work or a message of the node. Times are of the monotonic
 * clock.
 *
 * Two polls begin at least {@link MIN_LOOK_DISTANCE_MS} apart, and further apart if a poll queries
 * many transactions. This bounds the node's load per second.
 */
export class LookSchedule {
  #begunMs = Number.NEGATIVE_INFINITY;
  #distanceMs = MIN_LOOK_DISTANCE_MS;
  #dueMs = Number.NEGATIVE_INFINITY;
  /** Times of the polls that follow sends, rounded to slots to limit their number. */
  readonly #afterSends = new Set<number>();

  /**
   * Records that a poll begins. Polls due by now are done with it.
   * @param transactions number of transactions that it will query
   */
  begun(nowMs: number, transactions = 0): void {
    this.#begunMs = nowMs;
    const distanceMs = Math.max(MIN_LOOK_DISTANCE_MS, transactions * MS_PER_TRANSACTION);
    this.#distanceMs = Math.min(distanceMs, MAX_LOOK_DISTANCE_MS);
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const slot of this.#afterSends) if (timeOf(slot) <= nowMs) this.#afterSends.delete(slot);
  }

  /** Records that a poll has ended. A poll requested in the meantime stays due. */
  ended(nowMs: number, pauseMs: number): void {
    this.by(nowMs + pauseMs);
  }

  /** Cancels the polls after sends: a node that does not answer is not queried more often. */
  failed(): void {
    this.#afterSends.clear();
  }

  /** Records that a node answered a send now. */
  sent(nowMs: number): void {
    for (const afterMs of AFTER_SEND_MS)
      this.#afterSends.add(Math.ceil((nowMs + afterMs) / SLOT_MS));
  }

  /** Requests a poll at this time or earlier. */
  by(atMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, atMs);
  }

  /** Pause until the next poll, in ms. */
  pauseMs(nowMs: number): number {
    const next = Math.min(this.#dueMs, ...[...this.#afterSends].map(timeOf));
    return Math.max(next, this.#begunMs + this.#distanceMs, nowMs) - nowMs;
  }
}

function timeOf(slot: number): number {
  return slot * SLOT_MS;
}
