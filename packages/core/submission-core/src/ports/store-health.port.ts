/** Size of one part of the store, or of its disk. */
export interface StoreSize {
  /**
   * Part: `database` for all of it, `log`, `free` for unused space in the database, `disk_free` for
   * free space on the disk, `table_<name>`.
   */
  readonly kind: string;
  readonly bytes: number;
}

/** Checks whether the store accepts writes, and measures its size. */
export abstract class StoreHealth {
  /**
   * Writes one small row and resolves once it is on disk. Concurrent probes share one write. A
   * probe within a second of a successful one resolves without another.
   * Rejects with `LedgerUnavailable`, whose `causeCode` is the reason, if the row can't be written.
   * The cause `SCHEMA_IS_NEWER` means that a newer release has changed the schema, and that this
   * process no longer writes.
   */
  abstract probe(): Promise<void>;
  /**
   * Returns the sizes of the parts.
   * @throws LedgerUnavailable if the store can't answer
   */
  abstract size(): Promise<readonly StoreSize[]>;
}
