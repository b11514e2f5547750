import { sql, type ExpressionBuilder, type Kysely, type SelectQueryBuilder } from 'kysely';
import { momentBefore, type SqlDialect } from '../sql-dialect.js';
import {
  ENDED_ATTEMPT_IS_KEPT,
  FINAL_ATTEMPT_IS_KEPT,
  FINAL_NONCE_IS_KEPT,
  SETTLED_NONCE_IS_KEPT,
  type AttemptsTable,
  type NoncesTable,
  type StoreSchema,
  type TransactionsTable,
} from '../schema.js';

/**
 * Number of rows that one transaction redacts. On SQLite, a transaction of this size blocks the
 * event loop for some milliseconds. Other writers can write between two such transactions, so they
 * do not wait until the calldata of a whole day is deleted.
 */
const BATCH = 16;
/**
 * Number of redaction runs that overwrite deleted bytes: the run that deleted the bytes, and the
 * next run. During the first run, another instance's redaction may still have used the freed pages.
 */
const ROUNDS_TO_FORGET = 2;

/**
 * Deletes private bytes that are no longer needed. Attempts and nonces record their redaction
 * progress, and partial indexes contain only rows whose redaction is unfinished. Rows that must be
 * retained or are already redacted are therefore not read, regardless of their number.
 */
export class Redaction {
  /**
   * Number of redaction runs, from now on, that overwrite deleted bytes. Initially 1, because the
   * previous process may have ended between a deletion and its overwriting.
   */
  #roundsToForget = 1;

  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  /** Redacts due rows. Returns the number of redacted attempts. */
  async run(retentionMs: number): Promise<number> {
    const before = await momentBefore(this.db, this.dialect, retentionMs);
    const wipes = new BatchedRedaction(this.dialect, before);
    let attempts = 0;
    for (const batch of (await this.#hasDue(before)) ? wipes.all : []) {
      for (;;) {
        const done = await this.db.transaction().execute((db) => batch(db));
        attempts += done.attempts;
        if (done.deleted > 0) this.#roundsToForget = ROUNDS_TO_FORGET;
        if (done.rows < BATCH) break;
      }
    }
    if (this.#roundsToForget > 0) {
      await this.dialect.forgetWiped();
      this.#roundsToForget -= 1;
    }
    return attempts;
  }

  /**
   * Checks without a transaction if rows are due. Usually no rows are due, and only the first entry
   * of each index is read.
   */
  async #hasDue(before: bigint): Promise<boolean> {
    const { rows } = await sql`select 1 as due
      where exists (select 1 from attempts where ${FINAL_ATTEMPT_IS_KEPT})
      or (select ended_at_ms from attempts where ${ENDED_ATTEMPT_IS_KEPT} order by ended_at_ms limit 1) < ${before}
      or exists (select 1 from nonces where ${FINAL_NONCE_IS_KEPT})
      or (select settled_at_ms from nonces where ${SETTLED_NONCE_IS_KEPT} order by settled_at_ms limit 1) < ${before}`.execute(
      this.db,
    );
    return rows.length > 0;
  }
}

interface Done {
  /** Number of rows that this batch processed. */
  readonly rows: number;
  /** Number of attempts whose calldata was deleted. */
  readonly attempts: number;
  /** Number of deleted rows of private bytes. */
  readonly deleted: number;
}

/**
 * Redacts one batch of rows per call. Skips rows that another instance is redacting or that a
 * command is writing; the next run processes these rows.
 */
class BatchedRedaction {
  constructor(
    private readonly dialect: SqlDialect,
    /**
     * Time in milliseconds. Rows that ended before this time are redacted, even if they are not
     * final.
     */
    private readonly before: bigint,
  ) {}

  /**
   * Deletes the calldata of final attempts, which are never signed again. Calldata is not deleted
   * while the attempt has a transaction under another nonce that is open or could become open
   * again.
   */
  readonly finalAttempts = async (db: Kysely<StoreSchema>): Promise<Done> => {
    const due = await this.#some(
      db
        .selectFrom('attempts')
        .select(['seq', 'id'])
        .where(FINAL_ATTEMPT_IS_KEPT)
        .where((eb) => eb.not(eb.exists(sendableOf(eb))))
        .orderBy('attempts.seq'),
    );
    if (due.length === 0) return NOTHING;
    const attempts = await deleteCalldata(db, due);
    await markAttempts(db, due, 1n);
    return { rows: due.length, attempts, deleted: attempts };
  };

  /**
   * Deletes the calldata and all signed transactions of attempts that ended before the time {@link
   * before}.
   */
  readonly oldAttempts = async (db: Kysely<StoreSchema>): Promise<Done> => {
    const due = await this.#some(
      db
        .selectFrom('attempts')
        .select(['seq', 'id', 'key', 'attempt'])
        .where(ENDED_ATTEMPT_IS_KEPT)
        .where('attempts.ended_at_ms', '<', this.before)
        .orderBy('attempts.ended_at_ms'),
    );
    if (due.length === 0) return NOTHING;
    const attempts = await deleteCalldata(db, due);
    let signed = 0;
    for (const { key, attempt } of due)
      signed += await deleteSigned(db, { attempt_key: key, attempt_number: attempt });
    await markAttempts(db, due, 2n);
    return { rows: due.length, attempts, deleted: attempts + signed };
  };

  /** Deletes all signed transactions under final nonces. */
  readonly finalNonces = (db: Kysely<StoreSchema>): Promise<Done> =>
    this.#nonces(
      db,
      db
        .selectFrom('nonces')
        .select(['lane', 'nonce'])
        .where(FINAL_NONCE_IS_KEPT)
        .orderBy('nonces.lane')
        .orderBy('nonces.nonce'),
    );

  /**
   * Deletes all signed transactions under nonces that were settled before the time {@link before}.
   */
  readonly oldNonces = (db: Kysely<StoreSchema>): Promise<Done> =>
    this.#nonces(
      db,
      db
        .selectFrom('nonces')
        .select(['lane', 'nonce'])
        .where(SETTLED_NONCE_IS_KEPT)
        .where('nonces.settled_at_ms', '<', this.before)
        .orderBy('nonces.settled_at_ms'),
    );

  readonly all = [this.finalAttempts, this.oldAttempts, this.finalNonces, this.oldNonces] as const;

  async #nonces(
    db: Kysely<StoreSchema>,
    kept: SelectQueryBuilder<StoreSchema, 'nonces', Pick<NoncesTable, 'lane' | 'nonce'>>,
  ): Promise<Done> {
    const due = await this.#some(kept);
    let deleted = 0;
    for (const { lane, nonce } of due) {
      deleted += await deleteSigned(db, { lane, nonce });
      await db
        .updateTable('nonces')
        .set({ wiped: 1n })
        .where('lane', '=', lane)
        .where('nonce', '=', nonce)
        .execute();
    }
    return { rows: due.length, attempts: 0, deleted };
  }

  #some<Table extends keyof StoreSchema, Row>(
    query: SelectQueryBuilder<StoreSchema, Table, Row>,
  ): Promise<Row[]> {
    return query
      .limit(BATCH)
      .$if(this.dialect.rowLocks, (locking) => locking.forUpdate().skipLocked())
      .execute();
  }
}

const NOTHING: Done = { rows: 0, attempts: 0, deleted: 0 };

/** Selects those transactions of an attempt that were not rejected and whose nonce is not final. */
function sendableOf(attempts: ExpressionBuilder<StoreSchema, 'attempts'>) {
  return attempts
    .selectFrom('transactions')
    .innerJoin('nonces', (join) =>
      join
        .onRef('nonces.lane', '=', 'transactions.lane')
        .onRef('nonces.nonce', '=', 'transactions.nonce'),
    )
    .select('transactions.seq')
    .whereRef('transactions.attempt_key', '=', 'attempts.key')
    .whereRef('transactions.attempt_number', '=', 'attempts.attempt')
    .where(sql<boolean>`transactions.gone is distinct from 'refused'`)
    .where(sql<boolean>`nonces.is_final is distinct from 1`);
}

async function deleteCalldata(
  db: Kysely<StoreSchema>,
  attempts: readonly Pick<AttemptsTable, 'id'>[],
): Promise<number> {
  const ids = attempts.map(({ id }) => id);
  const { numDeletedRows } = await db
    .deleteFrom('calldata')
    .where('submission_id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function markAttempts(
  db: Kysely<StoreSchema>,
  attempts: readonly { readonly seq: bigint }[],
  wiped: bigint,
): Promise<void> {
  const seqs = attempts.map(({ seq }) => seq);
  await db.updateTable('attempts').set({ wiped }).where('seq', 'in', seqs).execute();
}

async function deleteSigned(
  db: Kysely<StoreSchema>,
  of:
    | Pick<TransactionsTable, 'attempt_key' | 'attempt_number'>
    | Pick<TransactionsTable, 'lane' | 'nonce'>,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('signed_bytes')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('transactions')
        .select('transactions.hash')
        .where((row) => row.and(of)),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
