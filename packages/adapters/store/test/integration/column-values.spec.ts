import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { FORBIDDEN_VALUES, writeTaskRows } from '../support/forbidden-values.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

/**
 * Checks that the database itself rejects invalid values, regardless of the writer. The compiler
 * checks only the writes of the ledger.
 */
describe('forbidden column values', () => {
  const file = temporaryLedgerFile();
  let database: DatabaseSync;

  beforeAll(async () => {
    const store = await openSqliteStore({ path: file.path });
    const { ledger, quotes, transfers, close } = store;
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    await driver.broadcast('a', 0n);
    await quotes.add(aFeeQuote('q'));
    await transfers.update('t', 1_000, () => aTransfer);
    await writeTaskRows(store);
    await close();
    database = new DatabaseSync(file.path, { enableForeignKeyConstraints: true });
  });
  afterAll(() => {
    database.close();
    file.remove();
  });

  it.each(FORBIDDEN_VALUES)('the database rejects an update of %s: %s', (table, change) => {
    const before = database.prepare(`select * from ${table}`).all();
    expect(() => database.exec(`update ${table} set ${change}`)).toThrow(
      /constraint failed|cannot store/,
    );
    expect(database.prepare(`select * from ${table}`).all()).toEqual(before);
  });
});
