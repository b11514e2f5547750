import type { Clock } from '@sotto/kernel';
import { isLive, type Submissions } from '@sotto/submission-core';
import type { SubmissionLocks } from '../ports/submission-locks.port.js';

/**
 * Between a claim and the row of its submission there is one write: a claim without a row after so
 * long will never have one.
 */
const UNUSED_AFTER_MS = 60_000;

/**
 * Gives a name to one submission at a time: as long as it is on its way, and for ever once it has
 * succeeded.
 */
export class ExclusiveLocks {
  constructor(
    private readonly claims: SubmissionLocks,
    private readonly submissions: Pick<Submissions, 'last'>,
    private readonly clock: Clock,
  ) {}

  /**
   * True when the submission under `key` holds the name now. One that ended without success, or
   * never began, gives its name up.
   */
  async take(name: string, key: string): Promise<boolean> {
    const standing = await this.claims.take(name, key, this.clock.nowMs());
    if (standing.holder === key) return true;
    const last = await this.submissions.last(standing.holder);
    if (last !== null && (isLive(last.state) || last.state === 'succeeded')) return false;
    const hasEnded = (last?.endedAtMs ?? -Infinity) >= standing.sinceMs;
    if (!hasEnded && this.clock.nowMs() - standing.sinceMs < UNUSED_AFTER_MS) return false;
    return this.claims.replace(name, standing, key, this.clock.nowMs());
  }

  /** Gives a name back for which nothing was begun. */
  async release(name: string, key: string): Promise<void> {
    await this.claims.release(name, key);
  }
}
