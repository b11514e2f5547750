/**
 * When the chain is looked at again after the node has answered a send: a block or a
 * pre-confirmation may show it long before the next regular look.
 */
const AFTER_SEND_MS = [120, 250, 500] as const;

/** Looks begin no closer together, however much is sent or pushed. */
export const MIN_LOOK_DISTANCE_MS = 100;
/** A look asks for each transaction in flight: 500 of them a second, or all of them once. */
const MS_PER_TRANSACTION = 2;
const MAX_LOOK_DISTANCE_MS = 1_000;

/** Sends that are answered within it share their looks. */
const SLOT_MS = 20;

/**
 * When to look at the chain next: after the pause that the last look asked for, or earlier, where a
 * send, new work or a message of the node makes that worth while. Times are of the monotonic clock.
 *
 * Between two looks lie {@link MIN_LOOK_DISTANCE_MS} at least, and more where a look asks for many
 * transactions: what the node is asked in a second is bounded, whatever is in flight.
 */
export class LookSchedule {
  #begunMs = Number.NEGATIVE_INFINITY;
  #distanceMs = MIN_LOOK_DISTANCE_MS;
  #dueMs = Number.NEGATIVE_INFINITY;
  /** Looks that follow sends, in slots, so that there are few. */
  readonly #afterSends = new Set<number>();

  /**
   * A look begins; what was due by now is due no more.
   * @param transactions so many it will ask for
   */
  begun(nowMs: number, transactions = 0): void {
    this.#begunMs = nowMs;
    const distanceMs = Math.max(MIN_LOOK_DISTANCE_MS, transactions * MS_PER_TRANSACTION);
    this.#distanceMs = Math.min(distanceMs, MAX_LOOK_DISTANCE_MS);
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const slot of this.#afterSends) if (timeOf(slot) <= nowMs) this.#afterSends.delete(slot);
  }

  /** The look is over. One that was asked for meanwhile stays due. */
  ended(nowMs: number, pauseMs: number): void {
    this.by(nowMs + pauseMs);
  }

  /** A node that does not answer is not asked more often for what was sent to it. */
  failed(): void {
    this.#afterSends.clear();
  }

  /** A send was answered now. */
  sent(nowMs: number): void {
    for (const afterMs of AFTER_SEND_MS)
      this.#afterSends.add(Math.ceil((nowMs + afterMs) / SLOT_MS));
  }

  /** Looks by then at the latest. */
  by(atMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, atMs);
  }

  /** How long to pause from now on. */
  pauseMs(nowMs: number): number {
    const next = Math.min(this.#dueMs, ...[...this.#afterSends].map(timeOf));
    return Math.max(next, this.#begunMs + this.#distanceMs, nowMs) - nowMs;
  }
}

function timeOf(slot: number): number {
  return slot * SLOT_MS;
}
