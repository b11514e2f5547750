/** Size of one component of the store, or of the free space on its disk. */
export interface StoreSize {
  /**
   * Component that was measured: `database` for the whole database, `log` for the database's
   * write-ahead log, `free` for unused space in the database, `disk_free` for free space on the
   * disk, `table_<name>` for one table.
   */
  readonly kind: string;
  readonly bytes: number;
}

/** Checks whether the store accepts writes, and measures its size. */
export abstract class StoreHealth {
  /**
   * Writes one small row and resolves once the row is on disk. Concurrent probes share one write.
   * Within a second after a successful probe, further probes resolve without another write. Rejects
   * with `LedgerUnavailable`, whose `causeCode` is the reason, if the row can't be written. The
   * cause `SCHEMA_IS_NEWER` means that a newer release has changed the schema, and that this
   * process no longer writes.
   */
  abstract probe(): Promise<void>;
  /**
   * Returns the sizes of the store's components.
   * @throws LedgerUnavailable if the store can't answer
   */
  abstract size(): Promise<readonly StoreSize[]>;
}
