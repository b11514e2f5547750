import type { OperatorAction } from '@sotto/facts';

/** Log entry of an action that an operator is about to perform. */
export interface NewOperatorEntry {
  /** Name of the operator's API token. */
  readonly holder: string;
  readonly action: OperatorAction;
  /** Subject of the action, such as a pool or a submission. */
  readonly subject: string;
  readonly reason: string | null;
}

export interface OperatorEntry extends NewOperatorEntry {
  /** Id of the entry. Ids increase with every entry. */
  readonly id: number;
  /** Time of the entry by the store's clock, in Unix milliseconds. */
  readonly atMs: number;
  /** Outcome of the action: `DONE`, or the code of an error; null if unknown. */
  readonly outcome: string | null;
}

/**
 * Durable log of operators' actions. Entries are never removed, and each entry gets its outcome
 * only once. Methods reject with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class OperatorLog {
  /** Stores the entry without an outcome. @returns the entry's id */
  abstract begin(entry: NewOperatorEntry): Promise<number>;
  /** Stores the outcome of an entry. If the entry already has an outcome, nothing changes. */
  abstract end(id: number, outcome: string): Promise<void>;
  /**
   * Returns entries whose id is below `before`, newest first. Returns the newest entries if
   * `before` is null.
   */
  abstract page(before: number | null, limit: number): Promise<readonly OperatorEntry[]>;
}
