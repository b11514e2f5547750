import type { Felt } from '@sotto/kernel';
import type {
  AuditStore,
  AuditedNonces,
  AuditedSubmission,
  EndedCursor,
  EndedPage,
} from '@sotto/submission-core';
import type { Kysely, Selectable } from 'kysely';
import { toAttempt, toNonce } from './rows.js';
import { toTransaction } from './transaction-rows.js';
import type { AttemptsTable, NoncesTable, StoreSchema, TransactionsTable } from '../schema.js';
import { Statement } from '../statement.js';

interface Span {
  readonly lane: Felt;
  readonly from: bigint;
  readonly through: bigint;
}

/** Access to the ledger's tables for the auditor, which compares them with the chain. */
export class SqlAuditStore implements AuditStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async firstNonce(lane: Felt): Promise<bigint | null> {
    return (await lowestNonce.first(this.db, { lane }))?.nonce ?? null;
  }

  nonces(lane: Felt, from: bigint, through: bigint, limit: number): Promise<AuditedNonces> {
    return this.#snapshot(async (db) => {
      // The row of a range of nonces contains the first nonce of the range. Rows have no gaps, so
      // the last row that starts at or below `from` covers the nonce `from`.
      const covering = await lastRowUpTo.first(db, { lane, nonce: from });
      const first = covering !== undefined && covering.through >= from ? covering.nonce : from;
      const found = await rowsFrom.all(db, {
        lane,
        from: first,
        through,
        limit: BigInt(limit) + 1n,
      });
      const rows = found.slice(0, limit).map(toNonce);
      const next = found[limit]?.nonce ?? null;
      const span = { lane, from, through: next === null ? through : next - 1n };
      const transactions = (await transactionsIn.all(db, span)).map(toTransaction);
      const named = rows.some((row) => row.through > row.nonce)
        ? await attemptsNaming.all(db, span)
        : [];
      const carried = transactions.flatMap(({ attempt }) =>
        attempt === null ? [] : [attempt.key],
      );
      return {
        rows,
        transactions,
        keys: [...new Set([...carried, ...named.map(({ key }) => key)])],
        next,
      };
    });
  }

  submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]> {
    if (keys.length === 0) return Promise.resolve([]);
    const wanted = [...new Set(keys)];
    return this.#snapshot(async (db) => {
      const attempts = await db
        .selectFrom('attempts')
        .selectAll()
        .where('key', 'in', wanted)
        .orderBy('key')
        .orderBy('attempt')
        .execute();
      const transactions = await db
        .selectFrom('transactions')
        .selectAll()
        .where('attempt_key', 'in', wanted)
        .orderBy('seq')
        .execute();
      return wanted.flatMap((key) => {
        const own = attempts.filter((row) => row.key === key).map(toAttempt);
        if (own.length === 0) return [];
        return [
          {
            key,
            attempts: own,
            transactions: transactions.filter((row) => row.attempt_key === key).map(toTransaction),
          },
        ];
      });
    });
  }

  async ended({ endedAtMs, id }: EndedCursor, untilMs: number, limit: number): Promise<EndedPage> {
    const rows = await endedAfter.all(this.db, {
      endedAtMs: BigInt(endedAtMs),
      id,
      untilMs: BigInt(untilMs),
      limit: BigInt(limit),
    });
    const last = rows.at(-1);
    return {
      keys: [...new Set(rows.map(({ key }) => key))],
      last:
        last === undefined || last.ended_at_ms === null
          ? null
          : { endedAtMs: Number(last.ended_at_ms), id: last.id },
    };
  }

  #snapshot<Read>(read: (db: Kysely<StoreSchema>) => Promise<Read>): Promise<Read> {
    return this.db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute(read);
  }
}

/** Selects the lowest nonce that is not archived. Archived nonces have no rows to compare. */
const lowestNonce = new Statement<{ readonly lane: Felt }, Pick<NoncesTable, 'nonce'>>(
  (db, { lane }) =>
    db
      .selectFrom('nonces')
      .innerJoin('lanes', 'lanes.address', 'nonces.lane')
      .select((eb) =>
        eb.fn.coalesce(eb('lanes.archived_through', '+', 1n), 'nonces.nonce').as('nonce'),
      )
      .where('nonces.lane', '=', lane)
      .orderBy('nonces.nonce')
      .limit(1n),
);

const lastRowUpTo = new Statement<
  { readonly lane: Felt; readonly nonce: bigint },
  Pick<NoncesTable, 'nonce' | 'through'>
>((db, { lane, nonce }) =>
  db
    .selectFrom('nonces')
    .select(['nonce', 'through'])
    .where('lane', '=', lane)
    .where('nonce', '<=', nonce)
    .orderBy('nonce', 'desc')
    .limit(1n),
);

const rowsFrom = new Statement<Span & { readonly limit: bigint }, Selectable<NoncesTable>>(
  (db, { lane, from, through, limit }) =>
    db
      .selectFrom('nonces')
      .selectAll()
      .where('lane', '=', lane)
      .where('nonce', '>=', from)
      .where('nonce', '<=', through)
      .orderBy('nonce')
      .limit(limit),
);

const transactionsIn = new Statement<Span, Selectable<TransactionsTable>>(
  (db, { lane, from, through }) =>
    db
      .selectFrom('transactions')
      .selectAll()
      .where('lane', '=', lane)
      .where('nonce', '>=', from)
      .where('nonce', '<=', through)
      .orderBy('nonce')
      .orderBy('seq'),
);

/**
 * Selects the attempts whose nonces are between `from` and `through`. The query scans all attempts
 * of the lane. The query is used only for imported ranges of nonces, where adopted outcomes have no
 * transaction.
 */
const attemptsNaming = new Statement<Span, Pick<AttemptsTable, 'key'>>(
  (db, { lane, from, through }) =>
    db
      .selectFrom('attempts')
      .select('key')
      .where('lane', '=', lane)
      .where('nonce', '>=', from)
      .where('nonce', '<=', through)
      .orderBy('seq'),
);

const endedAfter = new Statement<
  EndedParameters,
  Pick<Selectable<AttemptsTable>, 'key' | 'id' | 'ended_at_ms'>
>((db, { endedAtMs, id, untilMs, limit }) =>
  db
    .selectFrom('attempts')
    .select(['key', 'id', 'ended_at_ms'])
    .where('ended_at_ms', '>=', endedAtMs)
    .where('ended_at_ms', '<=', untilMs)
    .where((eb) => eb.or([eb('ended_at_ms', '>', endedAtMs), eb('id', '>', id)]))
    .orderBy('ended_at_ms')
    .orderBy('id')
    .limit(limit),
);

interface EndedParameters {
  readonly endedAtMs: bigint;
  readonly id: string;
  readonly untilMs: bigint;
  readonly limit: bigint;
}
