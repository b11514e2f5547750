import type { Clock } from '@sotto/kernel';
import { isLive, type Submissions } from '@sotto/submission-core';
import type { SubmissionLocks } from '../ports/submission-locks.port.js';

/**
 * Milliseconds after which a lock whose submission has no row counts as unused. Only one write
 * separates a lock from the row of its submission.
 */
const UNUSED_AFTER_MS = 60_000;

/**
 * Locks a name for one submission at a time. The lock lasts while the submission is in flight. If
 * the submission succeeds, the lock is permanent.
 */
export class ExclusiveLocks {
  constructor(
    private readonly claims: SubmissionLocks,
    private readonly submissions: Pick<Submissions, 'last'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the name for the submission with this `key`. Returns true if this submission now holds
   * the lock. Replaces the lock of a submission that ended without success or never began.
   * @param unusedAfterMs age from which a lock counts as unused if its submission has no row
   */
  async take(name: string, key: string, unusedAfterMs = UNUSED_AFTER_MS): Promise<boolean> {
    const standing = await this.claims.take(name, key, this.clock.nowMs());
    if (standing.holder === key) return true;
    const last = await this.submissions.last(standing.holder);
    if (last !== null && (isLive(last.state) || last.state === 'succeeded')) return false;
    const hasEnded = (last?.endedAtMs ?? -Infinity) >= standing.sinceMs;
    if (!hasEnded && this.clock.nowMs() - standing.sinceMs < unusedAfterMs) return false;
    return this.claims.replace(name, standing, key, this.clock.nowMs());
  }

  /**
   * Releases a name for which no submission began. Precondition: no concurrent request with this
   * key needs the lock.
   */
  async release(name: string, key: string): Promise<void> {
    await this.claims.release(name, key);
  }
}
