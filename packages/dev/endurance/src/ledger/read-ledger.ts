import { DatabaseSync } from 'node:sqlite';
import { toFelt, type Felt } from '@sotto/kernel';

interface AttemptRow {
  readonly id: string;
  readonly key: string;
  readonly attempt: number;
  readonly state: string;
  readonly rejectionCode: string | null;
}

interface NonceRow {
  readonly lane: Felt;
  readonly nonce: number;
  /** Last nonce of a range that was imported as one row. Equals `nonce` for every other row. */
  readonly through: number;
  readonly isSettled: boolean;
  /** True if a transaction outside the ledger settled the nonce. */
  readonly isForeign: boolean;
}

export interface TransactionRow {
  readonly hash: Felt;
  readonly lane: Felt;
  readonly kind: string;
  /** Key of the attempt whose call the transaction carries; null for a no-op. */
  readonly key: string | null;
  readonly attempt: number | null;
}

/** Rows of the service's ledger that an audit needs. */
export interface LedgerRows {
  readonly attempts: readonly AttemptRow[];
  readonly nonces: readonly NonceRow[];
  readonly transactions: readonly TransactionRow[];
}

/**
 * Reads all rows from the ledger file. The file is opened read-only, since the service may be
 * writing.
 */
export function readLedger(file: string): LedgerRows {
  return inLedger(file, (rows) => ({
    attempts: rows('select id, key, attempt, state, refusal_code from attempts order by seq').map(
      (row) => ({
        id: String(row['id']),
        key: String(row['key']),
        attempt: Number(row['attempt']),
        state: String(row['state']),
        rejectionCode: textOrNull(row['refusal_code']),
      }),
    ),
    nonces: rows(
      'select lane, nonce, through, state, is_foreign from nonces order by lane, nonce',
    ).map((row) => ({
      lane: toFelt(String(row['lane'])),
      nonce: Number(row['nonce']),
      through: Number(row['through']),
      isSettled: row['state'] === 'settled',
      isForeign: Number(row['is_foreign']) === 1,
    })),
    transactions: rows(
      'select hash, lane, kind, attempt_key, attempt_number from transactions order by seq',
    ).map((row) => ({
      hash: toFelt(String(row['hash'])),
      lane: toFelt(String(row['lane'])),
      kind: String(row['kind']),
      key: textOrNull(row['attempt_key']),
      attempt: row['attempt_number'] === null ? null : Number(row['attempt_number']),
    })),
  }));
}

/** Returns the ids of attempts that have not ended. */
export function liveAttempts(file: string): ReadonlySet<string> {
  return inLedger(
    file,
    (rows) =>
      new Set(rows(`select id from attempts where state in ${LIVE}`).map(({ id }) => String(id))),
  );
}

/** Counts attempts of private actions that have not ended. */
export function livePrivateActions(file: string): number {
  return countIn(
    file,
    `select count(*) as count from attempts where kind = 'private_action' and state in ${LIVE}`,
  );
}

/** Counts attempts that have not ended and nonces that are not settled. */
export function unsettled(file: string): number {
  return countIn(
    file,
    `select (select count(*) from attempts where state in ${LIVE})
    + (select count(*) from nonces where state = 'open') as count`,
  );
}

/**
 * Counts attempts that have not ended, and open nonces with a transaction that may still be
 * included. An open nonce without such a transaction is free: the lane's next call uses it. If
 * several processes share the lanes, such a lane may belong to a process that has no work.
 */
export function inFlight(file: string): number {
  return countIn(
    file,
    `select (select count(*) from attempts where state in ${LIVE})
    + (select count(*) from nonces where state = 'open' and exists (
        select 1 from transactions where transactions.lane = nonces.lane
          and transactions.nonce = nonces.nonce and gone is null)) as count`,
  );
}

function countIn(file: string, sql: string): number {
  return inLedger(file, (rows) => Number(rows(sql)[0]?.['count']));
}

const LIVE = `('accepted', 'broadcast')`;

type Row = Readonly<Record<string, unknown>>;

function inLedger<T>(file: string, read: (rows: (sql: string) => readonly Row[]) => T): T {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return read((sql) => database.prepare(sql).all());
  } finally {
    database.close();
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
