import type {
  Attempt,
  Lane,
  NonceRow,
  TransactionRow,
  MachineState,
  RowChanges,
} from '@sotto/submission-core';
import type { Insertable, Kysely } from 'kysely';
import {
  fromAttempt,
  fromLane,
  fromNonce,
  fromTransaction,
  isAttempt,
  type LaneWrite,
} from './rows.js';
import type {
  AttemptsTable,
  CalldataTable,
  NoncesTable,
  SignedBytesTable,
  StoreSchema,
  TransactionsTable,
} from '../schema.js';
import { Statement } from '../statement.js';

/**
 * Writes what was decided on `view`. A row that the view holds is updated, any other one inserted:
 * an upsert would overwrite a row that another writer inserted after the view was read, an insert
 * fails on it. Referenced rows come first.
 */
export async function applyWrites(
  db: Kysely<StoreSchema>,
  view: MachineState,
  writes: RowChanges,
): Promise<void> {
  for (const attempt of writes.attempts ?? []) await writeAttempt(db, view, attempt);
  for (const nonce of writes.nonces ?? []) await writeNonce(db, view, nonce);
  for (const transaction of writes.transactions ?? [])
    await writeTransaction(db, view, transaction);
  for (const lane of writes.lanes ?? []) await writeLane(db, lane);
  if (writes.calldata !== undefined) {
    const { id, calldata } = writes.calldata;
    await putCalldata.run(db, { submission_id: id, words: calldata.toPacked() });
  }
  if (writes.signed !== undefined) {
    const { hash, envelope } = writes.signed;
    const { bytes, sha256, calldataAt } = envelope;
    const calldata_at = calldataAt === null ? null : BigInt(calldataAt);
    await putSignedBytes.run(db, { hash, bytes, sha256, calldata_at });
  }
}

async function writeAttempt(
  db: Kysely<StoreSchema>,
  { lastAttempt, callers }: MachineState,
  attempt: Attempt,
): Promise<void> {
  const isKnown =
    isAttempt(lastAttempt, attempt) || callers.some((caller) => isAttempt(caller.attempt, attempt));
  await put(db, attempts, fromAttempt(attempt), isKnown);
}

async function writeNonce(
  db: Kysely<StoreSchema>,
  { nonce }: MachineState,
  row: NonceRow,
): Promise<void> {
  const isKnown = nonce !== null && nonce.lane === row.lane && nonce.nonce === row.nonce;
  await put(db, nonces, fromNonce(row), isKnown);
}

async function writeTransaction(
  db: Kysely<StoreSchema>,
  view: MachineState,
  transaction: TransactionRow,
): Promise<void> {
  const isKnown = view.transactions.some(({ hash }) => hash === transaction.hash);
  await put(db, transactions, fromTransaction(transaction), isKnown);
}

async function writeLane(db: Kysely<StoreSchema>, lane: Lane): Promise<void> {
  const { numAffectedRows } = await updateLane.run(db, fromLane(lane));
  if (numAffectedRows !== 1n) throw new Error('a lane that is written has a row');
}

interface RowStatements<Row extends object> {
  readonly insert: Statement<Row, unknown>;
  readonly update: Statement<Row, unknown>;
}

async function put<Row extends object>(
  db: Kysely<StoreSchema>,
  into: RowStatements<Row>,
  row: Row,
  isKnown: boolean,
): Promise<void> {
  const { numAffectedRows } = await (isKnown ? into.update : into.insert).run(db, row);
  if (numAffectedRows !== 1n) throw new Error('a row that was read in this transaction is gone');
}

const attempts: RowStatements<Insertable<AttemptsTable>> = {
  insert: new Statement((db, row) => db.insertInto('attempts').values(row)),
  update: new Statement((db, { key, attempt, ...columns }) =>
    db.updateTable('attempts').set(columns).where('key', '=', key).where('attempt', '=', attempt),
  ),
};

const nonces: RowStatements<Insertable<NoncesTable>> = {
  insert: new Statement((db, row) => db.insertInto('nonces').values(row)),
  update: new Statement((db, { lane, nonce, ...columns }) =>
    db.updateTable('nonces').set(columns).where('lane', '=', lane).where('nonce', '=', nonce),
  ),
};

const transactions: RowStatements<Insertable<TransactionsTable>> = {
  insert: new Statement((db, row) => db.insertInto('transactions').values(row)),
  update: new Statement((db, { hash, ...columns }) =>
    db.updateTable('transactions').set(columns).where('hash', '=', hash),
  ),
};

const updateLane = new Statement<LaneWrite, unknown>((db, { address, ...columns }) =>
  db.updateTable('lanes').set(columns).where('address', '=', address),
);

/** An attempt that waits may take a newer call. */
const putCalldata = new Statement<CalldataTable, unknown>((db, row) =>
  db
    .insertInto('calldata')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('submission_id').doUpdateSet((eb) => ({ words: eb.ref('excluded.words') })),
    ),
);

/** The same transaction signed again keeps its hash, but its signature may be another one. */
const putSignedBytes = new Statement<SignedBytesTable, unknown>((db, row) =>
  db
    .insertInto('signed_bytes')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((eb) => ({
        bytes: eb.ref('excluded.bytes'),
        sha256: eb.ref('excluded.sha256'),
        calldata_at: eb.ref('excluded.calldata_at'),
      })),
    ),
);
