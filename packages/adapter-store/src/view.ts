import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptRef, Lane, NonceRow, Scope, TransactionRow, View } from '@sotto/submission-core';
import type { Kysely } from 'kysely';
import type { SqlFlavor } from './flavor.js';
import { toAttempt, toLane, toNonce, toTransaction } from './rows.js';
import { underOpenNonces } from './open-nonces.js';
import type { StoreSchema } from './schema.js';

/**
 * The rows of `scope`, inside the transaction that will write them.
 * Lane before attempts: everybody locks in this order, so nobody waits in a circle.
 */
export async function loadView(db: Kysely<StoreSchema>, { rowLocks }: SqlFlavor, { key, lane, nonce }: Scope): Promise<View> {
  const laneRow = lane === null ? null : await loadLane(db, rowLocks, lane);
  const lastAttempt = key === null ? null : await loadLastAttempt(db, key, rowLocks);
  if (lane === null || nonce === null) {
    return { lastAttempt, lane: laneRow, nonce: null, owner: null, transactions: [], highestNonce: null, liveAbove: false };
  }
  const nonceRow = await loadNonce(db, lane, nonce);
  return {
    lastAttempt,
    lane: laneRow,
    nonce: nonceRow,
    owner: nonceRow === null || nonceRow.owner === null ? null : await loadAttempt(db, nonceRow.owner, rowLocks),
    transactions: await transactionsUnder(db, lane, nonce),
    highestNonce: await highestNonce(db, lane),
    liveAbove: await somethingLivesAbove(db, lane, nonce),
  };
}

export async function loadAttempt(db: Kysely<StoreSchema>, ref: AttemptRef, lock = false): Promise<Attempt | null> {
  const row = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', '=', ref.key)
    .where('attempt', '=', BigInt(ref.attempt))
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : toAttempt(row);
}

export async function loadLastAttempt(db: Kysely<StoreSchema>, key: string, lock = false): Promise<Attempt | null> {
  const row = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', '=', key)
    .orderBy('attempt', 'desc')
    .limit(1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : toAttempt(row);
}

export async function highestNonce(db: Kysely<StoreSchema>, lane: Felt): Promise<bigint | null> {
  const row = await db.selectFrom('nonces').select('nonce').where('lane', '=', lane).orderBy('nonce', 'desc').limit(1).executeTakeFirst();
  return row?.nonce ?? null;
}

async function loadLane(db: Kysely<StoreSchema>, lock: boolean, address: Felt): Promise<Lane | null> {
  const row = await db
    .selectFrom('lanes')
    .select(['address', 'role', 'leased_to', 'fence'])
    .where('address', '=', address)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : toLane(row);
}

async function loadNonce(db: Kysely<StoreSchema>, lane: Felt, nonce: bigint): Promise<NonceRow | null> {
  const row = await db.selectFrom('nonces').selectAll().where('lane', '=', lane).where('nonce', '=', nonce).executeTakeFirst();
  return row === undefined ? null : toNonce(row);
}

async function transactionsUnder(db: Kysely<StoreSchema>, lane: Felt, nonce: bigint): Promise<TransactionRow[]> {
  const rows = await db.selectFrom('transactions').selectAll().where('lane', '=', lane).where('nonce', '=', nonce).orderBy('seq').execute();
  return rows.map(toTransaction);
}

async function somethingLivesAbove(db: Kysely<StoreSchema>, lane: Felt, nonce: bigint): Promise<boolean> {
  const row = await underOpenNonces(db, lane)
    .select('transactions.hash')
    .where('nonces.nonce', '>', nonce)
    .where('transactions.dead', '=', 0n)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
