import { sleep } from './sleep.js';

const FIRST_MS = 1_000;
const LONGEST_MS = 16_000;
/** Maximum pause in ms, even if a response requests a longer pause. */
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
   * @param ms duration that replaces the computed pause, limited to 1 s … 60 s
   * @throws the signal's reason when the signal aborts
   */
  async pause(ms: number = Math.min(FIRST_MS * 2 ** this.#count, LONGEST_MS)): Promise<void> {
    this.#count += 1;
    await sleep(Math.min(Math.max(ms, FIRST_MS), MOST_SAID_MS), this.#signal);
  }

  /** Resets the length of the next pause to the shortest one, after a success. */
  reset(): void {
    this.#count = 0;
  }
}
