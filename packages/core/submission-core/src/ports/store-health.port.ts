/** Bytes of one part of the store, or of the disk that it is on. */
export interface StoreSize {
  /**
   * Names the part: `database` for all of it, `log`, `free` for what the database holds and does
   * not use, `disk_free` for what the disk has left, `table_<name>`.
   */
  readonly kind: string;
  readonly bytes: number;
}

/** Whether the store takes writes, and how large it is. */
export abstract class StoreHealth {
  /**
   * Writes one small row and resolves once it is on disk. Probes that come together share one
   * write, and a probe within a second of one that went well resolves without another.
   * Rejects with `LedgerUnavailable`, whose `causeCode` says why, when the row can't be written.
   * The cause `SCHEMA_IS_NEWER` means that a newer release has changed the schema, and that this
   * process writes no more.
   */
  abstract probe(): Promise<void>;
  /** Rejects with `LedgerUnavailable` when the store can't answer. */
  abstract size(): Promise<readonly StoreSize[]>;
}
