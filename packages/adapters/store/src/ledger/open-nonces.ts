import type { Felt } from '@sotto/kernel';
import type { OpenNonce, TransactionRow } from '@sotto/submission-core';
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import { prefixed, unprefixed, type OrNothing, type Prefixed } from './joined.js';
import { ATTEMPT, toAttempt, toNonce, type AttemptColumns } from './rows.js';
import { toTransaction } from './transaction-rows.js';
import {
  NONCE_IS_OPEN,
  type NoncesTable,
  type StoreSchema,
  type TransactionsTable,
} from '../schema.js';
import { Statement } from '../statement.js';

interface OfLane {
  readonly lane: Felt;
}

/**
 * Prefix of the columns of the nonce's owner. Without the prefix, their names would collide with
 * those of the nonce.
 */
const OWNER = 'of_';

type OpenRow = Selectable<NoncesTable> &
  OrNothing<Selectable<TransactionsTable>> &
  Prefixed<AttemptColumns, typeof OWNER>;

/**
 * Loads the open nonces of a lane with their owners and transactions, lowest nonce first. A single
 * statement ensures a consistent view: if nonces and transactions were read by two statements, a
 * nonce could seem to have no transactions.
 */
export async function loadOpenNonces(db: Kysely<StoreSchema>, lane: Felt): Promise<OpenNonce[]> {
  const found = new Map<bigint, OpenNonce & { readonly transactions: TransactionRow[] }>();
  const rows = await openNonces.all(db, { lane });
  // The rows are sorted here: with both columns in ORDER BY, SQLite would read every nonce of the
  // lane.
  for (const row of rows.toSorted((a, b) => Number((a.seq ?? 0n) - (b.seq ?? 0n)))) {
    const nonce = found.get(row.nonce) ?? withoutTransactions(row);
    found.set(row.nonce, nonce);
    if (hasTransaction(row)) nonce.transactions.push(toTransaction(row));
  }
  return [...found.values()].toSorted((a, b) => Number(a.row.nonce - b.row.nonce));
}

function withoutTransactions(row: OpenRow) {
  const owner = unprefixed<AttemptColumns>(row, ATTEMPT, OWNER, 'key');
  return {
    row: toNonce(row),
    owner: owner === null ? null : toAttempt(owner),
    transactions: [],
  };
}

const hasTransaction = (row: OpenRow): row is OpenRow & Selectable<TransactionsTable> =>
  row.hash !== null;

/**
 * Selects the transactions of a lane's open nonces. The cross join makes SQLite start with the
 * nonces; otherwise SQLite would read every transaction of the lane. PostgreSQL treats the cross
 * join as an inner join.
 */
export function underOpenNonces(
  db: Kysely<StoreSchema>,
  lane: Felt,
): SelectQueryBuilder<StoreSchema, 'nonces' | 'transactions', {}> {
  return openNoncesOf(db, lane)
    .crossJoin('transactions')
    .whereRef('transactions.lane', '=', 'nonces.lane')
    .whereRef('transactions.nonce', '=', 'nonces.nonce');
}

/** Selects the transactions of the open nonces of every lane. */
export function underEveryOpenNonce(
  db: Kysely<StoreSchema>,
): SelectQueryBuilder<StoreSchema, 'nonces' | 'transactions', {}> {
  return db
    .selectFrom('nonces')
    .where(NONCE_IS_OPEN)
    .crossJoin('transactions')
    .whereRef('transactions.lane', '=', 'nonces.lane')
    .whereRef('transactions.nonce', '=', 'nonces.nonce');
}

function openNoncesOf(db: Kysely<StoreSchema>, lane: Felt) {
  return db.selectFrom('nonces').where('nonces.lane', '=', lane).where(NONCE_IS_OPEN);
}

const openNonces = new Statement<OfLane, OpenRow>((db, { lane }) =>
  openNoncesOf(db, lane)
    .leftJoin('attempts', (join) =>
      join
        .onRef('attempts.key', '=', 'nonces.owner_key')
        .onRef('attempts.attempt', '=', 'nonces.owner_attempt'),
    )
    .leftJoin('transactions', (join) =>
      join
        .onRef('transactions.lane', '=', 'nonces.lane')
        .onRef('transactions.nonce', '=', 'nonces.nonce'),
    )
    // Both tables have lane and nonce; the later columns override the earlier ones.
    .selectAll('transactions')
    .selectAll('nonces')
    .select(prefixed('attempts', ATTEMPT, OWNER)),
);
