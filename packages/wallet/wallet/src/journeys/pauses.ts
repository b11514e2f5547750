import { sleep } from './sleep.js';

const FIRST_MS = 1_000;
const LONGEST_MS = 16_000;
/** Maximum pause in ms, also if a response requests a longer one. */
const MOST_SAID_MS = 60_000;

/** Pauses between attempts: each is twice as long as the previous one, up to 16 s. */
export class Pauses {
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Waits for the next pause.
   * @param ms replaces the computed pause if the duration is known: at least 1 s, at most 60 s
   * @throws the signal's reason when that aborts
   */
  async pause(ms: number = Math.min(FIRST_MS * 2 ** this.#count, LONGEST_MS)): Promise<void> {
    this.#count += 1;
    await sleep(Math.min(Math.max(ms, FIRST_MS), MOST_SAID_MS), this.#signal);
  }

  /** Makes the next pause short, after a success. */
  reset(): void {
    this.#count = 0;
  }
}
