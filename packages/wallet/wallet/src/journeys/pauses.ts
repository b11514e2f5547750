import { sleep } from './sleep.js';

const FIRST_MS = 1_000;
const LONGEST_MS = 16_000;
/** Maximum pause in ms, which applies even if a response requests a longer pause. */
const MOST_SAID_MS = 60_000;

/** Pauses between attempts. Each pause is twice as long as the previous pause, up to 16 s. */
export class Pauses {
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Waits for the next pause.
   * @param ms duration in ms that replaces the computed pause; limited to 1 to 60 s
   * @throws the signal's reason when the signal aborts
   */
  async pause(ms: number = Math.min(FIRST_MS * 2 ** this.#count, LONGEST_MS)): Promise<void> {
    this.#count += 1;
    await sleep(Math.min(Math.max(ms, FIRST_MS), MOST_SAID_MS), this.#signal);
  }

  /** Sets the next pause to the shortest pause. Call this method after a success. */
  reset(): void {
    this.#count = 0;
  }
}
