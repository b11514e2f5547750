import { DatabaseSync } from 'node:sqlite';

/**
 * Rows that tests read from the ledger's file. The file is opened read-only, because the service
 * may be writing.
 */
export interface LedgerRows {
  readonly attempts: readonly {
    readonly id: string;
    readonly attempt: number;
    readonly state: string;
  }[];
  readonly transactions: readonly {
    readonly hash: string;
    readonly nonce: number;
    readonly claims: number;
    /** Name of the node in the last claim, or null. */
    readonly claimNode: string | null;
  }[];
  /** Number of submissions whose calldata is stored. */
  readonly calldata: number;
  /** Number of notes whose swaps are pinned. */
  readonly swapPins: number;
}

export function readLedger(path: string): LedgerRows {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = (sql: string): readonly Readonly<Record<string, unknown>>[] =>
      database.prepare(sql).all();
    return {
      attempts: rows('select id, attempt, state from attempts order by seq').map(
        ({ id, attempt, state }) => ({
          id: String(id),
          attempt: Number(attempt),
          state: String(state),
        }),
      ),
      transactions: rows(
        'select hash, nonce, claims, claim_node from transactions order by seq',
      ).map(({ hash, nonce, claims, claim_node: claimNode }) => ({
        hash: String(hash),
        nonce: Number(nonce),
        claims: Number(claims),
        claimNode: typeof claimNode === 'string' ? claimNode : null,
      })),
      calldata: rows('select submission_id from calldata').length,
      swapPins: rows('select note from swap_pins').length,
    };
  } finally {
    database.close();
  }
}

/** Deletes the swap pins, as if the store had lost them. No service may have the file open. */
export function forgetSwapPins(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('delete from swap_pins; delete from swap_owners');
  database.close();
}

/** Returns true if the ledger contains no accepted request. */
export function isEmpty({ attempts, transactions, calldata, swapPins }: LedgerRows): boolean {
  return attempts.length + transactions.length + calldata + swapPins === 0;
}
