import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { domainError } from '@sotto/kernel';
import type { ExpiredBefore, FeeQuote, QuoteStore, Redemption } from '@sotto/relayer-core';

const TABLE = 'create table if not exists quotes (id text primary key, quote, expires, served)';
const SERVE = 'update quotes set served = iif(expires > ?, coalesce(served, ?), served)';
class QuotesUnavailable extends domainError('LEDGER_UNAVAILABLE') {}

/**
 * Example of a quote store that is not part of this project: it stores fee quotes in an SQLite
 * database. Use: `createRelayer({ store: { quotes: … }, … })`.
 */
export class SqliteQuotes implements QuoteStore {
  readonly #database: DatabaseSync;
  constructor(database: DatabaseSync) {
    database.exec(TABLE);
    this.#database = database;
  }
  async add(quote: FeeQuote): Promise<void> {
    const text = JSON.stringify(quote, textOfAmount);
    this.#do('insert into quotes values (?, ?, ?, null)', quote.id, text, quote.expiresAtMs);
  }
  async find(id: string): Promise<FeeQuote | null> {
    return this.#do('select * from quotes where id = ?', id)[0]?.quote ?? null;
  }
  async redeem(id: string, key: string, nowMs: number): Promise<Redemption> {
    // A single write decides which request gets the quote if several requests cite the quote
    // concurrently.
    const [row] = this.#do(`${SERVE} where id = ? returning *`, nowMs, key, id);
    if (row === undefined) return { kind: 'unknown' };
    if (row.served === null) return { kind: 'expired' };
    return row.served === key ? { kind: 'redeemed', quote: row.quote } : { kind: 'used' };
  }
  async forget({ usedMs, unusedMs }: ExpiredBefore): Promise<number> {
    const over = 'expires < iif(served is null, ?, ?)';
    return this.#do(`delete from quotes where ${over} returning *`, unusedMs, usedMs).length;
  }
  #do(sql: string, ...values: SQLInputValue[]) {
    try {
      return this.#database
        .prepare(sql)
        .all(...values)
        .map(rowOf);
    } catch (cause) {
      throw new QuotesUnavailable({ cause });
    }
  }
}

function rowOf({ quote: text, served }: Record<string, unknown>) {
  const { feeAmount, recipientGasFri, ...others } = JSON.parse(String(text));
  const gas = recipientGasFri === undefined ? {} : { recipientGasFri: BigInt(recipientGasFri) };
  return { quote: { ...others, ...gas, feeAmount: BigInt(feeAmount) }, served };
}

const textOfAmount = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
