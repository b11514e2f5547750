import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver, aSubmission, keptBytes } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { expectAllKept, writerKilledAfter } from '../support/processes.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('ledger file', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  it('a ledger file contains all records after it was closed and opened again', async () => {
    const first = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(first.ledger);
    await driver.lease();
    const done = await driver.broadcast('done', 0n);
    await driver.succeed(done);
    const flying = await driver.broadcast('flying', 1n);
    const before = {
      done: await first.ledger.attempt(done.attempt),
      open: await first.ledger.openNonces(LedgerDriver.lane),
      transactions: await first.ledger.transactionsOf(done.attempt),
    };
    await first.close();

    const { ledger, close } = await openSqliteStore({ path: file.path });
    expect(await ledger.attempt(done.attempt)).toEqual(before.done);
    expect(await ledger.openNonces(LedgerDriver.lane)).toEqual(before.open);
    expect(await ledger.transactionsOf(done.attempt)).toEqual(before.transactions);
    expect(await keptBytes(ledger, flying.transaction.hash)).toEqual(flying.transaction.bytes);
    expect((await ledger.calldata('id-of-flying'))?.equals(aSubmission('flying').calldata)).toBe(
      true,
    );
    expect(await ledger.lease(LedgerDriver.lane, 'another', 1_000)).toBeNull();
    expect(await ledger.renew(LedgerDriver.lane, LedgerDriver.instance, driver.fence, 1_000)).toBe(
      true,
    );
    await close();
  });

  it('a closed store rejects calls, and can be closed twice', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await close();
    await expect(ledger.lastAttempt('key')).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(new LedgerDriver(ledger).request('a')).rejects.toBeInstanceOf(LedgerUnavailable);
    await close();
  });

  it('a store completes a running call before the store closes', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    const request = new LedgerDriver(ledger).request('a');
    await close();
    expect(await request).toMatchObject({ applied: true });
    const again = await openSqliteStore({ path: file.path });
    expect(await again.ledger.attemptById('id-of-a')).toMatchObject({ state: 'accepted' });
    await again.close();
  });

  it.each([1, 17, 60])(
    'the ledger loses no acknowledged record if its process is killed after %i records',
    async (records) => {
      const acknowledged = await writerKilledAfter(records, file.path);
      const { ledger, close } = await openSqliteStore({ path: file.path });
      expect(acknowledged.size).toBeGreaterThanOrEqual(Math.ceil(records / 3));
      await expectAllKept(ledger, acknowledged);
      await close();
    },
  );
});
