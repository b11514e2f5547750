import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { inspectSqliteStore, openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const CHAIN = { chainId: toFelt('0x534e'), genesisHash: toFelt('0x6e') };

describe('a store that is inspected', () => {
  it('says which chain it belongs to, and is not changed', async () => {
    const { path } = temporaryLedgerFile();
    const store = await openSqliteStore({ path });
    await store.ledger.bindChain(CHAIN);
    await store.close();
    const before = statSync(path);
    expect(await inspectSqliteStore(path)).toEqual({
      pendingMigrations: [],
      skippedMigrations: [],
      unknownMigrations: [],
      differingMigrations: [],
      ledger: { chain: CHAIN, lanes: [] },
      nowMs: null,
    });
    expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
  });

  it('is read beside a service that has it open', async () => {
    const { path } = temporaryLedgerFile();
    const store = await openSqliteStore({ path });
    await store.ledger.bindChain(CHAIN);
    expect((await inspectSqliteStore(path)).ledger).toEqual({ chain: CHAIN, lanes: [] });
    await store.close();
  });

  it('has every migration before it, and no ledger, while it is empty', async () => {
    const { path } = temporaryLedgerFile();
    new DatabaseSync(path).exec('vacuum');
    const { pendingMigrations, ledger } = await inspectSqliteStore(path);
    expect(pendingMigrations[0]).toBe('0001_submission_machine');
    expect(ledger).toBeNull();
  });

  it('is not made where no file stands', async () => {
    await expect(inspectSqliteStore(temporaryLedgerFile().path)).rejects.toThrow(LedgerUnavailable);
  });
});
