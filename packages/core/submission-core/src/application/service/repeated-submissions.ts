import type { Attempt, BlockRef } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';

/**
 * Number of submissions below the found submission that are checked again. During a rollback, a
 * series sends far fewer submissions than this number.
 */
const LOOKBACK = 8;

/** Submission of a series that is live or may be created. */
export interface NextSubmission {
  /**
   * Number of the submission in its series, from 0. All submissions with lower numbers have
   * succeeded.
   */
  readonly number: number;
  /** Key of the submission: `series|number`. */
  readonly key: string;
  /** Last attempt under the key; null if the key has no attempt. */
  readonly last: Attempt | null;
  /**
   * Block that contains the preceding submission. The next submission is planned at this block or
   * at a later block. Null for the first submission. Also null if the block is unknown, because the
   * outcome was adopted from the chain.
   */
  readonly after: BlockRef | null;
}

/**
 * Submissions that repeat under one name, each with a numbered key: `series|n`.
 *
 * A number is used only when all lower ones have succeeded. Numbers 0 to n-1 have then succeeded,
 * and n is the only key that can be live or new. The next number is found in the ledger by doubling
 * and halving, which needs a few reads after a restart. Memory stores only the number below which
 * all submissions have succeeded finally (ACCEPTED_ON_L1). This number can be too low, which costs
 * a few reads, but never too high.
 */
export class RepeatedSubmissions {
  /** First number of each series that is not final, and the block of the submission before it. */
  readonly #final = new Map<string, Pick<NextSubmission, 'number' | 'after'>>();

  constructor(private readonly ledger: Pick<Ledger, 'lastAttempt' | 'inclusionOf'>) {}

  /** Returns the series' next submission, or the lowest live one. */
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
   * Returns the lowest number whose submission has not succeeded. While the ledger undoes outcomes
   * after a rollback, a submission may still be recorded as succeeded, although a submission with a
   * lower number is no longer recorded as succeeded.
   */
  async #lowestOpen(series: string, start: number, found: number): Promise<number> {
    let lowest = found;
    for (let number = found - 1; number >= start && found - number <= LOOKBACK; number -= 1) {
      const attempt = await this.#last(series, number);
      if (attempt?.state !== 'succeeded') {
        lowest = number;
      } else if (attempt.isFinal) {
        // The submissions below a final submission are final too: their blocks are older.
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
 * Returns the lowest number from `start` on for which `passed` is false. Precondition: `passed` is
 * true for all lower numbers and false for all higher ones. Calls `passed` about 2 · log2(distance)
 * times: steps are doubled until a step is too far, then halved.
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
