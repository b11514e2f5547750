/**
 * Delays of the polls after the node has responded to a send, in ms. A block or a pre-confirmation
 * may show the transaction long before the next regular poll.
 */
const AFTER_SEND_MS = [120, 250, 500] as const;

/**
 * Minimum time between the starts of two polls, in ms. This minimum also applies to polls after
 * sends and after pushed messages.
 */
export const MIN_POLL_DISTANCE_MS = 100;
/**
 * Minimum distance of two polls per transaction in flight, in ms. Each poll queries every
 * transaction in flight, so at most 500 transactions are queried per second. With more in flight,
 * each transaction is queried once per second.
 */
const MS_PER_TRANSACTION = 2;
const MAX_POLL_DISTANCE_MS = 1_000;

/**
 * Length of a time slot, in ms. If the node responds to several sends in one slot, these sends
 * share the polls that follow them.
 */
const SLOT_MS = 20;

/**
 * Schedule of the polls of the chain. The next poll is due after the pause that the last poll
 * requested. A send, new work or a message of the node makes the next poll due earlier. Times are
 * milliseconds of the monotonic clock.
 *
 * Two polls begin at least {@link MIN_POLL_DISTANCE_MS} apart. The distance is longer if a poll
 * queries many transactions, which limits the node's load per second.
 */
export class PollSchedule {
  #begunMs = Number.NEGATIVE_INFINITY;
  #distanceMs = MIN_POLL_DISTANCE_MS;
  #dueMs = Number.NEGATIVE_INFINITY;
  /** Times of the polls after sends, rounded to slots of 20 ms to limit the number of polls. */
  readonly #afterSends = new Set<number>();

  /**
   * Records that a poll begins. All other polls that are already due are replaced by this poll.
   * @param transactions number of transactions that the poll will query
   */
  begun(nowMs: number, transactions = 0): void {
    this.#begunMs = nowMs;
    const distanceMs = Math.max(MIN_POLL_DISTANCE_MS, transactions * MS_PER_TRANSACTION);
    this.#distanceMs = Math.min(distanceMs, MAX_POLL_DISTANCE_MS);
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const slot of this.#afterSends) if (timeOf(slot) <= nowMs) this.#afterSends.delete(slot);
  }

  /** Records that a poll has ended. A poll that was requested while this poll ran remains due. */
  ended(nowMs: number, pauseMs: number): void {
    this.by(nowMs + pauseMs);
  }

  /**
   * Cancels the additional polls after sends, so that a node that does not respond is not queried
   * more often.
   */
  failed(): void {
    this.#afterSends.clear();
  }

  /** Records that the node has responded to a send now. */
  sent(nowMs: number): void {
    for (const afterMs of AFTER_SEND_MS)
      this.#afterSends.add(Math.ceil((nowMs + afterMs) / SLOT_MS));
  }

  /** Requests a poll that begins at this time or earlier. */
  by(atMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, atMs);
  }

  /** Returns the milliseconds until the next poll. */
  pauseMs(nowMs: number): number {
    const next = Math.min(this.#dueMs, ...[...this.#afterSends].map(timeOf));
    return Math.max(next, this.#begunMs + this.#distanceMs, nowMs) - nowMs;
  }
}

function timeOf(slot: number): number {
  return slot * SLOT_MS;
}
