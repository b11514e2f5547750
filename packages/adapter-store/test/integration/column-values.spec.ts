import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

/** What the compiler keeps out of the ledger's own writes, the database keeps out of anybody's. */
describe('values that no column takes', () => {
  const file = temporaryLedgerFile();
  let database: DatabaseSync;

  beforeAll(async () => {
    const { ledger, quotes, transfers, close } = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    await driver.broadcast('a', 0n);
    await quotes.add(aFeeQuote('q'));
    await transfers.update('t', 1_000, () => aTransfer);
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
    ['quotes', 'fee_amount = null'],
    ['quotes', 'expires_at_ms = 0'],
    ['quotes', `expires_at_ms = 'never'`],
    ['transfers', `next = 'lost'`],
    ['transfers', 'refunded = 1'],
    ['transfers', `next = 'failed', refunded = 2`],
    ['transfers', 'deposit_detected_at = null'],
    ['transfers', 'swap_source_token_at = deposit_detected_at - 1'],
    ['transfers', 'send_to_recipient_at = swap_source_token_at'],
    ['transfers', `deposit_detected_at = 'yesterday'`],
    ['transfers', 'changed_at_ms = null'],
  ])('%s: %s', (table, change) => {
    const before = database.prepare(`select * from ${table}`).all();
    expect(() => database.exec(`update ${table} set ${change}`)).toThrow(/constraint failed|cannot store/);
    expect(database.prepare(`select * from ${table}`).all()).toEqual(before);
  });
});
