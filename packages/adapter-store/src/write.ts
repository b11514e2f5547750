import type { Attempt, NonceRow, TransactionRow, View, Writes } from '@sotto/submission-core';
import type { Kysely, UpdateResult } from 'kysely';
import { fromAttempt, fromNonce, fromTransaction, isAttempt } from './rows.js';
import type { StoreSchema } from './schema.js';

/**
 * Writes what was decided on `view`. A row that the view holds is updated, any other one inserted: an upsert would overwrite
 * a row that somebody else inserted after the view was read, an insert fails on it. Referenced rows come first.
 */
export async function applyWrites(db: Kysely<StoreSchema>, view: View, writes: Writes): Promise<void> {
  for (const attempt of writes.attempts ?? []) await writeAttempt(db, view, attempt);
  for (const nonce of writes.nonces ?? []) await writeNonce(db, view, nonce);
  for (const transaction of writes.transactions ?? []) await writeTransaction(db, view, transaction);
  if (writes.calldata !== undefined) {
    const { id, calldata } = writes.calldata;
    await db.insertInto('calldata').values({ submission_id: id, words: calldata.toBytes() }).execute();
  }
  if (writes.signed !== undefined) {
    const { hash, bytes } = writes.signed;
    // The same transaction signed again keeps its hash, but its signature may be another one.
    await db
      .insertInto('signed_bytes')
      .values({ hash, bytes })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ bytes }))
      .execute();
  }
}

async function writeAttempt(db: Kysely<StoreSchema>, { lastAttempt, owner }: View, attempt: Attempt): Promise<void> {
  const { key, attempt: number, ...columns } = fromAttempt(attempt);
  if (!isAttempt(lastAttempt, attempt) && !isAttempt(owner, attempt)) {
    await db
      .insertInto('attempts')
      .values({ key, attempt: number, ...columns })
      .execute();
    return;
  }
  assertOne(await db.updateTable('attempts').set(columns).where('key', '=', key).where('attempt', '=', number).executeTakeFirst());
}

async function writeNonce(db: Kysely<StoreSchema>, view: View, row: NonceRow): Promise<void> {
  const { lane, nonce, ...columns } = fromNonce(row);
  if (view.nonce === null || view.nonce.lane !== lane || view.nonce.nonce !== nonce) {
    await db
      .insertInto('nonces')
      .values({ lane, nonce, ...columns })
      .execute();
    return;
  }
  assertOne(await db.updateTable('nonces').set(columns).where('lane', '=', lane).where('nonce', '=', nonce).executeTakeFirst());
}

async function writeTransaction(db: Kysely<StoreSchema>, view: View, transaction: TransactionRow): Promise<void> {
  const { hash, ...columns } = fromTransaction(transaction);
  if (!view.transactions.some((known) => known.hash === hash)) {
    await db
      .insertInto('transactions')
      .values({ hash, ...columns })
      .execute();
    return;
  }
  assertOne(await db.updateTable('transactions').set(columns).where('hash', '=', hash).executeTakeFirst());
}

function assertOne({ numUpdatedRows }: UpdateResult): void {
  if (numUpdatedRows !== 1n) throw new Error('a row that was read in this transaction is gone');
}
