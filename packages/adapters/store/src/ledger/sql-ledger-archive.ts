import type { Felt } from '@sotto/kernel';
import type {
  ArchivedNonce,
  ArchivedTransaction,
  KeepArchived,
  LedgerArchive,
} from '@sotto/submission-core';
import { sql, type Kysely, type Selectable } from 'kysely';
import { mapStoreErrors } from '../map-store-errors.js';
import { momentBefore, type SqlDialect } from '../sql-dialect.js';
import type { LanesTable, NoncesTable, StoreSchema, TransactionsTable } from '../schema.js';

/** Number of nonces per transaction. A small number prevents long waits of other writers. */
const BATCH = 256;

interface NonceOfArchive extends Selectable<NoncesTable> {
  readonly submission: string | null;
}

interface TransactionOfArchive extends Selectable<TransactionsTable> {
  readonly submission: string | null;
}

type LaneOfArchive = Pick<Selectable<LanesTable>, 'address' | 'archived_through'>;

/**
 * Reads rows, passes them to the caller's archive and then deletes them from the ledger, without a
 * lock. The rows are final, so the only possible concurrent change is that another instance
 * archives the same rows.
 */
export class SqlLedgerArchive implements LedgerArchive {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: Pick<SqlDialect, 'time'>,
  ) {}

  async archive(retentionMs: number, keep: KeepArchived): Promise<number> {
    let archived = 0;
    for (const { address } of await mapStoreErrors(() => this.#lanes()))
      for (;;) {
        const done = await this.#archiveSome(address, retentionMs, keep);
        if (done === 0) break;
        archived += done;
      }
    return archived;
  }

  /**
   * Selects the lanes whose nonces can be archived. Lanes in quarantine are excluded, because parts
   * of their ledger are missing and are still being read from the chain.
   */
  #lanes(address?: Felt): Promise<LaneOfArchive[]> {
    return this.db
      .selectFrom('lanes')
      .select(['address', 'archived_through'])
      .where('quarantine_cause', 'is', null)
      .$if(address !== undefined, (query) => query.where('address', '=', address ?? null))
      .orderBy('address')
      .execute();
  }

  async #archiveSome(address: Felt, retentionMs: number, keep: KeepArchived): Promise<number> {
    const due = await mapStoreErrors(() => this.#due(address, retentionMs));
    const [first] = due.rows;
    const last = due.rows.at(-1);
    // A single row represents itself or a range that is already archived, so there is no reason to
    // replace it.
    if (first === undefined || last === undefined || first === last) return 0;
    const fresh = due.rows.filter(({ nonce }) => nonce > (due.archivedThrough ?? -1n));
    const transactions = await mapStoreErrors(() => this.#transactionsOf(address, first, last));
    await keep(fresh.map((row) => toArchived(row, transactions)));
    return mapStoreErrors(() =>
      this.#replace(first, last, {
        nonces: fresh.length,
        disproves: due.rows.some((row) => row.disproves_refusal === 1n),
      }),
    );
  }

  /**
   * Returns the rows of the lane's oldest nonces, up to the first nonce that must not be archived.
   */
  async #due(
    address: Felt,
    retentionMs: number,
  ): Promise<{ rows: NonceOfArchive[]; archivedThrough: bigint | null }> {
    const [lane] = await this.#lanes(address);
    if (lane === undefined) return { rows: [], archivedThrough: null };
    const before = await momentBefore(this.db, this.dialect, retentionMs);
    const rows = await this.db
      .selectFrom('nonces')
      .leftJoin('attempts as owner', (join) =>
        join
          .onRef('owner.key', '=', 'nonces.owner_key')
          .onRef('owner.attempt', '=', 'nonces.owner_attempt'),
      )
      .selectAll('nonces')
      .select('owner.id as submission')
      .select(
        sql<bigint>`case when nonces.is_final = 1 and nonces.wiped = 1 and nonces.settled_at_ms < ${before}
          and not exists (
            select 1 from transactions
            join attempts on attempts.key = transactions.attempt_key
              and attempts.attempt = transactions.attempt_number
            where transactions.lane = nonces.lane and transactions.nonce = nonces.nonce
              and (attempts.wiped = 0 or attempts.ended_at_ms is null or attempts.ended_at_ms >= ${before}
                or exists (
                  select 1 from transactions as other
                  join nonces as place on place.lane = other.lane and place.nonce = other.nonce
                  where other.attempt_key = attempts.key and other.attempt_number = attempts.attempt
                    and (place.is_final is null or place.is_final = 0))))
          then 1 else 0 end`.as('is_due'),
      )
      .where('nonces.lane', '=', address)
      .orderBy('nonces.nonce')
      .limit(BATCH)
      .execute();
    const staying = rows.findIndex(({ is_due }) => is_due !== 1n);
    return {
      rows: staying === -1 ? rows : rows.slice(0, staying),
      archivedThrough: lane.archived_through,
    };
  }

  #transactionsOf(
    address: Felt,
    first: NonceOfArchive,
    last: NonceOfArchive,
  ): Promise<TransactionOfArchive[]> {
    return this.db
      .selectFrom('transactions')
      .leftJoin('attempts', (join) =>
        join
          .onRef('attempts.key', '=', 'transactions.attempt_key')
          .onRef('attempts.attempt', '=', 'transactions.attempt_number'),
      )
      .selectAll('transactions')
      .select('attempts.id as submission')
      .where('transactions.lane', '=', address)
      .where('transactions.nonce', '>=', first.nonce)
      .where('transactions.nonce', '<=', last.nonce)
      .orderBy('transactions.seq')
      .execute();
  }

  /** Replaces all given rows by one row, unless another instance has already done this. */
  async #replace(
    first: NonceOfArchive,
    last: NonceOfArchive,
    { nonces, disproves }: { readonly nonces: number; readonly disproves: boolean },
  ): Promise<number> {
    const { lane } = first;
    return this.db.transaction().execute(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('nonces')
        .set({
          through: last.through,
          version: first.version + 1n,
          owner_key: null,
          owner_attempt: null,
          settled_by: null,
          is_foreign: 1n,
          execution: null,
          block_number: null,
          block_hash: null,
          fee_fri: null,
          // Copy the evidence that rejections are unreliable to the new row, because the rows with
          // this evidence are deleted.
          disproves_refusal: disproves ? 1n : 0n,
          settled_at_ms: last.settled_at_ms,
        })
        .where('lane', '=', lane)
        .where('nonce', '=', first.nonce)
        .where('through', '=', first.through)
        .where('version', '=', first.version)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return 0;
      await db
        .updateTable('lanes')
        .set({ archived_through: last.through })
        .where('address', '=', lane)
        .execute();
      await db
        .deleteFrom('transactions')
        .where('lane', '=', lane)
        .where('nonce', '>=', first.nonce)
        .where('nonce', '<=', last.nonce)
        .execute();
      await db
        .deleteFrom('nonces')
        .where('lane', '=', lane)
        .where('nonce', '>', first.nonce)
        .where('nonce', '<=', last.nonce)
        .execute();
      return nonces;
    });
  }
}

function toArchived(
  row: NonceOfArchive,
  transactions: readonly TransactionOfArchive[],
): ArchivedNonce {
  return {
    lane: row.lane,
    nonce: row.nonce,
    through: row.through,
    submission: row.submission,
    settledBy: row.settled_by,
    isForeign: row.is_foreign === 1n,
    execution: row.execution,
    blockNumber: row.block_number === null ? null : Number(row.block_number),
    blockHash: row.block_hash,
    feeFri: row.fee_fri === null ? null : BigInt(row.fee_fri),
    settledAtMs: Number(row.settled_at_ms),
    transactions: transactions
      .filter(({ nonce }) => nonce === row.nonce)
      .map(toArchivedTransaction),
  };
}

function toArchivedTransaction(row: TransactionOfArchive): ArchivedTransaction {
  return {
    hash: row.hash,
    kind: row.kind,
    submission: row.submission,
    priceStep: Number(row.price_step),
    l2MaxAmount: BigInt(row.l2_max_amount),
    l2MaxPriceFri: BigInt(row.l2_max_price_fri),
    l1MaxAmount: BigInt(row.l1_max_amount),
    l1MaxPriceFri: BigInt(row.l1_max_price_fri),
    l1DataMaxAmount: BigInt(row.l1_data_max_amount),
    l1DataMaxPriceFri: BigInt(row.l1_data_max_price_fri),
    tipFri: BigInt(row.tip_fri),
    rejectionCode: row.refusal_code,
  };
}
