import type { AttemptWithTransactions } from '@sotto/submission-core';
import type { Kysely, Selectable } from 'kysely';
import { prefixed, unprefixed, type Prefixed } from './joined.js';
import { toAttempt, type AttemptColumns } from './rows.js';
import { TRANSACTION, toTransaction, type TransactionColumns } from './transaction-rows.js';
import type { AttemptsTable, StoreSchema } from '../schema.js';
import { Statement } from '../statement.js';

/**
 * Prefix of the transaction's columns. Without the prefix, their names would collide with those of
 * the attempt.
 */
const SENT = 'sent_';

/**
 * Row of an attempt joined with one of its transactions. If an attempt has no transactions, the
 * query returns one row for it.
 */
type SentRow = Selectable<AttemptsTable> & Prefixed<TransactionColumns, typeof SENT>;

/** Loads an attempt and its transactions, oldest first, in one statement. */
export async function loadAttemptWithTransactions(
  db: Kysely<StoreSchema>,
  id: string,
): Promise<AttemptWithTransactions | null> {
  const rows: readonly SentRow[] = await attemptWithTransactions.all(db, { id });
  const [first] = rows;
  if (first === undefined) return null;
  return {
    attempt: toAttempt(first satisfies AttemptColumns),
    transactions: rows.flatMap((row) => {
      const transaction = unprefixed<TransactionColumns>(row, TRANSACTION, SENT, 'hash');
      return transaction === null ? [] : [toTransaction(transaction)];
    }),
  };
}

const attemptWithTransactions = new Statement<{ readonly id: string }, SentRow>((db, { id }) =>
  db
    .selectFrom('attempts')
    .leftJoin('transactions', (join) =>
      join
        .onRef('transactions.attempt_key', '=', 'attempts.key')
        .onRef('transactions.attempt_number', '=', 'attempts.attempt'),
    )
    .selectAll('attempts')
    .select(prefixed('transactions', TRANSACTION, SENT))
    .where('attempts.id', '=', id)
    .orderBy('transactions.seq'),
);
