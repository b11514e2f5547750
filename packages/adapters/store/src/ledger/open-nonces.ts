import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptRef, OpenNonce, TransactionRow } from '@sotto/submission-core';
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import { toAttempt, toNonce, toTransaction } from './rows.js';
import {
  NONCE_IS_OPEN,
  type AttemptsTable,
  type NoncesTable,
  type StoreSchema,
  type TransactionsTable,
} from '../schema.js';
import { Statement } from '../statement.js';

interface OfLane {
  readonly lane: Felt;
}

/**
 * Open nonces of a lane with their owners and transactions, lowest first; in one read transaction,
 * or a nonce may look empty.
 */
export async function loadOpenNonces(db: Kysely<StoreSchema>, lane: Felt): Promise<OpenNonce[]> {
  const nonces = await openNonces.all(db, { lane });
  if (nonces.length === 0) return [];
  const owners = await owningAttempts.all(db, { lane });
  const transactions = await openTransactions.all(db, { lane });
  const attempts = new Map(owners.map(toAttempt).map((attempt) => [nameOf(attempt), attempt]));
  const byNonce = new Map<bigint, TransactionRow[]>(nonces.map(({ nonce }) => [nonce, []]));
  for (const row of transactions) byNonce.get(row.nonce)?.push(toTransaction(row));
  return nonces.map(toNonce).map((row) => ({
    row,
    owner: ownerOf(row.owner, attempts),
    transactions: byNonce.get(row.nonce) ?? [],
  }));
}

/**
 * Transactions of open nonces. Nonces come first in a cross join: SQLite then keeps that order,
 * where it would otherwise walk all transactions that the lane ever had; PostgreSQL takes it for
 * the inner join that it is.
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

/** Of every lane. */
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

const openNonces = new Statement<OfLane, Selectable<NoncesTable>>((db, { lane }) =>
  openNoncesOf(db, lane).selectAll().orderBy('nonce'),
);

const owningAttempts = new Statement<OfLane, Selectable<AttemptsTable>>((db, { lane }) =>
  openNoncesOf(db, lane)
    .crossJoin('attempts')
    .whereRef('attempts.key', '=', 'nonces.owner_key')
    .whereRef('attempts.attempt', '=', 'nonces.owner_attempt')
    .selectAll('attempts'),
);

const openTransactions = new Statement<OfLane, Selectable<TransactionsTable>>((db, { lane }) =>
  underOpenNonces(db, lane).selectAll('transactions').orderBy('transactions.seq'),
);

const nameOf = ({ key, attempt }: AttemptRef): string => `${attempt}|${key}`;

function ownerOf(owner: AttemptRef | null, attempts: ReadonlyMap<string, Attempt>): Attempt | null {
  return owner === null ? null : (attempts.get(nameOf(owner)) ?? null);
}
