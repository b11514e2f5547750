/** Holder of a name, with the time at which the name was locked. */
export interface SubmissionLock {
  readonly holder: string;
  readonly sinceMs: number;
}

/**
 * Locks names, each for one submission at a time. Locks are durable and shared by all instances.
 * Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class SubmissionLocks {
  /**
   * Locks the name if it is free, or renews the lock if the same holder already has it. Returns the
   * lock that is valid afterwards; its holder may be a different one.
   */
  abstract take(name: string, holder: string, nowMs: number): Promise<SubmissionLock>;
  /**
   * Transfers the name to `holder` if `standing` is still the current lock. Otherwise returns false
   * and changes nothing.
   */
  abstract replace(
    name: string,
    standing: SubmissionLock,
    holder: string,
    nowMs: number,
  ): Promise<boolean>;
  /** Releases the lock on the name if `holder` has it. Otherwise nothing changes. */
  abstract release(name: string, holder: string): Promise<void>;
  /** Deletes locks older than this time. Returns the number of deleted locks. */
  abstract forget(heldBeforeMs: number): Promise<number>;
}
