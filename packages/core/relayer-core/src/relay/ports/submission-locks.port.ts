/** Who holds a name, and since when. */
export interface SubmissionLock {
  readonly holder: string;
  readonly sinceMs: number;
}

/**
 * Names that only one may hold at a time, durable and shared by all instances. Rejects with a
 * `DomainError` when the store can't answer.
 */
export abstract class SubmissionLocks {
  /**
   * Takes the name if it is free, or renews the holder's own claim from now on. Resolves to the
   * claim that stands afterwards, whichever holder's it is.
   */
  abstract take(name: string, holder: string, nowMs: number): Promise<SubmissionLock>;
  /**
   * Gives the name to another holder if `standing` is still its claim; false otherwise, and nothing
   * changes.
   */
  abstract replace(
    name: string,
    standing: SubmissionLock,
    holder: string,
    nowMs: number,
  ): Promise<boolean>;
  /** Ends the holder's claim on the name; nothing happens where it is another's or none. */
  abstract release(name: string, holder: string): Promise<void>;
  /** Forgets claims from before the moment; returns how many. */
  abstract forget(heldBeforeMs: number): Promise<number>;
}
