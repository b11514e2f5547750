/** Above this a batch gains little per proof, and those in it wait longer. */
export const MAX_BATCH = 16;

/**
 * So many checks in a row have to hold before proofs are checked together again: a batch with a
 * proof that does not hold costs up to 2.8 times what its members cost alone, which is a tenth of
 * what so many cost. So false proofs gain nothing by being among others.
 */
const SOUND_BEFORE_BATCHES = 256;

/** How many proofs may be checked together now: many, or one once a proof did not hold. */
export class BatchLimit {
  #soundInARow = SOUND_BEFORE_BATCHES;

  get size(): number {
    return this.#soundInARow >= SOUND_BEFORE_BATCHES ? MAX_BATCH : 1;
  }

  /** All of a batch held. */
  passed(count: number): void {
    this.#soundInARow += count;
  }

  /** One of a batch did not hold, or ended its thread. */
  failed(): void {
    this.#soundInARow = 0;
  }
}
