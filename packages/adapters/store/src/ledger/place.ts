import type { Felt } from '@sotto/kernel';
import type { NonceRow, TransactionRow } from '@sotto/submission-core';
import type { Kysely, Selectable } from 'kysely';
import type { OrNothing } from './joined.js';
import { toNonce } from './rows.js';
import { toTransaction } from './transaction-rows.js';
import type { NoncesTable, StoreSchema, TransactionsTable } from '../schema.js';
import { Statement } from '../statement.js';

/** Position in the ledger: a lane and one of its nonces. */
export interface Place {
  readonly lane: Felt;
  readonly nonce: bigint;
}

/** Rows that belong to one nonce of a lane: the nonce and its transactions. */
export interface Placed {
  /** Row of the nonce, or of the range that contains the nonce; null if there is no such row. */
  readonly nonce: NonceRow | null;
  /** Transactions under the nonce, oldest first. */
  readonly transactions: readonly TransactionRow[];
}

export async function loadPlaced(db: Kysely<StoreSchema>, place: Place): Promise<Placed> {
  const rows = await rowsAt.all(db, place);
  const [nonce] = rows;
  return {
    nonce: nonce === undefined ? null : toNonce(nonce),
    transactions: rows.filter(hasTransaction).map(toTransaction),
  };
}

/**
 * Row of a nonce joined with one of its transactions. If a nonce has no transactions, the query
 * returns one row for it.
 */
type PlacedRow = Selectable<NoncesTable> & OrNothing<Selectable<TransactionsTable>>;

const hasTransaction = (row: PlacedRow): row is PlacedRow & Selectable<TransactionsTable> =>
  row.hash !== null;

const rowsAt = new Statement<Place, PlacedRow>((db, { lane, nonce }) =>
  db
    .selectFrom('nonces')
    .leftJoin('transactions', (join) =>
      join.onRef('transactions.lane', '=', 'nonces.lane').on('transactions.nonce', '=', nonce),
    )
    // Both tables have lane and nonce; the later columns override the earlier ones.
    .selectAll('transactions')
    .selectAll('nonces')
    .where('nonces.lane', '=', lane)
    .where('nonces.nonce', '=', (eb) =>
      eb
        .selectFrom('nonces as below')
        .select((highest) => highest.fn.max('below.nonce').as('nonce'))
        .where('below.lane', '=', lane)
        .where('below.nonce', '<=', nonce),
    )
    .where('nonces.through', '>=', nonce)
    .orderBy('transactions.seq'),
);
