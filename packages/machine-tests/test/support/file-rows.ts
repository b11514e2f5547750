import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { toFelt } from '@sotto/kernel';
import type { AttemptState } from '@sotto/submission-core';
import type { JudgedRows } from '@sotto/submission-core/testing';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The rows as they stand in the file, read beside the store: through its port the same takes most of a run's time. */
export class FileRows {
  readonly #database: DatabaseSync;
  readonly #attempts: StatementSync;
  readonly #nonces: StatementSync;
  readonly #transactions: StatementSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { readOnly: true });
    this.#attempts = this.#database.prepare('select key, attempt, state, lane, nonce from attempts order by key, attempt');
    this.#nonces = this.#database.prepare('select lane, nonce, state from nonces');
    this.#transactions = this.#database.prepare(
      'select hash, lane, nonce, attempt_key, attempt_number, price_step, claims, dead from transactions order by seq',
    );
    for (const statement of [this.#attempts, this.#nonces, this.#transactions]) statement.setReadBigInts(true);
  }

  read(): JudgedRows {
    return {
      attempts: this.#attempts.all().map((row) => ({
        key: text(row, 'key'),
        attempt: Number(row['attempt']),
        // CAST: the column is checked by the schema.
        state: text(row, 'state') as AttemptState,
        lane: row['lane'] === null ? null : toFelt(text(row, 'lane')),
        nonce: row['nonce'] === null ? null : integer(row, 'nonce'),
      })),
      nonces: this.#nonces.all().map((row) => ({
        lane: toFelt(text(row, 'lane')),
        nonce: integer(row, 'nonce'),
        state: row['state'] === 'open' ? 'open' : 'settled',
      })),
      transactions: this.#transactions.all().map((row) => ({
        hash: toFelt(text(row, 'hash')),
        lane: toFelt(text(row, 'lane')),
        nonce: integer(row, 'nonce'),
        attempt: row['attempt_key'] === null ? null : { key: text(row, 'attempt_key'), attempt: Number(row['attempt_number']) },
        priceStep: Number(row['price_step']),
        claims: row['claims'] === 0n ? 0 : row['claims'] === 1n ? 1 : 2,
        dead: row['dead'] === 1n,
      })),
    };
  }

  close(): void {
    this.#database.close();
  }
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`${column} is no text`);
  return value;
}

function integer(row: Row, column: string): bigint {
  const value = row[column];
  if (typeof value !== 'bigint') throw new TypeError(`${column} is no integer`);
  return value;
}
