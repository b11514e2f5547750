import type { OperatorAction } from '@sotto/facts';

/** What an operator is about to do. */
export interface NewOperatorEntry {
  /** Name of the token that was shown. */
  readonly holder: string;
  readonly action: OperatorAction;
  /** What it is done to. */
  readonly subject: string;
  readonly reason: string | null;
}

export interface OperatorEntry extends NewOperatorEntry {
  /** Rises with every entry. */
  readonly id: number;
  /** By the store's clock. */
  readonly atMs: number;
  /** `DONE`, or the code of an error; null while it is not known. */
  readonly outcome: string | null;
}

/**
 * What operators did, durable and never changed: an entry gets its outcome once, and none is
 * removed. Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class OperatorLog {
  /** Keeps the entry before it resolves, without an outcome. @returns its id */
  abstract begin(entry: NewOperatorEntry): Promise<number>;
  /** Nothing happens to an entry that has an outcome. */
  abstract end(id: number, outcome: string): Promise<void>;
  /** Entries below an id, or the newest, the newest first. */
  abstract page(before: number | null, limit: number): Promise<readonly OperatorEntry[]>;
}
