import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptRef, Lane, NonceRow, Scope, View } from '@sotto/submission-core';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { SqlFlavor } from './flavor.js';
import { underOpenNonces } from './open-nonces.js';
import { toAttempt, toLane, toNonce, toTransaction } from './rows.js';
import type { AttemptsTable, LanesTable, NoncesTable, StoreSchema, TransactionsTable } from './schema.js';
import { Statement } from './statement.js';

/** Names a nonce of a lane. */
interface Place {
  readonly lane: Felt;
  readonly nonce: bigint;
}

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
  const nonceRow = await loadNonce(db, { lane, nonce });
  return {
    lastAttempt,
    lane: laneRow,
    nonce: nonceRow,
    owner: nonceRow === null || nonceRow.owner === null ? null : await loadAttempt(db, nonceRow.owner, rowLocks),
    transactions: (await transactionsUnder.all(db, { lane, nonce })).map(toTransaction),
    highestNonce: await highestNonce(db, lane),
    liveAbove: (await livingAbove.first(db, { lane, nonce })) !== undefined,
  };
}

export async function loadAttempt(db: Kysely<StoreSchema>, { key, attempt }: AttemptRef, lock = false): Promise<Attempt | null> {
  const row = await attemptByRef[lock ? 'locked' : 'plain'].first(db, { key, attempt: BigInt(attempt) });
  return row === undefined ? null : toAttempt(row);
}

export async function loadLastAttempt(db: Kysely<StoreSchema>, key: string, lock = false): Promise<Attempt | null> {
  const row = await lastAttemptByKey[lock ? 'locked' : 'plain'].first(db, { key });
  return row === undefined ? null : toAttempt(row);
}

export async function highestNonce(db: Kysely<StoreSchema>, lane: Felt): Promise<bigint | null> {
  return (await highestNonceOf.first(db, { lane }))?.nonce ?? null;
}

async function loadLane(db: Kysely<StoreSchema>, lock: boolean, address: Felt): Promise<Lane | null> {
  const row = await laneByAddress[lock ? 'locked' : 'plain'].first(db, { address });
  return row === undefined ? null : toLane(row);
}

async function loadNonce(db: Kysely<StoreSchema>, place: Place): Promise<NonceRow | null> {
  const row = await nonceByPlace.first(db, place);
  return row === undefined ? null : toNonce(row);
}

/** Where writers run side by side, what a write depends on is read with a lock. */
type Locked<Values extends object, Row> = { readonly plain: Statement<Values, Row>; readonly locked: Statement<Values, Row> };

function lockable<Values extends object, Row>(make: (lock: boolean) => Statement<Values, Row>): Locked<Values, Row> {
  return { plain: make(false), locked: make(true) };
}

const attemptByRef = lockable(
  (lock) =>
    new Statement<{ readonly key: string; readonly attempt: bigint }, Selectable<AttemptsTable>>((db, { key, attempt }) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('key', '=', key)
        .where('attempt', '=', attempt)
        .$if(lock, (query) => query.forUpdate()),
    ),
);

const lastAttemptByKey = lockable(
  (lock) =>
    new Statement<{ readonly key: string }, Selectable<AttemptsTable>>((db, { key }) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('key', '=', key)
        .orderBy('attempt', 'desc')
        .limit(sql.lit(1))
        .$if(lock, (query) => query.forUpdate()),
    ),
);

const laneByAddress = lockable(
  (lock) =>
    new Statement<{ readonly address: Felt }, Omit<Selectable<LanesTable>, 'lease_until_ms'>>((db, { address }) =>
      db
        .selectFrom('lanes')
        .select(['address', 'role', 'leased_to', 'fence'])
        .where('address', '=', address)
        .$if(lock, (query) => query.forUpdate()),
    ),
);

const nonceByPlace = new Statement<Place, Selectable<NoncesTable>>((db, { lane, nonce }) =>
  db.selectFrom('nonces').selectAll().where('lane', '=', lane).where('nonce', '=', nonce),
);

const highestNonceOf = new Statement<{ readonly lane: Felt }, Pick<NoncesTable, 'nonce'>>((db, { lane }) =>
  db.selectFrom('nonces').select('nonce').where('lane', '=', lane).orderBy('nonce', 'desc').limit(sql.lit(1)),
);

const transactionsUnder = new Statement<Place, Selectable<TransactionsTable>>((db, { lane, nonce }) =>
  db.selectFrom('transactions').selectAll().where('lane', '=', lane).where('nonce', '=', nonce).orderBy('seq'),
);

const livingAbove = new Statement<Place, Pick<TransactionsTable, 'hash'>>((db, { lane, nonce }) =>
  underOpenNonces(db, lane)
    .select('transactions.hash')
    .where('nonces.nonce', '>', nonce)
    .where('transactions.dead', '=', sql.lit(0n))
    .limit(sql.lit(1)),
);
