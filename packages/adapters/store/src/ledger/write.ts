import type {
  Attempt,
  Lane,
  NonceRow,
  TransactionRow,
  MachineState,
  RowChanges,
} from '@sotto/submission-core';
import type { Insertable, Kysely } from 'kysely';
import { fromLane, type LaneWrite } from './lane-rows.js';
import { fromAttempt, fromNonce, isAttempt } from './rows.js';
import { fromTransaction } from './transaction-rows.js';
import type {
  AttemptsTable,
  CalldataTable,
  NoncesTable,
  SignedBytesTable,
  StoreSchema,
  TransactionsTable,
} from '../schema.js';
import { Statement, together } from '../statement.js';

/**
 * Writes the decision that was made on the rows in `view`. These rows are updated; all other rows
 * are inserted. An upsert would overwrite a row that another writer inserted after the view was
 * read, whereas an insert fails. Rows to which other rows refer are written first.
 */
export async function applyWrites(
  db: Kysely<StoreSchema>,
  view: MachineState,
  writes: RowChanges,
): Promise<void> {
  const { attempts: ended = [], nonces: numbered = [], transactions: sent = [] } = writes;
  await together([
    ...ended.map((attempt) => writeAttempt(db, view, attempt)),
    ...numbered.map((nonce) => writeNonce(db, view, nonce)),
    ...sent.map((transaction) => writeTransaction(db, view, transaction)),
    ...(writes.lanes ?? []).map((lane) => writeLane(db, lane)),
    writeCalldata(db, writes.calldata),
    writeSigned(db, writes.signed),
  ]);
}

async function writeCalldata(
  db: Kysely<StoreSchema>,
  written: RowChanges['calldata'],
): Promise<void> {
  if (written === undefined) return;
  await putCalldata.run(db, { submission_id: written.id, words: written.calldata.toPacked() });
}

async function writeSigned(db: Kysely<StoreSchema>, written: RowChanges['signed']): Promise<void> {
  if (written === undefined) return;
  const { bytes, sha256, calldataAt } = written.envelope;
  const calldata_at = calldataAt === null ? null : BigInt(calldataAt);
  await putSignedBytes.run(db, { hash: written.hash, bytes, sha256, calldata_at });
}

async function writeAttempt(
  db: Kysely<StoreSchema>,
  { lastAttempt, callers }: MachineState,
  attempt: Attempt,
): Promise<void> {
  const known = [lastAttempt, ...callers.map((caller) => caller.attempt)];
  const before = known.find((row) => isAttempt(row, attempt)) ?? null;
  await put(db, attempts, fromAttempt(attempt), before === null ? null : fromAttempt(before));
}

async function writeNonce(
  db: Kysely<StoreSchema>,
  { nonce }: MachineState,
  row: NonceRow,
): Promise<void> {
  const isKnown = nonce !== null && nonce.lane === row.lane && nonce.nonce === row.nonce;
  await put(db, nonces, fromNonce(row), isKnown ? fromNonce(nonce) : null);
}

async function writeTransaction(
  db: Kysely<StoreSchema>,
  view: MachineState,
  transaction: TransactionRow,
): Promise<void> {
  const before = view.transactions.find(({ hash }) => hash === transaction.hash);
  const known = before === undefined ? null : fromTransaction(before);
  await put(db, transactions, fromTransaction(transaction), known);
}

async function writeLane(db: Kysely<StoreSchema>, lane: Lane): Promise<void> {
  const { numAffectedRows } = await updateLane.run(db, fromLane(lane));
  if (numAffectedRows !== 1n) throw new Error('a lane that is written has a row');
}

/** Statements of a table. If a row changes, only its changed columns are written. */
interface Written<Row extends object> {
  readonly insert: Statement<Row, unknown>;
  /** Builds a statement that updates the given columns. The values must include the row's key. */
  readonly update: (columns: readonly (keyof Row & string)[]) => Statement<Row, unknown>;
  /** Columns that every update writes in addition to the changed columns. */
  readonly always: readonly (keyof Row & string)[];
}

/**
 * Inserts a row, or updates only its changed columns, because setting a column rewrites its indexes
 * even if the value is equal. An unchanged row is not written: it was read under the locks of this
 * transaction, so it is still equal.
 */
async function put<Row extends object>(
  db: Kysely<StoreSchema>,
  { insert, update, always }: Written<Row>,
  row: Row,
  before: Row | null,
): Promise<void> {
  const changed =
    before === null ? [] : columnsOf(row).filter((name) => row[name] !== before[name]);
  if (before !== null && changed.length === 0) return;
  const statement = before === null ? insert : update([...changed, ...always]);
  const { numAffectedRows } = await statement.run(db, row);
  if (numAffectedRows !== 1n) throw new Error('a row that was read in this transaction is gone');
}

// CAST: rows are created with exactly the columns of their table.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const columnsOf = <Row extends object>(row: Row) => Object.keys(row) as (keyof Row & string)[];

/**
 * Caches one compiled statement for each set of changed columns. Commands use few different sets.
 */
function statementBySet<Row extends object>(
  make: (changedOf: (row: Row) => Partial<Row>) => Statement<Row, unknown>,
): Written<Row>['update'] {
  const known = new Map<string, Statement<Row, unknown>>();
  return (columns) => {
    const name = columns.join();
    const statement = known.get(name) ?? make((row) => pick(row, columns));
    known.set(name, statement);
    return statement;
  };
}

function pick<Row extends object>(
  row: Row,
  columns: readonly (keyof Row & string)[],
): Partial<Row> {
  const picked: Partial<Row> = {};
  for (const column of columns) picked[column] = row[column];
  return picked;
}

const attempts: Written<Insertable<AttemptsTable>> = {
  always: ['wiped'],
  insert: new Statement((db, row) => db.insertInto('attempts').values(row)),
  update: statementBySet(
    (changedOf) =>
      new Statement((db, row) =>
        db
          .updateTable('attempts')
          .set(changedOf(row))
          .where('key', '=', row.key)
          .where('attempt', '=', row.attempt),
      ),
  ),
};

const nonces: Written<Insertable<NoncesTable>> = {
  always: ['wiped'],
  insert: new Statement((db, row) => db.insertInto('nonces').values(row)),
  update: statementBySet(
    (changedOf) =>
      new Statement((db, row) =>
        db
          .updateTable('nonces')
          .set(changedOf(row))
          .where('lane', '=', row.lane)
          .where('nonce', '=', row.nonce),
      ),
  ),
};

const transactions: Written<Insertable<TransactionsTable>> = {
  always: [],
  insert: new Statement((db, row) => db.insertInto('transactions').values(row)),
  update: statementBySet(
    (changedOf) =>
      new Statement((db, row) =>
        db.updateTable('transactions').set(changedOf(row)).where('hash', '=', row.hash),
      ),
  ),
};

const updateLane = new Statement<LaneWrite, unknown>((db, { address, ...columns }) =>
  db.updateTable('lanes').set(columns).where('address', '=', address),
);

/**
 * Inserts or replaces calldata. A replacement is needed because an attempt that is not signed yet
 * may receive a newer call.
 */
const putCalldata = new Statement<CalldataTable, unknown>((db, row) =>
  db
    .insertInto('calldata')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('submission_id').doUpdateSet((eb) => ({ words: eb.ref('excluded.words') })),
    ),
);

/**
 * Inserts or replaces signed bytes. A transaction that is signed again has the same hash, but its
 * signature may differ.
 */
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
