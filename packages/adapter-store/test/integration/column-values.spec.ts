import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteLedger } from '../../src/index.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

/** What the compiler keeps out of the ledger's own writes, the database keeps out of anybody's. */
describe('values that no column takes', () => {
  const file = temporaryLedgerFile();
  let database: DatabaseSync;

  beforeAll(async () => {
    const { ledger, close } = await openSqliteLedger({ path: file.path });
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    await driver.broadcast('a', 0n);
    await close();
    database = new DatabaseSync(file.path, { enableForeignKeyConstraints: true });
  });
  afterAll(() => {
    database.close();
    file.remove();
  });

  it.each([
    ['lanes', `role = 'nobody'`],
    ['attempts', `role = 'nobody'`],
    ['attempts', `state = 'lost'`],
    ['attempts', `state = 'lost', ended_at_ms = 1`],
    ['attempts', 'readmit = 2'],
    ['attempts', 'fee_amount = null'],
    ['attempts', 'fee_token = null'],
    ['attempts', 'cost_fri = null'],
    ['attempts', 'strk_usd_e8 = null'],
    ['attempts', 'fee_token_usd_e8 = null'],
    ['attempts', 'fingerprint = null'],
    ['attempts', `nonce = 'first'`],
    ['nonces', `state = 'lost', settled_by = null`],
    ['nonces', 'owner_key = null'],
    ['nonces', 'owner_attempt = null'],
    ['transactions', `kind = 'other', attempt_key = null, attempt_number = null`],
    ['transactions', 'attempt_number = null'],
    ['transactions', 'claims = 3'],
    ['transactions', 'dead = 2'],
    ['transactions', `seen_execution = 'PERHAPS'`],
  ])('%s: %s', (table, change) => {
    const before = database.prepare(`select * from ${table}`).all();
    expect(() => database.exec(`update ${table} set ${change}`)).toThrow(/constraint failed|cannot store/);
    expect(database.prepare(`select * from ${table}`).all()).toEqual(before);
  });
});
