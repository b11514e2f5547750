import type { Felt } from '@sotto/kernel';
import {
  isLive,
  sameRef,
  type RegisterCursor,
  type RegisteredSubmission,
  type RegisterPage,
  type SubmissionFilter,
  type SubmissionRegister,
} from '@sotto/submission-core';
import { sql, type Kysely, type Selectable } from 'kysely';
import {
  ATTEMPT_HAS_ENDED,
  ATTEMPT_IS_LIVE,
  type AttemptsTable,
  type StoreSchema,
} from '../schema.js';
import { toAttempt } from './rows.js';
import { toTransaction } from './transaction-rows.js';

type AttemptRow = Selectable<AttemptsTable>;

/** Access of operators to submissions in the ledger's tables. */
export class SqlSubmissionRegister implements SubmissionRegister {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  page(
    filter: SubmissionFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<RegisterPage> {
    return this.#snapshot(async (db) => {
      const found = await filtered(db, filter, after)
        .limit(limit + 1)
        .execute();
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      return {
        submissions: await registered(db, rows),
        next:
          last === undefined ? null : { acceptedAtMs: Number(last.accepted_at_ms), row: last.seq },
      };
    });
  }

  ofTransaction(hash: Felt): Promise<readonly RegisteredSubmission[]> {
    return this.#snapshot(async (db) => {
      const signed = await db
        .selectFrom('transactions')
        .innerJoin('attempts', (join) =>
          join
            .onRef('attempts.key', '=', 'transactions.attempt_key')
            .onRef('attempts.attempt', '=', 'transactions.attempt_number'),
        )
        .selectAll('attempts')
        .where('transactions.hash', '=', hash)
        .execute();
      const ended = await db
        .selectFrom('attempts')
        .selectAll()
        .where('transaction_hash', '=', hash)
        .execute();
      return registered(db, newestFirst([...signed, ...ended]));
    });
  }

  ofKeys(keys: readonly string[]): Promise<readonly RegisteredSubmission[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return this.#snapshot(async (db) => {
      const rows = await db.selectFrom('attempts').selectAll().where('key', 'in', keys).execute();
      return registered(db, newestFirst(rows));
    });
  }

  ofId(id: string): Promise<RegisteredSubmission | null> {
    return this.#snapshot(async (db) => {
      const rows = await db.selectFrom('attempts').selectAll().where('id', '=', id).execute();
      return (await registered(db, rows)).at(0) ?? null;
    });
  }

  #snapshot<T>(read: (db: Kysely<StoreSchema>) => Promise<T>): Promise<T> {
    return this.db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute(read);
  }
}

/**
 * Builds a filtered query. For each filter there is an index in the order of the list, so that a
 * page reads only a few rows that the filter excludes.
 */
function filtered(
  db: Kysely<StoreSchema>,
  { state, kind, subject, lane, acceptedSinceMs, acceptedBeforeMs }: SubmissionFilter,
  after: RegisterCursor | null,
) {
  const equal = { state, kind, subject, lane };
  let query = db.selectFrom('attempts').selectAll();
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) query = query.where(db.dynamic.ref(column), '=', value);
  // The conditions must equal the predicates of the partial indexes.
  if (state !== undefined) query = query.where(isLive(state) ? ATTEMPT_IS_LIVE : ATTEMPT_HAS_ENDED);
  if (acceptedSinceMs !== undefined)
    query = query.where('accepted_at_ms', '>=', BigInt(acceptedSinceMs));
  if (acceptedBeforeMs !== undefined)
    query = query.where('accepted_at_ms', '<', BigInt(acceptedBeforeMs));
  if (after !== null) {
    const place = sql`(${BigInt(after.acceptedAtMs)}, ${after.row})`;
    query = query.where(sql<boolean>`(accepted_at_ms, seq) < ${place}`);
  }
  return query.orderBy('accepted_at_ms', 'desc').orderBy('seq', 'desc');
}

/** Returns the rows sorted from newest to oldest, without duplicates. */
function newestFirst(rows: readonly AttemptRow[]): readonly AttemptRow[] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return [...bySeq.values()].toSorted(
    (a, b) => Number(b.accepted_at_ms - a.accepted_at_ms) || Number(b.seq - a.seq),
  );
}

async function registered(
  db: Kysely<StoreSchema>,
  rows: readonly AttemptRow[],
): Promise<readonly RegisteredSubmission[]> {
  if (rows.length === 0) return [];
  const signed = await db
    .selectFrom('transactions')
    .selectAll()
    .where('attempt_key', 'in', [...new Set(rows.map(({ key }) => key))])
    .orderBy('seq')
    .execute();
  const transactions = signed.map(toTransaction);
  return rows.map(toAttempt).map((attempt) => ({
    attempt,
    transactions: transactions.filter((row) => sameRef(row.attempt, attempt)),
  }));
}
