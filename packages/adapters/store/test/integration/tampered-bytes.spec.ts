import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import {
  LedgerDriver,
  aSubmission,
  keptBytes,
  type Broadcast,
} from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('stored bytes that were modified externally', () => {
  let file: TemporaryLedgerFile;
  let opened: OpenedStore;
  let flying: Broadcast;
  beforeEach(async () => {
    file = temporaryLedgerFile();
    opened = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(opened.ledger);
    await driver.lease();
    flying = await driver.broadcast('a', 0n);
  });
  afterEach(async () => {
    await opened.close();
    file.remove();
  });

  const change = (statement: string, ...values: readonly Uint8Array[]): void => {
    const database = new DatabaseSync(file.path);
    expect(database.prepare(statement).run(...values).changes).toBe(1);
    database.close();
  };
  const kept = (): Promise<Uint8Array | null> => keptBytes(opened.ledger, flying.transaction.hash);

  it('signed bytes are returned if an earlier release stored their calldata unpacked', async () => {
    change('update calldata set words = ?', aSubmission('a').calldata.toBytes());
    expect(await kept()).toEqual(flying.transaction.bytes);
  });

  it.each([
    [
      'the envelope',
      "update signed_bytes set bytes = cast('signed Bytes' as blob), calldata_at = 3",
    ],
    ['where the calldata belongs', 'update signed_bytes set calldata_at = calldata_at - 1'],
    ['the digest', 'update signed_bytes set sha256 = zeroblob(32)'],
  ])(
    'signed bytes are not returned if the database was modified by another program: %s',
    async (_what, statement) => {
      change(statement);
      expect(await kept()).toBeNull();
    },
  );

  it('signed bytes are not returned if the stored calldata was modified', async () => {
    change('update calldata set words = ?', Felts.of([3n, 1n, 2n]).toPacked());
    expect(await kept()).toBeNull();
    change('update calldata set words = ?', Uint8Array.of(0x80, 2, 1, 0, 9));
    await expect(kept()).rejects.toBeInstanceOf(LedgerUnavailable);
  });
});
