import type { OperatorAction } from '@sotto/facts';

/** Action that an operator is about to perform. */
export interface NewOperatorEntry {
  /** Name of the operator's token. */
  readonly holder: string;
  readonly action: OperatorAction;
  /** Subject of the action. */
  readonly subject: string;
  readonly reason: string | null;
}

export interface OperatorEntry extends NewOperatorEntry {
  /** Increases with every entry. */
  readonly id: number;
  /** Time by the store's clock. */
  readonly atMs: number;
  /** `DONE`, or the code of an error; null if unknown. */
  readonly outcome: string | null;
}

/**
 * Durable log of operators' actions. Entries are never removed; each gets its outcome once. Rejects
 * with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class OperatorLog {
  /** Stores the entry without an outcome. @returns its id */
  abstract begin(entry: NewOperatorEntry): Promise<number>;
  /** Stores the outcome of an entry. Has no effect if it has one already. */
  abstract end(id: number, outcome: string): Promise<void>;
  /** Returns entries below this id, or the newest ones if it is null, newest first. */
  abstract page(before: number | null, limit: number): Promise<readonly OperatorEntry[]>;
}
