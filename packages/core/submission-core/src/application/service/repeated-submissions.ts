import type { Attempt, BlockRef } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';

/**
 * Submissions below the found number that are looked at once more: far more than a series has in
 * the time of a rollback.
 */
const LOOK_BACK = 8;

/** The submission of a series that may be opened, or is live. */
export interface NextSubmission {
  /** Counted from 0; all below it have succeeded. */
  readonly number: number;
  /** `series|number`. */
  readonly key: string;
  /** The last attempt under the key; null while there was none. */
  readonly last: Attempt | null;
  /**
   * The block that holds the submission before: the next one is planned from this block or a later
   * one. Null for the first one, and where no block is known (an outcome of a lost ledger).
   */
  readonly after: BlockRef | null;
}

/**
 * What is done again and again under one name, each time under a key with a number: `series|n`. A
 * number is used only when all below it have succeeded, so those that have succeeded are 0…n-1, and
 * n is the only key that can be live or be opened. The next number is found in the ledger by
 * doubling and halving: a handful of reads after a restart. In memory is only below which number
 * all have succeeded for good (ACCEPTED_ON_L1): it can be too low, which costs a few reads, and
 * never too high.
 */
export class RepeatedSubmissions {
  /** Of each series, the first number above those, and where the one below it landed. */
  readonly #final = new Map<string, Pick<NextSubmission, 'number' | 'after'>>();

  constructor(private readonly ledger: Pick<Ledger, 'lastAttempt' | 'inclusionOf'>) {}

  /** The series' next submission, or the lowest one that is live. */
  async next(series: string): Promise<NextSubmission> {
    const start = this.#final.get(series)?.number ?? 0;
    const found = await firstNotPassed(
      start,
      async (number) => (await this.#last(series, number))?.state === 'succeeded',
    );
    const number = await this.#lowestOpen(series, start, found);
    const [last, after] = await Promise.all([
      this.#last(series, number),
      this.#landingBefore(series, number),
    ]);
    return { number, key: keyOf(series, number), last, after };
  }

  async #landingBefore(series: string, number: number): Promise<BlockRef | null> {
    const final = this.#final.get(series);
    if (final?.number === number) return final.after;
    const before = number === 0 ? null : await this.#last(series, number - 1);
    return before === null ? null : this.ledger.inclusionOf(before);
  }

  #last(series: string, number: number): Promise<Attempt | null> {
    return this.ledger.lastAttempt(keyOf(series, number));
  }

  /**
   * While the ledger takes back the outcomes of a rollback one by one, a submission may still count
   * as succeeded whose forerunner does not.
   */
  async #lowestOpen(series: string, start: number, found: number): Promise<number> {
    let lowest = found;
    for (let number = found - 1; number >= start && found - number <= LOOK_BACK; number -= 1) {
      const attempt = await this.#last(series, number);
      if (attempt?.state !== 'succeeded') {
        lowest = number;
      } else if (attempt.isFinal) {
        // What is final has forerunners that are: their blocks are older.
        this.#final.set(series, {
          number: number + 1,
          after: await this.ledger.inclusionOf(attempt),
        });
        return lowest;
      }
    }
    return lowest;
  }
}

function keyOf(series: string, number: number): string {
  return `${series}|${number}`;
}

/**
 * The lowest number from `start` on for which `passed` does not hold, given that it holds below
 * that number and nowhere above. Asks about 2 · log2(distance) times: in steps that double until
 * one is too far, then by halves.
 */
export async function firstNotPassed(
  start: number,
  passed: (number: number) => Promise<boolean>,
): Promise<number> {
  let low = start;
  let high = start;
  for (let step = 1; await passed(high); step *= 2) {
    low = high + 1;
    high += step;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await passed(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
