import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver, aSignedTransaction, took } from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

/**
 * Private text for which the test searches. The calldata and a signed transaction contain this
 * text; both are long enough to fill separate pages.
 */
const MARKER = 'private-recipient-marker';
const calldata = Felts.of(
  Array.from({ length: 400 }, () => BigInt(`0x${Buffer.from(MARKER).toString('hex')}`)),
);
const transaction = { ...aSignedTransaction('a'), bytes: Buffer.from(`${MARKER} `.repeat(400)) };

describe('redacted bytes', () => {
  let file: TemporaryLedgerFile;
  let opened: OpenedStore;
  beforeEach(async () => {
    file = temporaryLedgerFile();
    opened = await openSqliteStore({ path: file.path, busyTimeoutMs: 50 });
  });
  afterEach(async () => {
    await opened.close();
    file.remove();
  });

  it('redacted bytes are contained in no file of the ledger', async () => {
    await submitAndSettle();
    expect(filesWithMarker()).not.toEqual([]);
    expect(await opened.ledger.redact(9_000)).toBe(1);
    expect(filesWithMarker()).toEqual([]);
  });

  it('a redaction fails while a reader blocks the write-ahead log', async () => {
    await submitAndSettle();
    const reader = new DatabaseSync(file.path);
    reader.exec('begin');
    reader.prepare('select count(*) from calldata').get();
    await expect(opened.ledger.redact(9_000)).rejects.toBeInstanceOf(LedgerUnavailable);
    reader.close();
    expect(await opened.ledger.redact(9_000)).toBe(0);
    expect(filesWithMarker()).toEqual([]);
  });

  async function submitAndSettle(): Promise<void> {
    const driver = new LedgerDriver(opened.ledger);
    await driver.lease();
    const { attempt } = await driver.request('a', { calldata });
    if (attempt === null) throw new Error('the request was not accepted');
    await driver.store(attempt, 0n, transaction);
    await driver.settle(0n, took(transaction.hash));
    await driver.finalize(0n);
  }

  function filesWithMarker(): string[] {
    return readdirSync(file.directory).filter((name) =>
      readFileSync(join(file.directory, name)).includes(MARKER),
    );
  }
});
